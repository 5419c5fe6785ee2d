"""Named timers on a fake clock."""

import random
from collections.abc import Callable

import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from ugs.broker.events import Timer, TimerKind
from ugs.daemon.clocks.timers import Timers


def clock_of(game: str) -> Timer:
    return Timer(TimerKind.GAME, game)


class Fired:
    """Keeps which timers fired and when; may do something of its own then."""

    def __init__(self, also: Callable[[Timer], None] = lambda timer: None) -> None:
        self.history: list[tuple[str | int, float]] = []
        self._also = also

    def __call__(self, timer: Timer) -> None:
        self.history.append((timer.subject, round(trio.current_time(), 6)))
        self._also(timer)


async def started(nursery: trio.Nursery, fired: Fired) -> Timers[Timer]:
    """Timers that run, at moment 0 of the clock."""
    timers: Timers[Timer] = Timers(fired)
    nursery.start_soon(timers.run)
    await wait_all_tasks_blocked()
    return timers


async def test_each_fires_once_at_its_moment(autojump_clock: MockClock, nursery: trio.Nursery) -> None:
    fired = Fired()
    timers = await started(nursery, fired)
    for game, moment in (("late", 30.0), ("early", 10.0), ("middle", 20.0), ("also early", 10.0)):
        timers.start(clock_of(game), moment)
    assert len(timers.running) == 4
    await trio.sleep(100)
    assert fired.history == [("early", 10), ("also early", 10), ("middle", 20), ("late", 30)]
    assert timers.running == []


async def test_timers_started_before_the_task_runs_fire_as_well(
    autojump_clock: MockClock, nursery: trio.Nursery
) -> None:
    fired = Fired()
    timers: Timers[Timer] = Timers(fired)
    timers.start(clock_of("a"), 1)
    nursery.start_soon(timers.run)
    await trio.sleep(2)
    assert fired.history == [("a", 1)]


async def test_starting_again_moves_to_a_later_moment(autojump_clock: MockClock, nursery: trio.Nursery) -> None:
    fired = Fired()
    timers = await started(nursery, fired)
    timers.start(clock_of("a"), 10)
    await trio.sleep(9)
    timers.start(clock_of("a"), 19)
    timers.start(clock_of("a"), 25)
    await trio.sleep(100)
    assert fired.history == [("a", 25)]


async def test_starting_again_moves_to_an_earlier_moment(autojump_clock: MockClock, nursery: trio.Nursery) -> None:
    fired = Fired()
    timers = await started(nursery, fired)
    timers.start(clock_of("a"), 50)
    timers.start(clock_of("a"), 5)
    await trio.sleep(100)
    assert fired.history == [("a", 5)]


async def test_a_stopped_timer_does_not_fire_and_can_be_started_again(
    autojump_clock: MockClock, nursery: trio.Nursery
) -> None:
    fired = Fired()
    timers = await started(nursery, fired)
    for game in ("stopped", "earlier", "later"):
        timers.start(clock_of(game), 10)
        timers.stop(clock_of(game))
    timers.stop(clock_of("never started"))
    assert timers.running == []
    timers.start(clock_of("earlier"), 5)
    timers.start(clock_of("later"), 15)
    await trio.sleep(100)
    assert fired.history == [("earlier", 5), ("later", 15)]
    timers.stop(clock_of("later"))


async def test_a_moment_that_is_over_fires_at_once(autojump_clock: MockClock, nursery: trio.Nursery) -> None:
    fired = Fired()
    timers = await started(nursery, fired)
    await trio.sleep(7)
    timers.start(clock_of("a"), 3)
    await trio.sleep(1)
    assert fired.history == [("a", 7)]


async def test_what_a_timer_does_may_start_and_stop_others(autojump_clock: MockClock, nursery: trio.Nursery) -> None:
    def act(timer: Timer) -> None:
        if timer == clock_of("first"):
            timers.stop(clock_of("same moment"))
            timers.start(clock_of("first"), 20)
            timers.start(clock_of("at once"), 10)

    fired = Fired(act)
    timers = await started(nursery, fired)
    timers.start(clock_of("first"), 10)
    timers.start(clock_of("same moment"), 10)
    await trio.sleep(15)
    timers.stop(clock_of("first"))
    await trio.sleep(100)
    assert fired.history == [("first", 10), ("at once", 10)]


async def test_a_thousand_timers_moved_at_random_fire_as_a_simple_model_says(
    autojump_clock: MockClock, nursery: trio.Nursery
) -> None:
    """The model is a dictionary from timer to moment, looked through in whole."""
    rng = random.Random(4747)
    fired = Fired()
    timers = await started(nursery, fired)
    model: dict[str, float] = {}
    expected: list[tuple[str, float]] = []
    for _ in range(5_000):
        game = str(rng.randrange(1_000))
        if rng.random() < 0.25:
            timers.stop(clock_of(game))
            model.pop(game, None)
        else:
            moment = round(trio.current_time() + rng.uniform(0.001, 20), 6)
            timers.start(clock_of(game), moment)
            model[game] = moment
        if rng.random() < 0.1:
            await trio.sleep(rng.uniform(0, 0.5))
            now = trio.current_time()
            expected += [(game, moment) for game, moment in model.items() if moment <= now]
            model = {game: moment for game, moment in model.items() if moment > now}
    await trio.sleep(30)
    expected += model.items()
    assert len(expected) > 1_000
    assert sorted(fired.history) == sorted(expected)
    assert [moment for _, moment in fired.history] == sorted(moment for _, moment in fired.history)
    assert timers.running == []
