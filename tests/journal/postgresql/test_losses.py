"""What happens to a database and to the way to it, while a server plays: no result is lost or doubled."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep

import pytest

from tests.journal.endless import EndlessLife, judge
from tests.journal.postgresql.cutting_relay import CuttingRelay
from tests.journal.postgresql.database_server import DatabaseServer, JournalUrl
from tests.journal.servers import BOUND_S, JournalServer, ask, won
from tests.profile import ONLY_DEEP, sized
from ugs.journal.postgresql.fencing import FencedTransactions
from ugs.journal.reader import Reader
from ugs.places import DatabaseUrl, Place

KILLS = sized(quick=1, deep=8)
CUTS = sized(quick=2, deep=25)
NEEDS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a small disk")
SMALL = "96m"
"""A database needs some eighty megabytes."""
CHUNK = 1024 * 1024


def test_a_database_killed_in_the_middle_of_commits_loses_and_doubles_nothing(shared_database: DatabaseServer) -> None:
    place = shared_database.journal()
    with EndlessLife(place, 0) as server:
        for kill in range(KILLS):
            server.plays(3 + 10 * kill)
            shared_database.kill()
            shared_database.start()
        server.plays(20)
        kept = server.is_killed()
    assert losses(place) == [0]
    judge(place, kept, 1)


def test_connections_cut_at_any_byte_lose_and_double_nothing(shared_database: DatabaseServer) -> None:
    place = shared_database.journal()
    with own_folder() as folder, closing(CuttingRelay(folder, shared_database.folder, 7)) as relay:
        through = DatabaseUrl(place.text.replace(str(shared_database.folder), str(folder)))
        with EndlessLife(through, 0) as server:
            server.plays(1)
            relay.max_bytes = 8_000
            shared_database.cut()
            while relay.cuts < CUTS:
                server.plays(1)
            relay.max_bytes = 0
            shared_database.cut()
            server.plays(10)
            kept = server.is_killed()
    assert losses(place) == [0]
    judge(place, kept, 1)


@ONLY_DEEP
def test_a_replica_that_has_confirmed_takes_over_and_lacks_nothing() -> None:
    with several_databases() as (first, add):
        second = add(first)
        place = first.journal("games", second)
        first.follow_only("*")
        with EndlessLife(place, 0) as server:
            for _ in range(4):
                server.plays(20)
                first.kill()
                second.promote()
                second.follow_only("")
                server.plays(20)
                first.copy(second)
                first.start()
                second.follow_only("*")
                first, second = second, first
            kept = server.is_killed()
        assert losses(place) == [0]
        judge(place, kept, 1)


@ONLY_DEEP
def test_a_server_ends_rather_than_go_on_with_a_replica_that_lacks_what_was_confirmed() -> None:
    with several_databases() as (first, add):
        second = add(first)
        place = first.journal("games", second)
        with JournalServer(place) as server:
            server.plays("both have it")
            until_replayed(first)
            second.kill()
            server.plays("only the first has it")
            first.kill()
            second.start()
            second.promote()
            server.begins("later")
            server.ends(won("later"))
            server.journal.flush()
            server.reports.wait_for("gone")
            assert server.reports.told == []
        with Reader(place) as reader:
            assert [result.game_id for result in reader.results()] == ["both have it"]


@ONLY_DEEP
@NEEDS_ROOT
def test_tables_that_find_no_room_void_games_and_keep_results(own_database: DatabaseServer) -> None:
    with small_disk("8m") as disk:
        own_database.execute(f"CREATE TABLESPACE small LOCATION '{disk / 'tables'}'")
        plain = own_database.journal()
        place = JournalUrl(f"{plain.text}%20-cdefault_tablespace%3Dsmall")
        place.server, place.name = own_database, plain.name
        fills_up(place, disk, lambda: None)


@ONLY_DEEP
@NEEDS_ROOT
def test_a_database_that_stops_for_want_of_room_keeps_what_it_has_confirmed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FencedTransactions, "patience_s", 0.5)
    with small_disk(SMALL) as disk:
        database = DatabaseServer(folder=disk / "database", settings=["wal_recycle=off", "max_wal_size=32MB"])

        def comes_back() -> None:
            """Without room for its log a database stops, and may not even come back by itself."""
            if not database.answers():
                database.kill()
                database.start()

        with closing_with(database.remove):
            fills_up(database.journal(), disk, comes_back)


@ONLY_DEEP
@NEEDS_ROOT
def test_a_directory_that_finds_no_room_keeps_what_it_has_confirmed() -> None:
    with small_disk("4m") as disk:
        fills_up(disk / "data", disk, lambda: None)


def fills_up(place: Place, disk: Path, comes_back: Callable[[], None]) -> None:
    """A server plays until its journal finds no room; what was kept until then and later is there."""
    kept = []
    with JournalServer(place) as server:
        for number in range(3):
            server.plays(f"before {number}")
            kept.append(f"before {number}")
        ballast = Ballast(disk)
        number = 0
        until = monotonic() + BOUND_S
        while not any(told.startswith("lost") for told in server.reports.told):
            number += 1
            assert monotonic() < until
            server.begins(f"full {number}")
            server.moves(f"full {number}", 400)
            server.ends(won(f"full {number}", moves=400))
            server.journal.flush()
            ballast.fills()
            with suppress(AssertionError):
                server.settles_within(0.2)
        told = [one.removeprefix("kept ") for one in server.reports.told if one.startswith("kept")]
        server.reports.told.clear()
        server.journal.accept_loss()
        ballast.goes()
        comes_back()
        server.reports.wait_for("back")
        server.plays("after")
    with Reader(place) as reader:
        results = [result.game_id for result in reader.results()]
    assert len(results) == len(set(results))
    assert [*kept, *told] == results[: len(kept) + len(told)]
    assert results[-1] == "after"
    assert losses(place) == [1]


class Ballast:
    """A file that takes all room of a disk."""

    def __init__(self, disk: Path) -> None:
        self._path = disk / "ballast"

    def fills(self) -> None:
        """Take what is left."""
        with suppress(OSError), self._path.open("ab", buffering=0) as file:
            while True:
                file.write(bytes(CHUNK))
                os.fsync(file)

    def goes(self) -> None:
        """There is room again."""
        self._path.unlink()


def losses(place: Place) -> list[object]:
    """How often each server could not write its journal for longer."""
    return [row[0] for row in ask(place, "SELECT losses FROM run ORDER BY id")]


def until_replayed(primary: DatabaseServer) -> None:
    """Wait until its replica has all that it has confirmed."""
    behind = "SELECT count(*) FROM pg_stat_replication WHERE replay_lsn = pg_current_wal_lsn()"
    until = monotonic() + BOUND_S
    while primary.sql(behind) != "1":
        assert monotonic() < until
        sleep(0.01)


@contextmanager
def several_databases() -> Iterator[tuple[DatabaseServer, Callable[[DatabaseServer], DatabaseServer]]]:
    """A database, and a function that adds a replica of one; all go at the end."""
    servers = [DatabaseServer()]

    def add(primary: DatabaseServer) -> DatabaseServer:
        servers.append(DatabaseServer(primary=primary))
        return servers[-1]

    try:
        yield servers[0], add
    finally:
        for server in servers:
            server.remove()


@contextmanager
def closing_with(end: Callable[[], None]) -> Iterator[None]:
    """Call this at the end."""
    try:
        yield
    finally:
        end()


@contextmanager
def own_folder() -> Iterator[Path]:
    """A folder with a short name: those of sockets are bounded."""
    folder = Path(tempfile.mkdtemp(prefix="ugs-pg-", dir="/tmp"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def small_disk(size: str) -> Iterator[Path]:
    """A disk of that size, with folders for tables and for a database that the database's user may write."""
    with own_folder() as folder:
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "none", folder], check=True)
        try:
            folder.chmod(0o755)
            for name in ("tables", "database"):
                (folder / name).mkdir()
                shutil.chown(folder / name, "postgres")
            yield folder
        finally:
            subprocess.run(["umount", "--lazy", folder], check=True)
