"""Nicks that organisers have forgotten: which of their results no longer count for themselves.

The results stay as they were recorded, and count for the opponents. For the nick, only results after the act count.
"""

from collections.abc import Iterator
from typing import NamedTuple

from ugs.broker.values.questions import ActKind
from ugs.journal.database_contract import Database

FORGOTTEN = """
    SELECT t.name, a.subject, max(a.results_before)
    FROM act AS a CROSS JOIN game_type AS t ON t.id = a.game_type
    WHERE a.kind = ? GROUP BY t.name, a.subject
"""
SEATS = """
    SELECT s.seat, s.outcome, count(*)
    FROM player AS p
    CROSS JOIN seat AS s ON s.player = p.id
    CROSS JOIN game AS g ON g.id = s.game
    CROSS JOIN game_type AS t ON t.id = g.game_type
    CROSS JOIN result AS r ON r.game = g.id
    WHERE p.name = ? AND t.name = ? AND g.championship = '' AND g.counts <> 0 AND r.id <= ?
    GROUP BY s.seat, s.outcome
"""


GAMES = """
    SELECT g.game_id
    FROM player AS p
    CROSS JOIN seat AS s ON s.player = p.id
    CROSS JOIN game AS g ON g.id = s.game
    CROSS JOIN game_type AS t ON t.id = g.game_type
    CROSS JOIN result AS r ON r.game = g.id
    WHERE p.name = ? AND t.name = ? AND r.id <= ?
"""


class ForgottenRow(NamedTuple):
    """The results of ``nick`` in this game type up to the id ``results_before`` do not count for it."""

    game_type: str
    nick: str
    results_before: int


def forgotten(db: Database) -> list[ForgottenRow]:
    """Return all nicks that were ever forgotten, each with the latest act for its game type."""
    return [ForgottenRow(*fields) for fields in db.execute(FORGOTTEN, (ActKind.FORGET,))]


def seats_of(db: Database, one: ForgottenRow) -> Iterator[tuple[int, str, int]]:
    """Yield the games of open play that do not count for a nick: seat, outcome, and how many."""
    yield from db.execute(SEATS, (one.nick, one.game_type, one.results_before))


def games_of(db: Database, one: ForgottenRow) -> frozenset[str]:
    """Return the ids of the games that no longer count for a nick, including those of championships."""
    return frozenset(game_id for (game_id,) in db.execute(GAMES, (one.nick, one.game_type, one.results_before)))
