"""The payloads of Apologies."""

import random

import pytest

from game_masters.apologies import ADULT, STANDARD, notation
from game_masters.apologies.board import HOME, SAFE, START
from game_masters.apologies.cards import Kind
from game_masters.apologies.plays import Profile
from game_masters.apologies.rules import Position
from game_masters.apologies.views import (
    Made,
    Mode,
    Move,
    Offer,
    Optimal,
    Past,
    Pick,
    Rejection,
    SeatView,
    Sitter,
    View,
)
from game_masters.kit.rules import RuleBroken, Table, Unreadable
from ugs.wire.schema import PayloadSchema

VIEW = View(
    Mode.ADULT,
    Profile.STRICT,
    37,
    0,
    0,
    (
        SeatView("ada", Sitter.HUMAN, 19, (Kind.THREE, Kind.APOLOGIES), (32, SAFE + 3, START, HOME)),
        SeatView('R"over', Sitter.LEFT, 18, (), (0, START, START, START)),
    ),
    None,
    (
        Offer("c2f0", Kind.SEVEN, ((0, 32, 37), (1, SAFE + 3, HOME)), ((4, 37, START),)),
        Offer("c2f1", Kind.THREE, ((0, 32, 35),), ()),
    ),
    (Made(1, Kind.EIGHT, ((4, 52, 0),)), Made(0, Kind.TWO)),
    (Past(1, Kind.EIGHT, False), Past(0, Kind.TWO, True)),
    Rejection.ILLEGAL,
)
WRITTEN = (
    b'<gameState><apologies v="1" mode="ADULT" rules="strict" play="37" you="ada" turn="RED">'
    b'<seat nick="ada" color="RED" kind="human" turns="19"><card type="CARD_3"/><card type="CARD_APOLOGIES"/>'
    b'<pawn id="0" at="32"/><pawn id="1" at="s3"/><pawn id="2" at="S"/><pawn id="3" at="H"/></seat>'
    b'<seat nick=\'R"over\' color="YELLOW" kind="left" turns="18">'
    b'<pawn id="0" at="0"/><pawn id="1" at="S"/><pawn id="2" at="S"/><pawn id="3" at="S"/></seat>'
    b'<legal><play id="c2f0" card="CARD_7"><do color="RED" pawn="0" from="32" to="37"/>'
    b'<do color="RED" pawn="1" from="s3" to="H"/><also color="YELLOW" pawn="0" from="37" to="S"/></play>'
    b'<play id="c2f1" card="CARD_3"><do color="RED" pawn="0" from="32" to="35"/></play></legal>'
    b'<since><played color="YELLOW" card="CARD_8"><do color="YELLOW" pawn="0" from="52" to="0"/></played>'
    b'<forfeited color="RED" card="CARD_2"/></since>'
    b'<history><played color="YELLOW" card="CARD_8"/><forfeited color="RED" card="CARD_2"/></history>'
    b'<rejected code="ILLEGAL_MOVE"/></apologies></gameState>'
)


def read(payload: bytes) -> View:
    return notation.follow(ADULT.choose_options({}))(payload)


def test_a_view_is_written_with_everything_in_it() -> None:
    assert notation.write_view(VIEW) == WRITTEN
    assert read(WRITTEN) == VIEW
    PayloadSchema(ADULT.schema).check(WRITTEN)


def test_a_drawn_card_and_a_forfeit_are_written() -> None:
    table = Table("g1", ("ann", "bob"), STANDARD.choose_options({}))
    games = (Position(Mode.STANDARD, table, random.Random(seed)) for seed in range(20))
    view = next(view for game in games if not (view := game.view(None)).offers[0].actions)
    payload = notation.write_view(view)
    assert f'<drawn type="{view.drawn}"/><legal><forfeit id="{view.offers[0].id}" '.encode() in payload
    assert b"you=" not in payload
    assert read(payload) == view


def test_a_view_of_a_game_that_is_over_names_nobody() -> None:
    game = Position(Mode.ADULT, Table("g1", ("ann", "bob"), ADULT.choose_options({})), random.Random(1))
    game.leave(1)
    payload = notation.write_view(game.view(0))
    assert b"turn=" not in payload
    assert b"<legal>" not in payload
    assert read(payload) == game.view(0)


def test_after_a_bad_move_only_the_rejection_is_new() -> None:
    game = Position(Mode.STANDARD, Table("g1", ("ann", "bob"), STANDARD.choose_options({})), random.Random(1))
    before = notation.write_view(game.view(None))
    game.fault(game.movers[0], RuleBroken("x"))
    after = notation.write_view(game.view(None))
    assert after == before.replace(b"</apologies>", b'<rejected code="ILLEGAL_MOVE"/></apologies>')


@pytest.mark.parametrize(
    ("move", "payload"),
    [(Pick("c2f0"), b'<move><play id="c2f0"/></move>'), (Optimal(), b"<move><optimal/></move>")],
)
def test_moves_are_read_as_written(move: Move, payload: bytes) -> None:
    assert notation.write_move(move) == payload
    assert notation.read_move(payload) == move
    PayloadSchema(STANDARD.schema).check(payload)


@pytest.mark.parametrize(
    "payload",
    [
        b"<move/>",
        b"<move>c2f0</move>",
        b"<move><play/></move>",
        b'<move><play id=""/></move>',
        b'<move><play id="a b"/></move>',
        b'<move><play id="\xc3\xa4"/></move>',
        b'<move><play id="' + b"0" * 65 + b'"/></move>',
        b'<move><play id="c2f0" card="CARD_7"/></move>',
        b'<move><play id="c2f0"/><play id="c2f1"/></move>',
        b'<move><play id="c2f0"><do/></play></move>',
        b'<move><forfeit id="c2f0"/></move>',
        b'<move><optimal id="c2f0"/></move>',
        b"<move><optimal/><optimal/></move>",
        b'<move you="ada"><optimal/></move>',
        b"<move>now<optimal/></move>",
        b"<gameState><optimal/></gameState>",
    ],
)
def test_other_payloads_are_no_moves(payload: bytes) -> None:
    with pytest.raises(Unreadable):
        notation.read_move(payload)


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        (b'v="1"', b'v="2"'),
        (b'mode="ADULT"', b'mode="adult"'),
        (b'rules="strict"', b""),
        (b'play="37"', b'play="many"'),
        (b'you="ada"', b'you="bob"'),
        (b'turn="RED"', b'turn="GREEN"'),
        (b'color="RED" kind', b'color="YELLOW" kind'),
        (b'kind="left"', b'kind="gone"'),
        (b' turns="18"', b""),
        (b'nick="ada"', b""),
        (b'<pawn id="3" at="H"/></seat>', b"</seat>"),
        (b'at="32"', b'at="60"'),
        (b'type="CARD_3"', b'type="CARD_6"'),
        (b'id="c2f1"', b""),
        (b'<also color="YELLOW"', b'<also color="GREEN"'),
        (b'pawn="0" from="37"', b'pawn="4" from="37"'),
        (b'<play id="c2f1" card="CARD_3">', b'<plays id="c2f1" card="CARD_3"/><play>'),
        (b'<played color="YELLOW" card="CARD_8"/>', b'<plays color="YELLOW" card="CARD_8"/>'),
        (b"ILLEGAL_MOVE", b"BAD_MOVE"),
        (b"</seat><legal>", b'</seat><seat nick="cyd"/><legal>'),
    ],
)
def test_states_that_make_no_sense_are_unreadable(good: bytes, bad: bytes) -> None:
    assert good in WRITTEN
    payload = WRITTEN.replace(good, bad)
    with pytest.raises(Unreadable):
        read(payload)


def test_a_state_needs_seats() -> None:
    with pytest.raises(Unreadable, match="0 seats"):
        read(b'<gameState><apologies v="1" mode="ADULT" rules="strict" play="0"/></gameState>')
