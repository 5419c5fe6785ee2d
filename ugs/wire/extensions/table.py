"""The family ``table``: a master offers options, plays free seats, and labels the seats."""

from typing import ClassVar, Final

from ugs.value import value
from ugs.wire.extensions.common_parts import (
    GAME_ID,
    MAX_CHOICES,
    MAX_SEATS,
    NAME,
    NICK,
    SETUP,
    SHOWN_OFFERS,
    OfferedOption,
    SeatKind,
)
from ugs.wire.extensions.family import Family
from ugs.wire.extensions.form import MAX_ELEMENTS, Form, form, request
from ugs.wire.messages import Extension
from ugs.wire.parts import FLAG, NUMBER, SECONDS, Attr, Bound, Inside, Many, Value, word


@value
class Offers(Extension):
    """Master to server, after its login: the options of its games, how they begin (if all begin alike), how many
    players are worth waiting for, and whether it plays seats itself."""

    TYPE: ClassVar[str] = "x-offers"
    options: tuple[OfferedOption, ...]
    setup: str = ""
    players_wanted: int = 0
    """Players that a game of the pool should have; 0: as many as the game allows."""
    gather_s: float = 0.0
    """Seconds that players of the pool wait for ``players_wanted``, once there are enough to begin."""
    plays_seats: bool = True
    """Whether it plays seats itself; if not, it gets no game with more seats than players."""


@value
class Label:
    """A master's label of one seat. Seats come in order and include those that the master plays."""

    nick: str
    label: str
    kind: SeatKind


@value
class Labels(Extension):
    """Master to server: what each player plays."""

    TYPE: ClassVar[str] = "x-labels"
    game_id: str
    seats: tuple[Label, ...]


@value
class Stop(Extension):
    """Server to master: this game has been ended. ``reason`` as in x-gameEnded."""

    TYPE: ClassVar[str] = "x-stop"
    game_id: str
    reason: str


_LABEL: Final = Bound(
    Label,
    "seat",
    (Attr("nick", "nick", NICK), Attr("label", "label", NAME, default=""), Attr("kind", "kind", word(SeatKind))),
)

_GATHER: Final = Inside(
    "gather",
    (Attr("players_wanted", "wanted", NUMBER, default=0), Attr("gather_s", "forSec", SECONDS, default=0.0)),
    optional=True,
)

_OWN_SEATS: Final = Inside("seats", (Attr("plays_seats", "own", FLAG, default=True),), optional=True)

FORMS: Final[tuple[Form, ...]] = (
    request(Offers, SHOWN_OFFERS, _GATHER, _OWN_SEATS, SETUP, most_elements=MAX_ELEMENTS + MAX_CHOICES),
    request(Labels, GAME_ID, Many("seats", (_LABEL,), most=MAX_SEATS), most_elements=MAX_ELEMENTS + MAX_SEATS),
    form(Stop, GAME_ID, Value("reason", "end", "reason"), sent_to=(Family.TABLE,)),
)
