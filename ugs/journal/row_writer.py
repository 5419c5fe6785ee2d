"""Writes rows: many per statement, and names as numbers."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from ugs.broker.effects import RecordBegin, RecordSession
from ugs.broker.values.questions import ActKind
from ugs.broker.verdict import GameResult
from ugs.journal.acts import erase_address, written_subject
from ugs.journal.batch import Acted, Batch, BegunGame, EndedGame, LedgerAddition, LoggedIn, SessionChange
from ugs.journal.checksums import Cell, part_checksum, row_checksum
from ugs.journal.database_contract import MAX_AT_ONCE, Database
from ugs.journal.entries import write_entries
from ugs.journal.packing import pack
from ugs.record.game import Entry
from ugs.record.times import MICRO

Key = TypeVar("Key", int, str)

MAX_NAMES = 50_000
"""At most this many ids of names are remembered per kind."""


class Insert:
    """Inserts rows into an SQL table, with their checksums.

    A row has the cells of :data:`ugs.journal.checksums.CHECKED`. ``known`` and ``target`` decide about rows that
    already exist: see :meth:`ugs.journal.database_contract.Database.insert`.
    """

    def __init__(self, table: str, known: str = "", target: str = "") -> None:
        self._table = table
        self._known = known
        self._target = target

    def write(self, db: Database, rows: Sequence[Sequence[Cell]]) -> None:
        """Write the rows in their order."""
        if rows:
            sealed = [(*row, row_checksum(self._table, row)) for row in rows]
            db.insert(self._table, sealed, self._known, self._target)


GAME = Insert("game")
SEAT = Insert("seat")
OUTCOME = Insert(
    "seat",
    "DO UPDATE SET player = excluded.player, outcome = excluded.outcome, departure = excluded.departure, "
    "crc = excluded.crc",
    "game, seat",
)
REFUSED = Insert("refused", "DO UPDATE SET times = excluded.times, crc = excluded.crc", "game, seat")
# A commit may report failure although it was carried out; the rows then exist when they are written again. Logins and
# ledger entries are unchanged; for results and sessions the broker's latest value counts.
RESULT = Insert(
    "result",
    "DO UPDATE SET cause = excluded.cause, culprit = excluded.culprit, "
    "by_server = excluded.by_server, void = excluded.void, moves = excluded.moves, began_s = excluded.began_s, "
    "ended_s = excluded.ended_s, ended_us = excluded.ended_us, round_trips_us = excluded.round_trips_us, "
    "crc = excluded.crc",
    "game",
)
LOGIN = Insert("login", "DO NOTHING")
LEDGER = Insert("championship_log", "DO NOTHING")
# A session keeps its place in the order; began_us is when its player logged in.
SESSION = Insert(
    "session",
    "DO UPDATE SET digest = excluded.digest, nick = excluded.nick, "
    "game_type = excluded.game_type, families = excluded.families, pooled = excluded.pooled, "
    "began_us = excluded.began_us, crc = excluded.crc",
    "session",
)
NAMES = {table: Insert(table) for table in ("game_type", "player", "master")}
CHAMPIONSHIP = Insert("championship")

ACT = Insert("act")
ACT_WRITTEN = "SELECT 1 FROM act WHERE wall_us = ? AND kind = ? AND subject = ? AND game_type = ?"

TABLES = (
    "act",
    "run",
    "login",
    "game",
    "result",
    "seat",
    "refused",
    "part",
    "packed",
    "championship",
    "championship_log",
    "session",
)


class RowWriter:
    """Writes through one connection for one run of the server (``run``; None for an import).

    The caller begins and ends transactions. After a rollback this object must not be used again, because it may
    remember ids of names that are not in the database.
    """

    def __init__(self, db: Database, run: int | None, server: str) -> None:
        self._db = db
        self._run = run
        self._server = server
        self._names: dict[str, dict[str, int]] = {table: {} for table in NAMES}
        self._following: dict[str, int] = {}
        """The next id in tables that only this object adds rows to."""
        self._first = True
        """Whether the batch before this object was made may be on disk, and come again."""

    def check(self) -> None:
        """Raise an error of the database if an SQL table is missing that another batch would need."""
        for table in TABLES:
            self._db.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone()

    def write(self, batch: Batch) -> None:
        """Write a whole batch. Acts come before results, since they apply only to results already on disk.

        What is looked up comes first, so that rows can be inserted together.
        """
        if batch.acts:
            self._act(batch.acts)
        if batch.logged_in:
            self._log_in(batch.logged_in)
        if batch.logged_out:
            self._db.executemany("UPDATE login SET ended_us = ?3, reason = ?2 WHERE id = ?1", batch.logged_out)
            rows = json.dumps([out.row for out in batch.logged_out])
            self._db.seal("login", "WHERE id IN (SELECT value FROM json_each(?))", (rows,))
        for effect, _ in batch.acts:
            if effect.kind == ActKind.FORGET_ADDRESS:
                erase_address(self._db, effect.subject)
        ids = self._result_ids(batch.ended, batch.begun)
        if batch.begun:
            self._begin(batch.begun)
        if batch.parts:
            self.parts((part.row, b"".join(part.entries)) for part in batch.parts)  # not all joined at once
        if batch.ended:
            self._end(batch.ended, ids)
        if batch.ledger:
            self._log(batch.ledger)
        if batch.sessions:
            self._keep_sessions(batch.sessions)
        self._first = False

    def parts(self, parts: Iterable[tuple[int, bytes]]) -> None:
        """Write framed entries: pairs of a game's row id and bytes."""
        self._following["part"] = write_bodies(self._db, "part", parts, self._next("part"))

    def game(self, row: int, began: RecordBegin, wall_us: int, mono_us: int, server: str | None = None) -> None:
        """Write one game without a result; ``server`` is the version of the server that it was played on, if another
        one."""
        self._begin([BegunGame(row, began, wall_us, mono_us)], server)

    def result(self, row: int, result: GameResult, wall_us: int, round_trips_us: Sequence[int]) -> None:
        """Write the result of one game that is in the database."""
        ended = [EndedGame(row, False, result, wall_us, tuple(round_trips_us))]
        self._end(ended, self._result_ids(ended))

    def entries(self, row: int, entries: Sequence[Entry]) -> None:
        """Write all entries of a game with a result, packed."""
        try:
            bodies = [(row, piece) for piece in pack(entries, bz2_to=0)]
        except OverflowError:
            self.parts([(row, write_entries(entries))])
        else:
            write_bodies(self._db, "packed", bodies, next_id(self._db, "packed"))
        self._db.execute("UPDATE result SET entries = 2 WHERE game = ?", (row,))

    def _begin(self, begun: Iterable[BegunGame], server: str | None = None) -> None:
        games: list[tuple[Cell, ...]] = []
        seats: list[tuple[Cell, ...]] = []
        for row, game, wall_us, mono_us in begun:
            games.append(
                (
                    row,
                    game.game_id,
                    self._number("game_type", game.game_type),
                    self._number("master", game.master),
                    self._run,
                    self._server if server is None else server,
                    wall_us,
                    mono_us,
                    _json_object(game.options),
                    game.championship,
                    game.fixture,
                    int(game.counts),
                    game.seats_total,
                    game.seed,
                    _json_object(game.table),
                    len(game.seats),
                )
            )
            seats.extend((row, seat, self._number("player", nick), None, None) for seat, nick in enumerate(game.seats))
        GAME.write(self._db, games)
        SEAT.write(self._db, seats)

    def _result_ids(self, ended: Sequence[EndedGame], begun: Sequence[BegunGame] = ()) -> list[tuple[int, int]]:
        """Return the row ids of each result and its game. A game whose beginning was lost is added if it is missing,
        and is not among those that have ``begun``."""
        if not ended:
            return []
        if not self._first and not any(one.beginning_lost for one in ended):
            # The usual case: each is the first of its game, so nothing has to be looked up.
            following = self._next("result")
            self._following["result"] = following + len(ended)
            return [(following + at, entry.row) for at, entry in enumerate(ended)]
        # A second result of a game that begins in the same batch: its row is not there yet.
        known = {game.effect.game_id: game.row for game in begun} if any(one.beginning_lost for one in ended) else {}
        rows = [
            known.get(entry.result.game_id) or self._row_of_lost(entry) if entry.beginning_lost else entry.row
            for entry in ended
        ]
        ids = self._ids("result", "game", rows)
        return [(ids[row], row) for row in rows]

    def _end(self, ended: Sequence[EndedGame], ids: Sequence[tuple[int, int]]) -> None:
        results: list[tuple[Cell, ...]] = []
        seats: list[tuple[Cell, ...]] = []
        refused: list[tuple[Cell, ...]] = []
        for (number, row), entry in zip(ids, ended, strict=True):
            result, verdict = entry.result, entry.result.verdict
            results.append(
                (
                    number,
                    row,
                    verdict.cause.value,
                    verdict.culprit,
                    int(verdict.by_server),
                    int(verdict.void),
                    result.moves,
                    repr(result.began_at),
                    repr(result.ended_at),
                    entry.wall_us,
                    json.dumps(entry.round_trips_us) if entry.round_trips_us else "[]",
                )
            )
            for seat, at in enumerate(result.seats):
                departure = None if at.departure is None else at.departure.value
                seats.append((row, seat, self._number("player", at.nick), at.outcome.value, departure))
                if at.refused:
                    refused.append((row, seat, at.refused))
        RESULT.write(self._db, results)
        OUTCOME.write(self._db, seats)
        REFUSED.write(self._db, refused)

    def _row_of_lost(self, ended: EndedGame) -> int:
        """The row id of a game whose beginning was lost. If it is not in the database, it is written from the
        result."""
        result = ended.result
        found = self._db.execute("SELECT id FROM game WHERE game_id = ?", (result.game_id,)).fetchone()
        if found is not None:
            row: int = found[0]
            return row
        began_us = ended.wall_us - round((result.ended_at - result.began_at) * 1_000_000)
        nicks = tuple(at.nick for at in result.seats)
        began = RecordBegin(
            result.game_id, result.game_type, result.master, nicks, {}, result.championship, result.fixture
        )
        self.game(ended.row, began, began_us, round(result.began_at * 1_000_000))
        return ended.row

    def _act(self, acts: Iterable[Acted]) -> None:
        for effect, wall_us in acts:
            subject = written_subject(effect, wall_us)
            act = (wall_us, effect.kind, subject, self._number("game_type", effect.game_type))
            if self._db.execute(ACT_WRITTEN, act).fetchone() is None:
                row, results_before = self._next("act"), self._next("result") - 1
                ACT.write(self._db, [(row, *act, effect.who, effect.why, results_before)])

    def _log_in(self, logins: Iterable[LoggedIn]) -> None:
        LOGIN.write(
            self._db,
            [
                (
                    row,
                    self._run,
                    login.role,
                    login.name,
                    self._number("game_type", login.game_type),
                    login.address,
                    login.version,
                    login.players,
                    wall_us,
                    None,
                    None,
                )
                for row, login, wall_us in logins
            ],
        )

    def _log(self, ledger: Iterable[LedgerAddition]) -> None:
        rows: list[tuple[Cell, ...]] = []
        following = self._next("championship_log")
        for row, effect, wall_us, data in ledger:
            if row is None:
                row, following = following, following + 1
            entry = effect.entry
            championship = self._championship(effect.name, effect.game_type)
            rows.append((row, championship, wall_us, entry.what.value, entry.who, entry.why, data))
        LEDGER.write(self._db, rows)

    def _keep_sessions(self, sessions: Iterable[SessionChange]) -> None:
        """Write the last state of each session."""
        rows: dict[str, tuple[Cell, ...]] = {}
        over: list[tuple[str]] = []
        for effect, wall_us in sessions:
            if not isinstance(effect, RecordSession):
                rows.pop(effect.session, None)
                over.append((effect.session,))
                continue
            rows[effect.session] = (
                effect.session,
                effect.digest,
                effect.nick,
                self._number("game_type", effect.game_type),
                json.dumps(effect.families),
                int(effect.pooled),
                wall_us - round(effect.held_s * MICRO),
            )
        self._db.executemany("DELETE FROM session WHERE session = ?", over)
        ids = self._ids("session", "session", list(rows))
        SESSION.write(self._db, [(ids[session], *row) for session, row in rows.items()])

    def _championship(self, name: str, game_type: str) -> int:
        found = self._db.execute("SELECT id FROM championship WHERE name = ?", (name,)).fetchone()
        if found is not None:
            row: int = found[0]
            return row
        row = self._next("championship")
        CHAMPIONSHIP.write(self._db, [(row, name, self._number("game_type", game_type))])
        return row

    def _number(self, table: str, name: str) -> int:
        """The id of a name in ``table``, one of the SQL tables of names; a new name is inserted."""
        known = self._names[table]
        number = known.get(name)
        if number is not None:
            return number
        if len(known) >= MAX_NAMES:
            known.clear()
        found = self._db.execute(f"SELECT id FROM {table} WHERE name = ?", (name,)).fetchone()
        if found is None:
            number = self._next(table)
            NAMES[table].write(self._db, [(number, name)])
        else:
            number = found[0]
        assert isinstance(number, int)
        known[name] = number
        return number

    def _ids(self, table: str, column: str, keys: Sequence[Key]) -> dict[Key, int]:
        """Return for each key the id of the row with it in ``column``, or of a new row."""
        query = f"SELECT {column}, id FROM {table} WHERE {column} IN (SELECT value FROM json_each(?))"
        ids: dict[Key, int] = dict(self._db.execute(query, (json.dumps(keys),)))
        following = self._next(table)
        for key in keys:
            if key not in ids:
                ids[key], following = following, following + 1
        self._following[table] = following
        return ids

    def _next(self, table: str) -> int:
        following = self._following.get(table)
        return next_id(self._db, table) if following is None else following


def write_bodies(db: Database, table: str, bodies: Iterable[tuple[int, bytes]], first: int) -> int:
    """Append rows to the table ``part`` or ``packed``: pairs of a game's id and bytes. Their ids begin with ``first``;
    returns the next one."""
    rows: list[tuple[int, int, bytes, int]] = []
    size = 0
    row = first
    for game, body in bodies:
        if size and size + len(body) > MAX_AT_ONCE:
            db.add_bodies(table, rows)
            rows, size = [], 0
        rows.append((row, game, body, part_checksum(row, game, body, table)))
        row += 1
        size += len(body)
    if rows:
        db.add_bodies(table, rows)
    return row


def next_id(db: Database, table: str) -> int:
    """Return the id for the next row."""
    (last,) = db.execute(f"SELECT max(id) FROM {table}").fetchone()
    return db.first_id if last is None else int(last) + 1


def _json_object(texts: Mapping[str, str]) -> str:
    return json.dumps(dict(texts)) if texts else "{}"
