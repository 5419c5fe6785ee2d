"""The trials of ``docs/trials.md``: what stands there is run as it stands, by a shell, in an empty directory."""

import csv
import json
import os
import re
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.processes import TOP, output, own_port
from tests.profile import sized

PAGE = (TOP / "docs" / "trials.md").read_text(encoding="utf-8")
TRIALS = {
    title: "\n".join(re.findall(r"^```sh\n(.*?)^```$", text, re.DOTALL | re.MULTILINE))
    for title, text in re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE)
}
EVENING, HOUR, STUDENT = "An evening with twelve bots", "The first hour of a bot", "Why did I lose?"
CSV = ("--format", "csv")
BOUND_S = 1200
"""Seconds after which something hangs."""


def run(title: str, directory: Path) -> str:
    """Run a trial on free ports; returns what it prints. Nothing of it is left running."""
    script = TRIALS[title].replace("4747", own_port()).replace("8080", own_port())
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "XDG_STATE_HOME": str(directory / "state"),
        "PYTHONPATH": str(TOP),
    }
    shell = subprocess.Popen(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=directory,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        # What it leaves in the background has files of its own for its output, so the pipe ends with the shell.
        printed, _ = shell.communicate(timeout=BOUND_S)
    finally:
        with suppress(ProcessLookupError):  # a trial ends what it started
            os.killpg(shell.pid, signal.SIGKILL)
    assert shell.returncode == 0, f"{printed}\n{logs(directory)}"
    assert "Traceback" not in printed + logs(directory)
    return printed


def logs(directory: Path) -> str:
    """The ends of the logs of what ran in the background."""
    return "\n".join(f"{log.name}: {log.read_text(encoding='utf-8')[-3000:]}" for log in directory.rglob("*.log"))


def test_the_page_has_these_trials() -> None:
    assert list(TRIALS) == [EVENING, HOUR, STUDENT]
    assert all(TRIALS.values())


def lose(tmp_path: Path) -> None:
    """A student is told from far away why a game was lost."""
    printed = run(STUDENT, tmp_path)
    assert "99,18 is outside the board" in printed
    assert "teacher won" in printed
    assert (tmp_path / "lesson.zip").stat().st_size > 0
    assert (tmp_path / "student" / "token").stat().st_mode & 0o077 == 0
    told = (tmp_path / "student" / "why.txt").read_text(encoding="utf-8")
    assert 'x="99"' in told, "what the bot has said is shown"
    assert "127.0.0.1" not in told, "nobody's address is shown"


def begin(tmp_path: Path) -> None:
    """A writer of bots plays in three languages."""
    printed = run(HOUR, tmp_path)
    for nick in ("pythonist", "scripter", "hacker"):
        said = (tmp_path / f"{nick}.log").read_text(encoding="utf-8")
        assert len(re.findall("^game over: ", said, re.MULTILINE)) == len(re.findall("^why: ", said, re.MULTILINE)) == 2
        assert nick in printed, "it is in the standings"
    assert "won: sparring" in printed or "won: better" in printed


def organise(tmp_path: Path) -> None:
    """An organiser has an evening: Swiss, groups of three, a crash, a correction, a withdrawal, a site."""
    printed = run(EVENING, tmp_path)
    assert "is corrected" in printed
    first = (tmp_path / "public" / "index.html").read_text(encoding="utf-8")
    assert "<h1>Apologies at twelve tables</h1>" in first
    assert 'class="winner"' in first
    swiss, groups = (rows(tmp_path / "evening", name) for name in ("swiss", "groups"))
    assert "caught the last bus" in output("why", "lee", "--data-dir", tmp_path / "evening")
    assert (len(swiss), len(groups)) == (12, 12)
    assert {row["games"] for row in swiss} == {"3"}
    played = {game["game"]: game for game in games(tmp_path / "evening", "swiss") if game["counts"]}
    won = Counter(seat["nick"] for game in played.values() for seat in game["seats"] if seat["outcome"] == "won")
    stand = Counter({row["nick"]: int(row["won"]) for row in swiss})
    assert stand == won, "the corrected result is the one of both"
    assert sum(game["correction"] is not None for game in played.values()) == 1
    assert said_by_bots(tmp_path, played) >= {(game, seat["nick"]) for game in played for seat in played[game]["seats"]}


@pytest.mark.parametrize("trial", sized(quick=[lose], deep=[lose, begin, organise]), ids=lambda trial: trial.__name__)
def test_the_commands_of_a_trial_do_what_its_page_says(trial: Callable[[Path], None], tmp_path: Path) -> None:
    trial(tmp_path)


def games(data: Path, championship: str) -> list[dict[str, Any]]:
    """The games of a championship in a data directory."""
    listed = output(
        *("record", "list", "--championship", championship, "--limit", "500"),
        *("--format", "json", "--data-dir", data),
    )
    found: list[dict[str, Any]] = json.loads(listed)["games"]
    return found


def said_by_bots(directory: Path, played: Mapping[str, Mapping[str, Any]]) -> set[tuple[str, str]]:
    """The games of which bots say in their logs how they ended for them, each with the nick; all as they are kept."""
    found = set()
    for log in directory.glob("*.log"):
        for line in log.read_text(encoding="utf-8").splitlines():
            event = json.loads(line) if line.startswith("{") else {}
            if event.get("event") == "game over" and event.get("role") == "bot" and event["game"] in played:
                seats = {seat["nick"]: seat["outcome"] for seat in played[event["game"]]["seats"]}
                corrected = played[event["game"]]["correction"] is not None
                assert (seats[log.stem] == event["result"]) is not corrected
                found.add((event["game"], log.stem))
    return found


def rows(data: Path, championship: str) -> list[dict[str, str]]:
    """The standings of a championship."""
    return list(
        csv.DictReader(output("standings", "--championship", championship, *CSV, "--data-dir", data).splitlines())
    )


def test_an_evening_has_twelve_commands_and_ends_what_it_started() -> None:
    commands = re.findall(
        r"^ *(?:until )?(ugs (?!championship show \$)[^;|]*?)(?:;|&|$)", TRIALS[EVENING], re.MULTILINE
    )
    assert len(commands) <= 12, commands
    assert TRIALS[EVENING].rstrip().endswith("kill $(jobs -pr)")


def test_what_is_asked_of_a_game_of_stu_is_asked_of_no_other() -> None:
    """``$game`` was the novice's by then."""
    given = re.findall(r"^(\w+)=\$\(", TRIALS[STUDENT], re.MULTILINE)
    assert len(given) == len(set(given))
    assert re.findall(r'ugs why "\$(\w+)"', TRIALS[STUDENT]) == ["lost", "game", "lost"]
