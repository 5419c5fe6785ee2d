"""The options about tables on the command line, and the place to play that they describe."""

import pytest

from game_masters.kit.client import Send
from game_masters.kit.hosting import Guest
from game_masters.kit.rules import AnyGame
from game_masters.kit.table_options import BadTable, TableOptions
from game_masters.tic_tac_toe import GAME
from tests.game_masters.high_card import HIGH_CARD
from ugs.wire.extensions import Advertise, NewTable, Visibility
from ugs.wire.messages import Choice

PUBLIC, PRIVATE = Visibility.PUBLIC, Visibility.PRIVATE


def table(asked: TableOptions, game: AnyGame = HIGH_CARD, *choices: Choice) -> NewTable:
    """Return the place at a table for these options."""
    place = asked.place(game, game.game_type, choices)
    assert place is not None
    (send,) = place.sits_down()
    assert isinstance(send, Send)
    assert isinstance(send.message, Advertise)
    return send.message.table


def test_who_says_nothing_of_tables_plays_in_the_pool() -> None:
    assert TableOptions().place(GAME, GAME.game_type, ()) is None
    assert TableOptions().place(GAME, GAME.game_type, (Choice("width", "7"),), v4=True) is None


def test_who_wants_to_join_is_a_guest() -> None:
    assert isinstance(TableOptions(join="Friday").place(GAME, GAME.game_type, ()), Guest)


def test_a_table_is_as_it_is_said() -> None:
    asked = TableOptions("Friday", None, 4, True, ("ben", "cyd"), 1)
    choice = Choice("cards", "20")
    assert table(asked, HIGH_CARD, choice) == NewTable("Friday", 4, PRIVATE, 1, (choice,), ("ben", "cyd"))


def test_a_kept_game_is_an_option_of_the_table_beside_those_of_the_game() -> None:
    choice = Choice("cards", "20")
    wanted = table(TableOptions("Friday", resume="a1b2c3"), HIGH_CARD, choice).options
    assert wanted == (choice, Choice("resume", "a1b2c3"))
    with pytest.raises(BadTable, match="--resume: goes with --advertise"):
        TableOptions(join="Friday", resume="a1b2c3").place(GAME, GAME.game_type, ())


@pytest.mark.parametrize(
    ("asked", "seats"),
    [
        (TableOptions("t"), 2),
        (TableOptions("t", invite=("ben", "cyd")), 3),
        (TableOptions("t", invite=("ben", "ben")), 2),
        (TableOptions("t", computers=1), 2),
        (TableOptions("t", invite=("ben",), computers=2), 4),
        (TableOptions("t", invite=("ben", "cyd", "dan", "eve")), 4),
    ],
)
def test_there_are_seats_for_all_who_are_named_and_as_many_as_the_game_needs(asked: TableOptions, seats: int) -> None:
    assert table(asked).seats == seats
    assert table(asked).visibility is PUBLIC


@pytest.mark.parametrize(
    ("asked", "option", "why"),
    [
        (TableOptions("t", "t"), "--join", "a bot sits at one table; leave out this or --advertise"),
        (TableOptions(join=""), "--join", "'' is no name or id of a table"),
        (TableOptions(""), "--advertise", "'' is no name; a table needs at least one character"),
        (TableOptions(seats=3), "--seats", "goes with --advertise, which gives the table its name"),
        (TableOptions(join="t", private=True), "--private", "goes with --advertise, which gives the table its name"),
        (TableOptions(invite=("ben",)), "--invite", "goes with --advertise, which gives the table its name"),
        (TableOptions(join="t", computers=0), "--computers", "goes with --advertise, which gives the table its name"),
        (TableOptions(start_with=1), "--start-with", "goes with --advertise, which gives the table its name"),
        (TableOptions("t", invite=("",)), "--invite", "'' is no nick"),
        (TableOptions("t", seats=5), "--seats", "5 is not allowed; allowed: 2 to 4"),
        (TableOptions("t", computers=4), "--computers", "4 is not allowed at 4 seats; allowed: 0 to 3"),
        (TableOptions("t", seats=3, computers=3), "--computers", "3 is not allowed at 3 seats; allowed: 0 to 2"),
        (TableOptions("t", seats=4, computers=1, start_with=4), "--start-with", "4 is not allowed; allowed: 1 to 3"),
        (
            TableOptions("t", private=True),
            "--private",
            "2 players are needed, and no other player could come; --invite them",
        ),
        (
            TableOptions("t", seats=4, private=True, invite=("ben", "ben")),
            "--private",
            "4 players are needed, and only 1 could come besides; --invite more",
        ),
    ],
)
def test_options_that_cannot_be_met_name_what_to_change(asked: TableOptions, option: str, why: str) -> None:
    with pytest.raises(BadTable) as caught:
        asked.place(HIGH_CARD, HIGH_CARD.game_type, ())
    assert (caught.value.option, caught.value.text) == (option, why)


def test_a_game_for_two_is_for_two() -> None:
    with pytest.raises(BadTable, match=r"^--seats: 3 is not allowed; allowed: 2$"):
        TableOptions("t", seats=3).place(GAME, GAME.game_type, ())


@pytest.mark.parametrize(
    "asked", [TableOptions("t", private=True, computers=1), TableOptions("t", seats=4, private=True, start_with=1)]
)
def test_a_private_table_without_guests_is_for_one_and_computers(asked: TableOptions) -> None:
    assert table(asked).visibility is PRIVATE


@pytest.mark.parametrize(("asked", "way"), [(TableOptions("t"), "--advertise"), (TableOptions(join="t"), "--join")])
def test_plain_v4_knows_no_tables(asked: TableOptions, way: str) -> None:
    with pytest.raises(BadTable) as caught:
        asked.place(GAME, GAME.game_type, (), v4=True)
    assert str(caught.value) == f"--v4: plain v4 knows no tables; leave out this or {way}"
