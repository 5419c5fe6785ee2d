"""Opponents make the moves that a master offers."""

import pytest

from tests.check.test_drawn_positions import offer, sketch
from ugs.check.case import NotForThis
from ugs.check.drawn_positions import Drawings
from ugs.check.offered_moves import NO_OFFERS, OfferedMoves
from ugs.check.referee import GivenPosition

POSITION = GivenPosition(("bob",), None, b"")


def opponents(*moves: str) -> OfferedMoves:
    """Opponents in games where bob may do this."""
    drawings = Drawings(["ann", "bob"])
    drawings.takes(sketch("".join(offer(move, "bob") for move in moves)))
    drawings.shows_state()
    return OfferedMoves(lambda _: drawings)


def test_they_make_every_move_that_is_offered_and_the_same_in_each_check() -> None:
    playing = opponents("roll", "hold")
    made = [playing.move("7", "bob", POSITION) for _ in range(20)]
    assert set(made) == {b"<move><roll/></move>", b"<move><hold/></move>"}
    playing.forget("7")
    assert [playing.move("7", "bob", POSITION) for _ in range(20)] == made


def test_without_offers_the_case_is_skipped_with_what_to_do() -> None:
    with pytest.raises(NotForThis, match=NO_OFFERS):
        opponents().move("7", "bob", POSITION)
