"""What a new broker gets about earlier lives of the server, read from the database."""

import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import itemgetter

from ugs.broker.effects import RecordSession
from ugs.broker.past import Past, PastChampionship, kept
from ugs.broker.values.standings import Row
from ugs.broker.verdict import Outcome
from ugs.championship.ledger import LedgerEntry, What
from ugs.journal.acts import holding
from ugs.journal.continuing_games import UnfinishedGame
from ugs.journal.database_contract import Database
from ugs.journal.forgotten import ForgottenRow, forgotten, seats_of
from ugs.record.times import MICRO

# CROSS JOIN keeps the written order of the joins: lookups by row id, no sorting of the joined rows.
OPEN_PLAY = """
    SELECT t.name, p.name, c.seat, c.outcome, c.times
    FROM (
        SELECT g.game_type, s.player, s.seat, s.outcome, count(*) AS times
        FROM seat AS s CROSS JOIN game AS g ON g.id = s.game
        WHERE g.championship = '' AND g.counts <> 0
        GROUP BY g.game_type, s.player, s.seat, s.outcome
    ) AS c
    CROSS JOIN game_type AS t ON t.id = c.game_type
    CROSS JOIN player AS p ON p.id = c.player
    ORDER BY c.game_type, c.player
"""
LEDGERS = """
    SELECT c.name, t.name, l.what, l.data, l.who, l.why
    FROM championship_log AS l
    CROSS JOIN championship AS c ON c.id = l.championship
    CROSS JOIN game_type AS t ON t.id = c.game_type
    ORDER BY l.id
"""
SESSIONS = """
    SELECT s.session, s.digest, s.nick, t.name, s.families, s.pooled, s.began_us
    FROM session AS s CROSS JOIN game_type AS t ON t.id = s.game_type
    ORDER BY s.id
"""


class StandingsRows:
    """The standings of open play while they are read, with at most twice as many rows as wanted."""

    def __init__(self, most: int) -> None:
        self.standings: dict[str, dict[str, Row]] = defaultdict(dict)
        self.seats: dict[str, dict[str, dict[int, int]]] = defaultdict(dict)
        self._most = most
        self._added = 0
        """Players added since the last cut."""

    def add(self, game_type: str, nick: str, had: Iterable[tuple[int, str | None, int]]) -> None:
        """Add all seats that a player has had: seat, outcome, and how many times."""
        row, seats = Row(nick), self.seats[game_type].setdefault(nick, {})
        for seat, outcome, times in had:
            seats[seat] = seats.get(seat, 0) + times
            _credit(row, outcome, times)
        if row.played:
            self.standings[game_type][nick] = row
        self._added += 1
        # While they are read: nicks that played one game each would fill the memory (attack `fresh-names`).
        if self._added > self._most:
            self.cut()

    def forget(self, one: ForgottenRow, had: Iterable[tuple[int, str | None, int]]) -> None:
        """Subtract results that do not count for their player."""
        row, seats = self.standings[one.game_type].get(one.nick), self.seats[one.game_type].get(one.nick)
        for seat, outcome, times in had:
            if seats is not None:
                seats[seat] -= times
            if row is not None:
                _credit(row, outcome, -times)
        if row is not None and not row.played:
            del self.standings[one.game_type][one.nick]
        if seats is not None and not any(seats.values()):
            del self.seats[one.game_type][one.nick]

    def cut(self) -> None:
        """Keep no more rows than a server does, and the seats of the same number of players: of all, or of those with
        rows."""
        self._added = 0
        if sum(map(len, self.seats.values())) <= self._most:
            return
        rows = kept({game_type: list(of.values()) for game_type, of in self.standings.items()}, self._most)
        self.standings = defaultdict(dict, {name: {row.nick: row for row in of} for name, of in rows.items()})
        self.seats = defaultdict(
            dict, {name: {row.nick: self.seats[name][row.nick] for row in of} for name, of in rows.items()}
        )


def _credit(row: Row, outcome: str | None, times: int) -> None:
    """Add an outcome ``times`` times; void games and games without an outcome add nothing."""
    if outcome is not None and outcome != Outcome.VOID:
        setattr(row, outcome, getattr(row, outcome) + times)


def read_past(
    db: Database, unfinished: Sequence[UnfinishedGame] = (), now_us: int = 0, most_rows: int = sys.maxsize
) -> Past:
    """Return everything that a new broker must know.

    ``unfinished`` are the games without a result that continue; all others have been closed before. They do not count
    for standings, but their seats count as played. ``now_us`` is the time in microseconds since 1970. From standings
    with more than ``most_rows``, only the rows that a server keeps are read.
    """
    rows = StandingsRows(most_rows)
    for (game_type, nick), times in groupby(db.execute(OPEN_PLAY), key=itemgetter(0, 1)):
        rows.add(game_type, nick, [tuple(one[2:]) for one in times])
    # Subtracted afterwards: results since the act still count for the nick.
    for one in forgotten(db):
        rows.forget(one, seats_of(db, one))
    rows.cut()
    bans, paused = holding(db, now_us)
    championships: dict[str, tuple[str, list[LedgerEntry]]] = {}
    for name, game_type, what, data, who, why in db.execute(LEDGERS):
        championships.setdefault(name, (game_type, []))[1].append(LedgerEntry(What(what), json.loads(data), who, why))
    return Past(
        {game_type: list(of.values()) for game_type, of in rows.standings.items() if of},
        {game_type: dict(nicks) for game_type, nicks in rows.seats.items() if nicks},
        [PastChampionship(name, game_type, ledger) for name, (game_type, ledger) in championships.items()],
        tuple(
            RecordSession(session, digest, nick, game_type, tuple(json.loads(families)), bool(pooled), held_s)
            for session, digest, nick, game_type, families, pooled, began_us in db.execute(SESSIONS)
            for held_s in [max(0, now_us - began_us) / MICRO]
        ),
        tuple(game.past(now_us) for game in unfinished),
        tuple(bans),
        paused,
    )
