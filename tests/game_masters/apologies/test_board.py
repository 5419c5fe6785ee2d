"""The board, walked over square by square."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game_masters.apologies.board import (
    CIRCLE,
    COLOURS,
    HOME,
    NOWHERE,
    PLACE_NAMES,
    PLACES,
    SAFE,
    SLIDES,
    SLIDING,
    SQUARES,
    START,
    STEPS,
    TARGETS,
    TURN,
    Place,
    distance,
    progress,
)

SEATS = range(len(COLOURS))
RED, YELLOW, GREEN, BLUE = SEATS


def forward(seat: int, place: Place) -> Place:
    """Return the next square, as one would count with a finger on the board."""
    if place == TURN[seat]:
        return SAFE
    return place + 1 if place >= SAFE else (place + 1) % SQUARES


def backward(seat: int, place: Place) -> Place:
    if place == SAFE:
        return TURN[seat]
    return place - 1 if place > SAFE else (place - 1) % SQUARES


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("steps", STEPS)
def test_targets_are_where_a_finger_gets_to(seat: int, steps: int) -> None:
    for place in range(HOME):
        reached = place
        for _ in range(abs(steps)):
            if reached == HOME:
                reached = NOWHERE
                break
            reached = forward(seat, reached) if steps > 0 else backward(seat, reached)
        assert TARGETS[seat][steps][place] == reached


@pytest.mark.parametrize("seat", SEATS)
def test_from_home_and_start_nobody_walks(seat: int) -> None:
    assert {TARGETS[seat][steps][place] for steps in STEPS for place in (HOME, START)} == {NOWHERE}


@pytest.mark.parametrize("seat", SEATS)
def test_the_distance_is_the_number_of_steps_to_home(seat: int) -> None:
    for place in range(HOME):
        reached, steps = place, 0
        while reached != HOME:
            reached, steps = forward(seat, reached), steps + 1
        assert distance(seat, place) == steps
    assert distance(seat, HOME) == 0
    assert distance(seat, START) == 65


@pytest.mark.parametrize("seat", SEATS)
def test_landmarks_have_the_distances_that_the_rules_name(seat: int) -> None:
    assert distance(seat, CIRCLE[seat]) == 64
    assert distance(seat, TURN[seat]) == 6
    assert distance(seat, (TURN[seat] + 1) % SQUARES) == 65
    assert [distance(seat, SAFE + row) for row in range(5)] == [5, 4, 3, 2, 1]


def test_a_pawn_that_goes_back_over_its_turn_square_stands_just_before_its_safe_row() -> None:
    assert TARGETS[RED][-4][CIRCLE[RED]] == 0
    assert TARGETS[RED][5][0] == SAFE + 2


def test_just_past_the_turn_square_the_way_goes_all_round() -> None:
    assert TARGETS[YELLOW][5][33] == 38
    assert distance(YELLOW, 33) == 65


def test_others_pass_a_turn_square_freely() -> None:
    assert TARGETS[BLUE][5][TURN[RED]] == TURN[RED] + 5


def test_slides_are_where_the_board_has_them() -> None:
    by_colour = {str(colour): tuple(slides) for colour, slides in zip(COLOURS, SLIDES, strict=True)}
    assert by_colour == {
        "RED": ((1, 4), (9, 13)),
        "BLUE": ((16, 19), (24, 28)),
        "YELLOW": ((31, 34), (39, 43)),
        "GREEN": ((46, 49), (54, 58)),
    }


@pytest.mark.parametrize("seat", SEATS)
def test_pawns_slide_on_foreign_slides_only_and_never_twice(seat: int) -> None:
    own = {first for first, _ in SLIDES[seat]}
    assert len(SLIDING[seat]) == 6
    assert not own & set(SLIDING[seat])
    for first, squares in SLIDING[seat].items():
        assert squares[0] == first + 1
        assert all(squares[-1] not in sliding for sliding in SLIDING)
        assert CIRCLE[seat] not in SLIDING[seat]


def test_places_have_different_names() -> None:
    assert len(set(PLACE_NAMES)) == len(PLACES)
    assert [PLACE_NAMES[place] for place in (0, 59, SAFE, SAFE + 4, HOME, START)] == ["0", "59", "s0", "s4", "H", "S"]


@given(st.sampled_from(SEATS), st.integers(0, SQUARES - 1))
def test_colours_are_alike_but_for_where_they_begin(seat: int, square: int) -> None:
    shifted = (square + TURN[RED] - TURN[seat]) % SQUARES
    assert progress(seat, square) == progress(RED, shifted)
