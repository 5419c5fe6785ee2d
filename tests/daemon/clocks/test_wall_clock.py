"""A clock on the wall that is set while the server runs."""

import pytest
import trio
from structlog.testing import capture_logs
from trio.testing import MockClock

from tests.daemon.shell import Shell
from ugs.broker.events import ClockSet, Event
from ugs.daemon.clocks.wall_clock import LOOK_S, MAX_SETTINGS, WallClock
from ugs.daemon.server_clock import ServerClock

NOON_S = 1_900_000_000
HOUR_S = 3600


class Wall:
    """A clock on the wall that is so many seconds ahead of Trio's."""

    def __init__(self) -> None:
        self.ahead_s = float(NOON_S)

    def __call__(self) -> int:
        return int((trio.current_time() + self.ahead_s) * 1e6)


async def test_it_is_told_when_the_clock_was_set_and_what_it_shows(autojump_clock: MockClock) -> None:
    wall = Wall()
    told: list[tuple[float, float]] = []
    clock = WallClock(wall)

    async def heard(after_s: float) -> list[tuple[float, float]]:
        """What is told in this time: the moment, and what the clock shows."""
        told.clear()
        await trio.sleep(after_s)
        return list(told)

    async with trio.open_nursery() as nursery:
        begun = trio.current_time()
        nursery.start_soon(clock.watch, lambda date_s: told.append((trio.current_time() - begun, date_s - NOON_S)))
        assert await heard(60.5) == []
        wall.ahead_s += 0.9  # as clocks are put right all the time
        assert await heard(LOOK_S) == []
        wall.ahead_s += 2 * HOUR_S
        (forwards,) = await heard(100)
        wall.ahead_s -= 5 * HOUR_S
        (back,) = await heard(100)
        nursery.cancel_scope.cancel()
    for (moment, shown), ahead_s in ((forwards, 0.9 + 2 * HOUR_S), (back, 0.9 - 3 * HOUR_S)):
        assert abs(shown - (begun + moment + ahead_s)) < 0.01


async def test_who_needs_the_hour_is_told_when_the_servers_clock_has_stood(autojump_clock: MockClock) -> None:
    """Not the people who read the log: nobody has set anything."""
    wall, servers, told = Wall(), ServerClock(), list[float]()
    clock = WallClock(wall, servers)
    before = servers.now()
    with capture_logs() as lines:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(clock.watch, told.append)
            await trio.sleep(3 * LOOK_S)
            servers.stop()
            await trio.sleep(60)
            assert told == []
            servers.go_on()
            await trio.sleep(LOOK_S + 1)
            nursery.cancel_scope.cancel()
    (shown,) = told
    assert 0 <= trio.current_time() + wall.ahead_s - shown <= LOOK_S + 1
    assert [line["event"] for line in lines] == ["peers had to wait for the journal: no clock ran"]
    assert clock.showed_s(before) == pytest.approx(before + wall.ahead_s)
    assert clock.showed_s(clock.now()) == pytest.approx(trio.current_time() + wall.ahead_s)


@pytest.mark.parametrize("wait_s", [0.3, 0.7, 1.7])
async def test_the_hour_is_told_where_one_commit_follows_the_other_and_the_servers_clock_hardly_goes(
    autojump_clock: MockClock, wait_s: float
) -> None:
    wall, servers, told = Wall(), ServerClock(), list[float]()
    clock = WallClock(wall, servers)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(clock.watch, lambda date_s: told.append(date_s - trio.current_time() - wall.ahead_s))
        for _ in range(int(10 * LOOK_S / wait_s)):
            servers.stop()
            await trio.sleep(wait_s)
            servers.go_on()
        nursery.cancel_scope.cancel()
    assert len(told) >= 3
    assert told == pytest.approx([0] * len(told), abs=0.001)


async def test_what_it_showed_before_is_remembered(autojump_clock: MockClock) -> None:
    wall = Wall()
    clock = WallClock(wall)
    shown: list[tuple[float, float]] = []
    for jump_s in (0, HOUR_S, -3 * HOUR_S, 12 * HOUR_S):
        wall.ahead_s += jump_s
        for _ in range(3):
            clock.look(trio.current_time())
            shown.append((trio.current_time(), trio.current_time() + wall.ahead_s))
            await trio.sleep(40)
    assert all(abs(clock.showed_s(moment) - date_s) < 1e-3 for moment, date_s in shown)
    first, date_s = shown[0]
    assert abs(clock.showed_s(first - 1000) - (date_s - 1000)) < 1e-3  # from an earlier life


async def test_a_clock_that_is_set_all_the_time_costs_no_room(autojump_clock: MockClock) -> None:
    wall = Wall()
    clock = WallClock(wall)
    for _ in range(MAX_SETTINGS + 10):
        wall.ahead_s += 2
        await trio.sleep(1)
        clock.look(trio.current_time())
    assert len(clock._offsets) == MAX_SETTINGS
    assert abs(clock.showed_s(trio.current_time()) - (trio.current_time() + wall.ahead_s)) < 1e-3


async def test_the_broker_and_the_rules_of_access_hear_of_it(
    nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell = Shell(nursery)
    heard: list[Event | str] = []
    monkeypatch.setattr(shell.driver, "happens", heard.append)
    monkeypatch.setattr(shell.access_file, "read", lambda: heard.append("read"))
    shell.clock_set(NOON_S)
    assert heard == [ClockSet(NOON_S), "read"]
