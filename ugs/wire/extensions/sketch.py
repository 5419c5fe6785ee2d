"""The family ``sketch``: a master describes how a position looks, and what may be done in it.

With it, programs that do not know the game can show it, and people can play by clicking.
"""

from typing import ClassVar, Final

from ugs.value import value
from ugs.wire.extensions.common_parts import GAME_ID, NICK
from ugs.wire.extensions.family import Family
from ugs.wire.extensions.form import Form, request
from ugs.wire.messages import Extension
from ugs.wire.parts import Attr, Inside, Payload


@value
class Sketch(Extension):
    """Master to server, before the message with the state or the result that it shows: for the player ``nick`` alone,
    or (``nick`` empty) for all who have none of their own. Server to players: the same, right before the state."""

    TYPE: ClassVar[str] = "x-sketch"
    game_id: str
    sketch: bytes
    """The ``<sketch>`` element."""
    nick: str = ""


FORMS: Final[tuple[Form, ...]] = (
    request(
        Sketch,
        GAME_ID,
        Inside("viewer", (Attr("nick", "nick", NICK, default=""),), optional=True),
        Payload("sketch", "sketch"),
        sent_to=(Family.SKETCH,),
    ),
)
