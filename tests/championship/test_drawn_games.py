"""Drawn games as text."""

import pytest

from ugs.championship.drawn_games import kept, read_kept
from ugs.championship.due_draws import Request
from ugs.championship.pairing.rounds import GauntletGames, RoundRobinGames
from ugs.championship.pairing.swiss_round import SwissRound

NICKS = ("ann", 'b"en\\')
ROUND = SwissRound(
    1, 2, NICKS, (), dict.fromkeys(NICKS, 0.0), {nick: {} for nick in NICKS}, dict.fromkeys(NICKS, (0, 0))
)


@pytest.mark.parametrize("request_", [RoundRobinGames(150, 3, 1), GauntletGames(5, 2, 2), ROUND])
def test_what_is_read_back_is_what_was_drawn(request_: Request) -> None:
    drawing = request_.draw()
    assert read_kept(kept(drawing)) == drawing
