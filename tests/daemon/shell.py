"""A whole broker on memory streams: a driver in a nursery, and the far ends of its connections.

Tests that use it ask for ``autojump_clock``, which jumps when nobody has anything to do: waiting costs nothing, and
a test that waits for what never comes fails at once.
"""

import math
from collections.abc import Iterator
from itertools import count
from typing import cast

import trio
import trio.testing

from tests.daemon.stream_transport import StreamTransport
from ugs.broker.broker import Broker
from ugs.broker.effects import RecordResult
from ugs.broker.events import ResultKept
from ugs.broker.verdict import GameResult
from ugs.config import Config
from ugs.daemon import shell
from ugs.daemon.connections.connection import Connection
from ugs.daemon.network.transport import Gone, Transport
from ugs.daemon.random_ids import new_secret
from ugs.journal.journal import Journal
from ugs.wire.codec import DECLARATION, decode, encode
from ugs.wire.framing import Document, Framer
from ugs.wire.messages import (
    ChampionsList,
    GameMasterLogin,
    GameState,
    LoginResponse,
    Message,
    Move,
    PlayerLogin,
    PlayerResult,
    Result,
)

GO = "go"
PATIENCE_S = 1.0
"""Seconds of the fake clock that a message may take when nothing has to be waited for."""


class Far:
    """The other end of a connection: says messages or raw bytes, hears documents."""

    def __init__(self, stream: trio.abc.HalfCloseableStream, *, declares: bool = True, address: str = "") -> None:
        self.stream = stream
        self.address = address
        self.declares = declares
        self._framer = Framer()
        self._documents: Iterator[Document] = iter(())

    async def says(self, *said: Message | bytes) -> None:
        """Send all of it in one piece."""
        prefix = DECLARATION if self.declares else b""
        await self.stream.send_all(b"".join(one if isinstance(one, bytes) else prefix + encode(one) for one in said))

    async def document(self, within: float = PATIENCE_S) -> bytes | None:
        """The next document as it comes, None at the end of the stream; trio.TooSlowError when there is neither."""
        while True:
            document = next(self._documents, None)
            if document is not None:
                return document.raw
            with trio.fail_after(within):
                data = bytes(await self.stream.receive_some())
            if not data:
                return None
            self._documents = self._framer.feed(data)

    async def hears(self, within: float = PATIENCE_S) -> Message | None:
        """The next message but tables, None at the end of the stream."""
        while True:
            raw = await self.document(within)
            if raw is None:
                return None
            message = decode(raw)
            if not isinstance(message, ChampionsList):
                return message

    async def hears_nothing_for(self, seconds: float) -> None:
        """Make sure that it is silent (tables aside) for so long."""
        heard: list[Message | None] = []
        with trio.move_on_after(seconds):
            heard.append(await self.hears(math.inf))
        assert heard == []

    async def hangs_up(self) -> None:
        """Close both directions without a word."""
        await trio.aclose_forcefully(self.stream)


class Shell(shell.Shell):
    """A server without its listeners."""

    def __init__(self, nursery: trio.Nursery, **settings: object) -> None:
        """``journal`` among the settings is a :class:`HaltingJournal`."""
        journal = settings.pop("journal", None)
        ids = map("g{}".format, count(1))
        config = Config.read(settings)
        self.broker = Broker(config, lambda: next(ids), new_secret)
        super().__init__(config, self.broker, nursery, cast("Journal | None", journal))
        if isinstance(journal, HaltingJournal):
            journal.serves(self)
        nursery.start_soon(self.deliveries.run)
        nursery.start_soon(self.reading.run)
        nursery.start_soon(self.timers.run)

    def attaches(self, transport: Transport) -> Connection:
        """A peer on any transport."""
        connection = self.peers.let_in(transport)
        self.tasks.start_soon(connection.run)
        return connection

    def connects(self, *, declares: bool = True) -> Far:
        """A peer on a memory stream that holds any number of bytes."""
        near, far = trio.testing.memory_stream_pair()
        self.attaches(StreamTransport(near, "192.0.2.1:1"))
        return Far(far, declares=declares)

    def connects_without_buffers(self) -> Far:
        """A peer to whom nothing is sent but what it reads in the same moment."""
        near, far = trio.testing.lockstep_stream_pair()
        self.attaches(StreamTransport(near, "192.0.2.1:1"))
        return Far(far)

    async def player(self, nick: str, far: Far | None = None) -> Far:
        """A player who has logged in and read the answer."""
        far = far or self.connects()
        await far.says(PlayerLogin(nick, GO))
        assert await far.hears() == LoginResponse()
        return far

    async def master(self, name: str = "m", players: int = 2) -> Far:
        """A master of games of exactly ``players``, which has logged in and read the answer."""
        far = self.connects()
        await far.says(GameMasterLogin(name, GO, str(players), str(players)))
        assert await far.hears() == LoginResponse()
        return far

    async def table(self, state: bytes = b"<gameState/>") -> tuple[Far, Far, Far]:
        """A master, ann and bob in game g1; both have heard that it is ann's turn, in that ``state``."""
        master, ann, bob = await self.master(), await self.player("ann"), await self.player("bob")
        await master.hears()
        said = turn("ann", payload=state)
        await master.says(said)
        assert await ann.hears() == await bob.hears() == said
        return master, ann, bob


class HaltingJournal:
    """Commits all that it is handed when everything else has run; but nothing while it ``stands``.

    With ``prompt`` nothing may be sent before it is committed; else only results wait.
    """

    def __init__(self, *, prompt: bool) -> None:
        self.prompt = prompt
        self.results: list[GameResult] = []
        self.pending_bytes, self.lag_s = 0, 0.0
        self._stands = False
        self._recorded = self._flushed = self._committed = 0
        self._kept = 0
        """Results that are on disk."""

    def serves(self, shell: "Shell") -> None:
        """It is the journal of this server."""
        self._shell = shell

    @property
    def durable(self) -> bool:
        return not self.prompt or self._flushed == self._committed

    def entry(self, *_what: object) -> None:
        self._recorded += 1

    def record(self, effect: object, *_when: object, **_more: object) -> None:
        self._recorded += 1
        if isinstance(effect, RecordResult):
            self.results.append(effect.result)

    def flush(self) -> None:
        self._flushed = self._recorded
        if not self._stands:
            trio.lowlevel.current_trio_token().run_sync_soon(self._commits)

    def halts(self) -> None:
        """From now on nothing is committed."""
        self._stands = True

    def goes_on(self) -> None:
        """What has waited is committed."""
        self._stands = False
        self._commits()

    def _commits(self) -> None:
        if self._stands:
            return
        self._committed = self._flushed
        if self.prompt:
            self._shell.keeping.recorder.now_durable()
        kept, self._kept = self.results[self._kept :], len(self.results)
        for result in kept:
            self._shell.driver.happens(ResultKept(result.game_id))


class Pipe:
    """A transport of which the test holds the other end: each write is kept apart, and taken as far as there is room.

    ``room`` bytes are still taken; after that nothing goes out until :meth:`makes_room`.
    """

    def __init__(self, room: float = math.inf) -> None:
        self.address = "192.0.2.9:9"
        self.writes: list[bytes] = []
        self.ended = self._closed = self._gone = False
        self._room = room
        self._unread = self.taken = 0
        self._more_room = trio.Event()
        self._to_us, self._from_peer = trio.open_memory_channel[bytes](math.inf)
        self._received: bytes | None = None

    @property
    def written(self) -> bytes:
        """All that has been taken."""
        return b"".join(self.writes)

    def messages(self) -> list[Message]:
        """All that has been taken, as messages (tables left out)."""
        decoded = (decode(document.raw) for document in Framer().feed(self.written))
        return [message for message in decoded if not isinstance(message, ChampionsList)]

    def says(self, *said: Message | bytes) -> None:
        """The peer sends all of it in one piece."""
        data = b"".join(one if isinstance(one, bytes) else encode(one) for one in said)
        self._unread += len(data)
        self._to_us.send_nowait(data)

    def half_closes(self) -> None:
        """The peer will send nothing more."""
        self._to_us.send_nowait(b"")

    def makes_room(self, room: float = math.inf, *, announced: bool = True) -> None:
        """The peer reads: ``room`` more bytes can go out. A socket takes some before it calls itself writable."""
        self._room += room
        if announced:
            self._more_room.set()

    def blocks(self) -> None:
        """The peer reads nothing more."""
        self._room = 0

    def hangs_up(self) -> None:
        """The peer is gone without a word: what goes out to it is refused."""
        self._gone = True
        self._more_room.set()

    def is_closed(self) -> bool:
        """Whether our side has let go."""
        return self._closed

    def round_trip_us(self) -> int:
        return 0

    def unacknowledged(self) -> int:
        return 0

    def fileno(self) -> int:
        return -1

    def unread(self) -> int:
        return self._unread

    async def readable(self) -> None:
        self._received = await self._from_peer.receive()

    def receive_now(self) -> bytes | None:
        received, self._received = self._received, None
        self._unread -= len(received or b"")
        self.taken += len(received or b"")
        return received

    def send_now(self, data: bytes) -> int:
        assert not self._closed
        taken = int(min(len(data), self._room))
        self._room -= taken
        if taken:
            self.writes.append(data[:taken])
        return taken

    async def send(self, data: bytes) -> int:
        await trio.lowlevel.checkpoint()
        while True:
            if self._closed:
                raise Gone("closed by us")
            if self._gone:
                raise Gone("hung up")
            if taken := self.send_now(data):
                return taken
            self._more_room = trio.Event()
            await self._more_room.wait()

    async def send_eof(self) -> None:
        assert not self.ended
        self.ended = True

    async def aclose(self) -> None:
        self._to_us.close()
        self._from_peer.close()
        self._closed = True
        self._more_room.set()


def turn(nick: str, game_id: str = "g1", payload: bytes = b"<gameState/>") -> GameState:
    """It is this player's turn."""
    return GameState(game_id, nick, None, payload)


def over(winner: str, *losers: str, game_id: str = "g1") -> GameState:
    """The game is over."""
    results = [PlayerResult(winner, Result.WINNER), *(PlayerResult(nick, Result.LOSER) for nick in losers)]
    return GameState(game_id, None, tuple(results))


def move(game_id: str = "g1", payload: bytes = b"<move/>") -> Move:
    """A move."""
    return Move(game_id, payload)
