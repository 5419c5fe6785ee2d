"""What players send and what they are shown: moves, plays on offer, plays that were made, views.

All of it is in terms of seats, pawns and kinds of cards; equal cards are not distinguished.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, TypeAlias

from game_masters.apologies.board import COLOURS, PAWN_NAMES, PLACE_WORDS, Pawns, Place
from game_masters.apologies.cards import Kind
from game_masters.apologies.plays import Profile, Step


class Mode(StrEnum):
    """How the cards are played."""

    STANDARD = "STANDARD"
    """One card is drawn for each play, and all see it."""
    ADULT = "ADULT"
    """All players have a hand of five, and begins with one pawn on the circle."""


class Rejection(StrEnum):
    """What was wrong with a move."""

    ILLEGAL = "ILLEGAL_MOVE"
    UNREADABLE = "UNREADABLE_MOVE"


class Sitter(StrEnum):
    """Who plays a seat."""

    HUMAN = "human"
    """A player of its own, either a person or a program."""
    PROGRAM = "program"
    """The computer player."""
    LEFT = "left"
    """The computer player, for a player who has left."""


@dataclass(frozen=True, slots=True)
class Pick:
    """A move: the play on offer with this id."""

    id: str

    def __str__(self) -> str:
        return self.id


@dataclass(frozen=True, slots=True)
class Optimal:
    """A move: what the computer player would play."""

    def __str__(self) -> str:
        return "the optimal play"


Move: TypeAlias = Pick | Optimal


class Offer(NamedTuple):
    """A play that may be made now; a forfeit if it has no actions."""

    id: str
    kind: Kind
    actions: tuple[Step, ...]
    effects: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Made:
    """A play that was made; a forfeit if it has no actions."""

    seat: int
    kind: Kind
    actions: tuple[Step, ...] = ()
    effects: tuple[Step, ...] = ()

    def __str__(self) -> str:
        if not self.actions:
            return f"{COLOURS[self.seat]} forfeits, discards {self.kind.short}"
        steps = ", ".join(
            f"{PAWN_NAMES[pawn]} to {PLACE_WORDS[place]}" for pawn, _, place in self.actions + self.effects
        )
        return f"{COLOURS[self.seat]} plays {self.kind.short}: {steps}"


@dataclass(frozen=True, slots=True)
class Past:
    """One line of the history."""

    seat: int
    kind: Kind
    forfeit: bool


@dataclass(frozen=True, slots=True)
class SeatView:
    """What a reader sees of one seat. The hand is empty except the reader's own."""

    nick: str
    kind: Sitter
    turns: int
    hand: tuple[Kind, ...]
    pawns: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class View:
    """What a reader sees of a game."""

    mode: Mode
    profile: Profile
    plays: int
    """The number of plays made."""
    you: int | None
    """The seat that this view is for; None for the view of spectators."""
    turn: int | None
    """Whose turn it is; None when the game is over."""
    seats: tuple[SeatView, ...]
    drawn: Kind | None = None
    offers: tuple[Offer, ...] = ()
    since: tuple[Made, ...] = ()
    """The plays that may be new to the reader, oldest first."""
    history: tuple[Past, ...] = ()
    """The last plays, oldest first."""
    rejected: Rejection | None = None
    """Why the player whose turn it is is asked again; None if it is not."""

    @property
    def pawns(self) -> Pawns:
        """The position."""
        return tuple(place for seat in self.seats for place in seat.pawns)

    @property
    def mover(self) -> int:
        """The seat that has to play. Raises ValueError when the game is over."""
        if self.turn is None:
            raise ValueError("the game is over")
        return self.turn
