"""What the record of a game holds besides the plays."""

from dataclasses import dataclass

from game_masters.apologies.board import COLOURS
from game_masters.apologies.cards import KINDS, Card
from game_masters.apologies.plays import Profile
from game_masters.apologies.views import Mode, Rejection


@dataclass(frozen=True, slots=True)
class Began:
    """The first entry of the record."""

    mode: Mode
    profile: Profile
    first: int

    def __str__(self) -> str:
        return f"game started ({self.mode}, {self.profile}), {COLOURS[self.first]} begins"


@dataclass(frozen=True, slots=True)
class Drew:
    """The card that a seat got, decided by chance."""

    seat: int
    card: Card

    def __str__(self) -> str:
        return f"{COLOURS[self.seat]} draws {KINDS[self.card].short}"


@dataclass(frozen=True, slots=True)
class Rejected:
    """A move that could not be made."""

    seat: int
    why: Rejection

    def __str__(self) -> str:
        return f"{COLOURS[self.seat]} is asked again: {self.why}"


@dataclass(frozen=True, slots=True)
class Left:
    """From here on the computer player plays for this seat."""

    seat: int

    def __str__(self) -> str:
        return f"{COLOURS[self.seat]} leaves"


@dataclass(frozen=True, slots=True)
class Out:
    """The seat has lost by its refused moves; from here on the computer player plays for it."""

    seat: int
    refused: int

    def __str__(self) -> str:
        return f"{COLOURS[self.seat]} is out: {self.refused} moves refused in one turn"


@dataclass(frozen=True, slots=True)
class Over:
    """The last entry of the record."""

    winner: int
    turns: int

    def __str__(self) -> str:
        return f"game over, {COLOURS[self.winner]} wins after {self.turns} turns"
