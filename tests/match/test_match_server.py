"""What a match shows of its server's log."""

import json
from pathlib import Path

import trio
from trio.testing import MockClock

from ugs.journal.lock import DirectoryLock
from ugs.match.match_server import MatchServer, last_words


def test_of_a_log_people_are_shown_warnings_and_what_is_for_them(tmp_path: Path) -> None:
    log = tmp_path / "server.log"
    lines = [
        json.dumps({"event": "listening", "level": "info"}),
        json.dumps({"event": "journal lost", "level": "error", "timestamp": "now", "reason": "full"}),
        json.dumps({"event": "late", "level": "warning"}),
        "ugs serve: data: in use",
    ]
    log.write_text("\n".join(lines))
    assert last_words(log) == "\njournal lost (reason=full)\nlate\nugs serve: data: in use"
    assert last_words(tmp_path / "gone") == ""


async def test_the_server_of_a_killed_match_is_waited_for(tmp_path: Path, autojump_clock: MockClock) -> None:
    lock = DirectoryLock(tmp_path / "server")
    server = MatchServer(tmp_path, lambda _event: None, keeps_games=True)
    async with trio.open_nursery() as nursery:

        async def ends() -> None:
            await trio.sleep(1)
            lock.release()

        nursery.start_soon(ends)
        await server.wait_for_last()
    DirectoryLock(tmp_path / "server").release()


async def test_a_directory_that_stays_in_use_is_not_waited_for_for_ever(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    lock = DirectoryLock(tmp_path / "server")
    with trio.fail_after(60):
        await MatchServer(tmp_path, lambda _event: None, keeps_games=True).wait_for_last()
    lock.release()
