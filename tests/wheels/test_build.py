"""The wheels, built and installed where there is nothing else of ours."""

import json
import os
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.locks import needed
from tests.profile import ONLY_DEEP
from tests.wheels.build import build
from tests.wheels.parts import GAMES, SERVER, TOOLS, contents, tracked
from tests.wheels.project import project_of

FILES = contents(tracked())


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the server and the packages that it names, each of them a link, and nothing else."""
    place = tmp_path_factory.mktemp("alone")
    wheel, _ = build(SERVER, FILES[SERVER], tmp_path_factory.mktemp("wheel"))
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(place)
    libraries = Path(sysconfig.get_path("purelib"))
    for name in needed(map(Requirement, project_of(SERVER, FILES[SERVER])["dependencies"])):
        for top in {file.parts[0] for file in distribution(name).files or ()} - {"..", "__pycache__"}:
            if not (place / top).exists():
                (place / top).symlink_to(libraries / top)
    return place


def run(place: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """``python -m ugs`` with what is in a folder, and the standard library."""
    environment = {**os.environ, "PYTHONPATH": str(place), "PYTHONDONTWRITEBYTECODE": "1", "COLUMNS": "200"}
    command = [sys.executable, "-S", "-m", "ugs", *arguments]
    return subprocess.run(command, env=environment, cwd=place, capture_output=True, text=True, check=False, timeout=300)


def test_the_server_alone_serves(alone: Path, tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(alone), "PYTHONDONTWRITEBYTECODE": "1"}
    arguments = ("serve", "--port", "0", "--http-port", "0", "--data-dir", str(tmp_path / "data"))
    command = [sys.executable, "-S", "-m", "ugs", *arguments]
    with subprocess.Popen(command, env=environment, cwd=alone, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        lines = list(until_listening(server.stderr))
        server.terminate()
        rest = server.stderr.read()
    assert json.loads(lines[-1])["event"] == "listening", rest
    assert server.returncode == 0, rest


def until_listening(lines: Iterator[str]) -> Iterator[str]:
    """The lines of a log up to the one that says that the server listens."""
    for line in lines:
        yield line
        if "listening" in line:
            return


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("games", 'no game is installed: pip install "ugs[games]"'),
        pytest.param("demo", 'no game is installed: pip install "ugs[games]"', marks=ONLY_DEEP),
        pytest.param("master chess", 'none is installed: pip install "ugs[games]"', marks=ONLY_DEEP),
        pytest.param("init cup --yes", 'no game is installed: pip install "ugs[games]"', marks=ONLY_DEEP),
        ("bench", 'bench is not installed: pip install "ugs[tools]"'),
        pytest.param("soak --list", 'soak is not installed: pip install "ugs[tools]"', marks=ONLY_DEEP),
        pytest.param("token add ann --data-dir data", 'needs argon2: pip install "ugs[tokens]"', marks=ONLY_DEEP),
        pytest.param("validate x.xml", 'needs xmlschema: pip install "ugs[schemas]"', marks=ONLY_DEEP),
    ],
)
def test_what_is_not_there_is_named_with_the_way_to_get_it(alone: Path, line: str, said: str) -> None:
    done = run(alone, *line.split())
    assert done.returncode in (1, 2), done.stdout
    assert said in " ".join(done.stderr.replace("│", " ").split())
    assert "Traceback" not in done.stderr


@ONLY_DEEP
def test_a_strict_server_says_what_it_needs(alone: Path, tmp_path: Path) -> None:
    for settings, extra in (('[wire]\nvalidation = "strict"\n', "schemas"), ('auth = "tokens"\n', "tokens")):
        (tmp_path / "my.toml").write_text(settings)
        done = run(alone, "serve", "--config", str(tmp_path / "my.toml"), "--data-dir", str(tmp_path / "data"))
        assert (done.returncode, f'pip install "ugs[{extra}]"' in done.stderr) == (2, True), done.stderr


def test_the_same_source_makes_the_same_bytes(tmp_path: Path) -> None:
    made = []
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        wheel, bill = build(TOOLS, FILES[TOOLS], tmp_path / name)
        made.append((wheel.read_bytes(), bill.read_bytes()))
    assert made[0] == made[1]


def test_a_wheel_has_its_licence_its_bill_and_its_files(tmp_path: Path) -> None:
    wheel, _ = build(GAMES, FILES[GAMES], tmp_path)
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        info = next(name for name in names if name.endswith("/METADATA")).rpartition("/")[0]
        assert json.loads(archive.read(f"{info}/sboms/bill.cdx.json"))["bomFormat"] == "CycloneDX"
    assert f"{info}/licenses/LICENSE" in names
    assert {name for name in names if not name.startswith(info)} == set(FILES[GAMES])
