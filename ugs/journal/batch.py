"""What is written in one transaction: a batch, and what it is made of.

Numbers are given out by those who collect, so that nothing has to be read back: ``row`` is the id that a game or a
login has, or is going to have, in its table.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

from ugs.broker.effects import RecordBegin, RecordChampionship, RecordLogin, RecordSession, RecordSessionOver
from ugs.broker.verdict import GameResult


class Part(NamedTuple):
    """Framed entries of one game that have come since the last batch."""

    row: int
    entries: list[bytes]


class Begun(NamedTuple):
    """A game has begun."""

    row: int
    effect: RecordBegin
    wall_us: int
    mono_us: int


class Ended(NamedTuple):
    """A game has ended. When its beginning has been lost, ``row`` is the one to give it if it is not there."""

    row: int
    beginning_lost: bool
    result: GameResult
    wall_us: int
    round_trips_us: tuple[int, ...]


class LoggedIn(NamedTuple):
    """Somebody has logged in."""

    row: int
    effect: RecordLogin
    wall_us: int


class LoggedOut(NamedTuple):
    """Somebody who had logged in has gone."""

    row: int
    reason: str
    wall_us: int


class SessionNews(NamedTuple):
    """A session is open, has changed or is over. Written a second time, it changes nothing."""

    effect: RecordSession | RecordSessionOver
    wall_us: int


class Logged(NamedTuple):
    """One more entry in the ledger of a championship; ``data`` is its data as JSON. Written a second time, it is the
    same entry; without ``row`` the table numbers it."""

    row: int | None
    effect: RecordChampionship
    wall_us: int
    data: str


@dataclass(slots=True)
class Batch:
    """Whole steps of the broker, in the order in which they were taken."""

    begun: list[Begun] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)
    ended: list[Ended] = field(default_factory=list)
    logged_in: list[LoggedIn] = field(default_factory=list)
    logged_out: list[LoggedOut] = field(default_factory=list)
    ledger: list[Logged] = field(default_factory=list)
    sessions: list[SessionNews] = field(default_factory=list)

    def __len__(self) -> int:
        """How many things it holds."""
        return sum(map(len, self._lists()))

    def extend(self, later: "Batch") -> None:
        """Add what came after it."""
        for mine, theirs in zip(self._lists(), later._lists(), strict=True):
            mine.extend(theirs)

    def _lists(self) -> tuple[list, ...]:  # type: ignore[type-arg]
        return (self.begun, self.parts, self.ended, self.logged_in, self.logged_out, self.ledger, self.sessions)
