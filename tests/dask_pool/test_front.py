"""The measurement of the front of a cluster."""

import pytest
import trio

from tests.profile import ONLY_DEEP
from ugs.broker.verdict import Outcome
from ugs.dask_pool import crew, front
from ugs.dask_pool.front import GOAL_WORKERS, FrontFigures, NoFront, measure_front
from ugs.match.batches import BatchJob, MatchBatch
from ugs.match.match_settings import parse_wanted
from ugs.match.planner import GivenGame, PlannedGame


def figures(workers: int = GOAL_WORKERS, *, doubled: int = 0, match_s: float = 5.0) -> FrontFigures:
    return FrontFigures(workers, 15_000, 20.0, 5.0, match_s, 2000, 120, 30.0, 15_000, doubled, 0)


def test_the_goal_is_about_processor_time_and_a_thousand_workers() -> None:
    assert figures().calls_per_second == 750
    assert figures().calls_per_core == 1500
    assert figures().met is True
    assert figures(match_s=20.0).met is False
    assert figures(doubled=1).met is False
    assert figures(10).met is None


def test_the_text_names_the_verdict() -> None:
    lines = figures().as_text().splitlines()
    assert lines[0] == (
        "1000 simulated workers: 750 calls a second for 20 s; 1500 in a second of one processor (goal: 750: met)"
    )
    assert "at most 120 tries a second to reach it" in lines[2]


def test_a_made_up_batch_has_a_result_for_each_game() -> None:
    wanted = parse_wanted({"game": "-", "bots": {"a": "-", "b": "-"}}, "test")
    games = tuple(GivenGame(PlannedGame(number, ("a", "b"), 1), "") for number in (1, 2))
    found = crew.pretend(BatchJob("", wanted, packets=False), MatchBatch(3, games), "key")
    assert [(one.planned.number, one.outcomes["a"]) for one in found.results] == [(1, Outcome.WON), (2, Outcome.WON)]


def test_a_front_that_does_not_come_about_names_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*_: object) -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(trio.sleep_forever)
            raise NoFront("the workers did not come")

    monkeypatch.setattr(front, "_measure", fail)
    with pytest.raises(NoFront, match=r"^the workers did not come$"):
        measure_front(1, 1.0, lambda _step: None)


@ONLY_DEEP
def test_no_game_is_lost_or_doubled_when_the_scheduler_is_killed() -> None:
    measured = measure_front(20, 2.0, lambda _step: None)
    assert (measured.doubled, measured.missing) == (0, 0)
    assert measured.calls > 0
    assert measured.most_out <= 40
