"""How long a copy of the site takes."""

from pathlib import Path

import pytest

from tests.profile import DEEP, chosen
from ugs.bench.restart import build
from ugs.bench.run import BenchFailed
from ugs.bench.site_copy import Copied, SiteCopies, measure_site


@pytest.mark.parametrize(
    ("games", "met", "word"), [(438, True, "goal: 20.0 s, met"), (219, False, "goal: 10.0 s, MISSED")]
)
def test_the_goal_grows_with_the_games(games: int, met: bool, word: str) -> None:
    measured = SiteCopies(games, 500, 60_000_000, (Copied(19.0, 30.0), Copied(21.0, 32.0)), (Copied(2.0, 2.0),))
    assert measured.met is met
    assert f"first copy: 19.0, 21.0 s, with 31.0 s of processor time ({word})" in measured.as_text()
    assert measured.as_dict({"processors": 2})["goal_met"] is met


def test_few_games_have_no_goal() -> None:
    measured = SiteCopies(12, 20, 1_000_000, (Copied(1.0, 1.0),), (Copied(0.5, 0.5),))
    assert (measured.goal_s, measured.met) == (None, None)
    assert measured.as_text().splitlines()[1] == "first copy: 1.0 s, with 1.0 s of processor time"


@pytest.mark.skipif(chosen() != DEEP, reason="two processes that draw; python -m pytest with UGS_TESTS=deep")
def test_a_site_is_copied_twice(tmp_path: Path) -> None:
    build(tmp_path, 2, lambda _: None)
    done: list[int] = []
    measured = measure_site(tmp_path, 1, done.append)
    assert (measured.games, done) == (2, [1])
    assert measured.pages > measured.games
    assert measured.first[0].processor_s > 0


def test_what_the_export_says_is_passed_on(tmp_path: Path) -> None:
    with pytest.raises(BenchFailed, match="ugs site export"):
        measure_site(tmp_path / "missing", 1, lambda _: None)
