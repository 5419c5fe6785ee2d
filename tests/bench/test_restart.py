"""Starting a broker on a journal of many games."""

from itertools import islice
from pathlib import Path

import pytest

from ugs.bench.report import restart_as_dict, restart_text
from ugs.bench.restart import GOAL_GAMES, Restart, build, measure_restart, pairs
from ugs.journal.reader import Reader


def test_the_journal_holds_the_games_that_were_asked_for(tmp_path: Path) -> None:
    progress: list[int] = []
    build(tmp_path, 120, progress.append)
    assert progress == [0, 120]
    with Reader(tmp_path) as reader:
        results = list(reader.results(game_type="5-in-line-tic-tac-toe"))
        record = reader.record("game-00000119")
    assert [tuple(seat.nick for seat in result.seats) for result in results] == list(islice(pairs(), 120))
    assert len(record.entries) == 1 + 2 * 4 + 2


def test_a_broker_starts_on_it() -> None:
    measured = measure_restart(50, 1, lambda _: None)
    assert measured.games == 50
    assert measured.journal_bytes > 0
    assert measured.best_s > 0
    assert measured.met is None


@pytest.mark.parametrize(("best", "met", "word"), [(4.9, True, "met"), (5.1, False, "MISSED")])
def test_the_goal_is_about_a_hundred_thousand_games(best: float, met: bool, word: str) -> None:
    measured = Restart(GOAL_GAMES, 160_000_000, 8.0, (best, 9.0))
    assert measured.met is met
    assert f"best {best:.2f} s (goal: 5 s, {word})" in restart_text(measured)
    assert restart_as_dict(measured, {"processors": 2})["goal_met"] is met
