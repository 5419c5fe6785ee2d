"""A recorded game as values. Whoever stores, prints, imports or replays one works on these."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from ugs.broker.record import EntryKind
from ugs.broker.verdict import GameResult


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that happened in a game; :class:`~ugs.broker.record.EntryKind` says which fields mean something."""

    kind: EntryKind
    wall_us: int
    """When, in microseconds since 1970 (UTC), by the clock on the server's wall."""
    mono_us: int
    """When, in microseconds of the server's clock that never goes back; the last byte had arrived."""
    handed_us: int = 0
    """When the entry before this one had been handed to the network for whoever had to act, on the clock of
    ``mono_us``; 0 when that is not known. ``mono_us - handed_us`` of a move is what its player took, network included;
    ``handed_us`` minus the ``mono_us`` of the entry before is what the server took."""
    seat: int | None = None
    audience: int = 0
    text: str = ""
    body: bytes = b""


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game from beginGame to its verdict, or as far as it has come."""

    game_id: str
    game_type: str
    master: str
    seats: tuple[str, ...]
    """Nicks in the order of beginGame."""
    began_us: int
    """When it began, in microseconds since 1970 (UTC)."""
    options: Mapping[str, str] = field(default_factory=dict)
    championship: str = ""
    """The name of the championship it belongs to; empty in open play."""
    fixture: int = 0
    """Its number in the schedule of that championship; 0 in open play."""
    server: str = ""
    """The version of the server."""
    round_trips_us: tuple[int, ...] = ()
    """Network round trip of the master, then of each seat, in microseconds, as measured when the game ended; 0 where
    it is not known, empty for a game that has not ended."""
    entries: tuple[Entry, ...] = ()
    """In the order in which they were accepted. Empty when only the result has been kept."""
    result: GameResult | None = None
    """None while the game runs."""
    seats_total: int = 0
    """How many seats there were with those that the master played; 0 when there were none of those."""
    seed: str = ""
    """What all chance of the game came from; empty when that is not known, and while the game runs."""
    counts: bool = True
    """Whether its result goes into tables and ratings."""
    table: Mapping[str, str] = field(default_factory=dict)
    """For a game at a table that a player had set up: its ``name``, ``owner`` and ``visibility``; else empty."""
