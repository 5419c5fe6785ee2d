"""The family ``faults``: a master reports a move that it refuses, and the server decides what follows from it.

What follows is the organiser's choice (the setting ``faults``), the same for every player and every game.
"""

from enum import StrEnum
from typing import ClassVar, Final

from ugs.value import value
from ugs.wire.extensions.common_parts import GAME_ID, NICK, REF
from ugs.wire.extensions.family import Family
from ugs.wire.extensions.form import Form, form, request
from ugs.wire.messages import Extension
from ugs.wire.parts import Attr, Content, Inside, text, word
from ugs.wire.text_limits import MAX_CODE, MAX_REASON


class MoveRuling(StrEnum):
    """What follows from a move that a master has refused."""

    RULES = "rules"
    """What the rules of the game require: the master decides."""
    AGAIN = "again"
    """The server has asked the player again. To the master nothing has happened: it waits for a move."""
    OUT = "out"
    """The player has lost; ``playerLeftGame`` comes with it."""


@value
class RefusedMove(Extension):
    """Master to server: the move that it was given last cannot be read, or is against the rules, and has changed
    nothing. It comes in the place of the next state."""

    TYPE: ClassVar[str] = "x-fault"
    game_id: str
    nick: str
    code: str
    """A word of its rules."""
    text: str
    ref: str = ""


@value
class Ruled(Extension):
    """Server to master: what follows from the move that it has refused."""

    TYPE: ClassVar[str] = "x-ruling"
    game_id: str
    nick: str
    ruling: MoveRuling


FORMS: Final[tuple[Form, ...]] = (
    request(
        RefusedMove,
        REF,
        GAME_ID,
        Inside(
            "cause",
            (Attr("code", "code", text(MAX_CODE)), Attr("nick", "nick", NICK), Content("text", most=MAX_REASON)),
        ),
    ),
    form(
        Ruled,
        GAME_ID,
        Inside("ruling", (Attr("nick", "nick"), Attr("ruling", "what", word(MoveRuling)))),
        sent_to=(Family.FAULTS,),
    ),
)
