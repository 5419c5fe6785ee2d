"""Games in the file formats of other programs, such as PGN for chess: what a package provides that knows one.

A package announces a format as an entry point of the group ``ugs.game_files``: a :class:`GameFileFormat` under the
ending of its files. ``ugs record export`` and ``ugs record import`` find it there; ugs itself knows no such format.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from ugs.loading import entry_points

GROUP: Final = "ugs.game_files"


class GameFileError(Exception):
    """A game that cannot be written in a format, or a text that is not in it. The text is for people."""


@dataclass(frozen=True, slots=True)
class WrittenRemark:
    """What a player remarked before its move; empty or None: no remark of that kind."""

    worth: float | None = None
    plan: str = ""
    line: str = ""


@dataclass(frozen=True, slots=True)
class WrittenMove:
    """One move, and what was known before it."""

    seat: int
    state: bytes
    """The payload of the state before it, as all were shown it; empty where they were shown none."""
    move: bytes
    """Its payload; empty where it is not public."""
    took_s: float | None = None
    """Seconds that the player took; None: not known."""
    remark: WrittenRemark | None = None


@dataclass(frozen=True, kw_only=True)
class WrittenGame:
    """A game that has ended, as far as formats know it."""

    game_id: str = ""
    """Empty in a game from a file that names none."""
    game_type: str
    seats: tuple[str, ...]
    """The names of the players, in the order of seats."""
    moves: tuple[WrittenMove, ...]
    last: bytes
    """The payload of the last state."""
    outcomes: tuple[str, ...]
    """For each seat ``won``, ``lost``, ``drawn`` or ``void``."""
    ended_by: str = ""
    """Why it ended, in the words of ugs, such as ``finished``."""
    options: Mapping[str, str] = field(default_factory=dict)
    began_us: int = 0
    """Microseconds since 1970 (UTC)."""
    event: str = ""
    """The championship it belongs to."""
    round: int = 0
    """Its number there."""


@dataclass(frozen=True)
class GameFileFormat:
    """A format of files."""

    game_types: tuple[str, ...]
    """The types of games that can be written in it."""
    write: Callable[[WrittenGame], bytes]
    """Returns a game as text, with the empty line that stands between two. Raises GameFileError."""
    read: Callable[[Iterable[bytes]], Iterator[WrittenGame]]
    """Yields the games in the lines of a file. Raises GameFileError, which names the game."""


def format_names() -> list[str]:
    """The names of the installed formats; none of them is loaded."""
    return sorted({point.name for point in entry_points(group=GROUP)})


def find_format(name: str) -> GameFileFormat | None:
    """Return the format of this name; None: there is none. Raises GameFileError where it cannot be loaded."""
    for point in entry_points(group=GROUP):
        if point.name == name:
            try:
                found = point.load()
            except ImportError as error:
                raise GameFileError(f"games are neither read nor written as {name}: {error}") from error
            return found if isinstance(found, GameFileFormat) else None
    return None
