"""What players ask for. The names are those of the network format, as in ``messages.py``.

Attributes that are None were left out.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import ClassVar, Final, TypeAlias

from game_masters.titan.battlelands import Hex
from game_masters.titan.creatures import Creature
from game_masters.titan.lands import Label
from game_masters.titan.messages import Losses


@dataclass(frozen=True, slots=True)
class Request:
    """One request."""

    TAG: ClassVar[str] = ""

    def __str__(self) -> str:
        """One line for people."""
        values = ((field.name, getattr(self, field.name)) for field in fields(self))
        shown = (f"{name}={value}" for name, value in values if value is not None)
        return " ".join((self.TAG, *shown))


Requests: TypeAlias = tuple[Request, ...]
"""A move: requests that are carried out in order, up to the first that is refused."""


@dataclass(frozen=True, slots=True)
class Join(Request):
    """Belongs to the lobby."""

    TAG = "join"
    name: str


@dataclass(frozen=True, slots=True)
class Observe(Request):
    """Belongs to the lobby."""

    TAG = "observe"
    name: str


@dataclass(frozen=True, slots=True)
class Start(Request):
    """Belongs to the lobby."""

    TAG = "start"


@dataclass(frozen=True, slots=True)
class Color(Request):
    """Choose a colour, and the marker of the first legion."""

    TAG = "color"
    color: str
    first_marker: str | None = None


@dataclass(frozen=True, slots=True)
class Split(Request):
    """Let creatures of a legion go to a new one."""

    TAG = "split"
    parent: str
    child: str
    creatures: tuple[Creature, ...]


@dataclass(frozen=True, slots=True)
class Merge(Request):
    """Put a legion back into another one."""

    TAG = "merge"
    parent: str
    child: str


@dataclass(frozen=True, slots=True)
class Roll(Request):
    """End the splitting."""

    TAG = "roll"


@dataclass(frozen=True, slots=True)
class Mulligan(Request):
    """Throw the movement roll again."""

    TAG = "mulligan"


@dataclass(frozen=True, slots=True)
class Move(Request):
    """Move a legion."""

    TAG = "move"
    legion: str
    hex: Label
    entry_side: str | None = None
    teleport: bool | None = None
    lord: Creature | None = None


@dataclass(frozen=True, slots=True)
class UndoMove(Request):
    """Take a move back."""

    TAG = "undoMove"
    legion: str


@dataclass(frozen=True, slots=True)
class DoneMoving(Request):
    """End the moves."""

    TAG = "doneMoving"


@dataclass(frozen=True, slots=True)
class Engage(Request):
    """Open an engagement."""

    TAG = "engage"
    hex: Label


@dataclass(frozen=True, slots=True)
class Flee(Request):
    """Flee."""

    TAG = "flee"
    legion: str


@dataclass(frozen=True, slots=True)
class DoNotFlee(Request):
    """Stay."""

    TAG = "doNotFlee"
    legion: str


@dataclass(frozen=True, slots=True)
class Concede(Request):
    """Give an engagement up."""

    TAG = "concede"
    legion: str


@dataclass(frozen=True, slots=True)
class DoNotConcede(Request):
    """Do not give up."""

    TAG = "doNotConcede"
    legion: str


@dataclass(frozen=True, slots=True)
class Negotiate(Request):
    """Offer that one legion survives with these creatures; without both, that none does."""

    TAG = "negotiate"
    hex: Label
    survivor: str | None = None
    creatures: tuple[Creature, ...] = ()


@dataclass(frozen=True, slots=True)
class Accept(Request):
    """Accept the offer that stands."""

    TAG = "accept"
    hex: Label
    survivor: str | None = None
    losses: tuple[Losses, ...] | None = None


@dataclass(frozen=True, slots=True)
class Fight(Request):
    """Stop talking."""

    TAG = "fight"
    hex: Label


@dataclass(frozen=True, slots=True)
class Enter(Request):
    """Bring a creature onto the map."""

    TAG = "enter"
    creature: Creature
    hex: Hex


@dataclass(frozen=True, slots=True)
class Maneuver(Request):
    """Move a creature on the map."""

    TAG = "maneuver"
    start_hex: Hex
    end_hex: Hex


@dataclass(frozen=True, slots=True)
class UndoManeuver(Request):
    """Take a creature's move back."""

    TAG = "undoManeuver"
    hex: Hex


@dataclass(frozen=True, slots=True)
class DoneManeuvering(Request):
    """End the maneuvers."""

    TAG = "doneManeuvering"


@dataclass(frozen=True, slots=True)
class Strike(Request):
    """Strike, if need be on worse terms."""

    TAG = "strike"
    striker_hex: Hex
    target_hex: Hex
    dice: int | None = None
    strike: int | None = None


@dataclass(frozen=True, slots=True)
class Carry(Request):
    """Carry hits over; 0 to carry none."""

    TAG = "carry"
    target_hex: Hex
    hits: int


@dataclass(frozen=True, slots=True)
class DoneStriking(Request):
    """End the strikes."""

    TAG = "doneStriking"


@dataclass(frozen=True, slots=True)
class Summon(Request):
    """Call an angel out of another legion; without donor and creature: no."""

    TAG = "summon"
    summoner: str
    donor: str | None = None
    creature: Creature | None = None


@dataclass(frozen=True, slots=True)
class Acquire(Request):
    """Take an angel for points; without a creature: no."""

    TAG = "acquire"
    legion: str
    creature: Creature | None = None


@dataclass(frozen=True, slots=True)
class Recruit(Request):
    """Muster a creature, or reinforce; without a recruit: no reinforcement."""

    TAG = "recruit"
    legion: str
    recruit: Creature | None = None
    recruiter: Creature | None = None


@dataclass(frozen=True, slots=True)
class UndoRecruit(Request):
    """Give the recruit of this phase back."""

    TAG = "undoRecruit"
    legion: str


@dataclass(frozen=True, slots=True)
class NextTurn(Request):
    """End the turn."""

    TAG = "nextTurn"


@dataclass(frozen=True, slots=True)
class Withdraw(Request):
    """Leave the game."""

    TAG = "withdraw"


@dataclass(frozen=True, slots=True)
class Replay(Request):
    """Ask for all that has happened, or for what has happened after the message of this number."""

    TAG = "replay"
    after: int | None = None


@dataclass(frozen=True, slots=True)
class Suspend(Request):
    """Agree to go on another time, or with ``agree`` false: not any more."""

    TAG = "suspend"
    agree: bool | None = None


REQUESTS: Final[Mapping[str, type[Request]]] = {
    request.TAG: request
    for request in (
        Join, Observe, Start, Color, Split, Merge, Roll, Mulligan, Move, UndoMove, DoneMoving, Engage, Flee, DoNotFlee,
        Concede, DoNotConcede, Negotiate, Accept, Fight, Enter, Maneuver, UndoManeuver, DoneManeuvering, Strike, Carry,
        DoneStriking, Summon, Acquire, Recruit, UndoRecruit, NextTurn, Withdraw, Replay,
        Suspend,
    )
}  # fmt: skip
"""All requests, by tag."""
