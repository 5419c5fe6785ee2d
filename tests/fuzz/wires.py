"""Framer and codec: two ways each, which must agree, and the simple reader of the tests beside them."""

import re
from collections.abc import Iterable
from typing import Final

import pytest

from tests.wire import reference
from tests.wire.test_codec import general
from ugs.wire import fragment_cache, framing
from ugs.wire.codec import WrongMessage, decode, decode_sent, encode
from ugs.wire.fragment_cache import Familiar
from ugs.wire.framing import Framer, Limits, WireError
from ugs.wire.messages import BeginGame, Error, Extension, GameState, Message, Move
from ugs.wire.text_limits import MAX_ERROR

LOOSE: Final = Limits()
TIGHT: Final = Limits(max_message_bytes=150, max_depth=3, max_attributes=2, max_markup=12)
OTHERWISE: Final = (
    (b' id="', b' id="other '),
    (b"</move>", b"</move><a/>"),
    (b"gameState", b"move"),
    (b"move", b"gameState"),
)
"""What is replaced to get documents that resemble others."""
LONG: Final = ("longer than", "more than", "at most")
"""How the codec says that something is too long or too much, of which the simple reader knows nothing."""


def cut(parts: Iterable[bytes], limits: Limits, known: Familiar | None = None) -> tuple[list[bytes], str | None, int]:
    """The documents that a framer cuts, its error if there is one, and the bytes that it still holds. What it reads
    while it cuts is what the codec reads."""
    framer = Framer(limits, known)
    documents: list[bytes] = []
    try:
        for part in parts:
            for document in framer.feed(part):
                documents.append(document.raw)
                if document.message is not None:
                    assert document.message == decode(general(document.raw)), "read while it was cut, and wrongly"
    except WireError as error:
        return documents, str(error), framer.pending
    return documents, None, framer.pending


def framing_target(data: bytes) -> None:
    """The first two bytes say which limits hold and how the rest is cut into pieces: nothing of that may matter."""
    how, stream = data[:2], data[2:]
    limits = TIGHT if how[:1] > b"\x7f" else LOOSE
    size = 1 + (how[1] if len(how) > 1 else 0) % 61
    whole = cut([stream], limits)
    assert cut([stream[at : at + size] for at in range(0, len(stream), size)], limits) == whole
    assert cut([stream[at : at + 1] for at in range(len(stream))], limits) == whole
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(framing, "MIN_BYTES", 0)
        patch.setattr(fragment_cache, "_STRETCHES", re.compile(rb".{%d}[^<]*|.+" % size, re.DOTALL))
        known = Familiar(limits.max_attributes)
        for _ in range(2):
            known._skip = 0
            assert cut([stream], limits, known) == whole, "what is familiar is cut as if it were not"
        for old, new in OTHERWISE:  # what was learnt from one document helps with the next one, and does not mislead
            other = stream.replace(old, new)
            assert cut([other], limits, known) == cut([other], limits)
        patch.setattr(framing, "FULL_READ", size)
        assert cut([stream, b""], limits) == whole, "when nothing more comes, nothing is waited for"
    if limits is LOOSE:
        _as_the_reference(stream, *whole)


def _as_the_reference(stream: bytes, documents: list[bytes], error: str | None, pending: int) -> None:
    expected, rest = reference.documents(stream)
    for number, raw in enumerate(expected):
        depth, width = reference.extent(raw)
        if depth > LOOSE.max_depth or width > LOOSE.max_attributes:
            assert error is not None, "a limit is passed"
            expected = expected[:number]
            break
    assert documents == expected
    assert error is not None or pending == len(rest)


def codec_target(data: bytes) -> None:
    """Each document means the same by both ways and to the simple reader, and the same once it is written again."""
    for raw in cut([data], LOOSE)[0]:
        message, wrong = _read(raw)
        assert _read(general(raw))[0] == message, "the usual way and the general one differ"
        _is_said_or_refused(raw, message)
        if message is None:
            facts = reference.facts(raw)
            assert facts is None or any(word in wrong for word in LONG), f"refused without a reason: {wrong}"
            assert "\n" not in wrong
            assert wrong.isprintable()
        else:
            _is_written_and_read_again(raw, message)


def _read(raw: bytes) -> tuple[Message | None, str]:
    try:
        return decode(raw), ""
    except WrongMessage as wrong:
        return None, str(wrong)


def _is_said_or_refused(raw: bytes, message: Message | None) -> None:
    """What a peer says is read as everything is, or refused because only a server says it."""
    try:
        said = decode_sent(raw)
    except WrongMessage:
        return
    assert said == message


def _is_written_and_read_again(raw: bytes, message: Message) -> None:
    written = encode(message)
    assert cut([written], LOOSE) == ([written], None, 0)
    if isinstance(message, Error):
        assert decode(written) == Error(message.text[:MAX_ERROR])
        return
    assert decode(written) == message
    if isinstance(message, Move | GameState):
        assert message.payload in raw, "payloads are relayed byte for byte"
    if not isinstance(message, Extension) and not (isinstance(message, BeginGame) and message.setup):
        assert reference.facts(raw) == reference.facts(written)
