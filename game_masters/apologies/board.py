"""The board: a ring of 60 squares, four colours, slides, and how far a pawn is from home.

A *place* is one number. 0 to 59 are the squares of the ring in the direction of forward movement, 60 to 64 the safe
squares of a colour, then its home, then its start. Which colour's row, home or start a place means depends on the pawn
that stands there. A *pawn* is one number too, four for each seat. A position is a tuple of the places of all pawns of a
game.

All movement follows from the *progress* of a pawn: the number of squares it is past its own turn square, counted on
through its safe row to home. The tables below are that arithmetic, written out once.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import TypeAlias

Place: TypeAlias = int
Pawn: TypeAlias = int
Pawns: TypeAlias = tuple[Place, ...]
"""The place of every pawn, those of the first seat first."""

SQUARES = 60
SAFE_SQUARES = 5
SAFE: Place = SQUARES
HOME: Place = SAFE + SAFE_SQUARES
START: Place = HOME + 1
PLACES = range(START + 1)
NOWHERE: Place = -1
"""Stands for a missing place: the move would lead nowhere."""

PAWNS = 4
"""Pawns of one colour."""
ALL_HOME = (HOME,) * PAWNS


class Colour(StrEnum):
    """The colours in the order of the seats. Round the board the order is RED, BLUE, YELLOW, GREEN."""

    RED = "RED"
    YELLOW = "YELLOW"
    GREEN = "GREEN"
    BLUE = "BLUE"


COLOURS: Sequence[Colour] = tuple(Colour)
TURN: Sequence[Place] = (2, 32, 47, 17)
"""By seat: the last square before the safe row of its colour."""
CIRCLE: Sequence[Place] = tuple(turn + 2 for turn in TURN)
"""By seat: where the pawns of its colour leave their start."""
SLIDES: Sequence[Sequence[tuple[Place, Place]]] = tuple(((turn - 1, turn + 2), (turn + 7, turn + 11)) for turn in TURN)
"""First and last square of each colour's two slides. All colours have slides, also those without a player."""

PLACE_NAMES: Sequence[str] = (*map(str, range(SQUARES)), *(f"s{row}" for row in range(SAFE_SQUARES)), "H", "S")
"""The name of a place, on the wire and in tables."""
PLACE_WORDS: Sequence[str] = (
    *map(str, range(SQUARES)),
    *(f"safe {row}" for row in range(SAFE_SQUARES)),
    "home",
    "start",
)
"""The name of a place in a sentence."""
PAWN_NAMES: Sequence[str] = tuple(f"{colour}{number}" for colour in COLOURS for number in range(PAWNS))


def seat_of(pawn: Pawn) -> int:
    """Return the seat that a pawn belongs to."""
    return pawn // PAWNS


def pawns_of(seat: int) -> range:
    """Return the pawns of a seat."""
    return range(seat * PAWNS, (seat + 1) * PAWNS)


def progress(seat: int, place: Place) -> int:
    """Return the progress: 0 just past the own turn square, 1 on the circle, 59 on the turn square, 60 to 64 safe, 65
    home.

    A pawn in start has no progress and gets 0: it is as far from home as possible.
    """
    if place >= SQUARES:
        return 0 if place == START else place
    return (place - TURN[seat] - 1) % SQUARES


def distance(seat: int, place: Place) -> int:
    """Return the number of steps to home, 65 from start."""
    return HOME - progress(seat, place)


def _target(seat: int, place: Place, steps: int) -> Place:
    if place >= HOME:
        return NOWHERE
    reached = progress(seat, place) + steps
    # Home is reached by exact count only.
    if reached > HOME:
        return NOWHERE
    # Also below 0: a pawn that goes back over its own turn square stands right before its safe row.
    return reached if reached >= SAFE else (reached + TURN[seat] + 1) % SQUARES


STEPS = (1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, -1, -4)
"""The steps that cards move a pawn."""

TARGETS: Sequence[Mapping[int, Sequence[Place]]] = tuple(
    {steps: tuple(_target(seat, place, steps) for place in PLACES) for steps in STEPS} for seat in range(len(COLOURS))
)
"""``TARGETS[seat][steps][place]``: where a pawn lands before any slide; NOWHERE past home, and from home and start."""

SLIDING: Sequence[Mapping[Place, tuple[Place, ...]]] = tuple(
    {
        first: tuple(range(first + 1, last + 1))
        for owner, slides in enumerate(SLIDES)
        for first, last in slides
        if owner != seat
    }
    for seat in range(len(COLOURS))
)
"""``SLIDING[seat][place]``: the squares that a pawn slides over after landing on ``place``; it stops on the last one.

A pawn does not slide on the slides of its own colour. Places without a slide are not in the table.
"""
