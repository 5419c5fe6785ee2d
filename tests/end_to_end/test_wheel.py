"""A wheel, installed where there is no checkout, has all that the commands of the README need."""

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from ugs.commands.kits import BOT, kits_of

TOP = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def ugs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command, of a wheel in a fresh environment that borrows only the packages of others."""
    room = tmp_path_factory.mktemp("wheel")
    build = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "-w",
        str(room),
        str(TOP),
    ]
    subprocess.run(build, check=True)
    (wheel,) = room.glob("*.whl")
    environment = room / "venv"
    venv.create(environment, with_pip=False)
    libraries = Path(sysconfig.get_path("purelib", vars={"base": str(environment)}))
    install = [sys.executable, "-m", "pip", "--python", str(environment / "bin" / "python"), "install", "--quiet"]
    subprocess.run([*install, "--no-deps", "--no-index", str(wheel)], check=True)
    # A path in a .pth file: the .pth files there, the editable checkout's among them, are not read.
    (libraries / "borrowed.pth").write_text(sysconfig.get_path("purelib"))
    return environment / "bin" / "ugs"


def said(ugs: Path, *arguments: str, room: Path) -> str:
    """What a command prints, run where there is nothing."""
    environment = {**os.environ, "COLUMNS": "200"}
    environment.pop("PYTHONPATH", None)
    done = subprocess.run([ugs, *arguments], capture_output=True, text=True, check=False, cwd=room, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_everything_comes_from_the_wheel(ugs: Path, tmp_path: Path) -> None:
    where = "import ugs, game_masters; print(ugs.__file__, game_masters.__file__)"
    python = ugs.with_name("python")
    found = subprocess.run([python, "-c", where], capture_output=True, text=True, check=True, cwd=tmp_path).stdout
    assert str(TOP) not in found
    for name in ("session_player.py", "ugs.service", "organiser.md"):
        folder = {".md": "docs", ".service": "conf"}.get(Path(name).suffix, "examples")
        assert said(ugs, "example", name, room=tmp_path) == (TOP / folder / name).read_text(encoding="utf-8")
    for name, path in (("README.md", "README.md"), ("protocol.md", "schemas/README.md")):
        assert said(ugs, "example", name, room=tmp_path) == (TOP / path).read_text(encoding="utf-8")
    for language, kit in kits_of(BOT).items():
        said(ugs, "new", "bot", "--language", language, f"{language}/mybot", room=tmp_path)
        copied = {path.name for path in (tmp_path / language / "mybot").rglob("*")}
        assert copied == {path.name for path in kit.folder.rglob("*") if "__pycache__" not in str(path)}
    said(ugs, "new", "game", "my-game", room=tmp_path)
    assert (tmp_path / "my-game" / "ugs_my_game" / "rules.py").is_file()
    for name in ("ugs-nim", "tic-tac-toe"):
        said(ugs, "example", name, name, room=tmp_path)
        assert list((tmp_path / name).rglob("rules.py"))
    assert not list(ugs.parents[1].rglob("*.png"))
    assert "tic-tac-toe" in said(ugs, "games", room=tmp_path)
    document = tmp_path / "move.xml"
    document.write_text('<message type="logout"/>')
    said(ugs, "validate", str(document), room=tmp_path)


def test_the_demonstration_and_what_can_be_asked_afterwards(ugs: Path, tmp_path: Path) -> None:
    demo = ("demo", "--games", "2", "--think-ms", "0", "--port", "0", "--data-dir", "data")
    assert "threats-1" in said(ugs, *demo, room=tmp_path)
    assert "threats-1" in said(ugs, "standings", "--data-dir", "data", room=tmp_path)
    assert "5-in-line-tic-tac-toe" in said(ugs, "record", "list", "--data-dir", "data", room=tmp_path)
