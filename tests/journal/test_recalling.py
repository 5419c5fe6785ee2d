"""What has happened in a running game is read again: from the journal, or from a temporary file."""

import math
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from tempfile import mkstemp
from time import monotonic, sleep
from typing import Any

import pytest

from tests.journal.servers import BOUND_S, MASTER, NOON_US, TYPE, JournalServer, tamper, won
from ugs.broker.effects import KeepPast, RecordBegin, RecordEntry
from ugs.broker.values.recollection import PastEvent, Recollected, Use, Wish, select
from ugs.broker.values.record import EntryKind
from ugs.journal import compaction, packing, recalling, temporary
from ugs.journal.database import DATABASE, connect
from ugs.journal.entries import each_entry
from ugs.journal.journal_error import JournalError
from ugs.journal.recalling import JournalPast
from ugs.journal.temporary import TemporaryPast
from ugs.record.times import MICRO

GAME = "g1"
ROUNDS = 300
"""Of a game: a move and a state in each, a second apart; in between something that is not public."""


def public(game_id: str = GAME, rounds: int = ROUNDS, leaves: int | None = None) -> list[PastEvent]:
    """The public events of a game."""
    events = [PastEvent(1, 0.0, EntryKind.BEGIN, None, "", b"")]
    for number in range(rounds):
        seat, body = number % 2, b"%d of %b" % (number, game_id.encode())
        if number == leaves:
            events.append(PastEvent(2 * number + 2, number + 1.0, EntryKind.LEFT, seat, "left", b""))
        else:
            events.append(PastEvent(2 * number + 2, number + 1.0, EntryKind.MOVE, seat, "", b"<move>" + body))
        events.append(PastEvent(2 * number + 3, number + 1.5, EntryKind.STATE, 1 - seat, "é", b"<state>" + body))
    return events


class Store:
    """A place for the past, and what writes into it."""

    def read(self, wish: Wish) -> Recollected | None:
        """What is wished."""
        raise NotImplementedError

    def play(self, game_id: str = GAME, rounds: int = ROUNDS, first: int = 0, leaves: int | None = None) -> None:
        """Write the rounds of a game down, from this one on; in round ``leaves`` somebody leaves instead of moving."""
        raise NotImplementedError

    def end(self, game_id: str = GAME) -> None:
        """The game is over."""
        raise NotImplementedError

    def close(self) -> None:
        """Give it up."""


class InJournal(Store):
    """The journal of a server."""

    def __init__(self, directory: Path) -> None:
        self.server = JournalServer(directory)
        self.past = JournalPast(directory)

    def read(self, wish: Wish) -> Recollected | None:
        return self.past.read(wish)

    def play(self, game_id: str = GAME, rounds: int = ROUNDS, first: int = 0, leaves: int | None = None) -> None:
        journal = self.server.journal
        if not first:
            journal.record(RecordBegin(game_id, TYPE, MASTER, ("ann", "ben"), seed="42"), NOON_US, 0)
        for event in public(game_id, rounds, leaves)[1 + 2 * first if first else 0 :]:
            at_us = round(event.after_s * MICRO)
            entry = RecordEntry(game_id, event.kind, event.seat, 0, event.text, event.body)
            journal.entry(entry, NOON_US + at_us, at_us, 0)
            journal.entry(RecordEntry(game_id, EntryKind.VIEW, None, 1, "", b"a secret"), NOON_US + at_us, at_us, 0)
            if event.number % 250 == 0:
                journal.flush()
                self.settles()
        journal.flush()

    def settles(self) -> None:
        """All is on disk."""
        until = monotonic() + BOUND_S
        while self.server.journal.pending_bytes:
            assert monotonic() < until
            sleep(0.001)

    def end(self, game_id: str = GAME) -> None:
        self.server.ends(won(game_id))
        self.server.journal.flush()
        self.server.settles()

    def is_packed(self) -> None:
        """Wait until all of the game is packed."""
        until = monotonic() + BOUND_S
        while True:
            with closing(connect(self.server.directory, readonly=True)) as db:
                if db.execute("SELECT count(*) FROM part").fetchone() == (0,):
                    return
            assert monotonic() < until
            sleep(0.001)

    def close(self) -> None:
        self.server.journal.close()


class InFile(Store):
    """A temporary file."""

    def __init__(self, max_bytes: int = 1 << 30) -> None:
        self.past = TemporaryPast(max_bytes)

    def read(self, wish: Wish) -> Recollected:
        return self.past.read(wish)

    def play(
        self, game_id: str = GAME, rounds: int = ROUNDS, first: int = 0, leaves: int | None = None, origin: str = ""
    ) -> None:
        events = public(game_id, rounds, leaves)[1 + 2 * first if first else 0 :]
        for at in range(0, len(events), 50):
            piece = events[at : at + 50]
            entries = [RecordEntry(game_id, one.kind, one.seat, 0, one.text, one.body) for one in piece]
            self.past.keep(KeepPast(game_id, piece[0].number, entries, [one.after_s for one in piece], origin))

    def end(self, game_id: str = GAME) -> None:
        self.past.over(game_id)


@pytest.fixture(params=["journal", "file"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """Either of them."""
    made = InJournal(tmp_path) if request.param == "journal" else InFile()
    yield made
    made.close()


def wish(use: Use = Use.SPECTATOR, until: int = 500, after: int = 0, until_s: float = math.inf, **most: int) -> Wish:
    """A wish for a part of the game."""
    return Wish(use, "7", GAME, until, after, until_s, **most)


def eventually(store: Store, wished: Wish) -> Recollected:
    """What is found when it has been written."""
    until = monotonic() + BOUND_S
    while (found := store.read(wished)) is None:
        assert monotonic() < until
        sleep(0.001)
    return found


class TestBoth:
    """Whatever keeps it, the same is found."""

    @pytest.mark.parametrize("use", [*Use])
    def test_what_is_found_is_what_happened(self, store: Store, use: Use) -> None:
        store.play()
        store.play("another")
        for wished in (
            wish(use),
            wish(use, 601),
            wish(use, 500, 499),
            wish(use, 77, until_s=10.2),
            wish(use, 5, 0, 0.5),
        ):
            assert eventually(store, wished) == select(wished, public())

    def test_piece_by_piece_it_is_all(self, store: Store) -> None:
        store.play()
        read: list[PastEvent] = []
        while len(read) < 601:
            wished = wish(until=601, after=len(read), most_events=37)
            found = eventually(store, wished)
            read += found.events
            assert found.number == len(read)
        assert read == public()

    def test_who_begins_again_is_told_from_the_begin(self, store: Store) -> None:
        store.play()
        for after in (0, 200, 100, 0):
            found = eventually(store, wish(after=after, most_events=10))
            assert [event.number for event in found.events] == list(range(after + 1, after + 11))

    def test_it_can_still_be_read_when_the_game_is_over(self, store: Store) -> None:
        store.play()
        eventually(store, wish(most_events=120))
        store.end()
        assert eventually(store, wish(after=120)) == select(wish(after=120), public())

    def test_how_it_stood_is_the_same_whoever_has_read_before(self, store: Store) -> None:
        store.play()
        for until, until_s in ((601, math.inf), (601, 200.7), (400, math.inf), (601, 5.0), (7, math.inf), (601, 250.0)):
            wished = wish(Use.SHOWING, until, until_s=until_s)
            assert eventually(store, wished) == select(wished, public())

    def test_how_it_stood_is_read_from_near_that_moment(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        """Else each spectator of a long game costs as much as the whole game."""
        rows = Counted(each_entry)
        monkeypatch.setattr(recalling, "each_entry", rows)
        monkeypatch.setattr(temporary, "each_entry", rows)
        store.play()
        eventually(store, wish(Use.SHOWING, 601))
        assert rows.times > 2
        for subject in range(20):
            before = rows.times
            wished = Wish(Use.SHOWING, str(subject), GAME, 601)
            assert store.read(wished) == select(wished, public())
            assert rows.times == before + 1

    def test_who_has_left_is_known_from_before_that(self, store: Store) -> None:
        store.play(leaves=50)
        for until in (601, 601, 300):
            found = eventually(store, wish(Use.SHOWING, until))
            assert [event.number for event in found.events if event.kind is EntryKind.LEFT] == [102]


class Counted:
    """How often a function is called."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.times = 0
        self._function = function

    def __call__(self, *arguments: Any) -> Any:
        self.times += 1
        return self._function(*arguments)


class TestJournal:
    def test_a_game_that_is_over_is_unpacked_piece_by_piece(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Else each piece costs as much, and takes as much memory, as the whole game."""
        monkeypatch.setattr(compaction, "BYTES_AT_ONCE", 1)
        unpacked = Counted(packing._unpack)
        monkeypatch.setattr(packing, "_unpack", unpacked)
        store = InJournal(tmp_path)
        store.play()
        store.end()
        store.is_packed()
        eventually(store, wish(until=601, after=600))
        whole = unpacked.times
        assert whole > 2
        read: list[PastEvent] = []
        while len(read) < 601:
            wished = Wish(Use.SPECTATOR, "8", GAME, 601, len(read), most_events=100)
            read += eventually(store, wished).events
        assert read == public()
        assert unpacked.times <= whole + 7 + whole, "each once, and for each piece the one in which it begins"
        store.close()

    def test_a_packed_game_that_was_damaged_is_said_to_be_so(self, tmp_path: Path) -> None:
        store = InJournal(tmp_path)
        store.play()
        store.end()
        store.is_packed()
        with closing(sqlite3.connect(tmp_path / DATABASE, isolation_level=None, timeout=BOUND_S)) as db:
            db.execute("UPDATE packed SET crc = 1")
        with pytest.raises(JournalError, match="fails its checksum"):
            store.read(wish())
        store.close()

    def test_of_few_games_it_is_known_where_to_begin(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(recalling, "MAX_GAMES", 2)
        store = InJournal(tmp_path)
        for game_id in ("g1", "g2", "g3"):
            store.play(game_id, rounds=5)
            store.settles()
            store.read(Wish(Use.SPECTATOR, "7", game_id, 2))
        assert list(store.past._waypoints) == ["g2", "g3"]
        store.close()

    def test_what_is_not_written_yet_is_not_found_yet(self, tmp_path: Path) -> None:
        store = InJournal(tmp_path)
        assert store.read(wish()) is None
        store.play(rounds=200)
        store.settles()
        assert store.read(wish(until=402, most_events=1_000)) is None
        store.play(rounds=300, first=200)
        assert eventually(store, wish(until=402, most_events=1_000)).number == 402
        store.close()

    def test_what_has_been_deleted_is_forgotten(self, tmp_path: Path) -> None:
        store = InJournal(tmp_path)
        store.play()
        store.end()
        assert eventually(store, wish(until=5_000, after=601)) == Recollected(forgotten=True)
        store.close()

    def test_a_journal_that_cannot_be_read_is_said_to_be_so(self, tmp_path: Path) -> None:
        store = InJournal(tmp_path)
        store.play()
        store.settles()
        tamper(tmp_path, "UPDATE part SET body = x'2020'")
        with pytest.raises(JournalError):
            store.read(wish())
        tamper(tmp_path, "ALTER TABLE part RENAME TO lost")
        with pytest.raises(JournalError):
            store.read(wish())
        tamper(tmp_path, "ALTER TABLE lost RENAME TO part")
        store.close()

    def test_only_so_many_readers_are_remembered(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(recalling, "MAX_BOOKMARKS", 3)
        store = InJournal(tmp_path)
        store.play()
        for subject in range(10):
            store_wish = Wish(Use.SPECTATOR, str(subject), GAME, 500, most_events=100)
            eventually(store, store_wish)
        assert len(store.past._bookmarks) == 3
        store.close()

    def test_it_keeps_what_it_has(self, tmp_path: Path) -> None:
        past = JournalPast(tmp_path)
        past.keep(KeepPast(GAME, 1, (), ()))
        past.over(GAME)
        assert (past.forgotten(), past.pending_bytes) == ((), 0)


class TestFile:
    def test_a_game_that_nothing_was_kept_of_is_forgotten(self) -> None:
        store = InFile()
        assert store.read(wish()) == Recollected(forgotten=True)
        store.end()

    def test_many_games_of_one_address_do_not_have_a_long_one_of_another_forgotten(self) -> None:
        store = InFile(max_bytes=100_000)
        store.play("long", rounds=200, origin="10.0.0.1")
        for number in range(10):
            store.play(f"hoarded-{number}", rounds=150, origin="10.0.0.2")
        assert store.read(Wish(Use.SPECTATOR, "7", "long", 2)) != Recollected(forgotten=True)
        forgotten = {game_id for game_id, _, _ in store.past.forgotten()}
        assert forgotten
        assert all(game_id.startswith("hoarded-") for game_id in forgotten)

    def test_where_there_is_no_room_the_game_with_the_most_is_forgotten_and_named(self) -> None:
        store = InFile(max_bytes=60_000)
        store.play("small", rounds=100)
        store.play(rounds=500)
        store.play("late", rounds=100)
        assert store.read(wish()) == Recollected(forgotten=True)
        ((game_id, size, reason),) = store.past.forgotten()
        assert (game_id, reason) == (GAME, "max_past_bytes is 60000")
        assert 20_000 < size < 60_000
        for game_id in ("small", "late"):
            assert store.read(Wish(Use.SPECTATOR, "7", game_id, 100)) == select(wish(until=100), public(game_id))
        store.play(first=500, rounds=550)
        assert store.read(wish(until=1_100)) == Recollected(forgotten=True), "what comes later is of no use"
        assert store.past.forgotten() == []

    def test_games_that_are_over_are_forgotten_first(self) -> None:
        store = InFile(max_bytes=40_000)
        store.play(rounds=300)
        store.end()
        store.play("late", rounds=300)
        assert store.read(wish()) == Recollected(forgotten=True)
        assert store.read(Wish(Use.SPECTATOR, "7", "late", 100)) == select(wish(until=100), public("late"))
        assert store.past.forgotten() == []

    def test_games_that_are_over_are_forgotten_after_a_while(self, monkeypatch: pytest.MonkeyPatch) -> None:
        store = InFile()
        store.play()
        store.end()
        assert store.read(wish()).events
        monkeypatch.setattr(temporary, "STAYS_S", -1.0)
        assert store.read(wish()) == Recollected(forgotten=True)
        assert store.past._bytes == 0

    def test_a_game_that_is_larger_than_all_room_is_forgotten_alone(self) -> None:
        store = InFile(max_bytes=1_000)
        store.play()
        assert store.read(wish()) == Recollected(forgotten=True)
        ((game_id, _, _),) = store.past.forgotten()
        assert game_id == GAME
        store.end()
        assert store.read(wish()) == Recollected(forgotten=True)

    def test_a_disk_that_is_full_costs_nobody_the_game(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def full(*_: object) -> None:
            raise OSError("No space left on device")

        store = InFile()
        monkeypatch.setattr(store.past, "_insert", full)
        store.play()
        assert store.read(wish()) == Recollected(forgotten=True)
        assert store.past.forgotten() == [(GAME, 0, "No space left on device")]

    def test_a_disk_that_is_too_slow_does_not_fill_the_memory(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(temporary, "MAX_PENDING_BYTES", 20_000)
        store = InFile()
        with store.past._lock:
            store.play()
            assert store.past.pending_bytes <= 20_000
        assert store.read(wish()) == Recollected(forgotten=True)
        ((game_id, _, reason),) = store.past.forgotten()
        assert (game_id, reason) == (GAME, "more than 20000 bytes wait to be written")
        assert store.past.pending_bytes == 0

    def test_a_disk_on_which_nothing_can_be_deleted_either_is_tried_again(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        class Full:
            """A database on a disk that is full."""

            def __init__(self, db: sqlite3.Connection) -> None:
                self.db = db
                self.full = False

            def execute(self, statement: str, *parameters: Any) -> Any:
                if self.full and not statement.strip().startswith("SELECT"):
                    raise sqlite3.OperationalError("database or disk is full")
                return self.db.execute(statement, *parameters)

        disk = Full(temporary._opened())
        monkeypatch.setattr(temporary, "_opened", lambda: disk)
        store = InFile()
        store.play(rounds=100)
        assert store.read(wish()).events
        disk.full = True
        store.play("late", rounds=100)
        late = Wish(Use.SPECTATOR, "7", "late", 100)
        assert store.read(late) == store.read(wish()) == Recollected(forgotten=True)
        disk.full = False
        store.play("later", rounds=100)
        assert store.read(Wish(Use.SPECTATOR, "7", "later", 100)).events
        store.play("large", rounds=100)
        store.end("large")
        monkeypatch.setattr(temporary, "STAYS_S", -1.0)
        store.read(wish())
        assert [game for (game,) in disk.execute("SELECT DISTINCT game FROM part")] == ["later"]

    def test_its_file_has_no_name_and_no_memory_of_its_own(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(temporary, "mkstemp", lambda prefix: mkstemp(prefix=prefix, dir=tmp_path))
        store = InFile()
        store.play()
        assert store.read(wish()).events
        assert list(tmp_path.iterdir()) == []
        monkeypatch.setattr(temporary, "TABLE", ("no statement",))
        with pytest.raises(sqlite3.Error):
            temporary._opened()
        assert list(tmp_path.iterdir()) == []

    def test_a_file_that_cannot_be_read_costs_nobody_the_game(self) -> None:
        store = InFile()
        store.play()
        assert store.read(wish()).events
        assert store.past._db is not None
        store.past._db.execute("UPDATE part SET body = x'00'")
        assert store.read(wish()) == Recollected(forgotten=True)
        ((_, _, reason),) = store.past.forgotten()
        assert reason.startswith("cannot be read: ")
