"""The family ``remark``: a player remarks what it thinks of the position when it is asked for a move.

Opponents are sent no remark. Spectators get remarks as events (:mod:`ugs.wire.extensions.watch`).
"""

from typing import ClassVar, Final

from ugs.value import value
from ugs.wire.extensions.common_parts import GAME_ID, REF
from ugs.wire.extensions.form import MAX_ELEMENTS, Form, request
from ugs.wire.messages import Extension
from ugs.wire.parts import BALANCE, Attr, Bound, Inside, Many, Text, text

MAX_REMARK_BYTES: Final = 2048
"""Bytes of a remark as it is recorded (:func:`ugs.broker.values.remark_json.remark_body`)."""
MAX_MARKS: Final = 32
"""Marks of a remark: an arrow for each move of a long line."""
MAX_PLACE: Final = 32
"""Characters of the name of a cell."""
MAX_MARK_TEXT: Final = 32
"""Characters beside a mark: a number or a word."""


@value
class BoardMark:
    """Something on the board: a cell, or with ``to`` an arrow from one cell to another; ``text`` stands beside it."""

    at: str
    to: str = ""
    text: str = ""


@value
class Remark(Extension):
    """Player to server, before its move: what it thinks of the position. An empty field, or None, means no remark.

    ``worth`` is how well it stands, in its own measure: the more, the better for the sender, 0 is even.
    """

    TYPE: ClassVar[str] = "x-remark"
    game_id: str
    worth: float | None = None
    plan: str = ""
    line: str = ""
    """The moves that it expects, in the notation of the game."""
    marks: tuple[BoardMark, ...] = ()
    ref: str = ""


_PLACE: Final = text(MAX_PLACE)
_MARK: Final = Bound(
    BoardMark,
    "mark",
    (
        Attr("at", "at", _PLACE),
        Attr("to", "to", _PLACE, default=""),
        Attr("text", "text", text(MAX_MARK_TEXT), default=""),
    ),
)

FORMS: Final[tuple[Form, ...]] = (
    request(
        Remark,
        REF,
        GAME_ID,
        Inside("worth", (Attr("worth", "value", BALANCE, default=None),), optional=True),
        Text("plan", "plan", default="", most=MAX_REMARK_BYTES),
        Text("line", "line", default="", most=MAX_REMARK_BYTES),
        Many("marks", (_MARK,), most=MAX_MARKS),
        most_elements=MAX_ELEMENTS + MAX_MARKS,
    ),
)
