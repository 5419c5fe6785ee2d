"""The clock that stands while peers wait for the journal, and timers that go by it."""

import random

import pytest
import trio
from structlog.testing import capture_logs
from trio.testing import MockClock

from ugs.daemon.clocks.timers import Timers
from ugs.daemon.server_clock import CATCHES_UP_S, LOGGED_S, ServerClock


async def test_the_beginning_of_a_wait_counts_and_the_rest_is_left_out(autojump_clock: MockClock) -> None:
    clock, begun = ServerClock(), trio.current_time()
    assert clock.now() == begun
    for wait_s, stood_s in ((CATCHES_UP_S, 0), (40 + CATCHES_UP_S, 40), (CATCHES_UP_S / 2, 40), (1 + CATCHES_UP_S, 41)):
        clock.stop()
        shown = clock.now()
        await trio.sleep(wait_s)
        assert (clock.stands, clock.now()) == (True, shown)
        clock.go_on()
        assert (clock.stands, clock.now()) == (False, trio.current_time() - clock.stood_s)
        assert clock.stood_s == stood_s


async def test_it_says_what_it_showed_and_when_it_will_show_something(autojump_clock: MockClock) -> None:
    clock, begun = ServerClock(), trio.current_time()
    assert clock.moment_of(begun + 7) == begun + 7
    await trio.sleep(2)
    clock.stop()
    await trio.sleep(10)
    assert [clock.at(begun + after_s) for after_s in (1, 2, 3)] == [begun + 1, begun + 2, begun + 2]
    assert clock.moment_of(begun + 7) == float("inf")
    clock.go_on()
    assert clock.at(begun + 13) == pytest.approx(begun + 3 + CATCHES_UP_S)
    assert clock.moment_of(begun + 7) == pytest.approx(begun + 17 - CATCHES_UP_S)


@pytest.mark.parametrize("wait_s", [CATCHES_UP_S / 2, CATCHES_UP_S, CATCHES_UP_S * 1.2, CATCHES_UP_S * 4])
async def test_waits_without_a_pause_slow_it_down_and_do_not_stop_it(autojump_clock: MockClock, wait_s: float) -> None:
    """However long each of them is, what a longer one costs is no more than it costs itself."""
    clock, begun = ServerClock(), trio.current_time()
    for _ in range(100):
        clock.stop()
        await trio.sleep(wait_s)
        clock.go_on()
    assert clock.now() - begun == pytest.approx(100 * min(wait_s, CATCHES_UP_S))


async def test_stopping_twice_and_going_on_twice_changes_nothing(autojump_clock: MockClock) -> None:
    clock, begun, went_on = ServerClock(), trio.current_time(), []
    clock.on_going_on.append(lambda: went_on.append(trio.current_time() - begun))
    clock.go_on()
    for _ in range(2):
        clock.stop()
        await trio.sleep(5)
    for _ in range(2):
        clock.go_on()
    assert (clock.stood_s, went_on) == (10 - CATCHES_UP_S, [10])


@pytest.mark.parametrize(("wait_s", "logged"), [(LOGGED_S, []), (LOGGED_S + 0.5, [LOGGED_S + 0.5])])
async def test_a_wait_that_people_notice_is_logged(
    autojump_clock: MockClock, wait_s: float, logged: list[float]
) -> None:
    with capture_logs() as lines:
        clock = ServerClock()
        clock.stop()
        await trio.sleep(wait_s)
        clock.go_on()
    assert [line["seconds"] for line in lines] == logged


@pytest.mark.parametrize("seed", range(20))
async def test_timers_fire_when_the_clock_shows_their_moment_and_never_while_it_stands(
    autojump_clock: MockClock, nursery: trio.Nursery, seed: int
) -> None:
    """Also where the moments of the two clocks differ by what is lost in rounding."""
    chance, clock, fired = random.Random(seed), ServerClock(), list[tuple[float, float]]()

    def fire(deadline: float) -> None:
        assert not clock.stands
        fired.append((deadline, clock.now()))

    timers: Timers[float] = Timers(fire, clock)
    nursery.start_soon(timers.run)
    deadlines = [clock.now() + chance.uniform(0, 50) for _ in range(100)]
    for deadline in deadlines:
        timers.start(deadline, deadline)
    for _ in range(60):
        await trio.sleep(chance.uniform(0, 3))
        clock.stop()
        late = clock.now() + chance.uniform(0, 1)  # started while it stands
        timers.start(late, late)
        deadlines.append(late)
        await trio.sleep(chance.choice((0.1, 0.3, 1 / 3, 60)))
        clock.go_on()
    await trio.sleep(60)
    assert sorted(deadline for deadline, _ in fired) == sorted(deadlines)
    # After each wait it catches up: what was due meanwhile fires then.
    assert all(-1e-6 < shown - deadline <= CATCHES_UP_S + 1e-6 for deadline, shown in fired)
