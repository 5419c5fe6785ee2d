"""What ``docs/match.md`` promises, done word for word."""

import json
import re
import shlex
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from tests.end_to_end.processes import TOP

PAGE = (TOP / "docs" / "match.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^ugs (match .*)$", "".join(re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)), re.MULTILINE)
(RESUME,) = [command for command in COMMANDS if "--resume" in command]
WITHIN_S = 240


def run(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "ugs", *shlex.split(line)], cwd=folder, capture_output=True, text=True, timeout=WITHIN_S
    )


def body(output: str) -> list[str]:
    """Lines without what depends on the machine."""
    return [line.rstrip() for line in output.splitlines() if line.strip() and "games a second" not in line]


def test_the_first_match_prints_what_the_page_shows(tmp_path: Path) -> None:
    done = run(COMMANDS[0], tmp_path)
    assert done.returncode == 0, done.stderr
    shown, *_ = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)
    assert [line for line in body(done.stdout) if "─" not in line] == [line for line in body(shown) if "─" not in line]
    assert not list(tmp_path.iterdir()), "nothing is left behind"


def test_the_plan_of_the_page_is_played_stopped_and_goes_on(tmp_path: Path) -> None:
    (plan,) = re.findall(r"```toml\n(game = .*?)```", PAGE, re.DOTALL)
    (tmp_path / "plan.toml").write_text(
        plan.replace("games = 4", "games = 2000").replace("elo1 = 20", "elo1 = 100"), encoding="utf-8"
    )
    command = [sys.executable, "-m", "ugs", "match", "--plan", "plan.toml", "--data-dir", "DIR", "--output", "tap"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as process:
        kept = tmp_path / "DIR" / "match.jsonl"
        while not kept.exists() or kept.read_text(encoding="utf-8").count('"result"') < 4:
            with suppress(subprocess.TimeoutExpired):
                pytest.fail(f"it has ended with {process.wait(0.1)}")
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=WITHIN_S)
    assert process.returncode == 130
    assert "not ok 1 - SPRT elo0=0 elo1=100 # not decided" in output
    (tmp_path / "DIR" / "match.jsonl").rename(tmp_path / "kept")
    done = run(RESUME, tmp_path)
    assert (done.returncode, "match.jsonl is not there" in done.stderr) == (2, True)
    (tmp_path / "kept").rename(tmp_path / "DIR" / "match.jsonl")
    done = run(f"{RESUME} --output json", tmp_path)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["stopped"] == "H1 accepted"
    assert [game["number"] for game in found["games"]] == list(range(1, len(found["games"]) + 1))
