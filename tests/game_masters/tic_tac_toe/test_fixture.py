"""Games of five in line that begin with stones on the board."""

import random

import pytest

from game_masters.kit.fixture import read_fixture
from game_masters.kit.rules import BadFixture, Table, Unreadable
from game_masters.tic_tac_toe import GAME, notation
from game_masters.tic_tac_toe.rules import Cell, Position
from ugs.pictures.contract import Scene, Seat, Shown

STONES = 'players = 2\nstones = ["0,0", "1,0", "0,1", "1,1"]\noptions = { width = 5, height = 4 }'


def begun(text: str) -> Position:
    fixture = read_fixture(GAME, text)
    options = GAME.choose_options(fixture.options)
    return Position(Table("t", ("ann", "bob"), options, fixture=fixture.start(GAME, options)), random.Random(1))


def test_each_state_shows_all_stones_so_all_readers_know_the_board() -> None:
    position = begun(STONES)
    hear = notation.follow(GAME.choose_options({}))
    assert hear(notation.write_view(position.view(0))) == position.view(0)
    position.apply(0, Cell(4, 3))
    position.apply(1, Cell(4, 2))
    payload = notation.write_view(position.view(0))
    assert payload.count(b"<tac ") == 6
    assert hear(payload) == position.view(0)


def test_the_picture_shows_whose_stones_they_are() -> None:
    assert GAME.pictures is not None
    follow = GAME.pictures(Scene((Seat("ann"), Seat("bob")), 0, {}))
    picture = follow(Shown(notation.write_view(begun(STONES).view(0)), (0,)))
    assert "X: 0,0 0,1. O: 1,0 1,1." in picture.words()
    assert len(picture.offers(0)) == 16


def test_the_stones_of_the_beginning_are_no_moves() -> None:
    """The list of moves of a puzzle began with them, as if somebody had put them there."""
    assert GAME.pictures is not None
    follow, position = GAME.pictures(Scene((Seat("ann"), Seat("bob")), 0, {})), begun(STONES)
    assert follow(Shown(notation.write_view(position.view(0)), (0,))).news() == []
    position.apply(0, Cell(4, 3))
    position.apply(1, Cell(4, 2))
    picture = follow(Shown(notation.write_view(position.view(0)), (0,)))
    assert picture.news() == ["ann puts X on 4,3", "bob puts O on 4,2"]


def test_two_stones_on_one_field_are_no_state() -> None:
    hear = notation.follow(GAME.choose_options({}))
    for board in (b"", b' width="5" height="5" row="5"', b' width="5"'):
        with pytest.raises(Unreadable):
            hear(b"<gameState" + board + b'><tac x="1" y="1"/><tac x="1" y="1"/></gameState>')


def test_a_fixture_without_stones_begins_as_usual() -> None:
    assert begun("players = 2\nseed = 3").view(0).stones == ()


@pytest.mark.parametrize(
    ("stones", "why"),
    [
        ('["0,0"]', "not 2 to"),
        ('["0,0", "0,0"]', "twice"),
        ('["0,0", "5,0"]', "outside the board"),
        ('["0,0", "a,b"]', "a field is written like"),
        ('["0,0", "0,1", "1,0", "1,1", "2,0", "2,1", "3,0", "3,1", "4,0", "4,1"]', "5 in a row"),
    ],
)
def test_stones_that_cannot_be_are_refused(stones: str, why: str) -> None:
    with pytest.raises(BadFixture, match=why):
        begun(f"players = 2\nstones = {stones}\noptions = {{ width = 5, height = 4 }}")
