"""What lies in ``conf/``: units without rights that they do not need, containers whose health is looked at."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest
import yaml

from tests.end_to_end.processes import Program
from tests.journal.postgresql.database_server import PROGRAMS
from tests.profile import ONLY_DEEP

CONF = Path(__file__).parents[1] / "conf"
DOCKERFILE = (CONF / "Dockerfile.example").read_text(encoding="utf-8")
COMPOSE = yaml.safe_load((CONF / "compose.yaml").read_text(encoding="utf-8"))
SERVICES = COMPOSE["services"]
BOTS = ("ann", "ben")
MAX_EXPOSED = 2.0


@pytest.mark.parametrize("unit", ["ugs.service", "ugs-standby.service", "ugs-master@.service"])
def test_a_unit_is_hardly_exposed(unit: str) -> None:
    command = ["systemd-analyze", "security", "--offline=yes", f"--threshold={MAX_EXPOSED * 10:.0f}", str(CONF / unit)]
    rated = subprocess.run(command, capture_output=True, text=True, check=False)
    assert rated.returncode == 0, rated.stdout[-200:] + rated.stderr
    assert "Overall exposure level" in rated.stdout


def test_units_run_as_nobody_special_and_what_they_write_is_private() -> None:
    broker = (CONF / "ugs.service").read_text(encoding="utf-8")
    assert {"User=ugs", "UMask=0077", "StateDirectoryMode=0700"} <= set(broker.splitlines())
    assert {"DynamicUser=yes", "UMask=0077"} <= set((CONF / "ugs-master@.service").read_text("utf-8").splitlines())


def test_containers_keep_their_data_private() -> None:
    assert "chmod 700 /var/lib/ugs" in DOCKERFILE


def exec_form(instruction: str) -> list[str]:
    """The words of an instruction of the Dockerfile such as ``CMD ["a", "b"]``."""
    found = re.search(rf"^{instruction}\b[^\[]*(\[.*?\])$", DOCKERFILE.replace("\\\n", ""), re.MULTILINE)
    assert found is not None, instruction
    words: list[str] = json.loads(found[1])
    return words


def here(words: Sequence[str], **places: str) -> list[str]:
    """A command line of a container as it is run in a checkout."""
    in_container = {
        "/opt/ugs/.venv/bin/python": sys.executable,
        "/opt/ugs/.venv/bin/ugs": str(Path(sys.executable).parent / "ugs"),
        "/opt/ugs/": f"{CONF.parent}/",
        **places,
    }
    for inside, outside in in_container.items():
        words = [word.replace(inside, outside) for word in words]
    return list(words)


def test_what_the_container_is_made_of_is_there() -> None:
    for sources in re.findall(r"^COPY (.*) \S+$", DOCKERFILE, re.MULTILINE):
        for source in sources.split():
            assert (CONF.parent / source).exists(), source
    for service in SERVICES.values():
        build = service["build"]
        assert (CONF / build["context"]).resolve() == CONF.parent
        assert (CONF.parent / build["dockerfile"]).is_file()


def copied() -> set[str]:
    """What the Dockerfile copies from the checkout: files, and folders with all that is in them."""
    return {source for line in re.findall(r"^COPY (.*) \S+$", DOCKERFILE, re.MULTILINE) for source in line.split()}


def test_the_container_has_all_that_its_build_reads() -> None:
    project = tomllib.loads((CONF.parent / "pyproject.toml").read_text(encoding="utf-8"))
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert "custom" in wheel["hooks"]
    read = {"pyproject.toml", "hatch_build.py", "docs", project["project"]["readme"], *wheel["packages"]}
    read |= {*project["project"]["license-files"], *wheel["force-include"]}
    assert read <= copied()


@ONLY_DEEP
def test_what_the_container_runs_to_install_ugs_installs_it(tmp_path: Path) -> None:
    for source in copied():
        whole = CONF.parent / source
        if whole.is_dir():
            shutil.copytree(whole, tmp_path / source, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(whole, tmp_path / source)
    (script,) = re.findall(r"^RUN (.*)$", DOCKERFILE.replace("\\\n", ""), re.MULTILINE)
    install = script.partition("&& useradd")[0]
    done = subprocess.run(["sh", "-ec", install], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    asked = [str(tmp_path / ".venv/bin/python"), "-c", "import psycopg, ugs; print(ugs.__file__)"]
    shown = subprocess.run(asked, cwd="/", env=environment, capture_output=True, text=True, check=True)
    assert shown.stdout.startswith(f"{tmp_path}/.venv/lib/")
    games = [str(tmp_path / ".venv/bin/ugs"), "games"]
    assert (
        "tic-tac-toe"
        in subprocess.run(games, cwd="/", env=environment, capture_output=True, text=True, check=True).stdout
    )


def test_services_wait_for_healthy_ones_and_volumes_are_declared() -> None:
    for service in SERVICES.values():
        for other, wait in service.get("depends_on", {}).items():
            assert wait == {"condition": "service_healthy"}
            assert "test" in SERVICES[other]["healthcheck"]
        for volume in service.get("volumes", ()):
            assert volume.partition(":")[0] in COMPOSE["volumes"]
        # What the image asks for its health is the broker's page.
        assert ("command" in service) == (service["healthcheck"] == {"disable": True})


def test_the_commands_of_the_containers_play_and_tell_their_health(tmp_path: Path) -> None:
    entry = exec_form("ENTRYPOINT")
    assert SERVICES["broker"]["healthcheck"]["test"] == ["CMD", *exec_form("HEALTHCHECK")]
    assert "command" not in SERVICES["broker"], "it runs what the image says"
    serve = here([*entry, *exec_form("CMD")], **{"/var/lib/ugs": str(tmp_path / "data"), "0.0.0.0": "127.0.0.1"})
    with Program(*serve, "--port", "0", "--http-port", "0") as broker:
        (listening,) = broker.logs("listening")
        health = here(exec_form("HEALTHCHECK"), **{"127.0.0.1:8080": listening["http"]})
        master = here([*entry, *SERVICES["tic-tac-toe"]["command"]], **{"broker:4747": listening["address"]})
        bots = [here([*entry, *SERVICES[nick]["command"]], **{"broker:4747": listening["address"]}) for nick in BOTS]
        with Program(*master), Program(*bots[0]), Program(*bots[1]):
            broker.logs("game begun")
            assert subprocess.run(health, check=False).returncode == 0
        broker.signal(signal.SIGTERM)
        assert broker.ends() == 0
    assert subprocess.run(health, check=False, stderr=subprocess.DEVNULL).returncode != 0
    assert (tmp_path / "data").stat().st_mode & 0o077 == 0


@ONLY_DEEP
@pytest.mark.skipif(os.geteuid() != 0 or shutil.which("ip") is None, reason="namespaces need root and iproute2")
@pytest.mark.parametrize("how", ["kill", "cut"])
def test_a_takeover_between_namespaces_goes_on_with_the_game(how: str) -> None:
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    script = [shutil.which("sh") or "sh", str(CONF / "three-namespaces.sh"), how]
    shown = subprocess.run(script, capture_output=True, text=True, check=True, env={**os.environ, "PATH": path})
    print(shown.stdout)
    assert "moves are relayed again" in shown.stdout
    assert shown.stdout.rstrip().endswith("games void: 0")


@ONLY_DEEP
@pytest.mark.skipif(os.geteuid() != 0 or not PROGRAMS, reason="PostgreSQL is run by a user of its own")
def test_a_backup_and_the_archive_restore_every_result_up_to_a_moment() -> None:
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    script = [shutil.which("sh") or "sh", str(CONF / "point-in-time.sh")]
    shown = subprocess.run(script, capture_output=True, text=True, check=True, env={**os.environ, "PATH": path})
    print(shown.stdout)
    assert "restored to that moment" in shown.stdout
    assert "served again" in shown.stdout.splitlines()[-1]
