"""The family ``clock``: a player learns how much time is left."""

from typing import ClassVar, Final

from ugs.value import value
from ugs.wire.extensions.common_parts import GAME_ID, REF
from ugs.wire.extensions.family import Family
from ugs.wire.extensions.form import Form, form, request
from ugs.wire.messages import Extension
from ugs.wire.parts import BALANCE, SECONDS, Attr, Bound, Many


@value
class ShowClock(Extension):
    """Player to server: how much time is left?"""

    TYPE: ClassVar[str] = "x-showClock"
    ref: str = ""


@value
class ClockInfo:
    """One player's clock. ``left_s`` is the rest of its budget, None without one. ``move_left_s`` is the time left for
    the current move; None unless the player has to move. ``round_trip_ms`` is None while it has not been measured."""

    nick: str
    left_s: float | None = None
    move_left_s: float | None = None
    round_trip_ms: float | None = None


@value
class Clock(Extension):
    """The answer to x-showClock. Where players have budgets, also sent before every state."""

    TYPE: ClassVar[str] = "x-clock"
    game_id: str
    clocks: tuple[ClockInfo, ...]
    ref: str = ""


_CLOCK: Final = Bound(
    ClockInfo,
    "player",
    (
        Attr("nick", "nick"),
        Attr("left_s", "leftSec", BALANCE, default=None),
        Attr("move_left_s", "moveLeftSec", BALANCE, default=None),
        Attr("round_trip_ms", "roundTripMs", SECONDS, default=None),
    ),
)

FORMS: Final[tuple[Form, ...]] = (
    request(ShowClock, REF),
    form(Clock, REF, GAME_ID, Many("clocks", (_CLOCK,)), sent_to=(Family.CLOCK,)),
)
