"""A journal with callbacks that record what they are told, and games to write into it."""

import shutil
import sqlite3
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from time import monotonic, sleep
from types import TracebackType
from typing import Any, Self

from ugs.broker.effects import (
    RecordBegin,
    RecordChampionship,
    RecordEntry,
    RecordLogin,
    RecordResult,
    RecordSession,
    RecordSessionOver,
)
from ugs.broker.values.record import EntryKind, results_text
from ugs.broker.verdict import Cause, GameResult, Outcome, SeatResult, Verdict
from ugs.championship.ledger import LedgerEntry, What
from ugs.journal.checksums import CHECKED, enable_sealing, seal
from ugs.journal.database import DATABASE
from ugs.journal.database_contract import Database
from ugs.journal.journal import Journal
from ugs.journal.open_journal import open_to_read
from ugs.journal.reader import Reader
from ugs.places import Place
from ugs.record.game import Entry, GameRecord

BOUND_S = 120.0
"""A thread must be done within this many seconds, on a busy machine too."""
NOON_US = 1_900_000_000_000_000
"""A day in 2030, in microseconds since 1970."""
MASTER, TYPE = "referee", "chess"
TABLE = {"name": "a table", "owner": "ann", "visibility": "PUBLIC"}
ROUND_TRIPS_US = (100, 2000, 0)
BODY = b"<move>\xc3\xa9\n\x00&amp;</move>"


class Reports:
    """What a journal's callbacks have reported, in the order of the calls."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self._news = threading.Condition()

    def kept(self, game_ids: list[str]) -> None:
        """Results are on disk."""
        self._tell(*(f"kept {game_id}" for game_id in game_ids))

    def lost(self, reason: str) -> None:
        """Nothing can be written."""
        self._tell(f"lost {reason}")

    def back(self) -> None:
        """Writing works again."""
        self._tell("back")

    def gone(self, reason: str) -> None:
        """Another server may have the journal."""
        self._tell(f"gone {reason}")

    def wait_for(self, beginning: str) -> str:
        """Wait until a report arrives that begins with the given text; remove it from the list and return it."""
        with self._news:
            assert self._news.wait_for(lambda: any(t.startswith(beginning) for t in self.told), BOUND_S), self.told
            found = next(told for told in self.told if told.startswith(beginning))
            self.told.remove(found)
            return found

    def _tell(self, *what: str) -> None:
        with self._news:
            self.told.extend(what)
            self._news.notify_all()


class JournalServer:
    """The server's side of a journal: opens it, plays games into it, closes it."""

    def __init__(
        self,
        directory: Place,
        *,
        keep_days: float = 0,
        max_bytes: int = 0,
        retry_s: float = 0.01,
        version: str = "1.2.3",
        now_us: int = NOON_US,
        mono_us: int = 0,
        keep: str = "results",
    ) -> None:
        """``now_us`` and ``mono_us``: what the two clocks show at the beginning of this life."""
        self.directory: Any = directory
        self.reports = Reports()
        self.now_us = now_us
        self._clocks_apart_us = now_us - mono_us
        self.journal = Journal(
            directory,
            version=version,
            kept=self.reports.kept,
            lost=self.reports.lost,
            back=self.reports.back,
            keep_days=keep_days,
            max_bytes=max_bytes,
            retry_s=retry_s,
            keep=keep,
            gone=self.reports.gone,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.journal.close()

    def logs_in(self, conn: int, nick: str) -> None:
        """A player logs in."""
        self.journal.record(RecordLogin(conn, "player", nick, TYPE, "192.0.2.1:4711", "", "bot 7"), *self._times())

    def session(
        self, nick: str, *, pooled: bool = True, digest: str = "d1", game_type: str = TYPE, held_s: float = 0.0
    ) -> RecordSession:
        """A player gets a token, or its session changes; the session is named after the nick."""
        effect = RecordSession(f"s-{nick}", digest, nick, game_type, ("session", "state"), pooled, held_s)
        self.journal.record(effect, *self._times())
        return effect

    def session_over(self, nick: str) -> None:
        """That token is no longer valid."""
        self.journal.record(RecordSessionOver(f"s-{nick}"), *self._times())

    def begins(
        self, game_id: str, *nicks: str, championship: str = "", fixture: int = 0, seed: str = "", counts: bool = True
    ) -> None:
        """A game begins; with a seed, it is at a table that ann set up."""
        options = {"board": "9×9", "text": "a\0b"}
        begun = RecordBegin(game_id, TYPE, MASTER, nicks or ("ann", "ben"), options, championship, fixture)
        if seed:
            begun = replace(begun, seats_total=5, seed=seed, table=TABLE)
        self.journal.record(replace(begun, counts=counts), *self._times())
        self.happens(game_id, EntryKind.BEGIN)

    def happens(
        self,
        game_id: str,
        kind: EntryKind,
        seat: int | None = None,
        text: str = "",
        body: bytes = b"",
        audience: int = 0,
    ) -> None:
        """An event in a game."""
        wall_us, mono_us = self._times()
        self.journal.entry(RecordEntry(game_id, kind, seat, audience, text, body), wall_us, mono_us, mono_us - 250)

    def moves(self, game_id: str, times: int = 1) -> None:
        """The players move in turn."""
        for time in range(times):
            self.happens(game_id, EntryKind.STATE, time % 2, body=BODY, audience=3)
            self.happens(game_id, EntryKind.MOVE, time % 2, body=BODY)

    def ends(self, result: GameResult) -> None:
        """A game ends."""
        self.happens(result.game_id, EntryKind.OVER, text=results_text([(0, "winner"), (1, "loser")]), audience=3)
        self.happens(result.game_id, EntryKind.VERDICT, text=str(result.verdict.cause))
        self.journal.record(RecordResult(result), self.now_us, self.now_us - self._clocks_apart_us, 0, ROUND_TRIPS_US)

    def ledger(self, name: str, entry: LedgerEntry) -> None:
        """An event in a championship."""
        self.journal.record(RecordChampionship(name, TYPE, entry), *self._times())

    def plays(self, game_id: str, *nicks: str, moves: int = 2, championship: str = "", fixture: int = 0) -> GameResult:
        """A whole game, won by the first player; returns when it is on disk."""
        self.begins(game_id, *nicks, championship=championship, fixture=fixture)
        self.moves(game_id, moves)
        result = won(game_id, *nicks, moves=moves, championship=championship, fixture=fixture)
        self.ends(result)
        self.journal.flush()
        self.reports.wait_for(f"kept {game_id}")
        return result

    def settles(self) -> None:
        """Wait until all that was recorded is on disk, and packed."""
        self.settles_within(BOUND_S)

    def settles_within(self, seconds: float) -> None:
        """The same, in this time. Raises AssertionError where that is not so."""
        until = monotonic() + seconds
        while not self.journal.settled:
            assert monotonic() < until
            sleep(0.001)

    def killed(self, copy: Path) -> Path:
        """Make a copy of the directory as a kill leaves it; returns it. It settles first: files that are written while
        they are copied one after the other do not belong together."""
        self.settles()
        return Path(shutil.copytree(self.directory, copy))

    def record(self, game_id: str) -> GameRecord:
        """A game as other readers see it now."""
        return record(self.directory, game_id)

    def _times(self) -> tuple[int, int]:
        self.now_us += 1000
        return self.now_us, self.now_us - self._clocks_apart_us


def won(game_id: str, *nicks: str, moves: int = 2, championship: str = "", fixture: int = 0) -> GameResult:
    """A result that counts: the first player won, the others lost, the last one by leaving."""
    first, *others = nicks or ("ann", "ben")
    seats = [SeatResult(first, Outcome.WON), *(SeatResult(nick, Outcome.LOST) for nick in others)]
    seats[-1] = SeatResult(seats[-1].nick, Outcome.LOST, Cause.LEFT)
    verdict = Verdict(Cause.LEFT, seats[-1].nick)
    return GameResult(game_id, TYPE, MASTER, tuple(seats), verdict, moves, 0.1, 0.1 + 0.2, championship, fixture)


def void(game_id: str, cause: Cause, *nicks: str) -> GameResult:
    """A result that counts for nobody."""
    seats = tuple(SeatResult(nick, Outcome.VOID) for nick in nicks or ("ann", "ben"))
    return GameResult(game_id, TYPE, MASTER, seats, Verdict(cause), 1, 0.5, 1.5)


def record(directory: Place, game_id: str) -> GameRecord:
    """A game as it is stored in the journal."""
    with Reader(directory) as reader:
        return reader.record(game_id)


def described(entries: tuple[Entry, ...]) -> list[str]:
    """What happened, one word per event."""
    return [str(entry.kind) for entry in entries]


def begun(*field: str, **plan: object) -> list[LedgerEntry]:
    """The first entries of a championship."""
    told: Mapping[str, object] = {"name": "cup", "game_type": TYPE, **plan}
    return [LedgerEntry(What.PLANNED, {"plan": told}), LedgerEntry(What.BEGUN, {"field": list(field), "seats": 2})]


def tamper(directory: Path, *statements: str) -> None:
    """Change the database behind the server's back, with right checksums."""
    db = sqlite3.connect(directory / DATABASE, isolation_level=None, timeout=BOUND_S)
    try:
        for statement in statements:
            db.execute(statement)
        enable_sealing(db)
        for table in CHECKED:
            with suppress(sqlite3.Error):  # no such table, or it cannot be read any more
                db.execute(seal(table))
    finally:
        db.close()


def ask(place: Place, query: str) -> list[tuple[object, ...]]:
    """Rows of the database, as they are stored."""
    db: Database | sqlite3.Connection = (
        sqlite3.connect(place / DATABASE) if isinstance(place, Path) else open_to_read(place)
    )
    try:
        return db.execute(query).fetchall()
    finally:
        db.close()
