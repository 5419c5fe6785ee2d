"""A sketch as values.

Cells are named: in a grid or of hexes ``column,row`` from 0, of points and drawings as the master calls them. Texts and
names are those of others, and may hold anything that can be written.
"""

from collections.abc import Mapping
from typing import TypeAlias

from ugs.value import value


@value
class Grid:
    """Cells in columns and rows."""

    columns: int
    rows: int
    look: str
    numbers: bool
    """Whether columns and rows are numbered."""
    turns: bool = False
    """Whether the second player sees the board from the other side."""


@value
class Hexes:
    """Hexes with a corner above, in rows; every second row stands half a hex further to the right."""

    columns: int
    rows: int
    turns: bool = False
    """As for :class:`Grid`."""


@value
class Points:
    """Places anywhere."""

    width: float
    height: float
    size: float
    """How large a piece is; 0: as it fits."""
    places: Mapping[str, tuple[float, float]]
    turns: bool = False
    """As for :class:`Grid`."""


@value
class DrawingPart:
    """A piece of a drawing: what is written before and behind its colours, and what makes it stand for offers."""

    head: str
    tail: str
    cell: str = ""
    paints: tuple[tuple[str, str], ...] = ()
    """``fill`` and ``stroke``: none, a colour of the vocabulary, or ``#rgb``."""


@value
class Drawing:
    """A drawing, put together again from harmless parts."""

    view_box: str
    width: float
    height: float
    parts: tuple[DrawingPart, ...]
    cells: frozenset[str]


Ground: TypeAlias = Grid | Hexes | Points | Drawing


@value
class Look:
    """What a piece looks like."""

    colour: str
    shape: str
    letter: str
    name: str = ""


@value
class Pieces:
    """Pieces that look the same."""

    at: tuple[str, ...]
    look: Look


@value
class Line:
    """From the middle of one cell to that of another one."""

    begin: str
    end: str
    colour: str
    """Empty: that of the board on points and crossings, elsewhere that of writing."""


@value
class Counter:
    """A number, or a word, of a player or of the game."""

    name: str
    value: str
    nick: str


@value
class Hand:
    """What a player holds, or what lies beside the board."""

    nick: str
    name: str
    held: tuple[tuple[Look, int], ...]


@value
class Offer:
    """A move that may be made now."""

    label: str
    move: bytes
    at: tuple[str, ...]
    nick: str
    """Who may make it; empty: who is asked."""
    in_turn: bool = False
    """Whether each cell is clicked, in their order. Else that depends on the cells of the other offers."""


@value
class Sketch:
    """One position as one viewer may see it."""

    ground: Ground
    cells: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Colours, each with its cells."""
    pieces: tuple[Pieces, ...] = ()
    lines: tuple[Line, ...] = ()
    marks: tuple[str, ...] = ()
    labels: tuple[tuple[str, str], ...] = ()
    """Cells, each with its text."""
    seats: tuple[tuple[str, Look], ...] = ()
    """Nicks, each with what its pieces look like."""
    counters: tuple[Counter, ...] = ()
    hands: tuple[Hand, ...] = ()
    news: tuple[str, ...] = ()
    words: str = ""
    offers: tuple[Offer, ...] = ()
    holes: tuple[str, ...] = ()
    """Cells of a grid or of hexes that are left out: nothing is there, and nothing can lie there."""

    def nicks(self) -> tuple[tuple[str, str], ...]:
        """Elements that name a player, each with the nick."""
        return (
            *(("seat", nick) for nick, _ in self.seats),
            *(("counter", one.nick) for one in self.counters if one.nick),
            *(("hand", one.nick) for one in self.hands if one.nick),
            *(("offer", one.nick) for one in self.offers if one.nick),
        )
