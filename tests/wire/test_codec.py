"""Documents and what they mean, read by both ways of the codec and by the reference."""

import re
from typing import get_args

import pytest
from hypothesis import given

from tests.wire import reference
from tests.wire.samples import DECLARATION as SAMPLE_DECLARATION
from tests.wire.samples import LENIENT, MESSAGES, WRONG
from tests.wire.strategies import MESSAGE, STEADY, dressed
from ugs.wire.codec import DECLARATION, WrongMessage, decode, encode
from ugs.wire.errors import WireError, shown
from ugs.wire.framing import Framer
from ugs.wire.messages import (
    BeginGame,
    ChampionRow,
    ChampionsList,
    Error,
    Extension,
    GameState,
    LoginResponse,
    Message,
    Move,
    PlayerLogin,
    PlayerResult,
    Result,
    ThankYou,
)
from ugs.wire.shapes import SHAPES

COMMENT = b"<!-- not the usual beginning -->"
"""In front of a document it makes the codec take the general way."""

every_message = pytest.mark.parametrize(("raw", "message"), MESSAGES.values(), ids=MESSAGES)
every_lenient = pytest.mark.parametrize(("raw", "message"), LENIENT.values(), ids=LENIENT)
every_wrong = pytest.mark.parametrize(("raw", "word"), WRONG.values(), ids=WRONG)


def general(raw: bytes) -> bytes:
    """Return the same document in a form that only the general way can read."""
    if re.match(rb"<\?xml\s", raw):
        end = raw.index(b"?>") + 2
        return raw[:end] + COMMENT + raw[end:]
    return COMMENT + raw


def outcome(raw: bytes) -> Message | None:
    try:
        return decode(raw)
    except WrongMessage:
        return None


@every_message
def test_a_message_is_read(raw: bytes, message: Message) -> None:
    assert decode(raw) == message
    assert decode(general(raw)) == message
    assert decode(DECLARATION + raw) == message
    assert decode(general(DECLARATION + raw)) == message


@every_message
def test_a_message_is_written(raw: bytes, message: Message) -> None:
    assert encode(message) == raw


@every_lenient
def test_other_dresses_are_read(raw: bytes, message: Message) -> None:
    assert decode(raw) == message
    assert decode(general(raw)) == message


@every_wrong
def test_a_wrong_message_is_named(raw: bytes, word: str) -> None:
    for text in (raw, general(raw)):
        with pytest.raises(WrongMessage) as caught:
            decode(text)
        said = str(caught.value)
        assert word in said
        assert said.partition(":")[0] in {caught.value.kind, "message"}
        assert caught.value.ref == ""
        assert "\n" not in said
        assert len(said) < 300


def test_the_declaration_is_the_usual_one() -> None:
    assert DECLARATION == SAMPLE_DECLARATION


def test_every_message_has_a_shape_and_a_sample() -> None:
    kinds = set(get_args(Message)) - {Extension}
    assert {kind.TYPE for kind in kinds} == set(SHAPES)
    assert {type(message) for _, message in MESSAGES.values()} == kinds


@STEADY
@given(MESSAGE)
def test_what_is_written_is_read_back(message: Message) -> None:
    raw = encode(message)
    assert [document.raw for document in Framer().feed(raw)] == [raw]
    assert decode(raw) == message
    assert decode(general(raw)) == message


@STEADY
@given(dressed())
def test_both_roads_lead_to_the_same_message(raw: bytes) -> None:
    if reference.names_are_right(raw):
        assert [document.raw for document in Framer().feed(raw)] == [raw]
    assert outcome(raw) == outcome(general(raw))


@STEADY
@given(dressed())
def test_the_reference_reads_the_same(raw: bytes) -> None:
    message = outcome(raw)
    if message is None:
        assert reference.facts(raw) is None
    else:
        written = encode(message)
        assert reference.facts(raw) == reference.facts(written)
        if isinstance(message, Move | GameState):
            assert message.payload in raw


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a < b && c > \"d\" 'e'", b"a &lt; b &amp;&amp; c &gt; \"d\" 'e'"),
        ("]]>", b"]]&gt;"),
        ("tab\tline\nreturn\r", b"tab\tline\nreturn&#13;"),
        ("żółw 𝄞", "żółw 𝄞".encode()),
        ("nul \0 escape \x1b half \ud800 \uffff", "nul � escape � half � �".encode()),
    ],
)
def test_the_text_of_an_error_is_made_fit_for_xml(text: str, written: bytes) -> None:
    assert encode(Error(text)) == b'<message type="error">' + written + b"</message>"
    assert isinstance(decode(encode(Error(text))), Error)


def test_attributes_are_escaped_so_that_nothing_is_normalised_away() -> None:
    nick = "<&\"'>\t\n\r é"
    raw = encode(PlayerLogin(nick, None))
    assert raw == (
        '<message type="playerLogin"><playerLogin nick="&lt;&amp;&quot;\'&gt;&#9;&#10;&#13; é"/></message>'.encode()
    )
    assert decode(raw) == PlayerLogin(nick, None)


@pytest.mark.parametrize("character", ["\0", "\x0b", "\x1f", "\ud800", "\ufffe", "\uffff"])
def test_a_nick_that_xml_cannot_hold_is_a_mistake_of_ours(character: str) -> None:
    for message in (
        PlayerLogin("a" + character, "g"),
        Move(character, b"<move/>"),
        GameState("g", character, None, b"<gameState/>"),
        ThankYou(character),
    ):
        with pytest.raises(ValueError, match="XML cannot hold"):
            encode(message)


@pytest.mark.parametrize(
    "message",
    [
        BeginGame("g", ()),
        GameState("g", None, None),
        GameState("g", None, ()),
        GameState("g", "a", (PlayerResult("a", Result.WINNER),)),
        GameState("g", "a", None, b"<move/>"),
        Move("g", b"  <move/>"),
        ChampionsList((ChampionRow("a", -1, 0),)),
        ChampionsList((ChampionRow("a", 0, 10**18),)),
    ],
)
def test_what_decode_would_refuse_is_not_written(message: Message) -> None:
    with pytest.raises(ValueError, match=r"players|payload|number of games"):
        encode(message)


def test_payloads_are_passed_on_byte_for_byte() -> None:
    payload = "<move xmlns:p='u' p:b='1'  a=\"&#x20;\"\n><!-- c --><![CDATA[<]]>&lt;ż\r\n</move >".encode()
    raw = b'<message type="move"><gameId id="g"/>' + payload + b"</message>"
    message = decode(raw)
    assert message == Move("g", payload)
    assert encode(message) == raw


def test_what_no_framer_has_cut_is_still_not_taken_for_a_message() -> None:
    for raw in (b'<other type="logout"/>', b'<message type="logout">', b"<message type=logout/>"):
        with pytest.raises(WireError):
            decode(raw)


def test_many_players_are_read_in_their_order() -> None:
    players = tuple(f"p{number}" for number in range(1000))
    assert decode(encode(BeginGame("g", players))) == BeginGame("g", players)
    over = tuple(PlayerResult(nick, Result.LOSER) for nick in players)
    assert decode(encode(GameState("g", None, over))) == GameState("g", None, over)


def test_a_refused_login_says_why_an_accepted_one_nothing() -> None:
    assert LoginResponse().accepted
    refused = decode(MESSAGES["refused"][0])
    assert isinstance(refused, LoginResponse)
    assert not refused.accepted


def test_messages_compare_by_what_they_say() -> None:
    assert decode(MESSAGES["move"][0]) == decode(MESSAGES["move"][0])
    assert decode(MESSAGES["move"][0]) != decode(MESSAGES["thanks"][0])


def test_moves_and_states_cannot_be_changed() -> None:
    move = Move("1", b"<move/>")
    with pytest.raises(AttributeError, match="immutable"):
        move.game_id = "2"  # type: ignore[misc]
    assert {move, Move("1", b"<move/>")} == {move}


def test_long_values_are_cut_short_in_errors() -> None:
    assert shown("a" * 60) == repr("a" * 60)
    assert shown("a" * 61) == repr("a" * 60) + "..."
    assert shown("a\nb") == "'a\\nb'"
