"""The computer players of five in line."""

import random
from collections.abc import Sequence

import pytest

from game_masters.kit.rules import Table
from game_masters.tic_tac_toe import GAME
from game_masters.tic_tac_toe.bots import choose_by_threats, choose_random
from game_masters.tic_tac_toe.rules import Cell, Position, View

FAR = [Cell(19, 19), Cell(0, 19), Cell(19, 0), Cell(16, 18), Cell(0, 16), Cell(18, 13), Cell(13, 17)]
"""Fields that do not affect each other."""


def to_move(own: Sequence[Cell], other: Sequence[Cell], size: int = 20) -> View:
    """Return a position in which the side with the stones ``own`` has the turn."""
    own, other = list(own), list(other)
    while len(own) < len(other):
        own.append(next(cell for cell in FAR if cell not in own + other))
    while len(other) < len(own):
        other.append(next(cell for cell in FAR if cell not in own + other))
    return View(size, size, 5, tuple(cell for pair in zip(own, other, strict=True) for cell in pair))


def line(cells: str, dx: int = 1, dy: int = 0) -> list[Cell]:
    """Return the stones where the drawing has an x, from 7,7 on."""
    return [Cell(7 + step * dx, 7 + step * dy) for step, sign in enumerate(cells) if sign == "x"]


def choice(view: View) -> Cell:
    return choose_by_threats(view, random.Random(1))


DIRECTIONS = [(1, 0), (0, 1), (1, 1), (1, -1)]


@pytest.mark.parametrize(("dx", "dy"), DIRECTIONS)
@pytest.mark.parametrize(("drawing", "gaps"), [("xxxx", (-1, 4)), ("xx.xx", (2,)), ("x.xxx", (1,))])
def test_threats_completes_a_row(drawing: str, gaps: tuple[int, ...], dx: int, dy: int) -> None:
    wanted = {Cell(7 + gap * dx, 7 + gap * dy) for gap in gaps}
    assert choice(to_move(line(drawing, dx, dy), [])) in wanted


@pytest.mark.parametrize(("dx", "dy"), DIRECTIONS)
@pytest.mark.parametrize(("drawing", "gaps"), [("xxxx", (-1, 4)), ("xx.xx", (2,)), ("xxx.x", (3,))])
def test_threats_blocks_a_four(drawing: str, gaps: tuple[int, ...], dx: int, dy: int) -> None:
    wanted = {Cell(7 + gap * dx, 7 + gap * dy) for gap in gaps}
    assert choice(to_move([], line(drawing, dx, dy))) in wanted


def test_threats_rather_wins_than_blocks() -> None:
    own = [Cell(x, 3) for x in (2, 3, 4, 5)]
    assert choice(to_move(own, line("xxxx"))) in {Cell(1, 3), Cell(6, 3)}


@pytest.mark.parametrize(("dx", "dy"), DIRECTIONS)
@pytest.mark.parametrize(("drawing", "gaps"), [("xxx", (-1, 3, -2, 4)), ("xx.x", (-1, 2, 4))])
def test_threats_blocks_an_open_three(drawing: str, gaps: tuple[int, ...], dx: int, dy: int) -> None:
    wanted = {Cell(7 + gap * dx, 7 + gap * dy) for gap in gaps}
    assert choice(to_move([], line(drawing, dx, dy))) in wanted


def test_threats_does_not_fear_a_three_that_is_closed() -> None:
    """Closed on one side it takes two more moves to win, and its own open three is faster."""
    view = to_move([Cell(6, 7), Cell(3, 3), Cell(3, 4), Cell(3, 5)], line("xxx"))
    assert choice(view) in {Cell(3, 2), Cell(3, 6)}


def test_threats_makes_an_open_four_of_an_open_three() -> None:
    assert choice(to_move(line("xxx"), [])) in {Cell(6, 7), Cell(10, 7)}


def test_threats_makes_two_fours_at_once_where_threes_cross() -> None:
    own = [Cell(8, 7), Cell(9, 7), Cell(10, 7), Cell(7, 8), Cell(7, 9), Cell(7, 10)]
    closing = [Cell(12, 7), Cell(7, 12), Cell(6, 7), Cell(7, 6)]
    assert choice(to_move(own, closing)) == Cell(7, 7)


def test_threats_begins_in_the_middle() -> None:
    cell = choice(View(20, 20, 5, ()))
    assert 4 <= cell.x <= 15
    assert 4 <= cell.y <= 15


def test_threats_finds_a_field_even_where_nobody_can_win_any_more() -> None:
    cells = [Cell(x, y) for x in range(3) for y in range(3)]
    view = View(3, 3, 3, tuple(cells[place] for place in (0, 4, 8, 1, 7, 6, 2, 5)))
    assert choice(view) == Cell(1, 0)


def winner(first: str, second: str, seed: int) -> str:
    rng = random.Random(seed)
    state = GAME.start(Table("g1", (first, second), GAME.choose_options({})), rng)
    assert isinstance(state, Position)
    names = (first, second)
    while state.outcome is None:
        (seat,) = state.movers
        state.apply(seat, GAME.bot(names[seat]).choose(state.view(seat), rng))
    return "".join(names[seat] for seat in state.outcome.winners)


def test_threats_beats_random_99_times_in_100() -> None:
    results = [winner(*(("threats", "random") if seed % 2 else ("random", "threats")), seed) for seed in range(100)]
    assert results.count("threats") >= 99


def test_threats_against_itself_ends_within_the_rules() -> None:
    assert winner("threats", "threats", seed=5) in ("threats", "")


def test_the_same_random_numbers_choose_the_same_fields() -> None:
    view = to_move(line("xx"), line("x.x", 0, 1))
    for choose in (choose_random, choose_by_threats):
        assert choose(view, random.Random(3)) == choose(view, random.Random(3))


def test_random_finds_the_last_free_field() -> None:
    cells = [Cell(x, y) for x in range(3) for y in range(3)]
    for free in cells:
        stones = tuple(cell for cell in cells if cell != free)
        assert choose_random(View(3, 3, 3, stones), random.Random(1)) == free
