"""What is written in one transaction: a batch and its parts.

The step collector assigns the row ids, so nothing has to be read back: ``row`` is the id that a game or a login has, or
will have, in its SQL table.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

from ugs.broker.effects import RecordAct, RecordBegin, RecordChampionship, RecordLogin, RecordSession, RecordSessionOver
from ugs.broker.verdict import GameResult


class EntriesPart(NamedTuple):
    """Framed entries of one game that were recorded since the last batch."""

    row: int
    entries: list[bytes]


class BegunGame(NamedTuple):
    """A game has begun."""

    row: int
    effect: RecordBegin
    wall_us: int
    mono_us: int


class EndedGame(NamedTuple):
    """A game has ended. If its beginning was lost and it is not in the database, it gets the id ``row``."""

    row: int
    beginning_lost: bool
    result: GameResult
    wall_us: int
    round_trips_us: tuple[int, ...]


class LoggedIn(NamedTuple):
    """A player or a master has logged in."""

    row: int
    effect: RecordLogin
    wall_us: int


class LoggedOut(NamedTuple):
    """A player or a master that had logged in has gone."""

    row: int
    reason: str
    wall_us: int


class SessionChange(NamedTuple):
    """A session is open, has changed or is over. Writing it twice has the effect of writing it once."""

    effect: RecordSession | RecordSessionOver
    wall_us: int


class LedgerAddition(NamedTuple):
    """A new entry in the ledger of a championship; ``data`` is its data as JSON. Writing it twice adds it once; without
    ``row`` it gets the next id."""

    row: int | None
    effect: RecordChampionship
    wall_us: int
    data: str


class Acted(NamedTuple):
    """An organiser has done something. Earlier results of its subject are already on disk, never in the same batch.
    Acts have no ``row``: the time identifies an act that is written twice."""

    effect: RecordAct
    wall_us: int


@dataclass(slots=True)
class Batch:
    """Complete steps of the broker, in the order of recording."""

    begun: list[BegunGame] = field(default_factory=list)
    parts: list[EntriesPart] = field(default_factory=list)
    ended: list[EndedGame] = field(default_factory=list)
    logged_in: list[LoggedIn] = field(default_factory=list)
    logged_out: list[LoggedOut] = field(default_factory=list)
    ledger: list[LedgerAddition] = field(default_factory=list)
    sessions: list[SessionChange] = field(default_factory=list)
    acts: list[Acted] = field(default_factory=list)

    def __len__(self) -> int:
        """The number of items in it."""
        return sum(map(len, self._lists()))

    def extend(self, later: "Batch") -> None:
        """Append a later batch."""
        for mine, theirs in zip(self._lists(), later._lists(), strict=True):
            mine.extend(theirs)

    def after_loss(self, *, announced: bool) -> "Batch":
        """Return the part that is kept while nothing can be written: ledgers, sessions, acts and void results; also all
        results and logins, if the broker knew of the loss when it recorded them."""
        return Batch(
            # Its beginning was dropped with the rest; the result has all that is needed to write the game.
            ended=[
                ended._replace(beginning_lost=True) for ended in self.ended if announced or ended.result.verdict.void
            ],
            logged_in=self.logged_in if announced else [],
            logged_out=self.logged_out if announced else [],
            ledger=self.ledger,
            sessions=self.sessions,
            acts=self.acts,
        )

    def shorten(self, room: int) -> None:
        """Keep at most ``room`` items. Sessions are dropped last: an expired token must not become valid again."""
        for items in reversed(self._lists()):
            del items[max(0, room) :]
            room -= len(items)

    def _lists(self) -> tuple[list, ...]:  # type: ignore[type-arg]
        return (
            self.begun,
            self.parts,
            self.ended,
            self.logged_in,
            self.logged_out,
            self.ledger,
            self.acts,
            self.sessions,
        )
