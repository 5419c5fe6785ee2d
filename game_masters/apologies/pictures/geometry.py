"""Where the places are: a board of 16 x 16 squares, whose edge is the ring.

Each colour has a side of the board, and all sides look alike. So a place is given by how far it is *along* its side in
the direction of forward movement, and how *deep* inside the board; both count squares. Square 0 is the corner where the
side of RED begins.
"""

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from game_masters.apologies.board import HOME, SAFE, SAFE_SQUARES, SLIDES, SQUARES, TURN, Place

Point: TypeAlias = tuple[float, float]
"""The middle of something: squares to the right, squares down."""

SIDE: Final = 16
"""Squares of an edge."""
SIDE_OF_SEAT: Final[Sequence[int]] = tuple(turn // (SIDE - 1) for turn in TURN)
"""By seat: 0 the upper side, 1 the right one, 2 the lower one, 3 the left one."""

_TURN: Final = 2.5
_START: Final = (4.9, 2.35)
_HOME: Final = (_TURN, 7.2)
RADIUS: Final = 1.3
"""Of starts and homes."""
NESTS: Final[Sequence[Point]] = ((-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5))
"""Where the four pawns of a colour lie in their start or home, beside its middle."""


def turned(side: int, along: float, deep: float) -> Point:
    """Return a point given by its side."""
    return ((along, deep), (SIDE - deep, along), (SIDE - along, SIDE - deep), (deep, SIDE - along))[side]


def square(place: Place) -> Point:
    """Return the middle of a square of the ring."""
    # Each corner belongs to the side that begins there, so a side has one square less.
    side, along = divmod(place, SIDE - 1)
    return turned(side, along + 0.5, 0.5)


def safe_square(seat: int, number: int) -> Point:
    """Return the middle of a safe square."""
    return turned(SIDE_OF_SEAT[seat], _TURN, number + 1.5)


def start(seat: int) -> Point:
    """Return the middle of a start."""
    return turned(SIDE_OF_SEAT[seat], *_START)


def home(seat: int) -> Point:
    """Return the middle of a home."""
    return turned(SIDE_OF_SEAT[seat], *_HOME)


def point(seat: int, number: int, place: Place) -> Point:
    """Return where a pawn of a colour is: in starts and homes, each number has its own spot."""
    if place < SQUARES:
        return square(place)
    if place < SAFE + SAFE_SQUARES:
        return safe_square(seat, place - SAFE)
    middle = home(seat) if place == HOME else start(seat)
    beside = NESTS[number]
    return middle[0] + beside[0] * 1.05, middle[1] + beside[1] * 1.05


SLIDE_SQUARES: Final[Mapping[Place, int]] = {
    place: seat for seat, slides in enumerate(SLIDES) for first, last in slides for place in range(first, last + 1)
}
"""The seat whose slide a square belongs to."""
