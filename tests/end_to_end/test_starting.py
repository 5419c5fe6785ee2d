"""A server that is asked to stop before it listens, and one that cannot start."""

import signal
import sqlite3
import subprocess
import sys
from contextlib import closing, suppress
from pathlib import Path

import pytest

from tests.end_to_end.processes import BOUND_S, TOP, Program, until
from tests.journal.servers import JournalServer
from ugs.journal.committed import COMMITTED
from ugs.journal.database import DATABASE

START = ("serve", "--port", "0", "--http-port", "0", "--data-dir")


def opened(pid: int) -> set[Path]:
    """The files that a process has open."""
    found: set[Path] = set()
    for file in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(OSError):  # it has just been closed
            found.add(file.readlink())
    return found


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_the_journal_is_read_ends_the_server_with_one_line(
    tmp_path: Path, number: signal.Signals
) -> None:
    with JournalServer(tmp_path):
        pass
    with closing(sqlite3.connect(tmp_path / DATABASE, isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")  # the server waits for its end before it goes on
        with Program.ugs(*START, tmp_path) as server:
            until(lambda: tmp_path / DATABASE in opened(server.pid))
            server.signal(number)
            writer.execute("ROLLBACK")
            assert server.ends() == 128 + number
    assert server.lines == [f"ugs serve: stopped by {number.name} before it listened"]


def test_a_damaged_journal_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / DATABASE).write_bytes(b"SQLite format 3\0" + b"\xa5" * 8176)
    with Program.ugs(*START, tmp_path) as server:
        assert server.ends() == 1
    (line,) = server.lines
    assert line.startswith(f"ugs serve: {tmp_path / DATABASE}: damaged: ")
    assert f"`ugs record rescue --data-dir {tmp_path} NEW_DIR`" in line


def test_a_directory_that_others_can_read_is_made_private_and_told(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    with Program.ugs(*START, tmp_path) as server:
        (told,) = server.logs("others could use this; now only its owner can")
        assert (told["path"], told["mode"]) == (str(tmp_path), "0755")
        server.logs("listening")
        server.signal(signal.SIGTERM)
        assert server.ends() == 0
    assert tmp_path.stat().st_mode & 0o777 == 0o700


def test_a_journal_that_was_copied_without_its_files_starts_and_says_what_nobody_knows(tmp_path: Path) -> None:
    with JournalServer(tmp_path) as journal:
        journal.plays("g1")
    (tmp_path / COMMITTED).unlink()
    with Program.ugs(*START, tmp_path) as server:
        (told,) = server.logs("the journal is incomplete")
        assert told["directory"] == str(tmp_path)
        assert told["what"].startswith(
            "committed is missing: nothing proves that the last results are in the journal; "
        )
        server.logs("listening")
        server.signal(signal.SIGTERM)
        assert server.ends() == 0


def test_a_disk_without_room_is_told_in_one_line(tmp_path: Path) -> None:
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1024, -1))"
    run = f"{limit}; import signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)"
    run += "; from ugs.__main__ import main; sys.argv = ['ugs', *sys.argv[1:]]; main()"
    ended = subprocess.run(
        [sys.executable, "-c", run, *START, str(tmp_path)],
        capture_output=True,
        text=True,
        cwd=TOP,
        timeout=BOUND_S,
        check=False,
    )
    assert ended.returncode == 1
    (line,) = ended.stderr.splitlines()
    assert line.startswith(f"ugs serve: {tmp_path / DATABASE}: cannot be used: ")
