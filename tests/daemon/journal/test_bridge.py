"""A driver with a real journal: what is recorded, that results wait for the disk, and what a loss means.

The journal is written by a real thread, so these tests run on the real clock; every wait is for an answer.
"""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
import trio
import trio.testing

from tests.daemon.shell import GO, Far, Pipe, move, over, turn
from tests.daemon.stream_transport import StreamTransport
from ugs.broker.broker import Broker
from ugs.broker.events import Event, JournalBack, JournalLost, Started
from ugs.broker.past import Past
from ugs.broker.values.questions import WhyAsked
from ugs.broker.values.record import EntryKind
from ugs.broker.verdict import Cause, Outcome
from ugs.config import parse
from ugs.daemon.driver import Driver
from ugs.daemon.journal.bridge import JournalBridge
from ugs.daemon.journal.recorder import MAX_UNWRITTEN_BYTES
from ugs.daemon.network.transport import Transport
from ugs.daemon.random_ids import new_secret
from ugs.daemon.shell import Shell
from ugs.journal.database import DATABASE
from ugs.journal.journal_error import JournalError
from ugs.journal.reader import Reader
from ugs.record.game import GameRecord
from ugs.wire.messages import BeginGame, Error, GameMasterLogin, LoginResponse, Message, PlayerLogin, ThankYou

BOUND_S = 120.0


class Kept:
    """A server on memory streams with a data directory."""

    def __init__(self, directory: Path, nursery: trio.Nursery, **settings: object) -> None:
        config = parse({"data_dir": str(directory), **settings}, "test")
        self.directory = directory
        self.bridge = JournalBridge(config)
        names = iter(f"{directory.name}-g{number}" for number in range(1, 1000))
        self.broker = Broker(config, lambda: next(names), new_secret, self.bridge.past)
        self.shell = Shell(config, self.broker, nursery, self.bridge.journal)
        nursery.start_soon(self.shell.deliveries.run)
        nursery.start_soon(self.shell.reading.run)
        nursery.start_soon(self.shell.timers.run)
        self.shell.driver.happens(Started())
        self.bridge.connect(self.shell.driver)

    def connects(self) -> Far:
        """A peer."""
        near, far = trio.testing.memory_stream_pair()
        self.lets_in(StreamTransport(near, "192.0.2.1:1"))
        return Far(far)

    def lets_in(self, transport: Transport) -> None:
        """A peer on any transport."""
        self.shell.tasks.start_soon(self.shell.peers.let_in(transport).run)

    async def logs_in(self, message: PlayerLogin | GameMasterLogin) -> Far:
        """A peer that has logged in."""
        far = self.connects()
        await far.says(message)
        assert await hears(far) == LoginResponse()
        return far

    async def table(self) -> tuple[str, Far, Far, Far]:
        """A game that has begun: its id, the master, ann (whose turn it is) and bob."""
        master = await self.logs_in(GameMasterLogin("m", GO, "2", "2"))
        ann, bob = await self.logs_in(PlayerLogin("ann", GO)), await self.logs_in(PlayerLogin("bob", GO))
        begun = await hears(master)
        assert isinstance(begun, BeginGame)
        await master.says(turn("ann", begun.game_id, b"<gameState>one</gameState>"))
        assert await hears(ann) == await hears(bob) == turn("ann", begun.game_id, b"<gameState>one</gameState>")
        return begun.game_id, master, ann, bob

    def record(self, game_id: str) -> GameRecord:
        """What the journal holds of a game."""
        with Reader(self.directory) as reader:
            return reader.record(game_id)


async def hears(far: Far) -> Message | None:
    """The next message but tables, however long the disk takes."""
    return await far.hears(BOUND_S)


async def wait_until_written(pipe: Pipe) -> None:
    """Wait until the server has sent something."""
    while not pipe.written:  # noqa: ASYNC110  (a pipe tells nobody)
        await trio.sleep(0.01)


@asynccontextmanager
async def keeping(directory: Path, **settings: object) -> AsyncIterator[Kept]:
    """A server; at the end its journal is closed in good order."""
    with trio.fail_after(BOUND_S):
        async with trio.open_nursery() as nursery:
            kept = Kept(directory, nursery, **settings)
            try:
                yield kept
            finally:
                kept.bridge.close()
                nursery.cancel_scope.cancel()


async def test_without_a_data_directory_nothing_is_kept() -> None:
    bridge = JournalBridge(parse({}, "test"))
    assert bridge.journal is None
    assert bridge.past == Past()
    bridge.close()


async def test_a_directory_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(JournalError, match="file"):
        JournalBridge(parse({"data_dir": str(tmp_path / "file")}, "test"))


async def test_a_whole_game_is_on_file_when_its_end_is_told(tmp_path: Path) -> None:
    async with keeping(tmp_path) as kept:
        game_id, master, ann, _bob = await kept.table()
        await ann.says(move(game_id, b"<move a='1'>&#65;</move>"))
        assert await hears(master) == move(game_id, b"<move a='1'>&#65;</move>")
        await master.says(over("ann", "bob", game_id=game_id))
        assert await hears(ann) == over("ann", "bob", game_id=game_id)
        record = kept.record(game_id)  # now, not when the server ends
        assert record.result is not None
        assert [(seat.nick, seat.outcome) for seat in record.result.seats] == [
            ("ann", Outcome.WON),
            ("bob", Outcome.LOST),
        ]
        assert [entry.kind for entry in record.entries] == [
            EntryKind.BEGIN,
            EntryKind.STATE,
            EntryKind.MOVE,
            EntryKind.OVER,
            EntryKind.VERDICT,
        ]
        begin, state, moved, ended, _verdict = record.entries
        assert (state.seat, state.audience, state.body) == (0, 0b11, b"<gameState>one</gameState>")
        assert (moved.seat, moved.body) == (0, b"<move a='1'>&#65;</move>")
        assert begin.mono_us <= state.handed_us <= state.mono_us <= moved.handed_us <= moved.mono_us <= ended.mono_us
        assert moved.mono_us <= ended.handed_us <= ended.mono_us
        assert all(entry.wall_us > 1_600_000_000_000_000 for entry in record.entries)


async def test_the_next_server_goes_on_with_the_table(tmp_path: Path) -> None:
    async with keeping(tmp_path) as kept:
        game_id, master, ann, bob = await kept.table()
        await master.says(over("bob", "ann", game_id=game_id))
        for far in (ann, bob):
            assert await hears(far) == over("bob", "ann", game_id=game_id)
    async with keeping(tmp_path) as kept:
        rows = kept.broker.server.types[GO].standings.rows()
        assert [(row.nick, row.won, row.lost) for row in rows] == [("bob", 1, 0), ("ann", 0, 1)]


async def test_a_lost_journal_voids_what_runs_and_nothing_begins_until_it_is_back(tmp_path: Path) -> None:
    async with keeping(tmp_path) as kept:
        game_id, master, ann, bob = await kept.table()
        with sqlite3.connect(tmp_path / DATABASE) as db:
            db.execute("ALTER TABLE result RENAME TO gone")
        await master.says(over("ann", "bob", game_id=game_id))
        for far in (ann, bob):
            heard = await hears(far)
            assert isinstance(heard, Error)
            assert "cannot write down" in heard.text
        cat = await kept.logs_in(PlayerLogin("cat", GO))
        assert kept.broker.games == []
        assert kept.broker.server.condition.journal_lost
        with sqlite3.connect(tmp_path / DATABASE) as db:
            db.execute("ALTER TABLE gone RENAME TO result")
        begun = await hears(master)
        assert isinstance(begun, BeginGame)
        assert not kept.broker.server.condition.journal_lost
        result = kept.record(game_id).result
        assert result is not None
        assert result.verdict.cause is Cause.JOURNAL_LOST
        await cat.hangs_up()


async def test_thanks_are_awaited_only_after_the_result_is_told(tmp_path: Path) -> None:
    async with keeping(tmp_path) as kept:
        game_id, master, ann, bob = await kept.table()
        await ann.says(ThankYou(game_id))
        heard = await hears(ann)
        assert isinstance(heard, Error)
        await master.says(over("ann", "bob", game_id=game_id))
        for far in (ann, bob):
            assert await hears(far) == over("ann", "bob", game_id=game_id)
            await far.says(ThankYou(game_id))
        assert isinstance(await hears(master), BeginGame)


async def test_peers_wait_while_the_disk_is_far_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with keeping(tmp_path) as kept:
        journal = kept.bridge.journal
        assert journal is not None
        monkeypatch.setattr(type(journal), "pending_bytes", MAX_UNWRITTEN_BYTES + 1)
        pipe = Pipe()
        kept.lets_in(pipe)
        pipe.says(PlayerLogin("ann", GO))
        with trio.move_on_after(0.2):
            await wait_until_written(pipe)
        assert pipe.written == b""
        monkeypatch.setattr(type(journal), "pending_bytes", 0)
        await wait_until_written(pipe)
        assert pipe.messages() == [LoginResponse()]


async def test_a_question_is_answered_at_once(tmp_path: Path) -> None:
    async with keeping(tmp_path) as kept:
        assert kept.shell.questions.ask(WhyAsked("nobody"))["ok"] is False


async def test_news_for_a_driver_that_is_not_there_yet_wait_for_it(tmp_path: Path) -> None:
    bridge = JournalBridge(parse({"data_dir": str(tmp_path)}, "test"))
    for news in ("first", "second"):
        bridge._lost(f"the disk is full, {news}")
    await trio.testing.wait_all_tasks_blocked()
    heard: list[Event] = []
    driver = cast(Driver, SimpleNamespace(happens=heard.append))
    bridge.connect(driver)
    bridge._back()
    await trio.testing.wait_all_tasks_blocked()
    assert heard == [JournalLost("the disk is full, first"), JournalLost("the disk is full, second"), JournalBack()]
    bridge.close()


async def test_a_game_that_is_void_when_the_journal_is_lost_is_void_there_too(tmp_path: Path) -> None:
    """The first thing that cannot be written is the end of a game that nobody waits for."""
    async with keeping(tmp_path) as kept:
        game_id, master, ann, _bob = await kept.table()
        await wait_until_on_disk(kept, game_id)
        with sqlite3.connect(tmp_path / DATABASE) as db:
            db.execute("ALTER TABLE result RENAME TO gone")
        await master.hangs_up()
        heard = await hears(ann)
        assert isinstance(heard, Error)
        assert "game void" in heard.text
        while not kept.broker.server.condition.journal_lost:  # noqa: ASYNC110  (the thread of the journal sets no event)
            await trio.sleep(0.01)
        with sqlite3.connect(tmp_path / DATABASE) as db:
            db.execute("ALTER TABLE gone RENAME TO result")
        while kept.broker.server.condition.journal_lost:  # noqa: ASYNC110
            await trio.sleep(0.01)
        result = kept.record(game_id).result
        assert result is not None
        assert result.verdict.cause is Cause.MASTER_LOST


async def wait_until_on_disk(kept: Kept, game_id: str) -> None:
    """Wait until the journal has the game, and nothing more to write."""
    while True:
        with suppress(JournalError), Reader(kept.directory) as reader:
            reader.record(game_id)
            assert kept.bridge.journal is not None
            if not kept.bridge.journal.pending_bytes:
                return
        await trio.sleep(0.01)
