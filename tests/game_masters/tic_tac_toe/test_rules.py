"""The rules of five in line."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game_masters.kit.rules import BadOption, Outcome, RuleBroken, Table, Unreadable
from game_masters.tic_tac_toe import GAME
from game_masters.tic_tac_toe.rules import DIRECTIONS, Cell, Position, Termination
from tests.profile import sized


def a_board(**options: str) -> Position:
    return Position(Table("g1", ("ann", "bob"), GAME.choose_options(options)), random.Random(0))


def play(position: Position, *cells: tuple[int, int]) -> None:
    for x, y in cells:
        (seat,) = position.movers
        position.apply(seat, Cell(x, y))


def play_apart(position: Position, row: list[Cell]) -> None:
    """Let the first seat put the stones of ``row``, and the second one stones that never make a row."""
    elsewhere = [Cell(x, y) for x in range(0, 20, 2) for y in (0, 1, 18, 19)]
    harmless = iter([cell for cell in elsewhere if cell not in row])
    for number, cell in enumerate(row):
        position.apply(0, cell)
        if number < len(row) - 1:
            position.apply(1, next(harmless))


def test_the_board_is_20_by_20_and_empty_and_the_first_seat_begins() -> None:
    position = a_board()
    assert position.movers == (0,)
    assert len(position.legal_moves(0)) == 400
    assert {position.legal_moves(0)[0], position.legal_moves(0)[-1]} == {Cell(0, 0), Cell(19, 19)}
    assert position.legal_moves(1) == ()


@pytest.mark.parametrize(("dx", "dy"), DIRECTIONS)
@pytest.mark.parametrize("order", [(0, 1, 2, 3, 4), (4, 3, 2, 1, 0), (0, 4, 1, 3, 2), (2, 0, 4, 3, 1)])
def test_five_in_a_row_win_in_all_directions_and_in_any_order(dx: int, dy: int, order: tuple[int, ...]) -> None:
    position = a_board()
    play_apart(position, [Cell(7 + step * dx, 9 + step * dy) for step in order])
    assert position.outcome == Outcome(Termination.ROW, frozenset({0}))
    assert position.movers == ()


def test_more_than_five_in_a_row_win_too() -> None:
    position = a_board()
    play_apart(position, [Cell(x, 9) for x in (1, 2, 3, 4, 6, 7, 8, 9, 5)])
    assert position.outcome == Outcome(Termination.ROW, frozenset({0}))
    assert position.outcome.words == "9 in a row from 1,9 to 9,9"


def test_the_row_that_wins_is_named() -> None:
    position = a_board()
    play_apart(position, [Cell(10 + step, 19 - step) for step in (0, 1, 3, 4, 2)])
    assert position.outcome is not None
    assert position.outcome.words == "5 in a row from 10,19 to 14,15"


def test_four_in_a_row_and_one_apart_do_not_win() -> None:
    position = a_board()
    play_apart(position, [Cell(x, 9) for x in (1, 2, 3, 4, 6)])
    assert position.outcome is None


def test_rows_do_not_go_round_the_edge() -> None:
    position = a_board()
    play_apart(position, [Cell(x, 9) for x in (17, 18, 19)] + [Cell(x, 10) for x in (0, 1)])
    assert position.outcome is None


def test_a_row_of_both_colours_is_none() -> None:
    position = a_board()
    play(position, (1, 9), (2, 9), (3, 9), (4, 9), (5, 9), (6, 9))
    assert position.outcome is None


@pytest.mark.parametrize(("x", "y"), [(-1, 0), (0, -1), (20, 0), (0, 20), (10**8, 0)])
def test_fields_outside_the_board_are_illegal(x: int, y: int) -> None:
    position = a_board()
    with pytest.raises(RuleBroken, match="outside the board of 20 x 20"):
        position.apply(0, Cell(x, y))
    assert position.movers == (0,)


def test_a_taken_field_is_illegal_for_both_sides() -> None:
    position = a_board()
    play(position, (3, 4))
    with pytest.raises(RuleBroken, match="3,4 is taken"):
        position.apply(1, Cell(3, 4))
    play(position, (5, 5))
    with pytest.raises(RuleBroken, match="3,4 is taken"):
        position.apply(0, Cell(3, 4))


def test_nobody_moves_out_of_turn_or_after_the_end() -> None:
    position = a_board()
    with pytest.raises(RuleBroken, match="not the turn of seat 1"):
        position.apply(1, Cell(0, 0))
    position.leave(0)
    with pytest.raises(RuleBroken, match="not the turn of seat 0"):
        position.apply(0, Cell(0, 0))


@pytest.mark.parametrize(
    ("cause", "termination"),
    [(RuleBroken("x"), Termination.ILLEGAL_MOVE), (Unreadable("x"), Termination.UNREADABLE_MOVE)],
)
def test_a_bad_move_loses(cause: RuleBroken | Unreadable, termination: Termination) -> None:
    position = a_board()
    play(position, (3, 4))
    position.fault(1, cause)
    assert position.outcome == Outcome(termination, frozenset({0}))


@pytest.mark.parametrize("seat", [0, 1])
def test_when_one_leaves_the_other_wins(seat: int) -> None:
    position = a_board()
    play(position, (3, 4))
    position.leave(seat)
    assert position.outcome == Outcome(Termination.PLAYER_LEFT, frozenset({1 - seat}))


def test_a_full_board_is_a_draw() -> None:
    position = a_board(width="3", height="3", row="3")
    play(position, (0, 0), (1, 1), (2, 2), (0, 1), (2, 1), (2, 0), (0, 2), (1, 2), (1, 0))
    assert position.outcome == Outcome(Termination.BOARD_FULL, frozenset(), drawn=True)


def test_the_last_field_may_still_win() -> None:
    position = a_board(width="3", height="3", row="3")
    play(position, (0, 0), (1, 0), (1, 1), (2, 0), (2, 1), (0, 1), (1, 2), (0, 2), (2, 2))
    assert position.outcome == Outcome(Termination.ROW, frozenset({0}))


def test_size_and_length_of_a_row_are_options() -> None:
    position = a_board(width="4", height="6", row="4")
    assert len(position.legal_moves(0)) == 24
    play(position, (0, 0), (3, 0), (0, 1), (3, 1), (0, 2), (3, 2))
    assert position.outcome is None
    play(position, (0, 3))
    assert position.outcome is not None


def test_a_row_must_fit_on_the_board() -> None:
    assert GAME.choose_options({"width": "3", "height": "5"}).integer("row") == 5
    with pytest.raises(BadOption, match="option row: 5 does not fit on the board; allowed: 3 to 4"):
        GAME.choose_options({"width": "4", "height": "3"})


def test_the_position_can_be_read() -> None:
    position = a_board()
    play(position, (0, 0), (1, 1))
    assert str(position).splitlines() == ["      0  1  2", "   0  X  .  .", "   1  .  O  .", "   2  .  .  ."]


def has_row(cells: set[Cell], length: int) -> bool:
    """The rule for rows once more, in its simplest form."""
    return any(
        all(Cell(cell.x + step * dx, cell.y + step * dy) in cells for step in range(length))
        for cell in cells
        for dx, dy in ((0, 1), (1, 0), (1, 1), (-1, 1))
    )


@settings(max_examples=sized(quick=30, deep=200))
@given(st.integers(3, 7), st.integers(3, 7), st.integers(3, 5), st.randoms(use_true_random=False))
def test_random_games_end_exactly_when_the_plain_rule_says_so(
    width: int, height: int, row: int, rng: random.Random
) -> None:
    row = min(row, max(width, height))
    position = a_board(width=str(width), height=str(height), row=str(row))
    stones: tuple[set[Cell], set[Cell]] = (set(), set())
    while position.outcome is None:
        (seat,) = position.movers
        cell = rng.choice(position.legal_moves(seat))
        position.apply(seat, cell)
        stones[seat].add(cell)
        assert len(stones[0]) + len(stones[1]) == len(position.record)
        if has_row(stones[seat], row):
            assert position.outcome == Outcome(Termination.ROW, frozenset({seat}))
        elif len(stones[0]) + len(stones[1]) == width * height:
            assert position.outcome == Outcome(Termination.BOARD_FULL, frozenset(), drawn=True)
        else:
            assert position.outcome is None
    assert position.view(None).stones[::2] == tuple(cell for cell in position.view(0).stones if cell in stones[0])
