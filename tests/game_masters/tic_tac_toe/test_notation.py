"""The payloads of five in line, exactly as other programs of this protocol write and read them."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game_masters.kit.rules import Options, Table, Unreadable
from game_masters.tic_tac_toe import GAME, notation
from game_masters.tic_tac_toe.rules import Cell, Position, View

CELLS = st.builds(Cell, st.integers(-999, 999), st.integers(-999, 999))


def options() -> Options:
    return GAME.choose_options({})


def view(*stones: Cell) -> View:
    return View(20, 20, 5, stones)


def test_a_move_is_a_tic() -> None:
    assert notation.write_move(Cell(3, 4)) == b'<move><tic x="3" y="4"/></move>'


def test_a_state_is_the_last_tac_and_empty_before_the_first() -> None:
    assert notation.write_view(view()) == b"<gameState/>"
    assert notation.write_view(view(Cell(1, 2), Cell(3, 4))) == b'<gameState><tac x="3" y="4"/></gameState>'


def test_on_another_board_the_states_before_the_first_stone_give_its_size() -> None:
    other = View(9, 7, 4, ())
    hear = notation.follow(options())
    assert notation.write_view(other) == b'<gameState width="9" height="7" row="4"/>'
    assert hear(notation.write_view(other)) == other
    moved = View(9, 7, 4, (Cell(8, 6),))
    assert notation.write_view(moved) == b'<gameState><tac x="8" y="6"/></gameState>'
    assert hear(notation.write_view(moved)) == moved


def test_at_a_table_with_the_program_a_state_is_the_last_two_tacs() -> None:
    table = Table("g", ("ann", "computer"), options(), players=1)
    position, hear = Position(table, random.Random(1)), notation.follow(options())
    for seat, cell in enumerate((Cell(1, 2), Cell(3, 4))):
        position.apply(seat, cell)
    state = notation.write_view(position.view(0))
    assert state == b'<gameState><tac x="1" y="2"/><tac x="3" y="4"/></gameState>'
    assert hear(state) == hear(state) == view(Cell(1, 2), Cell(3, 4))


@given(CELLS)
def test_moves_are_read_as_written(cell: Cell) -> None:
    assert notation.read_move(notation.write_move(cell)) == cell


@pytest.mark.parametrize(
    "payload",
    [
        b"<move><tic y='4' x='3'/></move>",
        b'<move>\r\n\t<tic x=" 3 " y="+4"></tic> <!-- here --></move>',
        b'<move><tic x="&#51;" y="04"/></move>',
    ],
)
def test_other_ways_to_write_the_same_move_are_read(payload: bytes) -> None:
    assert notation.read_move(payload) == Cell(3, 4)


@pytest.mark.parametrize(
    "payload",
    [
        b"<move/>",
        b"<move>3,4</move>",
        b'<move><tac x="3" y="4"/></move>',
        b'<move><tic x="3"/></move>',
        b'<move><tic x="3" y="4" z="5"/></move>',
        b'<move><tic x="3" y="4"/><tic x="3" y="5"/></move>',
        b'<move><tic x="3" y="4">here</tic></move>',
        b'<move><tic x="3" y="4"><tic x="3" y="4"/></tic></move>',
        b'<move><tic x="" y="4"/></move>',
        b'<move><tic x="3.0" y="4"/></move>',
        b'<move x="3" y="4"/>',
        b'<gameState><tic x="3" y="4"/></gameState>',
    ],
)
def test_other_payloads_are_no_moves(payload: bytes) -> None:
    with pytest.raises(Unreadable):
        notation.read_move(payload)


def test_who_follows_a_game_knows_all_stones() -> None:
    hear = notation.follow(options())
    assert hear(b"<gameState/>") == view()
    assert hear(b'<gameState><tac x="3" y="4"/></gameState>') == view(Cell(3, 4))
    assert hear(b'<gameState><tac x="5" y="6"/></gameState>') == view(Cell(3, 4), Cell(5, 6))


def test_the_last_stone_may_be_shown_again() -> None:
    hear = notation.follow(options())
    state = b'<gameState><tac x="3" y="4"/></gameState>'
    assert hear(state) == hear(state) == view(Cell(3, 4))


def test_an_earlier_stone_may_not() -> None:
    hear = notation.follow(options())
    hear(b'<gameState><tac x="3" y="4"/></gameState>')
    hear(b'<gameState><tac x="5" y="6"/></gameState>')
    with pytest.raises(Unreadable, match="a second stone on 3,4"):
        hear(b'<gameState><tac x="3" y="4"/></gameState>')


def test_games_are_followed_apart() -> None:
    one, two = notation.follow(options()), notation.follow(options())
    one(b'<gameState><tac x="3" y="4"/></gameState>')
    assert two(b"<gameState/>") == view()
