"""The server as an attacker sees it: where it listens, and connections to it that count what becomes of them."""

import re
import socket
import struct
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, dataclass, field
from typing import Any, Final

import trio

from ugs.soak import traffic

RECEIVE_BYTES: Final = 262_144
DEAF_BYTES: Final = 4096
"""What the system may hold for a peer that does not read."""
PAUSE_S: Final = 0.02
"""Between the end of a connection and the next one of the same attacker."""
PATIENCE_S: Final = 20.0
"""For one answer while an attack is prepared."""
AT_ONCE: Final = 50
"""Connections that are made at the same time."""
SOURCE: Final = "127.0.0.2"
"""The address of all attackers: limits per address are theirs alone."""

_ERROR: Final = re.compile(rb'<message type="error">(.*?)</message>', re.DOTALL)
_FAILED: Final = re.compile(rb'<reason code="(\w+)">(.*?)</reason>', re.DOTALL)
_REFUSED: Final = re.compile(rb'accept="no"/><error id="(\d)"')
_MAX_QUOTE: Final = 160


class ServerGone(Exception):
    """The server has ended a connection, or refused it."""


@dataclass(slots=True)
class Dealt:
    """How the server has dealt with an attacker; all numbers only grow."""

    lines: int = 0
    """Connections that were made."""
    closed: int = 0
    """Connections that the server ended."""
    refused: int = 0
    """Connections that could not be made, and refused logins."""
    sent_bytes: int = 0
    received_bytes: int = 0
    errors: int = 0
    """``error`` messages."""
    failures: int = 0
    """Answers ``x-failed``."""
    last: str = ""
    """The text of the last of either, or the number of a refused login."""
    harm: list[str] = field(default_factory=list)
    """What the attack has seen that must not be."""
    waited: dict[str, float] = field(default_factory=dict)
    """The longest that neighbours have waited for something, in seconds."""

    def takes(self, data: bytes) -> None:
        """Count the messages in a piece of the server's stream; a message that is cut by its end is not counted."""
        self.received_bytes += len(data)
        for match in _ERROR.finditer(data):
            self.errors += 1
            self.last = _quoted(match[1])
        for match in _FAILED.finditer(data):
            self.failures += 1
            self.last = f"{match[1].decode()}: {_quoted(match[2])}"
        for match in _REFUSED.finditer(data):
            self.refused += 1
            self.last = f"login error {match[1].decode()}"

    def as_dict(self) -> dict[str, Any]:
        """All of it, for JSON."""
        return asdict(self)


def _quoted(text: bytes) -> str:
    return text[:_MAX_QUOTE].decode(errors="replace")


class AttackLine:
    """One connection of an attacker. All methods raise ServerGone when the server has ended it."""

    def __init__(self, stream: trio.SocketStream, dealt: Dealt) -> None:
        self._stream = stream
        self._dealt = dealt
        self._received = b""
        self._ended = trio.Event()

    async def send(self, data: bytes) -> None:
        """Send it, as fast as the server takes it."""
        try:
            await self._stream.send_all(data)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            raise ServerGone from None
        self._dealt.sent_bytes += len(data)

    async def receive(self, kind: str, within_s: float = PATIENCE_S) -> str:
        """The next document of this type; others before it are passed over. Raises TooSlowError when none comes."""
        return (await self.receive_one_of((kind,), within_s))[1]

    async def receive_one_of(self, kinds: Iterable[str], within_s: float = PATIENCE_S) -> tuple[str, str]:
        """The next document of one of these types, after its type."""
        begins = [(kind, f'type="{kind}"') for kind in kinds]
        with trio.fail_after(within_s):
            while True:
                document, end, rest = self._received.partition(traffic.END)
                if end:
                    self._received = rest
                    # What has no content is closed by itself, and stands before the next one that has some.
                    text = document.decode(errors="replace")
                    for kind, begin in begins:
                        if begin in text:
                            return kind, text[text.rindex("<message", 0, text.index(begin)) :]
                else:
                    self._received += await self._receive()

    async def read(self) -> bytes:
        """The bytes that come next."""
        return await self._receive()

    async def listen(self) -> None:
        """Read and count until the server ends the connection; returns then."""
        with suppress(ServerGone):
            while True:
                await self._receive()

    async def ends(self) -> None:
        """Wait until the server has ended it; it must be read meanwhile."""
        await self._ended.wait()

    async def close(self) -> None:
        """Hang up as a program does that ends."""
        await trio.aclose_forcefully(self._stream)

    async def cut(self) -> None:
        """Hang up so that the server meets an error of the network."""
        # Lingering for 0 s makes the system send a reset instead of an end.
        with suppress(OSError):
            self._stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        await self.close()

    async def _receive(self) -> bytes:
        try:
            data = bytes(await self._stream.receive_some(RECEIVE_BYTES))
        except trio.BrokenResourceError:
            data = b""
        except trio.ClosedResourceError:
            raise ServerGone from None
        if not data:
            self._dealt.closed += 1
            self._ended.set()
            await self.close()
            raise ServerGone
        self._dealt.takes(data)
        return data


@dataclass(frozen=True, slots=True)
class ServerPlace:
    """Where a server listens; ``None`` is where it does not."""

    game: tuple[str, int]
    http: tuple[str, int] | None = None
    gateway: tuple[str, int] | None = None
    source: str = SOURCE
    tls: tuple[str, int] | None = None
    """Where players speak TLS; ``game`` is then a port beside it where they do not."""


@dataclass(slots=True)
class AttackSite:
    """What an attack is given. ``begins`` is called when everything is prepared."""

    place: ServerPlace
    nursery: trio.Nursery
    begins: Callable[[], None]
    dealt: Dealt = field(default_factory=Dealt)

    async def line(self, address: tuple[str, int] | None = None, *, deaf: bool = False, source: str = "") -> AttackLine:
        """A connection to the port of players, or to another address; from ``source`` if it is not an attacker's. What
        is ``deaf`` will not be read from. Raises Gone when the server does not let it in."""
        sock = trio.socket.socket()
        try:
            if deaf:
                # Before it connects: the window that the server may fill is fixed then.
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, DEAF_BYTES)
            await sock.bind((source or self.place.source, 0))
            await sock.connect(address or self.place.game)
            stream = trio.SocketStream(sock)
        except OSError as error:
            sock.close()
            self.dealt.refused += 1
            self.dealt.last = str(error.strerror or error)
            raise ServerGone from error
        self.dealt.lines += 1
        return AttackLine(stream, self.dealt)

    def listens(self, line: AttackLine) -> None:
        """Read what comes on this line from now on."""
        self.nursery.start_soon(line.listen)

    async def player(self, nick: str, *families: str, deaf: bool = False) -> AttackLine:
        """A player who is logged in, and listens unless it is deaf."""
        line = await self.line(deaf=deaf)
        await line.send((traffic.hello(*families) if families else b"") + traffic.player_login(nick))
        if not deaf:
            await line.receive("loginResponse")
            self.listens(line)
        return line

    async def players(self, count: int, *families: str, prefix: str = "p", deaf: bool = False) -> list[AttackLine]:
        """``count`` players: ``p0``, ``p1`` and so on. Those that the server did not let in are missing."""
        made = await self.many(count, lambda number: self.player(f"{prefix}{number}", *families, deaf=deaf))
        return [line for line in made if line is not None]

    async def many(self, count: int, make: Callable[[int], Awaitable[AttackLine]]) -> list[AttackLine | None]:
        """What ``make`` gives for each number, several at once; None where the server did not want it."""
        made: list[AttackLine | None] = [None] * count
        room = trio.CapacityLimiter(AT_ONCE)

        async def one(number: int) -> None:
            async with room:
                with suppress(ServerGone):
                    made[number] = await make(number)

        async with trio.open_nursery() as nursery:
            for number in range(count):
                nursery.start_soon(one, number)
        return made

    async def crowd(self, count: int, role: Callable[[int], Awaitable[None]]) -> None:
        """``count`` attackers play this role for ever, each with a new connection when it has lost one."""

        async def again(number: int) -> None:
            while True:
                try:
                    await role(number)
                except* (ServerGone, trio.TooSlowError):
                    pass
                await trio.sleep(PAUSE_S)

        async with trio.open_nursery() as nursery:
            for number in range(count):
                nursery.start_soon(again, number)

    async def game(
        self, *families: str, seats: int = 2, deaf: bool = False
    ) -> tuple[AttackLine, list[AttackLine], str]:
        """A master with ``table`` and players p0, p1, … of one game of its type: the lines, which are not read yet, and
        the id of the game. With ``deaf`` the players have not even read the answer to their login."""
        master = await self.line()
        login = traffic.hello("table") + traffic.master_login("m", seats, seats) + traffic.offers()
        await master.send(login)
        await master.receive("loginResponse")
        players = []
        for number in range(seats):
            player = await self.line(deaf=deaf)
            hello = traffic.hello(*families) if families else b""
            await player.send(hello + traffic.player_login(f"p{number}"))
            if not deaf:
                await player.receive("loginResponse")
            players.append(player)
        return master, players, game_id(await master.receive("beginGame"))


@asynccontextmanager
async def closed_at_end(*lines: AttackLine) -> AsyncIterator[None]:
    """Close these when the block is left, so that their nicks are free for the next attempt."""
    try:
        yield
    finally:
        with trio.CancelScope(shield=True):
            for line in lines:
                await line.close()


def game_id(document: str) -> str:
    """The id of the game that a document is about."""
    return document.partition('<gameId id="')[2].partition('"')[0]


async def send_in_turn(lines: Iterable[AttackLine], data: bytes) -> None:
    """Send ``data`` on each line, for ever; those that the server has ended are passed over. Raises Gone when none is
    left."""
    left = list(lines)
    while left:
        for line in tuple(left):
            try:
                await line.send(data)
            except ServerGone:
                left.remove(line)
    raise ServerGone
