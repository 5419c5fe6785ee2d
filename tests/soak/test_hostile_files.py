"""Files of others are refused in a line, within a bound of memory."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import trio

from ugs.soak import hostile_files
from ugs.soak.attacks import ATTACKS
from ugs.soak.hostile_files import FILES, HostileFile, trial
from ugs.soak.target import AttackSite, ServerPlace

TOP = Path(__file__).parents[2]


def test_each_is_refused_in_a_line_within_one_gigabyte() -> None:
    argv = [sys.executable, "-m", "tests.soak.reading"]
    done = subprocess.run(argv, cwd=TOP, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-1000:]
    assert json.loads(done.stdout.splitlines()[-1]) == {}


def test_names_are_names() -> None:
    assert len({file.name for file in FILES}) == len(FILES) > 25


@pytest.mark.parametrize(
    ("file", "wrong"),
    [
        (HostileFile("good", ("--version",), lambda: b""), "exit code 0: "),
        (HostileFile("bad", ("serve", "--config", "{file}"), lambda: b"x = 1"), ""),
    ],
    ids=["not refused", "refused"],
)
async def test_a_trial_says_what_is_wrong(file: HostileFile, wrong: str) -> None:
    said = await trial(file)
    assert wrong in said if wrong else not said


async def test_a_screenful_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hostile_files, "MAX_OUTPUT", 5)
    said = await trial(HostileFile("bad", ("serve", "--config", "{file}"), lambda: b"x = "))
    assert "characters instead of a line: ugs serve: " in said


async def test_what_is_wrong_is_harm_done(monkeypatch: pytest.MonkeyPatch) -> None:
    async def wrong(file: HostileFile) -> str:
        await trio.lowlevel.checkpoint()
        return "not read" if file is FILES[0] else ""

    monkeypatch.setattr(hostile_files, "trial", wrong)
    async with trio.open_nursery() as nursery:
        site = AttackSite(ServerPlace(("127.0.0.1", 1)), nursery, lambda: None)
        with trio.move_on_after(0.1):
            await ATTACKS["hostile-files"].script(site)
    assert site.dealt.harm[:1] == [f"file {FILES[0].name}: not read"]
