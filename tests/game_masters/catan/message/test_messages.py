"""Messages as text and as XML: whatever is written is read back equal, and nothing else is read."""

import xml.etree.ElementTree as ET
from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game_masters.catan.message import forms
from game_masters.catan.message.board_messages import BOARD_MESSAGES
from game_masters.catan.message.coding import from_text, from_xml, to_text, to_xml
from game_masters.catan.message.forms import Malformed
from game_masters.catan.message.gain_messages import DiceResultResources, Gain, GameStats, PlayerStats, Score
from game_masters.catan.message.message import Message, Null, Other
from game_masters.catan.message.messages import MESSAGES
from game_masters.catan.notation import read_move, write_move
from game_masters.kit.rules import Unreadable

NUMBERS = st.integers(-9999, 9999)
COORDINATES = st.integers(-0xFFFF, 0xFFFF)
TEXTS = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=30).map(str.strip)
WORDS = TEXTS.map(lambda text: text.replace("|", "-"))
BUNDLES = st.tuples(*[NUMBERS] * 6)
PAIRS = st.lists(st.tuples(st.integers(0, 999), NUMBERS), min_size=1, max_size=5).map(tuple)
VALUES: dict[int, Any] = {
    id(forms.DECIMAL): NUMBERS,
    id(forms.MAYBE): st.none() | NUMBERS,
    id(forms.COORDINATE): COORDINATES,
    id(forms.MAYBE_COORDINATE): st.none() | COORDINATES,
    id(forms.MAYBE_PLACE): st.none() | COORDINATES,
    id(forms.TRUTH): st.booleans(),
    id(forms.WORD): WORDS,
    id(forms.MAYBE_WORD): st.none() | WORDS,
    id(forms.TEXT): TEXTS,
    id(forms.MAYBE_TEXT): st.none() | TEXTS,
    id(forms.NEWS): st.none() | st.just(True),
    id(forms.FLAGS): st.lists(st.booleans(), min_size=1, max_size=6).map(tuple),
    id(forms.BOXED_FLAGS): st.lists(st.booleans(), min_size=1, max_size=6).map(tuple),
    id(forms.BUNDLE): BUNDLES,
    id(forms.MAYBE_BUNDLE): st.none() | BUNDLES,
    id(forms.ELEMENTS): PAIRS,
}
WHOLE: dict[type[Message], Any] = {
    DiceResultResources: st.builds(
        DiceResultResources,
        st.lists(
            st.builds(
                Gain,
                st.integers(0, 5),
                st.integers(0, 99),
                st.lists(st.tuples(st.integers(1, 6), st.integers(1, 9)), min_size=1, max_size=3).map(tuple),
            ),
            max_size=4,
        ).map(tuple),
    ),
    GameStats: st.builds(
        GameStats, st.lists(st.builds(Score, NUMBERS, st.booleans()), min_size=1, max_size=6).map(tuple)
    )
    | st.builds(GameStats, st.just(()), st.lists(NUMBERS, min_size=1, max_size=4).map(tuple)),
    PlayerStats: st.builds(PlayerStats, st.lists(st.integers(0, 99), min_size=5, max_size=6).map(tuple)),
}
ORDINARY = [kind for kind in MESSAGES.values() if kind not in WHOLE and kind not in BOARD_MESSAGES]


def values(form: forms.Form) -> Any:
    """Values that a form can write; of the forms of words, those words."""
    known = VALUES.get(id(form))
    if known is not None:
        return known
    words = ["SET", "GAIN", "LOSE"] if _takes(form, "SET") else ["DRAW", "PLAY", "ADD_NEW", "ADD_OLD", "CANNOT_PLAY"]
    return st.sampled_from([form.parse(word) for word in words])  # type: ignore[attr-defined]


def _takes(form: forms.Form, word: str) -> bool:
    try:
        form.parse(word)  # type: ignore[attr-defined]
    except Malformed:
        return False
    return True


def messages(kind: type[Message]) -> Any:
    if kind in WHOLE:
        return WHOLE[kind]
    return st.builds(kind, *(values(one.metadata["form"]) for one in fields(kind)))


@given(st.sampled_from([*ORDINARY, *WHOLE]).flatmap(messages))
def test_a_message_is_read_as_it_was_written(message: Message) -> None:
    assert from_text(to_text(message, "a game")) == (message, "a game")
    assert from_xml(ET.fromstring(to_xml(message))) == message


@given(st.text(max_size=60))
def test_any_text_is_a_message_or_malformed(text: str) -> None:
    try:
        message, _ = from_text(text)
    except Malformed:
        return
    assert isinstance(message, Message)


@pytest.mark.parametrize("message", [Null(), Other("SOCJoinGame", "nickname=\t|host=-|game=g"), Other("SOCPing", "0")])
def test_messages_that_are_only_handed_on(message: Message) -> None:
    assert from_text(to_text(message, "g"))[0] == message
    assert from_xml(ET.fromstring(to_xml(message))) == message


@pytest.mark.parametrize(
    "text",
    [
        "SOCRollDice",
        "SOCRollDice:",
        "SOCDiceResult:game=g",
        "SOCDiceResult:game=g|param=7|x=1",
        "SOCTurn:game=g|param=7",
        "SOCPickResources:game=g|resources=clay=1|ore=1",
        "SOCDevCardAction:game=g|playerNum=1|actionType=EAT",
        "SOCGameStats:game=g|1|2|false",
        "SOCGameStats:game=g|stype=two|1700000000|90|30",
        "SOCGameStats:game=g|stype=2|now",
        "SOCPlayerStats:game=g|p=2|p=1|p=1|p=1|p=1|p=1",
        "SOCGameElements:game=g|e=5",
        "SOCDiceResultResources:game=g|p=2|p=1|p=3|p=1|p=1",
        "SOCPlayerElement:game=g|playerNum=1|actionType=SET|elementType=1|amount=1|news=N",
    ],
)
def test_texts_that_are_no_messages(text: str) -> None:
    with pytest.raises(Malformed):
        from_text(text)


@pytest.mark.parametrize(
    "payload",
    [
        b"<move/>",
        b"<move><SOCRollDice/><SOCRollDice/></move>",
        b"<move>x<SOCRollDice/></move>",
        b"<move><SOCTurn playerNumber='1' gameState='15'/></move>",
        b"<move><SOCRollDice die='6'/></move>",
        b"<move><SOCRollDice><x/></SOCRollDice></move>",
        b"<move><SOCPutPiece pieceType='1'/></move>",
        b"<move><SOCPutPiece pieceType='one' coord='33'/></move>",
        b"<move><SOCPutPiece pieceType='1' coord='xyz'/></move>",
        b"<move><SOCDiscard/></move>",
        b"<move><SOCDiscard><resources gold='1'/></SOCDiscard></move>",
        b"<move a='1'><SOCRollDice/></move>",
        b"<move><SOCMakeOffer to='0 2'><give/><get/></SOCMakeOffer></move>",
        b"<move><SOCPutPiece pieceType='99999999999' coord='1'/></move>",
        b"<move><SOCJoinGame body='x'/></move>",
        b"<move><SOCRollDice>7</SOCRollDice></move>",
    ],
)
def test_payloads_that_are_no_moves(payload: bytes) -> None:
    with pytest.raises(Unreadable):
        read_move(payload)


@pytest.mark.parametrize(
    ("inside", "why"),
    [
        (b"<SOCPutPiece pieceType='+1' coord='33'/>", "SOCPutPiece: pieceType: '+1' is no decimal number"),
        (b"<SOCPutPiece pieceType='1' coord='0x33'/>", "SOCPutPiece: coord: '0x33' is no hexadecimal number"),
        (b"<SOCPutPiece pieceType='1'/>", "SOCPutPiece: attribute coord is missing"),
        (b"<SOCDiscard><resources clay='x'/></SOCDiscard>", "SOCDiscard: resources clay: 'x' is no decimal number"),
        (b"<SOCDiscard><resources gold='1'/></SOCDiscard>", "SOCDiscard: resources: gold does not belong here"),
        (b"<SOCMakeOffer to='yes'><give/><get/></SOCMakeOffer>", "SOCMakeOffer: to: 'yes' is no list of 0 and 1"),
    ],
)
def test_what_cannot_be_read_is_named_by_message_field_and_value(inside: bytes, why: str) -> None:
    with pytest.raises(Unreadable) as refusal:
        read_move(b"<move>" + inside + b"</move>")
    assert str(refusal.value) == f"element {why}"


def test_what_is_left_out_of_a_bundle_is_nothing_and_the_sender_may_be_named() -> None:
    move = read_move(b"<move><SOCDiscard game='g' playerNum='2'><resources ore='2'/></SOCDiscard></move>")
    assert read_move(write_move(move)) == move
    assert (move.seat, move.resources) == (2, (0, 2, 0, 0, 0, 0))  # type: ignore[attr-defined]
