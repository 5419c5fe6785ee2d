"""The table of all games: each is played to its end, and the page has a row for each that is installed."""

import pytest

pytest.importorskip("pyspiel")
pytest.importorskip("chess")
pytest.importorskip("pyffish")

from game_masters.openspiel import COLLECTION
from tests.game_table import HEAD, PAGE, all_entries, facts, lines, of_openspiel
from tests.profile import ONLY_DEEP, sized

QUICK = ("kuhn_poker", "matrix_rps", "tic_tac_toe", "hearts", "tarok", "pig")


def test_games_are_played_to_their_end() -> None:
    names = sized(quick=QUICK, deep=tuple(COLLECTION.names()))
    written = list(lines(of_openspiel(names), measured_s=0.001))
    assert written[:2] == list(HEAD)
    assert written[-1] == f"{len(names)} of {len(names)} games were played to their end."
    assert all(" | yes | " in line for line in written[2:-2])


@ONLY_DEEP
def test_all_others_are_played_to_their_end_too() -> None:
    entries = [one for one in all_entries() if not one.label.startswith("openspiel:")]
    assert (
        list(lines(entries, measured_s=0.001))[-1]
        == f"{len(entries)} of {len(entries)} games were played to their end."
    )


def test_a_row_says_what_is_hidden_and_how_it_is_drawn() -> None:
    found = [facts(one) for one in of_openspiel(["leduc_poker", "tic_tac_toe", "matrix_rps"])]
    assert [one[2:5] for one in found] == [("2 to 10", "yes", "yes"), ("2", "no", "no"), ("2", "no", "no")]
    assert [one[-1] for one in found] == ["own", "board", "text"]


def test_the_page_has_all_games_as_they_are_and_each_has_come_to_its_end() -> None:
    text = PAGE.read_text(encoding="utf-8")
    rows = [line.strip("| ").split(" | ") for line in text.split(HEAD[1])[1].strip().splitlines() if line[:1] == "|"]
    shown = [(*row[:5], row[-1]) for row in rows]
    assert shown == [facts(one) for one in all_entries()], "make games-table"
    assert {row[5] for row in rows} == {"yes"}
    assert f"{len(rows)} of {len(rows)} games were played to their end." in text
    assert len(rows) > 130
