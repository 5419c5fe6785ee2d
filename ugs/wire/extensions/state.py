"""The family ``state``: a player asks for its last state again, or for all that came before it."""

from typing import ClassVar, Final

from ugs.value import value
from ugs.wire.extensions.common_parts import GAME_ID, REF
from ugs.wire.extensions.family import Family
from ugs.wire.extensions.form import Form, form, request
from ugs.wire.messages import Extension
from ugs.wire.parts import Bound, Many, Payload


@value
class Resend(Extension):
    """Player to server: send me my last gameState again."""

    TYPE: ClassVar[str] = "x-resend"
    game_id: str
    ref: str = ""


@value
class ListStates(Extension):
    """Player to server: send me all states of my game, and the last one as a gameState again."""

    TYPE: ClassVar[str] = "x-listStates"
    game_id: str
    ref: str = ""


@value
class PastState:
    """A state that came before the last one: the ``<gameState>`` element."""

    payload: bytes


@value
class States(Extension):
    """Server to player: the states of its game that came before the last one, in order."""

    TYPE: ClassVar[str] = "x-states"
    game_id: str
    states: tuple[PastState, ...] = ()
    ref: str = ""


FORMS: Final[tuple[Form, ...]] = (
    request(Resend, REF, GAME_ID),
    request(ListStates, REF, GAME_ID),
    form(
        States,
        REF,
        GAME_ID,
        Many("states", (Bound(PastState, "shown", (Payload("payload", "gameState"),)),)),
        sent_to=(Family.STATE,),
    ),
)
