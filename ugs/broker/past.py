"""What a server knows of its earlier lives: read from the journal, passed to the new broker."""

from collections.abc import Mapping, Sequence
from dataclasses import field, replace

from ugs.broker.effects import RecordBegin, RecordEntry, RecordSession
from ugs.broker.values.access import AccessRule
from ugs.broker.values.standings import MAX_TYPES, Row, fair_share
from ugs.championship.ledger import LedgerEntry
from ugs.value import value


def kept(standings: Mapping[str, Sequence[Row]], most: int) -> dict[str, list[Row]]:
    """Return the rows that a server keeps: at most ``most`` for all game types together, and at most MAX_TYPES types.
    The longest standings lose rows first, those with the fewest games."""
    longest = sorted(standings, key=lambda name: len(standings[name]), reverse=True)[:MAX_TYPES]
    chosen = frozenset(longest)
    share = fair_share([len(standings[name]) for name in longest], most)
    # Those with the fewest games go: a row of one game is quickly made by anyone, one of a hundred is not.
    return {
        name: list(rows) if len(rows) <= share else sorted(rows, key=lambda row: row.played)[len(rows) - share :]
        for name, rows in standings.items()
        if name in chosen
    }


@value
class PastChampionship:
    """A championship with all entries of its ledger, in order."""

    name: str
    game_type: str
    ledger: Sequence[LedgerEntry]


@value
class PastGame:
    """A game that ran when the server was killed, and that can go on: all players who are still in it have sessions,
    and another master can take it over."""

    begin: RecordBegin
    began_s_ago: float
    """How many seconds before the start of this server the game began."""
    entries: Sequence[tuple[float, RecordEntry]]
    """Its record so far, in order; each entry with the seconds since the begin of the game."""


@value
class Past:
    """All that is known; the default is a server without earlier lives."""

    standings: Mapping[str, Sequence[Row]] = field(default_factory=dict)
    """Of open play: by game type, the rows of all players who have finished a game, in any order."""
    seats: Mapping[str, Mapping[str, Mapping[int, int]]] = field(default_factory=dict)
    """By game type and nick: how often the player had each seat, numbered from 0."""
    championships: Sequence[PastChampionship] = ()
    """Ordered by when they were announced."""
    sessions: Sequence[RecordSession] = ()
    """The sessions of players who may come back, in the order of their logins."""
    games: Sequence[PastGame] = ()
    """Running games, ordered by when they began. The new broker goes on with each or gives it a result."""
    bans: Sequence[AccessRule] = ()
    paused: Mapping[str, str] = field(default_factory=dict)
    """The game types that organisers have paused, and why."""

    def aged(self, seconds: float) -> "Past":
        """Return what it is ``seconds`` later: who has a nick has had it for longer."""
        sessions = tuple([replace(one, held_s=one.held_s + seconds) for one in self.sessions])
        return replace(self, sessions=sessions)
