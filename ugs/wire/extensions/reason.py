"""The family ``reason``: why a game ended, and whose fault it was. ``x-why`` (``why.py``) asks for more."""

from typing import ClassVar, Final

from ugs.value import value
from ugs.wire.extensions.common_parts import GAME_ID, NICK, REF
from ugs.wire.extensions.family import Family
from ugs.wire.extensions.form import Form, form, request
from ugs.wire.messages import Extension
from ugs.wire.parts import FLAG, Attr, Bound, Content, Inside, Many, Text, text
from ugs.wire.text_limits import MAX_CODE, MAX_REASON


@value
class Because(Extension):
    """Master to server, before the message about the next state or the end of a game: the reason. With ``nick``, this
    player broke a rule; the server passes the reason on to that player alone. ``draw``: whether equal results are a
    draw; None if the master does not specify it."""

    TYPE: ClassVar[str] = "x-reason"
    game_id: str
    code: str
    text: str
    nick: str = ""
    draw: bool | None = None
    ref: str = ""


@value
class SeatVerdict:
    """What a game counts for one seat, and why its player left early, if it did so."""

    nick: str
    outcome: str
    departure: str = ""


@value
class GameVerdict(Extension):
    """Server to the players of a game that is over: why it ended. ``account`` is the server's sentence; ``code`` and
    ``words`` come from the master."""

    TYPE: ClassVar[str] = "x-verdict"
    game_id: str
    cause: str
    fault: str
    account: str
    seats: tuple[SeatVerdict, ...]
    culprit: str = ""
    code: str = ""
    words: str = ""
    by_server: bool = False
    void: bool = False


_SEAT: Final = Bound(
    SeatVerdict, "seat", (Attr("nick", "nick"), Attr("outcome", "outcome"), Attr("departure", "departure", default=""))
)

FORMS: Final[tuple[Form, ...]] = (
    request(
        Because,
        REF,
        GAME_ID,
        Inside(
            "cause",
            (
                Attr("code", "code", text(MAX_CODE)),
                Attr("nick", "nick", NICK, default=""),
                Attr("draw", "draw", FLAG, default=None),
                Content("text", most=MAX_REASON),
            ),
        ),
        # Passed on as it came, to the player who broke the rule.
        sent_to=(Family.REASON,),
    ),
    form(
        GameVerdict,
        GAME_ID,
        Inside(
            "verdict",
            (
                Attr("cause", "cause"),
                Attr("fault", "fault"),
                Attr("culprit", "culprit", default=""),
                Attr("code", "code", default=""),
                Attr("by_server", "byServer", FLAG, default=False),
                Attr("void", "void", FLAG, default=False),
            ),
        ),
        Text("account", "account"),
        Text("words", "said", default=""),
        Many("seats", (_SEAT,)),
        sent_to=(Family.REASON,),
    ),
)
