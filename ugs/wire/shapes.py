"""The elements and attributes of every message of UGS v4: one table, in the order of the specification.

The rules that such a table cannot hold (``nextPlayer`` or ``gameOver``, an ``error`` only in a refused login) are in
the codec. The XSDs of ``schemas/messages`` define the same; a property test compares the two.
"""

import re
from collections.abc import Mapping
from dataclasses import field, replace
from types import MappingProxyType
from typing import Final

from ugs.value import value
from ugs.wire.text_limits import MAX_ERROR, MAX_ID, MAX_LOGIN_TEXT, MAX_NICK_LENGTH


@value
class Attribute:
    """An attribute: which values are allowed, and whether it is required."""

    name: str
    required: bool = True
    allowed: re.Pattern[str] | None = None
    """What the whole value must match; None where any text is allowed."""
    expected: str = ""
    """The allowed values in words."""


@value
class Shape:
    """An element: its attributes, its children, and how often it may occur in its parent."""

    name: str
    attributes: Mapping[str, Attribute] = field(default_factory=dict)
    children: Mapping[str, "Shape"] = field(default_factory=dict)
    least: int = 1
    most: int | None = 1
    payload: bool = False
    """True when all attributes and all content belong to the game and are passed on unread."""
    text: bool = False
    """True when the content is text."""
    lenient: bool = False
    """True when unknown attributes, elements and texts in it are ignored."""
    longest: int | None = None
    """The maximum number of characters of its text; None for any number."""
    most_elements: int | None = None
    """For a message: the maximum number of elements, not counting payloads; None for any number."""


def _element(
    name: str,
    *parts: Attribute | Shape,
    least: int = 1,
    most: int | None = 1,
    payload: bool = False,
    text: bool = False,
) -> Shape:
    attributes = {part.name: part for part in parts if isinstance(part, Attribute)}
    children = {part.name: part for part in parts if isinstance(part, Shape)}
    return Shape(name, MappingProxyType(attributes), MappingProxyType(children), least, most, payload, text)


def _message(*children: Shape, text: bool = False, longest: int | None = None) -> Shape:
    # The type was read to look the shape up, so its value need not be checked.
    return replace(_element("message", Attribute("type"), *children, text=text), longest=longest)


def _text(name: str, most: int, *, required: bool = True) -> Attribute:
    return Attribute(name, required, re.compile(f"(?s:.{{0,{most}}})"), f"a text of at most {most} characters")


# Eighteen digits are enough for any number of games, and fit a 64-bit integer.
COUNT: Final = re.compile("[0-9]{1,18}")
COUNT_IN_WORDS: Final = "a whole number from 0, with at most 18 digits"

MAX_RESULTS: Final = 4096
"""Players of a game, as many as extensions allow."""

_GAME_ID: Final = _element("gameId", _text("id", MAX_ID))
_NICK: Final = _text("nick", MAX_NICK_LENGTH)


def _login_text(name: str) -> Attribute:
    return _text(name, MAX_LOGIN_TEXT, required=False)


SHAPES: Final[Mapping[str, Shape]] = MappingProxyType(
    {
        "error": _message(text=True, longest=MAX_ERROR),
        # The broker answers a bad login with a number for each kind of mistake, so it checks the attributes.
        "playerLogin": _message(_element("playerLogin", _login_text("nick"), _login_text("gameType"))),
        "gameMasterLogin": _message(
            _element(
                "gameMasterLogin",
                _login_text("id"),
                _login_text("gameType"),
                _login_text("playersMin"),
                _login_text("playersMax"),
            )
        ),
        "loginResponse": _message(
            _element("response", Attribute("accept", allowed=re.compile("yes|no"), expected='"yes" or "no"')),
            _element(
                "error",
                Attribute("id", allowed=re.compile("[1-5]"), expected="a number from 1 to 5"),
                least=0,
            ),
        ),
        # Options, seats and set-up are only for masters with the extension "table", the seed only for those with
        # "restore".
        "beginGame": _message(
            _GAME_ID,
            _element("player", _NICK, most=None),
            _element("option", Attribute("name"), Attribute("value"), least=0, most=None),
            _element("seats", Attribute("total", allowed=COUNT, expected=COUNT_IN_WORDS), least=0),
            _element("seed", Attribute("value"), least=0),
            _element("setup", text=True, least=0),
        ),
        "gameState": _message(
            _GAME_ID,
            _element("nextPlayer", _NICK, least=0),
            _element(
                "gameOver",
                _element(
                    "player",
                    _NICK,
                    Attribute("result", allowed=re.compile("winner|loser"), expected='"winner" or "loser"'),
                    most=MAX_RESULTS,
                ),
                least=0,
            ),
            _element("gameState", payload=True),
        ),
        "move": _message(_GAME_ID, _element("move", payload=True)),
        "thank you": _message(_GAME_ID),
        "leaveGame": _message(_GAME_ID),
        "playerLeftGame": _message(_element("player", _NICK), _GAME_ID),
        "logout": _message(),
        "serverShutdown": _message(),
        "championsList": _message(
            _element(
                "player",
                Attribute("nick"),
                Attribute("won", allowed=COUNT, expected=COUNT_IN_WORDS),
                Attribute("lost", allowed=COUNT, expected=COUNT_IN_WORDS),
                least=0,
                most=None,
            )
        ),
    }
)
