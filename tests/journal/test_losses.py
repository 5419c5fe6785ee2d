"""A disk that fills up, and servers that are killed, at any moment: no game is left without an end, and no game goes on
that is over for its players."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.journal.ends import Ends
from tests.journal.servers import NOON_US, TYPE, void, won
from tests.profile import sized
from ugs.broker.effects import RecordBegin, RecordEntry, RecordResult, RecordSession
from ugs.broker.values.record import EntryKind
from ugs.broker.verdict import Cause, Outcome
from ugs.journal.committed import Committed
from ugs.journal.database import connect
from ugs.journal.database_contract import Database
from ugs.journal.pruning import Pruner
from ugs.journal.reader import Reader
from ugs.journal.recovery import recover
from ugs.journal.repair.checking import missing_files
from ugs.journal.write_ahead import WriteAhead
from ugs.journal.writer import Callbacks, Writer

PLAYERS = ("ann", "ben")


class Disk:
    """A disk that may be full: for the database, or for what lies beside it."""

    def __init__(self) -> None:
        self.full = False
        self.tails_full = False


class Transactions(Committed):
    """Transactions on that disk."""

    def __init__(self, directory: Path, disk: Disk) -> None:
        super().__init__(directory)
        self.disk = disk

    @contextmanager
    def transaction(self, db: Database) -> Iterator[None]:
        """As usual, but it fails on a full disk."""
        if self.disk.full:
            raise sqlite3.OperationalError("database or disk is full")
        with super().transaction(db):
            yield


class Tails(WriteAhead):
    """Write-ahead files on that disk."""

    def __init__(self, directory: Path, disk: Disk) -> None:
        super().__init__(directory)
        self.disk = disk

    def write(self) -> None:
        """As usual, but it fails on a full disk."""
        if self.disk.tails_full:
            full = os.open("/dev/full", os.O_WRONLY)
            for file in self._files:
                os.dup2(full, file)
            os.close(full)
        super().write()


class World:
    """Servers on one directory, one after the other, as far as their games and their journal are concerned. Steps of
    the broker and of the writer come in any order."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.disk = Disk()
        self.names = (f"g{number}" for number in count())
        self.seen: dict[str, int] = {}
        """How many moves the players of each running game have seen."""
        self.closing: set[str] = set()
        """Running games that have a result which is not on disk."""
        self.told: dict[str, bool] = {}
        """Games that are over for their players, and whether they count."""
        self.now_us = NOON_US
        self._begins()
        for nick in PLAYERS:
            self.ends.collector.session(RecordSession(f"s-{nick}", "d", nick, TYPE, ("session",), True), NOON_US)
        self.ends.collector.flush()
        self.writes()

    def _begins(self) -> None:
        """A server begins."""
        self.news: list[tuple[str, list[str]]] = []
        missing = missing_files(self.directory)
        self.transactions = Transactions(self.directory, self.disk)
        with closing(connect(self.directory)) as db:
            found = recover(db, self.directory, self.transactions, version="1", pid=1, complete=not missing)
            free = [db.execute(f"SELECT max(id) FROM {table}").fetchone()[0] or 0 for table in ("game", "login")]
        on_disk = {one.game.game_id: one for one in found.unfinished}
        for game_id, one in on_disk.items():
            assert game_id in self.seen, "a game goes on that is over for its players"
            moves = sum(entry.kind is EntryKind.MOVE for entry in one.entries)
            assert moves == self.seen[game_id], "a game goes on from another position than its players have seen"
        # What had a result may have kept it, untold.
        self.told |= dict.fromkeys(self.seen.keys() - on_disk.keys() - self.closing, False)
        self.seen = {game_id: moves for game_id, moves in self.seen.items() if game_id in on_disk}
        self.closing.clear()
        self.tails = Tails(self.directory, self.disk)
        self.ends = Ends(free[0] + 1, free[1] + 1, found.unfinished, self.tails)
        callbacks = Callbacks(
            lambda ids: self.news.append(("kept", ids)),
            lambda _: self.news.append(("lost", [])),
            lambda: self.news.append(("back", [])),
        )
        self.writer = Writer(
            self.ends.taker,
            self.directory,
            lambda: connect(self.directory, create=False),
            self.transactions,
            found.run,
            "1",
            callbacks,
            Pruner(),
            0.01,
        )

    # The broker.

    def begins_a_game(self) -> None:
        """A game begins that can outlive its server."""
        game_id = next(self.names)
        self.ends.collector.begin(RecordBegin(game_id, TYPE, "m", PLAYERS, seed="seed"), *self._times())
        self.seen[game_id] = 0
        self.moves()

    def moves(self) -> None:
        """Each player who can moves."""
        for game_id in self.seen.keys() - self.closing:
            self.ends.collector.entry(RecordEntry(game_id, EntryKind.MOVE, 0, body=b"<move/>"), *self._times())
            self.seen[game_id] += 1
        self.ends.collector.flush()

    def voids_one(self) -> None:
        """A game is void, and its players hear of it at once. One that has a result waits for that."""
        for game_id in sorted(self.seen.keys() - self.closing)[:1]:
            self._void(game_id, Cause.MASTER_LOST)
        self.ends.collector.flush()

    def ends_one(self) -> None:
        """A game has a result, which waits for the disk."""
        for game_id in sorted(self.seen.keys() - self.closing)[:1]:
            self._verdict(game_id)
            self.ends.collector.result(RecordResult(won(game_id, *PLAYERS)), self.now_us, ())
            self.closing.add(game_id)
        self.ends.collector.flush()

    def hears(self) -> None:
        """The broker hears what the writer has told."""
        while self.news:
            what, ids = self.news.pop(0)
            for game_id in self.closing.intersection(ids):
                self._over(game_id, counts=True)
            if what == "lost":
                self.ends.collector.accept_loss()
                for game_id in sorted(self.seen):
                    self._void(game_id, Cause.JOURNAL_LOST)
                self.ends.collector.flush()

    def _void(self, game_id: str, cause: Cause) -> None:
        self._verdict(game_id)
        self.ends.collector.result(RecordResult(void(game_id, cause, *PLAYERS)), self.now_us, ())
        self._over(game_id, counts=False)

    def _verdict(self, game_id: str) -> None:
        self.ends.collector.entry(RecordEntry(game_id, EntryKind.VERDICT, text="over"), *self._times())

    def _over(self, game_id: str, *, counts: bool) -> None:
        self.told[game_id] = counts
        del self.seen[game_id]
        self.closing.discard(game_id)

    def _times(self) -> tuple[int, int]:
        self.now_us += 1000
        return self.now_us, self.now_us - NOON_US

    # The writer, and the world around it.

    def writes(self) -> None:
        """One round of the writer's thread."""
        if not self.writer._lost:
            self.writer._write(self.ends.taker.take_now())
        elif not self.ends.taker.loss_unannounced:
            self.writer._retry()

    def writes_under_load(self) -> None:
        """The same while entries of running games wait for others."""
        if not self.writer._lost:
            self.ends.handover.entries.busy = True
            self.writer._write(self.ends.taker._take(leave=True))

    def takes_and_fails_later(self) -> None:
        """The writer takes a batch; more comes while it fails."""
        if not self.writer._lost and (batch := self.ends.taker.take_now()):
            self.moves()
            self.voids_one()
            self.writer._lose(sqlite3.OperationalError("database or disk is full"), batch)

    def is_full(self) -> None:
        """The disk is full."""
        self.disk.full = self.disk.tails_full = True

    def is_full_beside_the_database(self) -> None:
        """The database has room of its own."""
        self.disk.tails_full = True

    def has_room(self) -> None:
        """There is room again."""
        self.disk.full = self.disk.tails_full = False

    def is_killed(self) -> None:
        """The server is killed, and another one begins when there is room."""
        self.leaves()
        self.has_room()
        self._begins()

    def leaves(self) -> None:
        """Nothing of the server is left."""
        self.writer._disconnect()
        self.tails.close()
        self.transactions.close()

    def judge(self) -> None:
        """When there is room and all is written, the journal says of each game what its players were told."""
        self.has_room()
        for _ in range(3):
            self.hears()
            self.writes()
        assert not self.closing
        assert not self.ends.handover.pending_bytes
        assert missing_files(self.directory) == []
        with Reader(self.directory) as reader:
            games = {game.game_id: game for game in reader.games()}
        assert {game_id for game_id, game in games.items() if game.running} <= set(self.seen)
        for game_id, counts in self.told.items():
            if counts:
                assert [seat.outcome for seat in games[game_id].seats] == [Outcome.WON, Outcome.LOST]
            elif game_id in games:
                assert {seat.outcome for seat in games[game_id].seats} == {Outcome.VOID}


STEPS = (
    World.begins_a_game,
    World.begins_a_game,
    World.moves,
    World.voids_one,
    World.ends_one,
    World.hears,
    World.hears,
    World.writes,
    World.writes,
    World.writes_under_load,
    World.writes_under_load,
    World.takes_and_fails_later,
    World.is_full,
    World.is_full_beside_the_database,
    World.has_room,
    World.is_killed,
)


FULL, ROOM, WRITES, HEARS = World.is_full, World.has_room, World.writes, World.hears
BEGINS = (World.begins_a_game, WRITES, HEARS)


@example([*BEGINS, FULL, World.voids_one, WRITES])
@example([*BEGINS, World.moves, World.takes_and_fails_later, HEARS])
@example([*BEGINS, FULL, World.moves, WRITES, HEARS, WRITES, World.is_killed])
@example([*BEGINS, World.moves, World.writes_under_load, World.moves, World.is_killed])
@example([*BEGINS, World.moves, World.writes_under_load, FULL, World.voids_one, World.writes_under_load, HEARS])
@example([*BEGINS, World.is_full_beside_the_database, World.moves, World.is_killed])
@settings(max_examples=sized(quick=12, deep=1000), deadline=None)
@given(st.lists(st.sampled_from(STEPS), min_size=sized(quick=10, deep=0), max_size=60))
def test_every_game_ends_in_the_journal_as_its_players_were_told(steps: list[object]) -> None:
    with TemporaryDirectory() as directory:
        world = World(Path(directory))
        for step in steps:
            step(world)  # type: ignore[operator]
        world.judge()
        world.is_killed()
        world.judge()
        world.leaves()
