"""Reading a journal, whether a server is writing it or not."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from ugs.broker.verdict import Cause, GameResult, Outcome, SeatResult, Verdict
from ugs.championship.ledger import Counted, Ledger, LedgerEntry, What
from ugs.journal.reading import GAMES, RESULTS, GameSummary, find_games, game_record, game_summary, read_game
from ugs.journal.schema import DATABASE, JournalError, connect, unusable
from ugs.record.game import GameRecord

MOST_CANDIDATES = 10
"""How many ids are named when the beginning of one fits several."""

LEDGERS = """
    SELECT c.name, t.name, l.wall_us, l.what, l.data, l.who, l.why
    FROM championship_log AS l
    CROSS JOIN championship AS c ON c.id = l.championship
    CROSS JOIN game_type AS t ON t.id = c.game_type
    ORDER BY l.id
"""
LOGINS = """
    SELECT l.who, l.role, t.name, l.address, l.version, l.players, l.began_us, l.ended_us, l.reason
    FROM login AS l CROSS JOIN game_type AS t ON t.id = l.game_type
    WHERE l.who = ? ORDER BY l.id
"""


@dataclass(frozen=True, slots=True)
class LoggedEntry:
    """An entry in the ledger of a championship and when it was made, in microseconds since 1970 (UTC)."""

    wall_us: int
    entry: LedgerEntry


@dataclass(frozen=True, slots=True)
class Championship:
    """A championship and all that has happened in it."""

    name: str
    game_type: str
    state: str
    """``announced``, ``running``, ``paused`` or ``over``."""
    ledger: tuple[LoggedEntry, ...]

    def sum(self) -> Ledger:
        """What counts now."""
        return Ledger(logged.entry for logged in self.ledger)

    @property
    def began_us(self) -> int | None:
        """When its field was fixed, in microseconds since 1970 (UTC); None before."""
        return self._first(What.BEGUN)

    @property
    def ended_us(self) -> int | None:
        """When it was over, likewise."""
        return self._first(What.OVER)

    def _first(self, what: What) -> int | None:
        return next((logged.wall_us for logged in self.ledger if logged.entry.what is what), None)


@dataclass(frozen=True, slots=True)
class Login:
    """A player or a master that was there. Times in microseconds since 1970 (UTC)."""

    name: str
    role: str
    """``player`` or ``master``."""
    game_type: str
    address: str
    version: str
    players: str
    began_us: int
    ended_us: int | None
    """None while it is there."""
    reason: str | None
    """Why it is gone, for people to read."""


@dataclass(frozen=True, slots=True)
class Run:
    """One life of the server. Times in microseconds since 1970 (UTC)."""

    version: str
    pid: int
    began_us: int
    ended_us: int | None
    """None while it lives (or when it was lost and has not been started again)."""
    in_order: bool
    """Whether it ended as it should."""
    losses: int
    """How often it could not write."""


class Reader:
    """A journal that is only read; a context manager. Every method raises :class:`JournalError` when it is damaged."""

    def __init__(self, directory: Path) -> None:
        """Open the journal of a data directory. Raises :class:`JournalError` when there is none that can be read."""
        self._path = directory / DATABASE
        self._db = connect(directory, readonly=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the files."""
        self._db.close()

    def games(
        self,
        *,
        game_type: str | None = None,
        nick: str | None = None,
        championship: str | None = None,
        limit: int | None = None,
        newest_first: bool = True,
    ) -> Iterator[GameSummary]:
        """Games in the order in which they began: of this type, with this player, of this championship (empty: open
        play), at most so many."""
        conditions: list[str] = []
        values: list[str | int] = []
        if game_type is not None:
            conditions.append("g.game_type = (SELECT id FROM game_type WHERE name = ?)")
            values.append(game_type)
        if nick is not None:
            conditions.append("g.id IN (SELECT game FROM seat WHERE player = (SELECT id FROM player WHERE name = ?))")
            values.append(nick)
        if championship is not None:
            conditions.append("g.championship = ?")
            values.append(championship)
        where = f"WHERE {' AND '.join(conditions)}" if conditions else ""
        values.append(-1 if limit is None else limit)
        query = f"{GAMES} {where} ORDER BY g.id {'DESC' if newest_first else 'ASC'} LIMIT ?"
        with self._reading():
            for fields in self._db.execute(query, values):
                yield game_summary(self._db, read_game(fields))

    def record(self, game_id: str) -> GameRecord:
        """A game and what happened in it, of a running one as far as it is written. The beginning of an id will do
        where no other id begins so. Raises :class:`JournalError` when there is no such game, or more than one."""
        with self._reading():
            self._db.execute("BEGIN")  # one view of all tables, whatever is written meanwhile
            try:
                found = find_games(self._db, game_id, MOST_CANDIDATES + 1)
                if len(found) == 1:
                    return game_record(self._db, found[0])
            finally:
                self._db.execute("ROLLBACK")
        if not found:
            raise JournalError(f"game {game_id!r}: there is no such game in the journal")
        names = [game.game_id for game in found[:MOST_CANDIDATES]] + ["…"] * (len(found) > MOST_CANDIDATES)
        raise JournalError(f"game {game_id!r}: several games begin so: {', '.join(names)}")

    def results(self, *, game_type: str | None = None, championship: str | None = None) -> Iterator[GameResult]:
        """Results in the order in which they were recorded, void ones included: of open play without the games that do
        not go into tables, or of a championship what counts in it (a game that was forfeited has no id). Raises
        :class:`JournalError` for an unknown championship."""
        if championship is None:
            return self._open_play(game_type)
        known = self.championships()
        found = next((entry for entry in known if entry.name == championship), None)
        if found is None:
            names = ", ".join(entry.name for entry in known) or "none"
            raise JournalError(f"championship {championship!r}: unknown; the journal knows {names}")
        if game_type not in (None, found.game_type):
            return iter(())
        return self._counted(found)

    def championships(self) -> list[Championship]:
        """All championships in the order in which they were announced."""
        ledgers: dict[str, tuple[str, list[LoggedEntry]]] = {}
        with self._reading():
            for name, game_type, wall_us, what, data, who, why in self._db.execute(LEDGERS):
                entry = LedgerEntry(What(what), json.loads(data), who, why)
                ledgers.setdefault(name, (game_type, []))[1].append(LoggedEntry(wall_us, entry))
            return [
                Championship(name, game_type, Ledger(logged.entry for logged in ledger).state, tuple(ledger))
                for name, (game_type, ledger) in ledgers.items()
            ]

    def logins(self, name: str) -> list[Login]:
        """When this nick or master was there, oldest first."""
        with self._reading():
            return [Login(*fields) for fields in self._db.execute(LOGINS, (name,))]

    def runs(self) -> list[Run]:
        """The lives of the server, oldest first."""
        query = "SELECT version, pid, began_us, ended_us, in_order, losses FROM run ORDER BY id"
        with self._reading():
            return [
                Run(version, pid, began_us, ended_us, bool(in_order), losses)
                for version, pid, began_us, ended_us, in_order, losses in self._db.execute(query)
            ]

    def game_types(self) -> list[str]:
        """The game types of which there is a game, by name."""
        query = "SELECT name FROM game_type WHERE id IN (SELECT DISTINCT game_type FROM game) ORDER BY name"
        with self._reading():
            return [name for (name,) in self._db.execute(query)]

    def _open_play(self, game_type: str | None) -> Iterator[GameResult]:
        query = f"{RESULTS} WHERE g.championship = '' AND g.counts AND (?1 IS NULL OR t.name = ?1) ORDER BY r.id"
        with self._reading():
            for fields in self._db.execute(query, (game_type,)):
                result = read_game(fields).result
                assert result is not None
                yield result

    def _counted(self, championship: Championship) -> Iterator[GameResult]:
        ledger = championship.sum()
        query = f"{RESULTS} WHERE g.championship = ?"
        with self._reading():
            games = {
                game.game_id: game.result for game in map(read_game, self._db.execute(query, (championship.name,)))
            }
        for counted in ledger.standing():
            yield games.get(counted.game_id) or _as_counted(championship, ledger, counted)

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Tell people what it means when the database or what is in it cannot be read."""
        try:
            yield
        except sqlite3.Error as error:
            raise JournalError(unusable(self._path, error)) from error
        except ValueError as error:
            raise JournalError(f"{self._path}: damaged: {error}") from error


def _as_counted(championship: Championship, ledger: Ledger, counted: Counted) -> GameResult:
    """The result of a fixture for which there was no game: the ledger alone tells it."""
    gone = next((nick for nick in counted.outcomes if nick in ledger.gone), None)
    return GameResult(
        counted.game_id,
        championship.game_type,
        "",
        tuple(SeatResult(nick, Outcome(outcome)) for nick, outcome in counted.outcomes.items()),
        Verdict(Cause.FORFEIT, gone),
        0,
        0.0,
        0.0,
        championship.name,
        counted.fixture,
    )
