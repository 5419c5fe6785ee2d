"""Values with some of their fields changed."""

import dataclasses

import pytest

from game_masters.titan.position import Position
from game_masters.titan.replacing import replace


def test_it_is_what_the_standard_library_makes() -> None:
    before = Position()
    after = replace(before, turn=3, undone=2)
    assert after == dataclasses.replace(before, turn=3, undone=2)
    assert (before.turn, after.turn) == (Position().turn, 3)


def test_a_field_that_there_is_not_is_named() -> None:
    with pytest.raises(TypeError, match="Position has no field turns"):
        replace(Position(), turns=3)
