"""What the page costs: measured in small, and judged."""

from dataclasses import replace

import pytest

from tests.bench.test_watched import window
from ugs.bench.goals import PAGES, STANDINGS_GAMES, STANDINGS_MS, VIEW_BYTES
from ugs.bench.load import Timing
from ugs.bench.pages import Paged, measure_pages
from ugs.bench.report import pages_as_dict, pages_text
from ugs.bench.run import BenchFailed

MEASURED = Paged(PAGES, (window(1, 2),), (window(1, 2.9),), 1_000_000, STANDINGS_GAMES, 9.0, (20.0, 150.0), 30_000)


def test_all_of_it_is_measured() -> None:
    steps: list[str] = []
    one = measure_pages(6, 30, 20, Timing(0.5, 0.2, 2), steps.append, games=2)
    assert steps[:2] == ["round 1 of 2", "round 2 of 2"]
    assert all(each.trips_ns for each in one.alone + one.opened)
    assert one.news_bytes > 0
    assert 0 < one.view_bytes < VIEW_BYTES
    assert one.standings_first_s > 0
    assert len(one.standings_ms) > 1
    assert one.met == {"pages": None, "standings": None, "view": True}


@pytest.mark.parametrize(
    ("name", "one", "met"),
    [
        ("pages", MEASURED, True),
        ("pages", replace(MEASURED, opened=(window(1, 3.1),)), False),
        ("standings", MEASURED, True),
        ("standings", replace(MEASURED, standings_ms=(20.0, STANDINGS_MS + 1)), False),
        ("view", replace(MEASURED, view_bytes=VIEW_BYTES + 1), False),
    ],
)
def test_the_goals_are_judged(name: str, one: Paged, met: bool) -> None:
    assert one.met[name] is met
    assert ("MISSED" in pages_text(one)) is not met
    told = pages_as_dict(one, {"processors": 2}, Timing())
    assert told["met"] == one.met


def test_too_many_for_the_machine_is_named() -> None:
    with pytest.raises(BenchFailed, match="1000000000 open pages: "):
        measure_pages(1_000_000_000, 1, 1, Timing(0.1, 0.1, 1), lambda _: None)
