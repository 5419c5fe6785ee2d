"""Moves and states in their usual form, read while they are cut.

The envelope has plain letters in known places and holds one payload. Printable ASCII without markup cannot be wrong, so
only the payload decides whether the document is well-formed and keeps the limits (except the size): a payload that was
valid in one such envelope is valid in every other. So :mod:`ugs.wire.framing` remembers short payloads as a whole
(:class:`ugs.wire.fragment_cache.Familiar`): a document with one of them needs no parser, and is decoded at once.
:mod:`ugs.wire.codec` reads all other forms.
"""

import re
from typing import Final

from ugs.wire.messages import GameState, Move
from ugs.wire.text_limits import MAX_ID, MAX_NICK_LENGTH

# No "=" either: attributes are limited, and counted by that letter.
_PLAIN: Final = rb"[ !#-%'-;?-~]"
USUAL: Final = re.compile(
    rb"""(?:<\?xml\ version="1\.0"\ encoding="UTF-8"\?>)?<message\ type="
    (?:move"><gameId\ id="(ID)"/>(?=<move)
    |gameState"><gameId\ id="(ID)"/><nextPlayer\ nick="(NICK)"/>(?=<gameState))""".replace(
        b"ID", _PLAIN + b"{0,%d}" % MAX_ID
    ).replace(b"NICK", _PLAIN + b"{0,%d}" % MAX_NICK_LENGTH),
    re.VERBOSE,
)
"""The beginning of such a document, up to its payload. The end is ``</message>``, right behind the payload."""

_AFTER_NAME: Final = b" \t\r\n/>"


def read_usual(beginning: re.Match[bytes], payload: bytes) -> Move | GameState:
    """Return the message with this ``beginning``, a match of USUAL, and a payload that passed :func:`is_payload`."""
    moved, state, nick = beginning.groups()
    if nick is None:
        return Move(moved.decode(), payload)
    return GameState(state.decode(), nick.decode(), None, payload)


def is_payload(content: bytes) -> bool:
    """Return whether ``content`` is the payload and nothing else. It is all that follows a match of USUAL in a
    well-formed document, up to the end of its root."""
    if content.startswith(b"<move"):
        return is_single(content, b"<move", b"</move>")
    return is_single(content, b"<gameState", b"</gameState>")


def is_single(rest: bytes, opening: bytes, closing: bytes) -> bool:
    """Return whether ``rest``, the content of a well-formed document up to the end of its root, is one such element.

    ``</move>`` at its end cannot be in a comment, in CDATA or in a processing instruction, since none of those ends in
    these bytes, so it is an end tag. Its start tag is the one at the beginning if no other follows. If ``rest`` ends in
    ``/>`` and contains no other ``>``, the start tag is all there is.
    """
    if rest.endswith(closing):
        alone = rest.rfind(opening) == 0  # from the end, which takes a fourth of the time
    else:
        alone = rest.endswith(b"/>") and rest.rfind(b"<") == 0 and rest.find(b">") == len(rest) - 1
    return alone and rest.startswith(opening) and rest[len(opening)] in _AFTER_NAME
