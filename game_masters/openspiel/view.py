"""What a seat of a game of OpenSpiel is shown, and its moves. Nothing here needs the library."""

import re
from dataclasses import dataclass, field
from enum import StrEnum

_ESCAPES = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_NOT_IN_XML = re.compile(r"[^\t\n\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class EventKind(StrEnum):
    """What can happen in a game."""

    PLAY = "play"
    """A seat has moved."""
    SEALED = "sealed"
    """A seat has chosen, and shows it when all have."""
    TOGETHER = "together"
    """All choices of one round, shown at once."""
    CHANCE = "chance"
    OUT = "out"
    """A seat has left or broken a rule; chance moves for it from now on."""


@dataclass(frozen=True, slots=True)
class Play:
    """A move: its number in OpenSpiel, which counts, and its text, which is for people."""

    id: int
    text: str = field(default="", compare=False)

    def __str__(self) -> str:
        return f"{self.id} {self.text}".rstrip()


@dataclass(frozen=True, slots=True)
class Event:
    """Something that has happened, as far as a viewer may know it."""

    kind: EventKind
    seat: int | None = None
    text: str = ""
    """Empty where the viewer may not know."""


@dataclass(frozen=True, slots=True)
class View:
    """What one seat, or a spectator, sees."""

    game: str
    """The game with its parameters, as OpenSpiel writes it."""
    seats: int
    seat: int | None
    """Whose view it is; None: that of spectators."""
    turn: int | None
    """The seat that is asked; None: the game is over."""
    board: str
    """The position as text: of a game that hides nothing all of it, else what this seat observes. Where the
    common view of all seats would show something hidden, it is empty."""
    information: str
    """What this seat knows of the whole game, in a game that hides something and where OpenSpiel has words for it."""
    plays: tuple[Play, ...]
    """The legal moves of the seat that is asked; empty where the viewer may not know them."""
    events: tuple[Event, ...]
    """What is new."""
    points: tuple[float, ...] = ()
    """What each seat got, when the game has been played to its end."""


def printed(text: str) -> str:
    """Return a text of OpenSpiel as XML can hold it: without colours, and without other characters that only steer."""
    return _NOT_IN_XML.sub(" ", _ESCAPES.sub("", text))
