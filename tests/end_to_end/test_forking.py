"""Forks of a process that has loaded ``ugs`` behave as commands that load it themselves."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.end_to_end.forking import Fork, start
from tests.end_to_end.processes import BOUND_S, UGS, Program
from tests.profile import ONLY_DEEP


def ended(process: Fork) -> tuple[int, str]:
    """The exit code of a fork and what it has written."""
    with process.stdout:
        written = process.stdout.read()
    return process.wait(BOUND_S), written


@pytest.mark.parametrize(
    ("arguments", "variables"),
    [
        (["no-such-command"], {"COLUMNS": "60"}),
        pytest.param(["--version"], {}, marks=ONLY_DEEP),
        pytest.param(["serve", "--help"], {"COLUMNS": "90"}, marks=ONLY_DEEP),
    ],
)
def test_output_and_exit_code_are_the_same(arguments: list[str], variables: dict[str, str], tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONWARNINGS": "error", **variables}
    alone = subprocess.run(
        [*UGS, *arguments], env=environment, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert ended(start(arguments, tmp_path, environment)) == (alone.returncode, alone.stdout)


def test_a_signal_is_an_exit_code_and_reaches_one_process_only(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONWARNINGS": "error"}
    first, second = (start(["serve", "--port", "0"], tmp_path, environment) for _ in range(2))
    for process in (first, second):
        assert "listening" in process.stdout.readline()
        assert process.poll() is None
    first.kill()
    assert ended(first)[0] == -signal.SIGKILL
    second.send_signal(signal.SIGTERM)
    code, written = ended(second)
    assert (code, "stopped" in written) == (0, True)
    assert first.pid != second.pid


def test_who_wants_another_python_gets_it() -> None:
    with Program(*UGS, "--version", environment={"PYTHONUTF8": "1"}) as alone, Program(*UGS, "--version") as fork:
        assert (alone.ends(), fork.ends()) == (0, 0)
        assert isinstance(alone._process, subprocess.Popen)
        assert isinstance(fork._process, Fork) or sys.platform != "linux"
    assert alone.lines == fork.lines
