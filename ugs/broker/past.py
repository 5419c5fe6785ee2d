"""What a server remembers of its lives before this one: read from the journal, handed to the new broker."""

from collections.abc import Mapping, Sequence
from dataclasses import field

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
class Past:
    """All of it; the default is a server that has just been invented."""

    tables: Mapping[str, Sequence[Row]] = field(default_factory=dict)
    """Open play: by game type, the lines of everybody who has finished a game."""
    seats: Mapping[str, Mapping[str, Sequence[int]]] = field(default_factory=dict)
    """By game type and nick: how often the first seat, the second, … was had."""
    championships: Sequence[PastChampionship] = ()
    """In the order in which they were announced."""
