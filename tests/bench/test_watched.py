"""What spectators cost the players of a game."""

from contextlib import closing

import pytest

from ugs.bench.goals import WATCHED_BY, WATCHED_TO_ALONE
from ugs.bench.load import Load, Timing
from ugs.bench.pacer import Pacer, PacerFailed, PacerPlan, play
from ugs.bench.report import watched_as_dict, watched_text
from ugs.bench.run import BenchFailed
from ugs.bench.targets import TARGETS, started
from ugs.bench.watched import WatchFigures, WatchWindow, busy, measure_watched, round_trip_ms

MS = 1_000_000


def window(*trips_ms: float, broker_busy: float = 0.1) -> WatchWindow:
    """A window with these round trips."""
    return WatchWindow(tuple(int(trip * MS) for trip in trips_ms), broker_busy)


def measured(ratio: float, spectators: int = WATCHED_BY) -> WatchFigures:
    """A measurement with this ratio."""
    return WatchFigures(spectators, 20, (window(1, 2),), (window(1, 2 * ratio),), 7)


def test_percentiles_are_of_all_rounds_together() -> None:
    windows = [window(1, 2, 3, broker_busy=0.1), window(4, broker_busy=0.3)]
    assert (round_trip_ms(windows, 50), round_trip_ms(windows, 99)) == (2, 4)
    assert busy(windows) == pytest.approx(0.2)


def test_the_ratio_is_that_of_all_rounds_together() -> None:
    rounds = [window(*range(1, 101)), window(*range(1, 101))]
    slow = [window(*range(1, 101)), window(*range(101, 201))]
    one = WatchFigures(WATCHED_BY, 20, tuple(rounds), tuple(slow), 7)
    assert one.ratio == pytest.approx(198 / 99)
    assert one.growth(50) == pytest.approx(100 / 50)


@pytest.mark.parametrize(("ratio", "met", "word"), [(1.49, True, "met"), (1.51, False, "MISSED")])
def test_the_goal_is_that_the_p99_grows_by_less_than_half(ratio: float, met: bool, word: str) -> None:
    one = measured(ratio)
    assert WATCHED_TO_ALONE == 1.5
    assert one.met is met
    text = watched_text(one)
    assert "1000 spectators" in text
    assert f"p99 x {ratio:.2f} (goal: 1.5, {word})" in text
    assert watched_as_dict(one, {"processors": 2}, Timing())["met"] is met


def test_fewer_spectators_than_the_goal_is_about_are_not_judged() -> None:
    one = measured(1, spectators=10)
    assert one.met is None
    assert "goal" not in watched_text(one)


def test_every_spectator_has_every_event() -> None:
    rounds: list[int] = []
    one = measure_watched(5, 1, 100, Timing(0.3, 0.1, 2), rounds.append)
    assert rounds == [0, 1, 2]
    assert (len(one.alone), len(one.watched)) == (2, 2)
    assert all(window.trips_ns and window.broker_busy > 0 for window in one.alone + one.watched)
    assert one.events > 0
    assert one.events % 5 == 0


def test_too_many_for_the_machine_is_named() -> None:
    with pytest.raises(BenchFailed, match="1000000000 spectators: "):
        measure_watched(1_000_000_000, 1, 0, Timing(0.1, 0.1, 1), lambda _: None)


def test_a_game_goes_on_where_it_stood() -> None:
    with (
        started(TARGETS["ugs"], Load(1)) as broker,
        closing(Pacer(PacerPlan(broker.ready.host, broker.ready.port, 0.5))) as pacer,
    ):
        first, second = play([pacer], 0.05), play([pacer], 0.05)
        assert first
        assert second
        assert all(0 < trip < 10_000 * MS for trip in first + second)
        broker.stop()
        with pytest.raises((PacerFailed, OSError)):
            play([pacer], 1)
