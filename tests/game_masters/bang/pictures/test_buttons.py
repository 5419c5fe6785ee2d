"""Buttons beneath the cards."""

import pytest

from game_masters.bang.pictures.drawing import _in_row


@pytest.mark.parametrize(
    ("labels", "in_row"),
    [
        ((), 3),
        (("draw", "end the turn"), 3),
        (("draw for Jail (10 of hearts)", "draw"), 2),
        (("x" * 60,), 1),
        (("x" * 99,), 1),
    ],
)
def test_as_many_stand_in_a_row_as_have_room_for_their_labels(labels: tuple[str, ...], in_row: int) -> None:
    assert _in_row(labels) == in_row
