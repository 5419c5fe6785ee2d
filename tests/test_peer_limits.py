"""What a server accepts from one side is acceptable to the other: each pair of limits, with the relayed documents."""

from collections.abc import Callable, Iterator

import pytest

from tests.profile import sized
from ugs.config import Config
from ugs.peer import FROM_SERVER, TO_SERVER, check_acceptable
from ugs.wire.codec import DECLARATION, decode, encode
from ugs.wire.document_limits import MAX_SPACES_IN_TAG
from ugs.wire.errors import WireError, WrongMessage
from ugs.wire.extensions import Moved, PastMove, Restore, View, Views
from ugs.wire.framing import Framer, Limits
from ugs.wire.messages import GameState, Message, Move

MAX_NICK_LENGTH = "\N{ROCKET}" * 32 + '"' * 32
GAME_ID = "g" * 32
MAX_MOVES = 3
"""As many moves of the size limit as a history may hold for this test; most histories have many short ones."""


def highest(setting: str) -> int:
    """The highest value of a setting of the server."""
    bound = Config.fields()[setting].bounds["le"]
    assert isinstance(bound, int)
    return bound


def default(setting: str) -> int:
    value: int = Config.fields()[setting].default
    return value


def longest(limits: Limits, element: bytes) -> bytes:
    """A payload that makes a document without declaration exactly as long as the server accepts."""
    empty = b"<%b><!----></%b>" % (element, element)
    room = limits.max_message_bytes - len(encode(a_message(element, empty)))
    return b"<%b><!--%b--></%b>" % (element, b"x" * room, element)


def deepest(limits: Limits, element: bytes) -> bytes:
    levels = limits.max_depth - 2
    return b"<%b>%b%b</%b>" % (element, b"<a>" * levels, b"</a>" * levels, element)


def widest(limits: Limits, element: bytes) -> bytes:
    return b"<%b><a%b/></%b>" % (element, b"".join(b' a%d=""' % n for n in range(limits.max_attributes)), element)


MAX_TAGS = sized(quick=200_000, deep=4_200_000)
"""As many as fit into the highest size take half a minute. That markup is limited by the size alone is tested below."""


def most_marked_up(limits: Limits, element: bytes) -> bytes:
    """As many ``<`` as fit into the size, and at most :data:`MAX_TAGS`."""
    empty = b"<%b></%b>" % (element, element)
    said = encode(a_message(element, empty))
    room = (limits.max_message_bytes - len(said)) // len(b"<a/>")
    tags = min(limits.max_markup - said.count(b"<"), room, MAX_TAGS)
    return b"<%b>%b</%b>" % (element, b"<a/>" * tags, element)


def most_spread(limits: Limits, element: bytes) -> bytes:
    """As much white space in tags as fits into the size."""
    between = b" " * MAX_SPACES_IN_TAG
    tag = b"<a%ba%b=%b''%b/>" % ((between,) * 4)
    room = limits.max_message_bytes - len(encode(a_message(element, b"<%b></%b>" % (element, element))))
    return b"<%b>%b</%b>" % (element, tag * min(room // len(tag), 1000), element)


def a_message(element: bytes, payload: bytes) -> Move | GameState:
    return Move(GAME_ID, payload) if element == b"move" else GameState(GAME_ID, MAX_NICK_LENGTH, None, payload)


def relayed(message: Move | GameState) -> Iterator[Message]:
    """The messages that a server makes of it, those with all that it may add."""
    yield message
    if isinstance(message, Move):
        yield Moved(GAME_ID, MAX_NICK_LENGTH, message.payload)
        yield Restore(GAME_ID, ("ann", "bob"), (), 0, "seed", (PastMove(MAX_NICK_LENGTH, message.payload),) * MAX_MOVES)


DEFAULTS = Limits(default("max_message_bytes"), default("max_depth"), default("max_attributes"), default("max_markup"))
HIGHEST = Limits(
    FROM_SERVER.max_message_bytes // 4, highest("max_depth"), highest("max_attributes"), highest("max_markup")
)


@pytest.mark.parametrize("limits", [DEFAULTS, HIGHEST], ids=["default settings", "highest settings"])
@pytest.mark.parametrize("element", [b"move", b"gameState"])
@pytest.mark.parametrize("worst", [longest, deepest, widest, most_marked_up, most_spread])
def test_what_a_server_accepts_its_masters_and_bots_accept(
    limits: Limits, element: bytes, worst: Callable[[Limits, bytes], bytes]
) -> None:
    said = a_message(element, worst(limits, element))
    (accepted,) = Framer(limits).feed(encode(said))
    assert decode(accepted.raw) == said, "the server takes this"
    for message in relayed(said):
        (document,) = Framer(FROM_SERVER).feed(DECLARATION + encode(message))
        assert decode(document.raw) == message


def test_what_comes_from_a_server_has_no_other_limit_of_markup_than_its_size() -> None:
    assert FROM_SERVER.max_markup >= FROM_SERVER.max_message_bytes


@pytest.mark.parametrize("worst", [longest, deepest, widest, most_marked_up])
def test_one_more_is_too_much_for_the_server(worst: Callable[[Limits, bytes], bytes]) -> None:
    one_more = Limits(
        DEFAULTS.max_message_bytes + 1, DEFAULTS.max_depth + 1, DEFAULTS.max_attributes + 1, DEFAULTS.max_markup + 1
    )
    with pytest.raises(WireError):
        list(Framer(DEFAULTS).feed(encode(Move(GAME_ID, worst(one_more, b"move")))))


def test_what_masters_and_bots_send_is_held_against_the_limits_of_a_server() -> None:
    assert TO_SERVER == DEFAULTS


def test_a_state_that_a_server_accepts_may_be_sent_and_one_level_more_may_not() -> None:
    check_acceptable(Move("g", deepest(DEFAULTS, b"move")))
    views = Views("g", ("ann",), (), (View("", deepest(DEFAULTS, b"gameState")),))
    with pytest.raises(WireError, match="deeper than 64 levels"):
        check_acceptable(views)


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"<gameState>",
        b"<gameState/><gameState/>",
        b'<gameState/></message><message type="error">',
        b"<gameState><a></gameState>",
        b'<gameState a="\x0b"/>',
    ],
)
def test_a_payload_that_would_spoil_the_stream_is_not_acceptable(payload: bytes) -> None:
    with pytest.raises((ValueError, WireError, WrongMessage)):
        check_acceptable(GameState("g", "ann", None, payload))


def test_a_document_that_is_too_long_with_its_declaration_is_not_acceptable() -> None:
    state = a_message(b"gameState", longest(DEFAULTS, b"gameState"))
    with pytest.raises(WireError, match="longer than"):
        check_acceptable(state)
    check_acceptable(state, Limits(max_message_bytes=DEFAULTS.max_message_bytes + len(DECLARATION)))
