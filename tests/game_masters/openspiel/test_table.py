"""The table of all games: each is played to its end by bots that know what travels and nothing else."""

import pytest

pytest.importorskip("pyspiel")

from game_masters.openspiel import COLLECTION
from game_masters.openspiel.table import HEAD, lines
from tests.profile import sized

GAMES = sized(
    quick=("kuhn_poker", "matrix_rps", "tic_tac_toe", "hearts", "tarok", "pig"), deep=tuple(COLLECTION.names())
)


def test_every_game_is_played_to_its_end() -> None:
    written = list(lines(GAMES, measured_s=0.001))
    assert written[:2] == list(HEAD)
    assert written[-1] == f"{len(GAMES)} of {len(GAMES)} games were played to their end."
    assert all(" | yes | " in line for line in written[2:-2])


def test_a_row_says_what_is_hidden_and_how_it_is_drawn() -> None:
    rows = list(lines(["leduc_poker", "tic_tac_toe", "matrix_rps"], measured_s=0.001))[2:5]
    assert [row.split(" | ")[2:5] for row in rows] == [["2 to 10", "yes", "yes"], ["2", "no", "no"], ["2", "no", "no"]]
    assert [row.split(" | ")[-1] for row in rows] == ["own |", "board |", "text |"]
