"""Fixtures: what is read, what is refused and why, and how games begin from them."""

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game_masters.apologies import ADULT, STANDARD
from game_masters.apologies.cards import KINDS
from game_masters.apologies.rules import Position
from game_masters.kit.entries import Entries
from game_masters.kit.fixture import Fixture, read_fixture
from game_masters.kit.master import Master
from game_masters.kit.rules import AnyGame, BadFixture, Table
from game_masters.kit.seating import Impossible, seat
from game_masters.registry import find_games
from game_masters.tic_tac_toe import GAME as TIC_TAC_TOE
from ugs.wire.extensions import MAX_SETUP, Failed, Family, Hello, Offers, PastMove, Restore, Views
from ugs.wire.messages import BeginGame, Choice, GameMasterLogin, LoginResponse, Message, Move

PUZZLE = """
players = 2
seed = 7
begins = "YELLOW"
pile = ["2", "A"]
options = {mode = "ADULT"}
[pawns]
RED = ["H", "H", "H", "s4"]
[hands]
YELLOW = ["1", "1", "2", "3", "4"]
"""
FAMILIES = (Family.TABLE, Family.RESTORE, Family.VIEWS)


def begun(text: str, game: AnyGame = STANDARD) -> Position:
    """The position in which a game of two begins from this fixture."""
    options = game.choose_options(dict(read_fixture(game, text).options))
    start = read_fixture(game, text).start(game, options)
    state = game.start(Table("g", ("ann", "bob"), options, fixture=start), random.Random(1))
    assert isinstance(state, Position)
    return state


def refusal(text: str, game: AnyGame = STANDARD) -> str:
    """Why a fixture is refused."""
    with pytest.raises(BadFixture) as refused:
        begun(text, game)
    return str(refused.value)


def test_a_game_begins_as_the_fixture_says() -> None:
    shown = str(begun(PUZZLE)).splitlines()
    assert shown[0] == "ADULT, strict, 0 plays, YELLOW to play"
    assert shown[1].startswith("RED     H  H  H s4")
    assert shown[2] == "YELLOW 34  S  S  S, 0 turns, hand 1 1 2 3 4"


def test_what_is_not_fixed_is_left_to_chance_and_no_card_is_there_twice() -> None:
    position = begun(PUZZLE)
    assert sorted(card for pile in position.piles for card in pile) == list(range(len(KINDS)))
    assert position.piles[3] != begun(PUZZLE.replace('pile = ["2", "A"]', "")).piles[3]


def test_the_pile_is_drawn_from_the_front() -> None:
    position = begun('players = 2\npile = ["2", "12", "A"]')
    assert [KINDS[card].short for card in position.piles[2]] == ["2"]
    assert [KINDS[card].short for card in reversed(position.piles[0][-2:])] == ["12", "A"]


def test_an_empty_fixture_changes_nothing() -> None:
    usual = STANDARD.start(Table("g", ("ann", "bob"), STANDARD.choose_options({})), random.Random(1))
    assert str(begun("players = 2")) == str(usual)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            "players = 2\nhand = []",
            "hand: [] stands under a key that does not exist; read were: begins, hands, pawns, pile",
        ),
        ("", "players: is missing"),
        ("players = 5", "players: 5 is not a whole number from 2 to 4"),
        ("players = true", "players: True is not a whole number from 2 to 4"),
        ("players = 2\nseed = 1.5", "seed: 1.5 is neither a whole number nor a text"),
        ("players = 2\nseed = ''", "seed: '' is neither"),
        ("players = ", "not TOML: Invalid value (at end of document)"),
        (f"players = {'[' * 5000}", "not TOML: maximum recursion depth exceeded"),
        (f"a = '{'x' * MAX_SETUP}'", f"it has {MAX_SETUP + 6} characters; at most {MAX_SETUP} can be kept"),
        ("a = '\ufffe'", "not TOML: "),
        ("players = 2\noptions = 3", "options: 3 is not a table"),
        ("players = 2\noptions.colour = 1", "options.colour: 1 is given to an option that does not exist"),
        ("players = 2\noptions.mode = 'HARD'", "options.mode: 'HARD' is not allowed; allowed: STANDARD, ADULT"),
        ("players = 2\noptions.mode = 1", "options.mode: 1 is not a text"),
        ("players = 2\nbegins = 'BLUE'", "begins: 'BLUE' is not allowed; allowed: RED, YELLOW"),
        ("players = 2\npile = '2'", "pile: '2' is not a list"),
        ("players = 2\npile = ['2', 3]", "pile[1]: 3 is not a text"),
        ("players = 2\npile = ['2', '6']", "pile[1]: '6' is not allowed; allowed: 1, 2, 3"),
        ("players = 2\npile = ['2', '2', '2', '2', '2']", "names one 2 more than there are"),
        ("players = 2\nhands = {}", "hands: {} cannot be dealt: there are hands only in the mode ADULT"),
        ("players = 2\npawns.RED = ['1']", "pawns.RED: ['1'] are not 4 pawns"),
        ("players = 2\npawns.BLUE = ['1']", "pawns.BLUE: ['1'] belongs to no seat; there are: RED, YELLOW"),
        ("players = 2\npawns.RED = ['H', 'H', 'H', 'H']", "has won before the game begins"),
        ("players = 2\npawns.RED = ['1', '1', 'S', 'S']", "has a pawn on square 1, where one of RED stands"),
        ("players = 2\npawns.RED = ['s1', 's1', 'S', 'S']", "has two pawns on one safe square"),
    ],
)
def test_what_is_wrong_is_refused_with_key_and_value(text: str, why: str) -> None:
    assert why in refusal(text)


def test_hands_are_whole() -> None:
    assert refusal("players = 2\nhands.RED = ['1', '2']", ADULT) == "hands.RED: ['1', '2'] are 2 cards, not 5"


def test_a_game_without_fixtures_says_so() -> None:
    without = replace(TIC_TAC_TOE, fixture=None)
    assert refusal("players = 2", without) == "tic-tac-toe takes no fixture"
    with pytest.raises(BadFixture, match="tic-tac-toe takes no fixture"):
        Fixture("", {}, 2, "", {}).start(without, without.choose_options({}))


@given(st.text(max_size=40) | st.text("[]{}=.'\"\n1a", max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        read_fixture(STANDARD, text)
    except BadFixture:
        return
    assert "players" in text


def test_entries_check_types() -> None:
    entries = Entries({"n": [1, 2], "t": [{"a": 1}], "f": True, "s": "x", "bad": [1, "x"]}, "top.")
    assert entries.integers("n", range(3)) == (1, 2)
    assert [table.integer("a", range(2)) for table in entries.tables("t")] == [1]
    assert (entries.flag("f"), entries.text("s")) == (True, "x")
    for reading, why in (
        (lambda: entries.integers("n", range(2)), "top.n[1]: 2 is not a whole number from 0 to 1"),
        (lambda: entries.tables("n"), "top.n[0]: 1 is not a table"),
        (lambda: entries.flag("s"), "top.s: 'x' is neither true nor false"),
        (lambda: entries.text("f"), "top.f: True is not a text"),
        (lambda: entries.words("bad"), "top.bad[0]: 1 is not a text"),
        (lambda: entries.tables("t")[0].integer("b", range(2)), "top.t[0].b: is missing"),
        (entries.nothing_else, ""),
    ):
        if why:
            with pytest.raises(BadFixture) as refused:
                reading()
            assert str(refused.value) == why
        else:
            reading()


# --- the master ---------------------------------------------------------------------------------------------------


def a_master(
    fixture: Fixture | None = None, families: tuple[Family, ...] = FAMILIES
) -> tuple[Master[Any, Any], list[Message]]:
    """A master that has logged in, and what it has said."""
    fixed = dict(fixture.options) if fixture is not None else {}
    master = Master(STANDARD, STANDARD.choose_options(fixed), id="m", chance=random.Random, fixture=fixture)
    effects = [*master.connected(), *master.received(Hello(families)), *master.received(LoginResponse())]
    return master, messages(effects)


def messages(effects: object) -> list[Message]:
    assert isinstance(effects, list)
    return [effect.message for effect in effects if hasattr(effect, "message")]


FIXTURE = read_fixture(STANDARD, PUZZLE)
BEGIN = BeginGame("g1", ("ann", "bob"), (Choice("mode", "ADULT"),), 0, "the server's", PUZZLE)


def test_a_master_tells_the_server_its_fixture_and_plays_with_as_many_seats() -> None:
    _, said = a_master(FIXTURE)
    assert GameMasterLogin("m", "apologies", "2", "2") in said
    (offers,) = [one for one in said if isinstance(one, Offers)]
    assert offers.setup == PUZZLE


def test_a_server_that_cannot_keep_it_is_left() -> None:
    master, _ = a_master(FIXTURE, (Family.VIEWS, Family.TABLE))
    assert not master.accepted


def test_what_the_server_hands_out_holds_whatever_the_master_was_started_with() -> None:
    ours, others = a_master(FIXTURE)[0], a_master()[0]
    first = messages(ours.received(BEGIN))
    assert messages(others.received(BEGIN)) == first
    assert isinstance(first[-1], Views)
    assert first[-1].next_players == ("bob",)
    other_luck = replace(BEGIN, game_id="g2", seed="other luck")
    shown = messages(others.received(other_luck))[-1]
    assert isinstance(shown, Views)
    assert shown.views == first[-1].views, "all chance comes from the seed of the fixture"


def test_a_successor_begins_from_the_same_fixture() -> None:
    ours = a_master(FIXTURE)[0]
    ours.received(BEGIN)
    payload = b"<move><optimal/></move>"
    told = messages(ours.received(Move("g1", payload)))[-1]
    assert isinstance(told, Views)
    past = (PastMove("bob", payload),)
    restored = messages(
        a_master()[0].received(Restore("g1", ("ann", "bob"), BEGIN.options, 0, BEGIN.seed, past, PUZZLE))
    )
    assert restored[-1] == told


@pytest.mark.parametrize(
    ("begin", "why"),
    [
        (replace(BEGIN, setup=""), "the server does not keep the fixture"),
        (replace(BEGIN, setup="players = 9"), "fixture: players: 9 is not a whole number from 2 to 4"),
        (replace(BEGIN, players=("ann", "bob", "cyd")), "3 seats; the fixture is for 2"),
        (replace(BEGIN, options=(Choice("mode", "STANDARD"),)), "option mode: 'STANDARD'; the fixture has 'ADULT'"),
    ],
)
def test_a_game_that_does_not_fit_is_declined(begin: BeginGame, why: str) -> None:
    (failed,) = messages(a_master(FIXTURE)[0].received(begin))
    assert isinstance(failed, Failed)
    assert why in failed.text


def test_values_of_the_game_are_checked_when_a_seat_is_taken() -> None:
    wrong = read_fixture(STANDARD, "players = 2\nbegins = 'BLACK'")
    with pytest.raises(Impossible, match="fixture: begins: 'BLACK' is not allowed"):
        seat(STANDARD, STANDARD.choose_options({}), BeginGame("g1", ("ann", "bob")), random.Random, wrong)


@pytest.mark.parametrize(
    "game", [one.game for one in find_games().installed if one.game.fixture], ids=lambda one: one.name
)
def test_players_and_a_seed_are_a_deal_the_same_for_all_who_play_it_and_nobody_sees_the_seed(game: AnyGame) -> None:
    seed = "9f1c6e0b7a52 deal"
    fixture = read_fixture(game, f'players = {game.players.min}\nseed = "{seed}"')
    options = game.choose_options(fixture.options)
    names = tuple(f"p{number}" for number in range(game.players.min))

    def shown(nicks: tuple[str, ...]) -> tuple[str, list[bytes]]:
        table = Table("g", nicks, options, fixture=fixture.start(game, options))
        state = game.start(table, random.Random(fixture.seed))
        return str(state), [game.notation.write_view(state.view(seat)) for seat in (None, *table.seats)]

    once, views = shown(names)
    assert shown(names) == (once, views)
    others = tuple(f"q{number}" for number in range(game.players.min))
    other = shown(others)[0]
    for name, instead in zip(others, names, strict=True):
        other = other.replace(name, instead)
    assert other == once
    assert not any(b"9f1c6e0b7a52" in view for view in views)
