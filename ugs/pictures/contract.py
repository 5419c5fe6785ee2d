"""What a game brings so that people can see it: a :data:`Renderer`.

A renderer gets what travels and nothing else: who sits where, and one after another the ``<gameState>`` payloads that
one viewer is shown. So it cannot show what the viewer may not see, and it serves running games, journals and files
alike, for game masters in any language.

This module imports nothing but the standard library, so that rules of games may name its types.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple, Protocol, TypeAlias, TypeGuard, runtime_checkable

MAX_SVG: Final = 64 * 1024
"""Bytes of an SVG without offers, for the largest board. Larger ones are not shown."""
MAX_OFFER: Final = 128
"""Bytes that each offer may add."""
MAX_STATE_BYTES: Final = 256 * 1024
"""Bytes of a state that a renderer is given, and of the move that led to it. Larger ones are shown as a tree."""
MAX_STATE_TAGS: Final = 4_000
"""Tags of both together: each ``<`` counts. Games of ours have a tenth of that."""
NARROWEST: Final = 40
"""Columns of the narrowest terminal that pictures are drawn for."""
STYLES: Final = frozenset(
    {"red", "yellow", "green", "blue", "magenta", "cyan", "bold", "dim", "reverse", "underline"}
)  # fmt: skip


class CannotDraw(Exception):
    """The payload is not one that the renderer can read. The text gives the reason, for the log."""


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits there. Both texts are what others chose: they may hold anything."""

    nick: str
    label: str = ""
    """What the game calls the seat, such as a colour; empty where it is not known."""


@dataclass(frozen=True, slots=True)
class Scene:
    """What is known of a game before its first state."""

    seats: tuple[Seat, ...]
    """Those of players first, in the order of beginGame; then those that the master plays, if they are known."""
    viewer: int | None = None
    """The seat whose states are drawn; None: the public view."""
    options: Mapping[str, str] = field(default_factory=dict)
    """As they travel. Options that were not given are missing, and the master's own values are not known then."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What the viewer is shown at one time."""

    payload: bytes
    """The ``<gameState>`` element, exactly as it travels."""
    movers: tuple[int, ...] = ()
    """The seats that are asked for a move."""
    winners: frozenset[int] | None = None
    """The seats that have won (none: a draw); None while the game goes on."""
    own_move: bytes = b""
    """The ``<move>`` that the viewer made since the last state; empty if it made none, or none is known."""
    sketch: bytes = b""
    """The ``<sketch>`` of the position, as its master has described it for this viewer; empty if it has not."""
    all_lost: bool = False
    """Whether there are no winners although it was no draw: as where the master has won with a seat that was left."""


class Span(NamedTuple):
    """Text with one style: words of :data:`STYLES` with blanks between; other words are ignored."""

    text: str
    style: str = ""


Line: TypeAlias = tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Offer:
    """A move that may be made now."""

    label: str
    """A few words for a button or a list."""
    move: bytes
    """The ``<move>`` element to be sent."""


class Picture(Protocol):
    """One position as one viewer may see it. The same position gives the same results, byte for byte."""

    def svg(self, prefix: str, seat: int | None = None) -> str:
        """Return an ``<svg>`` element that scales. All ids in it begin with ``prefix``.

        With a ``seat``, each part that stands for offers of this seat has ``data-offer``: their numbers in
        ``offers(seat)``, from 0, with blanks between. An offer may have several parts, or none; where these are clicked
        in an order, ``data-steps`` has the click of each. Write it with
        :class:`ugs.pictures.svg.Svg`.
        """

    def text(self, width: int) -> Sequence[Line]:
        """Return the picture for a terminal, in lines of at most ``width`` columns, which are :data:`NARROWEST` or
        more. It can be understood without styles."""

    def words(self) -> str:
        """Return the position in sentences, for people who do not see it."""

    def news(self) -> Sequence[str]:
        """Return what has happened since the state before, one line each, for people; empty if that is not known."""

    def offers(self, seat: int) -> Sequence[Offer]:
        """Return every move that ``seat`` may make now; empty if it is not asked, or the viewer cannot know."""


@runtime_checkable
class PartedPicture(Picture, Protocol):
    """A picture that knows the parts that it is put together from. A picture need not."""

    def drawn(self, prefix: str, seat: int | None = None) -> str:
        """Return the same as ``svg``, which may be a :class:`ugs.pictures.svg.DrawnParts`."""


@runtime_checkable
class PlacingPicture(Protocol):
    """A picture that knows where its cells are, so that marks of players can be drawn on it. A picture need not."""

    def place(self, cell: str) -> tuple[float, float, float] | None:
        """Return the middle of a cell and its width, in units of the SVG; None if there is no such cell. ``cell`` is
        what players call it: any text."""


@runtime_checkable
class WritingPicture(Protocol):
    """A picture of a game whose moves are written in pairs, so that a list of them has two in a line. A picture need
    not."""

    def written(self) -> str:
        """Return the move since the state before with the number of its line: ``3. Nf3`` for the first one of a line,
        ``3... Nc6`` for the second one. Empty if that is not one move, or not known."""


def written_by(picture: Picture) -> str:
    """Return how a picture writes the move that has led to it; empty if it does not."""
    return picture.written() if _writes_moves(picture) else ""


def knows_parts(picture: Picture) -> TypeGuard[PartedPicture]:
    """Whether a picture knows its parts."""
    return _has(type(picture), "drawn")


def _writes_moves(picture: Picture) -> TypeGuard[WritingPicture]:
    return _has(type(picture), "written")


@lru_cache(maxsize=256)
def _has(kind: type, method: str) -> bool:
    """Asked for each position of a replay, and found out once for each kind of picture: ``isinstance`` with a protocol
    takes as long as reading a tenth of a state."""
    return callable(getattr(kind, method, None))


@dataclass(frozen=True, slots=True)
class PuzzleShown:
    """A puzzle of a game, for people who have not tried it yet."""

    number: int
    """From 1; the value of the option ``puzzle`` at a table."""
    title: str
    task: str
    seats: int
    """All seats of a table for it: the solver has one, the computer the others."""
    picture: Callable[[], Picture | None]
    """Draws the position as the solver sees it; it may take long, and raises if the puzzle is damaged."""


Follower: TypeAlias = Callable[[Shown], Picture]
"""Takes what a viewer is shown of one game, in order, and returns a picture each time. The same may come twice, and
what came before the viewer may be missing. Raises :class:`CannotDraw`; then the next one is taken as if this had not
come."""

Renderer: TypeAlias = Callable[[Scene], Follower]
"""Draws the games of a game type: returns a follower for one game. Never raises."""
