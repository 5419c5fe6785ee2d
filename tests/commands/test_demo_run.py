"""What ``ugs demo`` reads off the log of its broker; the demonstration itself is run end to end."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from io import StringIO
from pathlib import Path

import pytest
import trio
from rich.console import Console

from ugs.commands import demo_parts, demo_run
from ugs.commands.demo_game import DEFAULT_GAME, demo_game
from ugs.commands.demo_parts import BROKER, MASTER, DemoPart
from ugs.commands.demo_run import Show, WantedDemo, read_event, run_demo, what_to_do

GAME = demo_game(DEFAULT_GAME)


def line(**event: object) -> str:
    return json.dumps(event)


def as_broker(script: str) -> Callable[..., Awaitable[DemoPart]]:
    """What starts this script in Python in the place of each part of a demonstration."""

    async def start(_name: str, *_arguments: str) -> DemoPart:
        process = await trio.lowlevel.open_process([sys.executable, "-c", script], stderr=subprocess.PIPE)
        return DemoPart(BROKER, process)

    return start


def shown(table: Show) -> str:
    console = Console(file=StringIO(), width=80)
    console.print(table.grid("127.0.0.1:4747"))
    file = console.file
    assert isinstance(file, StringIO)
    return file.getvalue()


def test_who_has_come_is_in_the_log() -> None:
    table = Show("nim")
    assert ("ann" in table, MASTER in table) == (False, False)
    table.take(line(event="master logged in", game_type="nim"))
    table.take(line(event="player logged in", nick="ann"))
    assert ("ann" in table, MASTER in table) == (True, True)


@pytest.mark.parametrize("text", ["", "Traceback (most recent call last):", "[1]", "{"])
def test_a_line_that_is_no_event_has_no_name(text: str) -> None:
    assert read_event(text) == {}
    assert not Show(GAME.game_type).take(text)


def test_the_table_is_the_sum_of_the_games_in_the_log() -> None:
    table = Show(GAME.game_type)
    assert "waiting for the first game" in shown(table)
    assert not table.take(line(event="player logged in", nick="ann"))
    assert "ann" in table
    over = {"event": "game ended", "verdict": "finished", "moves": 9}
    assert table.take(line(**over, outcomes={"ann": "won", "bob": "lost"}))
    assert not table.take(line(**over, outcomes={"ann": "void", "bob": "void"}))
    assert table.games == 1
    assert table.last == "game 1: ann won, bob lost (finished after 9 moves)"
    assert re.search(r"ann\W+1\W+0\W+0\b", shown(table))
    assert re.search(r"bob\W+0\W+1\W+0\b", shown(table))


@pytest.mark.parametrize(
    ("lines", "data_dir", "advice"),
    [
        (["cannot listen on 127.0.0.1 port 4747: Address already in use"], None, "ugs demo --port 0 --http-port 0"),
        ([], None, "--data-dir DIR would keep it"),
        ([], Path("/games"), "ugs demo --data-dir /games goes on with the standings"),
    ],
)
def test_who_sees_the_broker_end_is_told_what_to_do(lines: list[str], data_dir: Path | None, advice: str) -> None:
    assert advice in what_to_do(lines, WantedDemo(GAME, 4, 0, 20, 4747, data_dir=data_dir))


async def test_a_broker_that_is_killed_is_told_as_such(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def nobody(*_: object) -> None:
        await trio.lowlevel.checkpoint()

    async def start(_name: str, *_arguments: str) -> DemoPart:
        event = line(event="listening", address="127.0.0.1:1", http="")
        script = f"import os, signal, sys; print({event!r}, file=sys.stderr, flush=True); os.kill(os.getpid(), 9)"
        command = [sys.executable, "-c", script]
        return DemoPart(BROKER, await trio.lowlevel.open_process(command, stderr=subprocess.PIPE))

    monkeypatch.setattr(DemoPart, "start", start)
    monkeypatch.setattr(demo_run, "start_players", nobody)
    assert await run_demo(WantedDemo(GAME, 2, 0, 0, 0)) == 1
    said = capsys.readouterr().out
    assert "broker was killed (SIGKILL)" in said
    assert "Start it again: ugs demo." in said


async def test_a_broker_that_is_too_slow_is_told_as_such_though_it_is_stopped(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def start(_name: str, *_arguments: str) -> DemoPart:
        command = [sys.executable, "-c", "import signal; signal.pause()"]
        return DemoPart(BROKER, await trio.lowlevel.open_process(command, stderr=subprocess.PIPE))

    monkeypatch.setattr(DemoPart, "start", start)
    monkeypatch.setattr(demo_run, "START_PATIENCE_S", 0)
    assert await run_demo(WantedDemo(GAME, 2, 0, 0, 0)) == 1
    assert capsys.readouterr().out == "the broker does not listen after 0 s\n"


async def test_ctrl_c_while_the_broker_starts_is_no_failure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def start(_name: str, *_arguments: str) -> DemoPart:
        os.kill(os.getpid(), signal.SIGINT)
        command = [sys.executable, "-c", "import signal; signal.pause()"]
        return DemoPart(BROKER, await trio.lowlevel.open_process(command, stderr=subprocess.PIPE))

    monkeypatch.setattr(DemoPart, "start", start)
    assert await run_demo(WantedDemo(GAME, 2, 0, 0, 0)) == 0
    assert capsys.readouterr().out == ""


async def test_two_signals_are_no_failure(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The second one kills what is left, and it was the system that was said to have done so."""
    script = (
        "import os, signal; signal.signal(signal.SIGTERM, lambda *_: os.kill(os.getppid(), signal.SIGTERM)); "
        "os.kill(os.getppid(), signal.SIGINT)\nwhile True: signal.pause()"
    )

    monkeypatch.setattr(DemoPart, "start", as_broker(script))
    assert await run_demo(WantedDemo(GAME, 2, 0, 0, 0)) == 0
    assert capsys.readouterr().out == ""


async def test_a_broker_that_does_not_end_is_not_said_to_be_killed_by_others(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    script = (
        "import os, signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); "
        "os.kill(os.getppid(), signal.SIGINT)\nwhile True: signal.pause()"
    )

    monkeypatch.setattr(DemoPart, "start", as_broker(script))
    monkeypatch.setattr(demo_parts, "PATIENCE_S", 0.1)
    assert await run_demo(WantedDemo(GAME, 2, 0, 0, 0)) == 1
    assert capsys.readouterr().out.startswith("broker did not end in 0.1 s, and was killed\n")
