"""Moves that stand below a board of OpenSpiel, since they are on no part of it."""

from game_masters.openspiel.pictures.picture import _chips
from game_masters.openspiel.view import Play


def test_moves_that_read_alike_are_one_chip() -> None:
    plays = [Play(7, "7 - 13/10 13/8"), Play(8, "8 - 13/10 9/4"), Play(9, "9 - 13/10 13/8"), Play(10, "pass")]
    assert [(chip.place, chip.label) for chip in _chips(plays, {3})] == [(0, "13/10 13/8"), (1, "13/10 9/4")]
