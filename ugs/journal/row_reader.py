"""Rows back into games: the one place that knows how a game is stored in the SQL tables."""

import json
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import field
from typing import Any, Final

from ugs.broker.values.record import EntryKind
from ugs.broker.verdict import Cause, GameResult, Outcome, SeatResult, Verdict
from ugs.journal.checksums import part_checksum
from ugs.journal.database_contract import Database
from ugs.journal.entries import Fields, count, each_entry, entry_of, read_entries
from ugs.journal.packing import TooLarge, stated_size, unpack
from ugs.record.game import Correction, Entry, GameRecord, TakenOut
from ugs.value import value

FIELDS = """
    g.id, g.game_id, t.name, m.name, g.server, g.began_us, g.began_mono_us, g.options, g.championship, g.fixture,
    g.counts, g.seats_total, g.seed, g.table_facts,
    r.cause, r.culprit, r.by_server, r.moves, r.began_s, r.ended_s, r.ended_us, r.round_trips_us,
    (
        SELECT json_group_array(json_array(p.name, s.outcome, s.departure, f.times))
        FROM (SELECT * FROM seat WHERE game = g.id ORDER BY seat) AS s CROSS JOIN player AS p ON p.id = s.player
        LEFT JOIN refused AS f ON f.game = s.game AND f.seat = s.seat
    )
"""
NAMES = "CROSS JOIN game_type AS t ON t.id = g.game_type CROSS JOIN master AS m ON m.id = g.master"
GAMES = f"SELECT {FIELDS} FROM game AS g {NAMES} LEFT JOIN result AS r ON r.game = g.id"
"""Query for every game, for :func:`read_game`; conditions and an order may be appended."""
RESULTS = f"SELECT {FIELDS} FROM result AS r CROSS JOIN game AS g ON g.id = r.game {NAMES}"
"""The same for ended games only, beginning with their results."""
NUMBERED = RESULTS.replace("SELECT", "SELECT r.id,", 1)
"""The same with the number of the result before everything else."""
LAST_CHARACTER = "\U0010ffff"
MAX_PARTS: Final = 500
"""Parts of a game to read for its last entries."""
MAX_FIRST: Final = 256
"""Bytes that contain the first entry of a game, or the first line of a packed part."""
MAX_ENTRY_BYTES: Final = 64
"""Bytes of an entry besides its text and payload, packed by columns."""


@value
class SeatRow:
    """One seat of a game: the player's nick and, once the game has ended, the outcome and why the player left early."""

    nick: str
    outcome: Outcome | None = None
    departure: Cause | None = None
    refused: int = 0
    """How many of its moves the master has refused."""


@value
class GameSummary:
    """A game without its entries."""

    game_id: str
    game_type: str
    master: str
    seats: tuple[SeatRow, ...]
    verdict: Verdict | None
    """None while the game runs (or when the server was lost and has not been started again)."""
    moves: int
    """For a running game: so far."""
    began_us: int
    """When it began, in microseconds since 1970 (UTC)."""
    ended_us: int | None
    """When it ended, in microseconds since 1970 (UTC); None while it runs."""
    championship: str = ""
    fixture: int = 0
    counts: bool = True
    """Whether it counts for standings and ratings."""
    table: Mapping[str, str] = field(default_factory=dict)
    """For a game at a table that a player set up: its ``name``, ``owner`` and ``visibility``; otherwise empty."""
    correction: Correction | None = None
    """The organiser's correction, if ``seats`` hold a corrected result."""
    taken_out: TakenOut | None = None
    """Why it does not count, where an organiser has decided that; then ``counts`` is false."""

    @property
    def running(self) -> bool:
        """Whether it has no verdict yet."""
        return self.verdict is None


@value
class GameRow:
    """A game as it is stored."""

    row: int
    game_id: str
    game_type: str
    master: str
    server: str
    began_us: int
    began_mono_us: int
    options: dict[str, str]
    championship: str
    fixture: int
    counts: bool
    seats_total: int
    seed: str
    table: dict[str, str]
    seats: tuple[SeatRow, ...]
    result: GameResult | None
    ended_us: int | None
    round_trips_us: tuple[int, ...]


def read_game(fields: tuple[Any, ...]) -> GameRow:
    """Read a row of :data:`GAMES` or :data:`RESULTS`. Raises ValueError for values that no version ever wrote."""
    row, game_id, game_type, master, server, began_us, began_mono_us, options, championship, fixture = fields[:10]
    counts, seats_total, seed, table = fields[10:14]
    cause, culprit, by_server, moves, began_s, ended_s, ended_us, round_trips_us, dealt = fields[14:]
    seats = tuple(
        SeatRow(
            nick,
            None if outcome is None else Outcome(outcome),
            None if departure is None else Cause(departure),
            refused or 0,
        )
        for nick, outcome, departure, refused in json.loads(dealt)
    )
    result = None
    if cause is not None:
        result = GameResult(
            game_id,
            game_type,
            master,
            tuple(SeatResult(seat.nick, seat.outcome or Outcome.VOID, seat.departure, seat.refused) for seat in seats),
            Verdict(Cause(cause), culprit, bool(by_server)),
            moves,
            float(began_s),
            float(ended_s),
            championship,
            fixture,
        )
    return GameRow(
        row,
        game_id,
        game_type,
        master,
        server,
        began_us,
        began_mono_us,
        {} if options == "{}" else json.loads(options),
        championship,
        fixture,
        bool(counts),
        seats_total,
        seed,
        {} if table == "{}" else json.loads(table),
        seats,
        result,
        ended_us,
        () if result is None or round_trips_us == "[]" else tuple(json.loads(round_trips_us)),
    )


def game_summary(db: Database, game: GameRow) -> GameSummary:
    """Return a game without its entries; the moves of a running game are counted."""
    if game.result is None:
        moves = sum(entry.kind is EntryKind.MOVE for entry in unpack(bodies(db, "packed", game.row)))
        moves += sum(count(body, EntryKind.MOVE) for body in bodies(db, "part", game.row))
    else:
        moves = game.result.moves
    return GameSummary(
        game.game_id,
        game.game_type,
        game.master,
        game.seats,
        None if game.result is None else game.result.verdict,
        moves,
        game.began_us,
        game.ended_us,
        game.championship,
        game.fixture,
        game.counts,
        game.table,
    )


def game_record(db: Database, game: GameRow, *, payloads: bool = True) -> GameRecord:
    """Return a game with its entries; without ``payloads``, those of packed entries are empty. Seed and set-up of a
    running game are left out: they would reveal its future. Raises ValueError when an entry cannot be read."""
    return _record(game, entries_of(db, game.row, payloads=payloads))


def _record(game: GameRow, entries: list[Entry]) -> GameRecord:
    if game.result is None:
        # Like the seed: all that is hidden follows from it.
        entries = [entry for entry in entries if entry.kind is not EntryKind.SETUP]
    return GameRecord(
        game.game_id,
        game.game_type,
        game.master,
        tuple(seat.nick for seat in game.seats),
        game.began_us,
        game.options,
        game.championship,
        game.fixture,
        game.server,
        game.round_trips_us,
        tuple(entries),
        game.result,
        game.seats_total,
        "" if game.result is None else game.seed,
        game.counts,
        game.table,
    )


def latest_record(db: Database, game: GameRow, most_entries: int, most_bytes: int) -> tuple[GameRecord, bool]:
    """Return a game with its last entries, and whether these are all. ``most_entries`` and ``most_bytes`` bound what is
    read and unpacked, for any size of game. If entries are left out, the first entry comes before the last ones. Raises
    ValueError when an entry cannot be read."""
    entries, whole = _latest(db, game.row, most_entries, most_bytes)
    return _record(game, entries), whole


def _latest(db: Database, row: int, most_entries: int, most_bytes: int) -> tuple[list[Entry], bool]:
    sizes = db.execute("SELECT id, length(body) FROM part WHERE game = ? ORDER BY id DESC", (row,))
    taken: list[int] = []
    left, whole = most_bytes, True
    for part, size in sizes:
        # Judged by its size before it is read: the cost does not grow with the game (attack `why-large`).
        if size > left or len(taken) == MAX_PARTS:
            whole = False
            break
        left -= size
        taken.append(part)
    last: deque[Fields] = deque(maxlen=most_entries)
    number = 0
    for part in reversed(taken):
        for fields in each_entry(_body(db, part)):
            last.append(fields)
            number += 1
    entries = [entry_of(fields) for fields in last]
    whole = whole and number == len(entries)
    if whole:
        packed = _packed(db, row, most_entries - number, left)
        return ([*packed, *entries], True) if packed is not None else (entries, False)
    first = db.execute("SELECT substr(body, 1, ?) FROM part WHERE game = ? ORDER BY id LIMIT 1", (MAX_FIRST, row))
    for (beginning,) in first:
        with suppress(ValueError, StopIteration):
            entries.insert(0, entry_of(next(each_entry(beginning))))
    return entries, False


def _packed(db: Database, row: int, most_entries: int, most_bytes: int) -> list[Entry] | None:
    """Return the packed entries of a game; None if they exceed the limits."""
    most = most_bytes + MAX_ENTRY_BYTES * most_entries
    heads = "SELECT substr(body, 1, ?) FROM packed WHERE game = ?"
    for (beginning,) in db.execute(heads, (MAX_FIRST, row)):
        entries, payloads = stated_size(beginning)
        most_entries -= entries
        most_bytes -= payloads
        if most_entries < 0 or most_bytes < 0:
            return None
    try:
        return unpack(bodies(db, "packed", row), most)
    except TooLarge:
        return None


def find_games(db: Database, game_id: str, limit: int) -> list[GameRow]:
    """Return the game with this id; if there is none, at most ``limit`` games whose ids begin with ``game_id``."""
    exact = db.execute(f"{GAMES} WHERE g.game_id = ?", (game_id,)).fetchall()
    if not exact:
        # A range, which uses the index; LIKE would read all games, and take % and _ for wildcards.
        above = game_id + LAST_CHARACTER
        exact = db.execute(
            f"{GAMES} WHERE g.game_id BETWEEN ? AND ? ORDER BY g.game_id LIMIT ?", (game_id, above, limit)
        ).fetchall()
    return [read_game(fields) for fields in exact]


def entries_of(db: Database, row: int, *, payloads: bool = True) -> list[Entry]:
    """Return the entries of the game with this row id; without ``payloads``, those of packed entries are empty. Raises
    ValueError when they cannot be read."""
    packed = unpack(bodies(db, "packed", row), payloads=payloads)
    return packed + read_entries(b"".join(bodies(db, "part", row)))


def bodies(db: Database, table: str, game: int) -> Iterator[bytes]:
    """Yield the bodies of a game in the table ``part`` or ``packed``, in order. Raises ValueError when one is
    damaged."""
    for row, body, crc in db.execute(f"SELECT id, body, crc FROM {table} WHERE game = ? ORDER BY id", (game,)):
        if part_checksum(row, game, body, table) != crc:
            raise ValueError(f"table {table}, row {row}: its content fails its checksum")
        yield body


def _body(db: Database, row: int) -> bytes:
    """Return the body of one part. Raises ValueError when it is damaged."""
    game, body, crc = db.execute("SELECT game, body, crc FROM part WHERE id = ?", (row,)).fetchone()
    if part_checksum(row, game, body, "part") != crc:
        raise ValueError(f"table part, row {row}: its content fails its checksum")
    return bytes(body)
