"""What a seat of a game of PettingZoo is shown, and its moves. Nothing here needs the library."""

from dataclasses import dataclass
from enum import StrEnum


class EventKind(StrEnum):
    """What can happen in a game."""

    PLAY = "play"
    OUT = "out"
    """A seat has left or broken a rule; chance moves for it from now on."""


@dataclass(frozen=True, slots=True)
class Play:
    """A move: the number of an action, counted from 0."""

    id: int

    def __str__(self) -> str:
        return f"action {self.id}"


@dataclass(frozen=True, slots=True)
class Event:
    """Something that has happened, as far as a viewer may know it."""

    kind: EventKind
    seat: int
    play: int | None = None
    """The action; None where the viewer may not know it, or there was none."""

    def __str__(self) -> str:
        return f"seat {self.seat} {self.kind}" + ("" if self.play is None else f" {self.play}")


@dataclass(frozen=True, slots=True)
class Numbers:
    """One array of an observation."""

    name: str
    """Where it stands in the observation, with dots between; ``observation`` where there is only one."""
    shape: tuple[int, ...]
    """Empty for a single number."""
    text: str
    """The numbers in the order of C, with blanks between."""

    @property
    def values(self) -> tuple[float, ...]:
        """Return the numbers."""
        return tuple(map(float, self.text.split()))


@dataclass(frozen=True, slots=True)
class View:
    """What one seat, or a spectator, sees."""

    game: str
    """The module with its parameters."""
    seats: int
    seat: int | None
    """Whose view it is; None: that of all."""
    turn: int | None
    """The seat that is asked; None: the game is over."""
    board: str
    """The position as the environment prints it, in a game that is played openly; else empty."""
    observation: tuple[Numbers, ...]
    """What the seat observes; of a game that is played openly, the seat that is asked."""
    plays: tuple[Play, ...]
    """The legal moves of the seat that is asked; empty where the viewer may not know them."""
    events: tuple[Event, ...]
    """What is new."""
    points: tuple[float, ...] = ()
    """The rewards of each seat, added up, when the game has been played to its end."""
