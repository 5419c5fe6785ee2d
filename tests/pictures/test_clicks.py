"""Whether one click is a move."""

import pytest

from ugs.pictures.clicks import are_in_turn


@pytest.mark.parametrize(
    ("places", "in_turn"),
    [
        ([], False),
        ([[0], [1], [2]], False),
        ([[0, 1], [2]], False),  # a place with two moves, each of which has no other place
        ([[0], [0], [0], [1], [1]], False),  # columns
        ([[0, 1], [0], [1]], True),  # a piece that may go to two places
        ([[0], [1], [0, 1]], True),  # two pieces that may go to one
        ([[0], [0]], False),  # the only move
    ],
)
def test_moves_whose_places_are_shared_are_clicked_part_by_part(places: list[list[int]], in_turn: bool) -> None:
    assert are_in_turn(places) is in_turn
