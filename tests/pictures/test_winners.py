"""Who has won, by a gameOver."""

import pytest

from ugs.pictures.winners import winners_of
from ugs.wire.messages import PlayerResult, Result

ANN, BEN, LOSER = (
    PlayerResult("ann", Result.WINNER),
    PlayerResult("ben", Result.WINNER),
    PlayerResult("ben", Result.LOSER),
)


@pytest.mark.parametrize(
    ("results", "players", "won"),
    [
        ((ANN, LOSER), 2, ("ann",)),
        ((ANN, BEN), 2, ()),
        ((LOSER,), 2, ()),
        ((ANN,), 2, ("ann",)),
        ((ANN, BEN), 3, ("ann", "ben")),
        ((ANN,), 1, ("ann",)),
    ],
)
def test_all_are_winners_of_a_draw_and_who_left_need_not_be_listed(
    results: tuple[PlayerResult, ...], players: int, won: tuple[str, ...]
) -> None:
    assert winners_of(results, players) == won
