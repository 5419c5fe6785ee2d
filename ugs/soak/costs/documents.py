"""Costs of bytes: to cut and read a document of the largest size, independent of its content."""

from collections.abc import Callable
from itertools import repeat
from typing import Final

from ugs.config import Config, parse
from ugs.soak.costs.scene import Act, CostScene
from ugs.wire.codec import WrongMessage, decode_sent
from ugs.wire.document_limits import Limits
from ugs.wire.framing import Framer, WireError

TIMES: Final = 5
DEFAULTS: Final = parse({}, "defaults")
_OPEN: Final = b'<message type="gameState"><gameId id="g"/><nextPlayer nick="n"/><gameState>'
_CLOSE: Final = b"</gameState></message>"


def limits(max_bytes: int) -> Limits:
    """The limits of a server with default settings, for documents of at most ``max_bytes``."""
    return Limits(max_bytes, DEFAULTS.max_depth, DEFAULTS.max_attributes, DEFAULTS.max_markup)


def cut(document: bytes, allowed: Limits) -> Act:
    """The act of cutting and decoding these bytes, which may be refused."""

    def act() -> None:
        try:
            for one in Framer(allowed).feed(document):
                if one.message is None:
                    decode_sent(one.raw)
        except (WireError, WrongMessage):
            pass  # a refusal has its price, too

    return act


def filled(piece: bytes, most: int, size: int) -> bytes:
    """A gameState of at most ``size`` bytes with as many as ``most`` of these pieces as its payload."""
    room = (size - len(_OPEN) - len(_CLOSE)) // len(piece)
    return _OPEN + piece * min(most, room) + _CLOSE


def _scene(document: bytes, size: int) -> CostScene:
    return CostScene(len(document), repeat(cut(document, limits(size)), TIMES))


def _of(piece: bytes, count: Callable[[Config], int], size: Callable[[Config], int]) -> Callable[[float], CostScene]:
    def stage(share: float) -> CostScene:
        largest = size(DEFAULTS)
        return _scene(filled(piece, int(count(DEFAULTS) * share), int(largest * share)), largest)

    return stage


def _bytes(config: Config) -> int:
    return config.max_message_bytes


def _bytes_before_login(config: Config) -> int:
    return config.max_message_bytes_before_login


def _tags(config: Config) -> int:
    # An element has two '<', and the envelope has some of its own.
    return (config.max_markup - 10) // 2


text = _of(b"s", _bytes, _bytes)
text.__doc__ = "A gameState of the largest size, all of it text."
elements = _of(b"<a></a>", _tags, _bytes)
elements.__doc__ = "A gameState with as many elements as there may be."
# Just below max_attributes (64), so that it is not refused before it has cost anything.
attributes = _of(b"<a %b/>" % b" ".join(b'a%d=""' % one for one in range(60)), lambda config: 500, _bytes)
attributes.__doc__ = "A gameState with as many attributes as there may be."
comments = _of(b"<!--c-->", lambda config: config.max_markup - 10, _bytes)
comments.__doc__ = "A gameState with as many comments as there may be."
# Just below MAX_NAMESPACE_BYTES (128): expat writes the name out for every use of the prefix.
namespaces = _of(b"<p:a xmlns:p='u%b'/>" % (b"u" * 100), lambda config: 10_000, _bytes)
namespaces.__doc__ = "A gameState with as many declarations of long namespaces as there may be."
blanks = _of(b"<a" + b" " * 60 + b"/>", lambda config: config.max_markup - 10, _bytes)
blanks.__doc__ = "A gameState of tags with white space in them."
levels = _of(b"<a>" * 60 + b"</a>" * 60, lambda config: (config.max_markup - 10) // 120, _bytes)
levels.__doc__ = "A gameState with as many levels as there may be, again and again."


def before_login(share: float) -> CostScene:
    """The largest document of a client that has not logged in: attributes of the root, then elements of no message."""
    size = int(_bytes_before_login(DEFAULTS) * share)
    inside = b'<x a="" b=""/>' * min(int(_tags(DEFAULTS) * share), size // 14 - 10)
    return _scene(b'<message type="x-nothing">' + inside + b"</message>", DEFAULTS.max_message_bytes_before_login)


def white_space(share: float) -> CostScene:
    """White space in the first tag of a client that has not logged in."""
    size = int(_bytes_before_login(DEFAULTS) * share)
    return _scene(
        b'<message xmlns:m="u" ' + b" " * (size - 40) + b"/></message>", DEFAULTS.max_message_bytes_before_login
    )


def no_end(share: float) -> CostScene:
    """The last byte of a document without an end: the bytes before it wait."""
    size = int(_bytes(DEFAULTS) * share)
    document = filled(b"<b/>", _tags(DEFAULTS), size - 1)[: -len(_CLOSE)]
    allowed = limits(DEFAULTS.max_message_bytes)

    def acts() -> "list[Act]":
        found: list[Act] = []
        for _ in range(TIMES):
            framer = Framer(allowed)
            # In the pieces that a server reads, so that only the last one is measured.
            for start in range(0, len(document), 65_536):
                assert not list(framer.feed(document[start : start + 65_536]))
            # As a default, since each act has a framer of its own.
            found.append(lambda framer=framer: list(framer.feed(_CLOSE)))  # type: ignore[misc]
        return found

    return CostScene(len(document), acts())
