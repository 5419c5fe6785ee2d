"""The family ``session``: a player keeps its seat when its connection is cut, and is warned before a time-out."""

from enum import StrEnum
from typing import ClassVar, Final

from ugs.value import value
from ugs.wire.extensions.common_parts import ANY_GAME_ID, ID, REF
from ugs.wire.extensions.family import Family
from ugs.wire.extensions.form import Form, form, request
from ugs.wire.messages import Extension
from ugs.wire.parts import FLAG, SECONDS, Attr, Inside, word


class WarningScope(StrEnum):
    """What the warning is about."""

    PLAYER = "player"
    GAME = "game"
    CLOCK = "clock"
    """The time of the player to move runs out."""


class WarningState(StrEnum):
    """The step that was reached: first IDLE, then INACTIVE. LOW belongs to the clock."""

    IDLE = "IDLE"
    INACTIVE = "INACTIVE"
    LOW = "LOW"


@value
class Session(Extension):
    """Server to player, after the loginResponse: the token to come back with.

    After a resume ``turn`` shows whether the server waits for a move of this player: then its last move has not
    arrived. None: no state of an earlier game follows.
    """

    TYPE: ClassVar[str] = "x-session"
    token: str
    nick: str
    resumed: bool
    grace_s: float
    turn: bool | None = None
    ref: str = ""


@value
class Resume(Extension):
    """Player to server, in place of a login: I am back."""

    TYPE: ClassVar[str] = "x-resume"
    token: str
    ref: str = ""


@value
class Warn(Extension):
    """Server to player: you have been silent for long, or have little time. ``left_s``: the time until the next
    step."""

    TYPE: ClassVar[str] = "x-warning"
    scope: WarningScope
    state: WarningState
    left_s: float
    game_id: str = ""


_TOKEN: Final = Attr("token", "token", ID)

FORMS: Final[tuple[Form, ...]] = (
    form(
        Session,
        REF,
        Inside(
            "session",
            (
                _TOKEN,
                Attr("nick", "nick"),
                Attr("resumed", "resumed", FLAG),
                Attr("grace_s", "graceSec", SECONDS),
                Attr("turn", "turn", FLAG, default=None),
            ),
        ),
        sent_to=(Family.SESSION,),
    ),
    request(Resume, REF, Inside("session", (_TOKEN,))),
    form(
        Warn,
        ANY_GAME_ID,
        Inside(
            "warn",
            (
                Attr("scope", "scope", word(WarningScope)),
                Attr("state", "state", word(WarningState)),
                Attr("left_s", "leftSec", SECONDS),
            ),
        ),
        sent_to=(Family.SESSION, Family.CLOCK),
    ),
)
