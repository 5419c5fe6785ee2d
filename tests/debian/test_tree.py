"""The files of the package."""

import subprocess
from pathlib import Path

import pytest

from tests.debian.scripts import SCRIPTS, control
from tests.debian.tree import SHELLS, UNITS, completion, unit
from tests.profile import ONLY_DEEP
from tests.sources import TOP


@pytest.mark.parametrize("name", UNITS)
def test_units_start_what_the_package_has_and_stay_hardened(name: str, tmp_path: Path) -> None:
    text = unit((TOP / "conf" / name).read_text(encoding="utf-8"))
    (start,) = [line for line in text.splitlines() if line.startswith("ExecStart=")]
    assert start.startswith("ExecStart=/usr/bin/ugs ")
    assert "/opt" not in text
    (tmp_path / name).write_text(text, encoding="utf-8")
    command = ["systemd-analyze", "security", "--offline=yes", "--threshold=20", str(tmp_path / name)]
    rated = subprocess.run(command, capture_output=True, text=True, check=False)
    assert rated.returncode == 0, rated.stdout[-200:] + rated.stderr


@pytest.mark.parametrize("shell", ["bash", *(pytest.param(one, marks=ONLY_DEEP) for one in SHELLS if one != "bash")])
def test_shells_complete(shell: str) -> None:
    assert "ugs" in completion(shell)
    assert "_UGS_COMPLETE" in completion(shell)


@pytest.mark.parametrize("name", SCRIPTS)
def test_what_dpkg_runs_is_read_by_a_shell(name: str) -> None:
    checked = subprocess.run(["sh", "-n"], input=SCRIPTS[name], capture_output=True, text=True, check=False)
    assert (checked.returncode, checked.stderr) == (0, "")


def test_the_package_needs_the_python_that_it_was_made_with() -> None:
    said = control("1.2.3", "amd64", 100, "ann <ann@example.org>", (3, 11))
    assert "Depends: python3 (>= 3.11~), python3 (<< 3.12)" in said
    assert said.endswith("\n")
