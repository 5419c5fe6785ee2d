"""The family ``restore``: a master takes over a running game, or a game of an earlier life of the server."""

from typing import ClassVar, Final, TypeAlias

from ugs.value import value
from ugs.wire.extensions.common_parts import GAME_ID, OPTIONS, SETUP
from ugs.wire.extensions.family import Family
from ugs.wire.extensions.form import Form, form
from ugs.wire.messages import Choice, Extension
from ugs.wire.parts import NUMBER, Attr, Bound, Many, Payload, Value, Values


@value
class PastMove:
    """An earlier move: the nick, and the ``<move>`` element."""

    nick: str
    payload: bytes


@value
class PastLeft:
    """A player who left earlier: the nick, and why."""

    nick: str
    cause: str


@value
class PastRejoined:
    """A player who had left took its seat again: the nick."""

    nick: str


Past: TypeAlias = PastMove | PastLeft | PastRejoined
"""What a master was sent about a game."""


@value
class Restore(Extension):
    """Server to master: take over this game. Begin it again, make every move, and send the resulting state."""

    TYPE: ClassVar[str] = "x-restore"
    game_id: str
    players: tuple[str, ...]
    options: tuple[Choice, ...]
    seats: int
    seed: str
    happened: tuple[Past, ...]
    setup: str = ""


_PAST_MOVE: Final = Bound(PastMove, "moved", (Attr("nick", "nick"), Payload("payload", "move")))
_PAST_LEFT: Final = Bound(PastLeft, "left", (Attr("nick", "nick"), Attr("cause", "cause", default="")))
_PAST_REJOINED: Final = Bound(PastRejoined, "rejoined", (Attr("nick", "nick"),))

FORMS: Final[tuple[Form, ...]] = (
    form(
        Restore,
        GAME_ID,
        Values("players", "player", "nick"),
        OPTIONS,
        Value("seats", "seats", "total", NUMBER, default=0),
        Value("seed", "seed", "value", default=""),
        SETUP,
        # Without a limit of its own: ``takeover.py`` sends it only if it fits into a document.
        Many("happened", (_PAST_MOVE, _PAST_LEFT, _PAST_REJOINED)),
        sent_to=(Family.RESTORE,),
    ),
)
