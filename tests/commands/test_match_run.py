"""What ``ugs match`` prints, and how it fails."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from ugs.commands.match_run import run_match
from ugs.match.match_settings import WrongMatch

BOTS = ("--bot", "one=builtin:random", "--bot", "two=builtin:random")


def program(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run it in a process of its own, as it starts and ends processes."""
    return subprocess.run([sys.executable, "-m", "ugs", *arguments], capture_output=True, text=True, timeout=300)


def test_a_match_for_programs_is_json_on_stdout_and_the_command_on_stderr() -> None:
    done = program("match", "tic-tac-toe", *BOTS, "--games", "2", "--seed", "5", "--output", "json")
    assert done.returncode == 0, done.stderr
    assert "one" in json.dumps(json.loads(done.stdout))
    assert done.stderr.startswith("ugs match tic-tac-toe --bot one=builtin:random")
    assert "--seed 5" in done.stderr.splitlines()[0]


def test_what_is_not_there_cannot_go_on(tmp_path: Path) -> None:
    with pytest.raises(WrongMatch, match="holds no match"):
        run_match({"data_dir": str(tmp_path)}, None, resume=True)
