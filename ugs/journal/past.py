"""What a new broker is told about earlier lives of the server, read from the database."""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Sequence

from ugs.broker.effects import RecordSession
from ugs.broker.past import Past, PastChampionship
from ugs.broker.standings import Row
from ugs.broker.verdict import Outcome
from ugs.championship.ledger import LedgerEntry, What
from ugs.journal.acts import holding
from ugs.journal.forgotten import forgotten, seats_of
from ugs.journal.unfinished import UnfinishedGame
from ugs.record.times import MICRO

# CROSS JOIN keeps the written order of the joins: lookups by row id, no sorting of the joined rows.
OPEN_PLAY = """
    SELECT t.name, p.name, c.seat, c.outcome, c.times
    FROM (
        SELECT g.game_type, s.player, s.seat, s.outcome, count(*) AS times
        FROM seat AS s CROSS JOIN game AS g ON g.id = s.game
        WHERE g.championship = '' AND g.counts
        GROUP BY g.game_type, s.player, s.seat, s.outcome
    ) AS c
    CROSS JOIN game_type AS t ON t.id = c.game_type
    CROSS JOIN player AS p ON p.id = c.player
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


def read_past(db: sqlite3.Connection, unfinished: Sequence[UnfinishedGame] = (), now_us: int = 0) -> Past:
    """Everything that a new broker must know.

    ``unfinished`` are the games without a result that continue; all others have been closed before. They do not count
    for standings, but their seats count as had. ``now_us`` is the time in microseconds since 1970.
    """
    standings: dict[str, dict[str, Row]] = defaultdict(dict)
    seats: dict[str, dict[str, dict[int, int]]] = defaultdict(dict)
    for game_type, nick, seat, outcome, times in db.execute(OPEN_PLAY):
        had = seats[game_type].setdefault(nick, {})
        had[seat] = had.get(seat, 0) + times
        if outcome is not None and outcome != Outcome.VOID:
            row = standings[game_type].setdefault(nick, Row(nick))
            setattr(row, outcome, getattr(row, outcome) + times)
    for one in forgotten(db):
        for seat, outcome, times in seats_of(db, one):
            seats[one.game_type][one.nick][seat] -= times
            if outcome != Outcome.VOID:
                row = standings[one.game_type][one.nick]
                setattr(row, outcome, getattr(row, outcome) - times)
        left = standings[one.game_type].get(one.nick)
        if left is not None and not left.played:
            del standings[one.game_type][one.nick]
        if not any(seats[one.game_type].get(one.nick, {}).values()):
            seats[one.game_type].pop(one.nick, None)
    bans, paused = holding(db, now_us)
    championships: dict[str, tuple[str, list[LedgerEntry]]] = {}
    for name, game_type, what, data, who, why in db.execute(LEDGERS):
        championships.setdefault(name, (game_type, []))[1].append(LedgerEntry(What(what), json.loads(data), who, why))
    return Past(
        {game_type: list(rows.values()) for game_type, rows in standings.items() if rows},
        {game_type: dict(nicks) for game_type, nicks in seats.items() if nicks},
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
