"""The computer players: their games end, on every kind of board, and the one that plays well wins."""

import pytest

from game_masters.catan import FOUR, SIX
from game_masters.kit.match import match
from tests.profile import sized

KINDS = [("settler",) * 4, ("random-legal",) * 4, ("settler", "random-legal") * 3]
BOARDS: list[dict[str, str]] = [{}, {"SBL": "t"}, {"SC": "SC_FOG"}, {"SC": "SC_CLVI", "BANK19": "t"}]
MAX_MOVES = 30_000
"""Four random players need 1500 to 3500 moves in the median, by the board."""


@pytest.mark.parametrize("bots", KINDS, ids=["settlers", "random", "six"])
@pytest.mark.parametrize("options", BOARDS, ids=str)
def test_games_of_bots_end(bots: tuple[str, ...], options: dict[str, str]) -> None:
    game = SIX if len(bots) > 4 else FOUR
    played = list(match(game, bots, sized(quick=1, deep=25), "end", game.choose_options(options)))
    assert {one.termination for one in played} <= {"enough points", "too few villages with cloth"}
    assert all(len(one.winners) == 1 and one.moves < MAX_MOVES for one in played)


def test_the_settler_wins_more_than_three_of_five_games_against_three_random_players() -> None:
    games = sized(quick=5, deep=500)
    played = match(FOUR, ["settler", *["random-legal"] * 3], games, "1", FOUR.choose_options({}))
    won = sum(0 in one.winners for one in played)
    assert won > 0.6 * games
