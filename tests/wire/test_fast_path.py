"""What nearly all documents look like is read while it is cut, and means what the codec would read."""

from collections.abc import Sequence

import pytest
from hypothesis import given

from tests.wire.samples import LENIENT, MESSAGES
from tests.wire.strategies import MESSAGE, STEADY, dressed
from ugs.wire import fragment_cache, wellformed
from ugs.wire.codec import DECLARATION, WrongMessage, decode, encode
from ugs.wire.fragment_cache import MAX_PAYLOAD, Familiar
from ugs.wire.framing import Document, Framer, Limits, WireError
from ugs.wire.messages import GameState, Message, Move
from ugs.wire.text_limits import MAX_ID, MAX_NICK_LENGTH

LIMITS = Limits()


def store() -> Familiar:
    return Familiar(LIMITS.max_attributes)


def cut(raw: bytes, known: Familiar | None = None, limits: Limits = LIMITS) -> Sequence[Document]:
    return list(Framer(limits, known).feed(raw))


def state(payload: bytes, game_id: bytes = b"7", nick: bytes = b"ann") -> bytes:
    envelope = b'<message type="gameState"><gameId id="%b"/><nextPlayer nick="%b"/>' % (game_id, nick)
    return envelope + payload + b"</message>"


def move(payload: bytes) -> bytes:
    return b'<message type="move"><gameId id="7"/>%b</message>' % payload


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """The documents for which a parser is made."""
    seen: list[bytes] = []

    def spied(raw: bytes, limits: Limits) -> bool:
        seen.append(raw)
        return wellformed.is_plain_document(raw, limits)

    monkeypatch.setattr("ugs.wire.framing.is_plain_document", spied)
    return seen


@pytest.mark.parametrize("prefix", [b"", DECLARATION])
@pytest.mark.parametrize(
    "message",
    [
        Move("a-1", b"<move/>"),
        Move("", b'<move><put x="1"/>z:&amp;</move>'),
        GameState("g", "Ann B", None, b"<gameState></gameState>"),
    ],
)
def test_a_message_with_a_payload_said_before_is_read_without_a_parser(
    prefix: bytes, message: Move | GameState, parsed: list[bytes]
) -> None:
    raw = encode(message)
    documents = cut((prefix + raw) * 3, store())
    assert [document.raw for document in documents] == [prefix + raw] * 3
    assert [document.message for document in documents] == [message] * 3
    assert parsed == [raw]


def test_it_does_not_matter_in_which_envelope_it_was_said(parsed: list[bytes]) -> None:
    known = store()
    first, second = state(b"<gameState>1</gameState>"), state(b"<gameState>1</gameState>", b"8", b"bob")
    assert [document.message for document in cut(first + second, known)] == [decode(first), decode(second)]
    assert parsed == [first]


def test_without_a_memory_all_is_parsed(parsed: list[bytes]) -> None:
    assert [document.message for document in cut(move(b"<move/>") * 2)] == [Move("7", b"<move/>")] * 2
    assert len(parsed) == 2


@STEADY
@given(dressed())
def test_what_is_read_at_first_sight_is_what_the_codec_reads(raw: bytes) -> None:
    known = store()
    try:
        documents = [*cut(raw, known), *cut(raw, known)]
    except WireError:
        return  # a prefix that is not declared
    for document in documents:
        if document.message is not None:
            assert document.message == decode(document.raw)
            assert document.raw in (encode(document.message), DECLARATION + encode(document.message))


@STEADY
@given(MESSAGE)
def test_what_is_written_is_read_at_first_sight_or_not_at_all(message: Message) -> None:
    known = store()
    for document in [*cut(encode(message), known), *cut(encode(message), known)]:
        assert document.message in (None, message)


@pytest.mark.parametrize(("raw", "message"), [*MESSAGES.values(), *LENIENT.values()])
def test_what_is_written_in_another_way_is_left_to_the_codec(raw: bytes, message: Message) -> None:
    known = store()
    for document in [*cut(raw, known), *cut(raw, known)]:
        assert document.message in (None, message)


@pytest.mark.parametrize(
    "raw",
    [
        move(b"<move/>").replace(b'"7"', b'"%b"' % (b"i" * (MAX_ID + 1))),
        state(b"<gameState/>", nick=b"n" * (MAX_NICK_LENGTH + 1)),
        state(b"<gameState/>", nick=b"a&amp;b"),
        state(b"<gameState/>", nick=b"a=b"),
        state(b"<gameState/>", nick="ż".encode()),
        state(b"<move/>"),
        move(b"<move/>x"),
        move(b"<move/><move/>"),
        move(b"<movement/>"),
        move(b"<gameState/>"),
        b'<message type="gameState"><gameId id="7"/><gameState/></message>',
        b"\n" + move(b"<move/>"),
    ],
)
def test_what_may_be_wrong_or_is_unusual_is_left_to_the_codec(raw: bytes) -> None:
    known = store()
    for _ in range(2):
        assert [document.message for document in cut(raw, known)] == [None]
    assert not known.payloads


@pytest.mark.parametrize("payload", [b"<move>", b"<move></mov>", b"<move>&nothing;</move>", b"<move a='1' a='2'/>"])
def test_a_payload_that_is_broken_is_refused_every_time(payload: bytes) -> None:
    known = store()
    for _ in range(2):
        with pytest.raises(WireError):
            cut(move(payload), known)
    assert not known.payloads


def test_what_was_kept_under_other_limits_is_looked_at_again() -> None:
    known = store()
    deep = move(b"<move><a><b/></a></move>")
    assert cut(deep, known)[0].message is not None
    with pytest.raises(WireError, match="deep"):
        cut(deep, known, Limits(max_depth=3))
    with pytest.raises(WireError, match="longer than"):
        cut(deep, known, Limits(max_message_bytes=len(deep) - 1))


def test_long_payloads_are_not_kept(parsed: list[bytes]) -> None:
    known = store()
    longest = b"<move>%b</move>" % (b"x" * (MAX_PAYLOAD - len(b"<move></move>")))
    longer = longest.replace(b"x", b"xx", 1)
    for payload in (longest, longer):
        cut(move(payload) * 2, known)
    assert parsed == [move(longest), move(longer), move(longer)]
    assert set(known.payloads) == {longest}


def test_no_more_than_some_payloads_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fragment_cache, "MAX_PAYLOADS", 2)
    known = store()
    for number in range(3):
        cut(move(b"<move>%d</move>" % number), known)
    assert set(known.payloads) == {b"<move>2</move>"}


def test_what_is_no_message_is_cut_and_named() -> None:
    (document,) = cut(move(b"<move/><x/>"), store())
    with pytest.raises(WrongMessage):
        decode(document.raw)
