"""What a server remembers of its lives before this one: read from the journal, handed to the new broker."""

from collections.abc import Mapping, Sequence
from dataclasses import field

from ugs.broker.effects import RecordBegin, RecordEntry, RecordSession
from ugs.broker.standings import Row
from ugs.championship.ledger import LedgerEntry
from ugs.value import value


@value
class PastChampionship:
    """A championship and all that has happened in it so far."""

    name: str
    game_type: str
    ledger: Sequence[LedgerEntry]


@value
class PastGame:
    """A game that the server was lost in and that may go on: all who are still in it have sessions, and it can be
    handed to another master."""

    begin: RecordBegin
    began_s_ago: float
    entries: Sequence[tuple[float, RecordEntry]]
    """What has happened in it, in order, each with the seconds since the begin of the game."""


@value
class Past:
    """All of it; the default is a server that has just been invented."""

    tables: Mapping[str, Sequence[Row]] = field(default_factory=dict)
    """Open play: by game type, the lines of everybody who has finished a game."""
    seats: Mapping[str, Mapping[str, Sequence[int]]] = field(default_factory=dict)
    """By game type and nick: how often the first seat, the second, … was had."""
    championships: Sequence[PastChampionship] = ()
    """In the order in which they were announced."""
    sessions: Sequence[RecordSession] = ()
    """Of players who may come back, in the order of their logins."""
    games: Sequence[PastGame] = ()
    """In the order in which they began. The new broker goes on with them or gives each a result."""
