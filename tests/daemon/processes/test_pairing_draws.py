"""Draws in a process of their own: a few real processes, and what becomes of draws that fail."""

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
import structlog
import trio
import trio.testing

from tests.championship.playing import names, plan
from tests.daemon.shell import GO, Shell
from ugs.broker.effects import Draw
from ugs.broker.events import Drawn, Event
from ugs.broker.values.questions import PlanAsked
from ugs.championship.due_draws import Drawing, Request
from ugs.championship.formats.format_table import make
from ugs.championship.pairing.rounds import RoundRobinGames
from ugs.championship.plan import Plan
from ugs.daemon.processes import pairing_draws
from ugs.daemon.processes.pairing_draws import AGAIN_AT_MAX_S, COMMAND, DrawFailed, Draws, drawn
from ugs.wire.messages import BeginGame

SMALL = RoundRobinGames(6, 3, 1)
ENDLESS = RoundRobinGames(3_000, 8, 1)
"""Takes minutes."""
MINUTE = 60.0


def first_round(entrants: int) -> Request:
    """The first round of a Swiss tournament."""
    wanted = make(plan(format="swiss"), names(entrants), 2, lambda _: True).wanted
    assert wanted is not None
    return wanted


@pytest.mark.parametrize("request_", [SMALL, RoundRobinGames(100, 2, 2), first_round(64)])
async def test_another_process_draws_the_same(request_: Request) -> None:
    assert await drawn(request_) == request_.draw()


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (["/nowhere/python"], "/nowhere/python: cannot be started: "),
        ([sys.executable, "-c", "raise SystemExit('no memory')"], "its process has ended with 1: no memory"),
        ([sys.executable, "-c", "import os; os.kill(os.getpid(), 9)"], "its process has ended with -9"),
        ([sys.executable, "-c", "print('hello')"], "its answer cannot be read: "),
    ],
)
async def test_what_went_wrong_is_said(command: Sequence[str], reason: str) -> None:
    with pytest.raises(DrawFailed) as failed:
        await drawn(SMALL, command)
    assert str(failed.value).startswith(reason)


async def test_when_the_server_stops_the_process_is_killed(tmp_path: Path) -> None:
    told = tmp_path / "pid"
    program = f"import os, time; open({str(told)!r} + '~', 'w').write(str(os.getpid())); "
    program += f"os.rename({str(told)!r} + '~', {str(told)!r}); time.sleep(1000)"
    async with trio.open_nursery() as nursery:
        nursery.start_soon(drawn, SMALL, [sys.executable, "-c", program])
        while not told.exists():  # noqa: ASYNC110 - of another process
            await trio.sleep(0.01)
        nursery.cancel_scope.cancel()
    with pytest.raises(ProcessLookupError):
        os.kill(int(told.read_text()), 0)


def test_when_the_server_is_killed_the_process_ends() -> None:
    """The operating system closes the pipe."""
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        pickle.dump(ENDLESS, process.stdin)
        process.stdin.close()
        assert process.wait(MINUTE) == 1


class Failing:
    """Fails so often, then draws."""

    def __init__(self, times: int) -> None:
        self.times = times
        self.at: list[float] = []
        self.under_way = 0

    async def drawn(self, request: Request) -> Drawing:
        """Like :func:`pairing_draws.drawn`."""
        self.at.append(trio.current_time())
        self.under_way += 1
        assert self.under_way == 1, "two at a time"
        await trio.sleep(0.5)
        self.under_way -= 1
        if len(self.at) <= self.times:
            raise DrawFailed("no memory")
        return request.draw()


async def test_a_draw_that_fails_is_tried_again_ever_more_rarely_and_the_log_says_so(
    nursery: trio.Nursery, autojump_clock: trio.testing.MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing = Failing(9)
    monkeypatch.setattr(pairing_draws, "drawn", failing.drawn)
    events: list[Event] = []
    with structlog.testing.capture_logs() as lines:
        Draws(events.append, nursery).draw(Draw("cup", SMALL), 0)
        await trio.sleep(10 * MINUTE)
    assert events == [Drawn("cup", SMALL.draw())]
    waits = [line["again_in_s"] for line in lines]
    assert waits == [1, 2, 4, 8, 16, 32, AGAIN_AT_MAX_S, AGAIN_AT_MAX_S, AGAIN_AT_MAX_S]
    assert [round(after - before - 0.5) for before, after in zip(failing.at, failing.at[1:], strict=False)] == waits
    assert {(line["event"], line["log_level"], line["reason"]) for line in lines} == {
        ("drawing failed", "warning", "no memory")
    }
    assert (lines[0]["championship"], lines[0]["what"]) == ("cup", "all games for 6 players")


async def test_two_championships_draw_one_after_the_other(
    nursery: trio.Nursery, autojump_clock: trio.testing.MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing = Failing(0)
    monkeypatch.setattr(pairing_draws, "drawn", failing.drawn)
    events: list[Event] = []
    performer = Draws(events.append, nursery)
    performer.draw(Draw("cup", SMALL), 0)
    performer.draw(Draw("league", SMALL), 0)
    await trio.sleep(2)
    assert len(events) == len(failing.at) == 2


async def test_while_a_thousand_players_are_drawn_the_loop_serves_others(nursery: trio.Nursery) -> None:
    events: list[Event] = []
    request = first_round(1000)
    near, far = trio.testing.memory_stream_pair()

    async def echo() -> None:
        async for data in far:
            await far.send_all(data)

    nursery.start_soon(echo)
    Draws(events.append, nursery).draw(Draw("cup", request), 0)
    rounds = 0
    while not events:
        await near.send_all(b"ping")
        assert await near.receive_some() == b"ping"
        await trio.lowlevel.checkpoint()
        rounds += 1
    assert events == [Drawn("cup", request.draw())]
    assert rounds > 20


async def test_a_large_field_is_drawn_and_plays(opens: Callable[..., Shell]) -> None:
    """From the plan to the first games, with a real process and the real clock."""
    shell = opens(entrants_per_ip=50)
    wanted = Plan.read({"name": "cup", "game_type": GO, "first": 50, "format": "swiss", "open_play": False})
    assert shell.questions.ask(PlanAsked(wanted, "ada"))["ok"]
    master = await shell.master()
    for nick in names(50):
        await shell.player(nick)
    games = [await master.hears(MINUTE) for _ in range(25)]
    assert tuple(game.players for game in games if isinstance(game, BeginGame)) == first_round(50).draw()
