"""A small gateway to test the shell of gateways with, and clients of it on memory streams."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import trio
from trio.testing import memory_stream_pair
from wsproto import ConnectionType, WSConnection
from wsproto.events import AcceptConnection, CloseConnection, Event, Ping, Request, TextMessage

from tests.daemon.shell import GO, PATIENCE_S, Pipe, Shell
from tests.daemon.stream_transport import StreamTransport
from ugs.config import Config
from ugs.daemon.gateways.gateway import GatewayServer
from ugs.gateway import Gateway, GatewayHost, GatewaySettings
from ugs.wire.extensions import Advertise, Family, Hello, NewTable, Visibility
from ugs.wire.messages import Message, PlayerLogin

HANDSHAKE = (
    b"GET /any/path HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Extensions: permessage-deflate\r\nSec-WebSocket-Protocol: chat\r\nOrigin: http://a.test\r\n\r\n"
)

FRIDAY = NewTable("Friday", 2, Visibility.PUBLIC)


class Toy:
    """A gateway whose clients order what it does. What it is told is kept in ``received``."""

    settings = GatewaySettings

    def __init__(self, _config: Config, _settings: GatewaySettings, server: GatewayHost) -> None:
        self.server = server
        self.received: list[tuple[object, ...]] = []
        self.opened_ones: list[int] = []
        self.delivered_to: list[tuple[tuple[int, ...], Message]] = []
        self.conns: dict[str, int] = {}
        """The players by their nicks."""
        self.sockets: dict[int, int] = {}
        """The socket of each player."""
        self.on_delivery: Callable[[Sequence[int], Message], None] = lambda conns, message: None
        self.fails: set[str] = set()
        """What it does wrong."""
        self._orders: dict[str, Callable[[int, str], None]] = {
            "echo": self.server.send,
            "flood": self._flood,
            "login": self._login,
            "table": self._table,
            "logout": self._logout,
            "close": lambda socket, reason: self.server.close(socket, 4000, reason),
            "last": self._last,
            "start": lambda socket, name: self.server.start(name, 5),
        }

    def started(self) -> None:
        self._told("started")

    def opened(self, socket: int, address: str) -> None:
        self.opened_ones.append(socket)
        self._told("opened", socket, address)

    def text(self, socket: int, text: str) -> None:
        self._told("text", socket, text)
        order, _, rest = text.partition(" ")
        if order in self._orders:
            self._orders[order](socket, rest)

    def binary(self, socket: int) -> None:
        self._told("binary", socket)

    def closed(self, socket: int) -> None:
        self._told("closed", socket)

    def delivered(self, conns: Sequence[int], message: Message) -> None:
        self.delivered_to.append((tuple(conns), message))
        for conn in conns:
            self.server.send(self.sockets.get(conn, 0), message.TYPE)
        self.on_delivery(conns, message)
        self._fail("delivered")

    def hung_up(self, conn: int) -> None:
        self._told("hung_up", conn)

    def timer(self, timer: str) -> None:
        self._told("timer", timer)

    def shutdown(self) -> None:
        for socket in self.opened_ones:
            self.server.send(socket, "farewell")
        self._told("shutdown")

    def of(self, nick: str) -> list[Message]:
        """What was delivered to a player."""
        return [message for conns, message in self.delivered_to if self.conns[nick] in conns]

    def enters(self, nick: str, socket: int = 0, *, lobby: bool = False) -> int:
        """A player comes and logs in, to wait for a game or to use the lobby; its number."""
        conn = self.server.connect("192.0.2.7:7")
        self.conns[nick], self.sockets[conn] = conn, socket
        if lobby:
            self.server.send_message(conn, Hello((Family.SESSION, Family.LOBBY)))
        self.server.send_message(conn, PlayerLogin(nick, GO))
        return conn

    def _told(self, *what: object) -> None:
        self.received.append(what)
        self._fail(str(what[0]))

    def _fail(self, where: str) -> None:
        if where in self.fails:
            raise RuntimeError(f"a bug in {where}")

    def _flood(self, socket: int, size: str) -> None:
        for _ in range(10):
            self.server.send(socket, "x" * int(size))

    def _login(self, socket: int, nick: str) -> None:
        self.enters(nick, socket)

    def _table(self, socket: int, nick: str) -> None:
        self.server.send_message(self.enters(nick, socket, lobby=True), Advertise(FRIDAY))

    def _logout(self, socket: int, nick: str) -> None:
        self.server.disconnect(self.conns[nick])

    def _last(self, socket: int, reason: str) -> None:
        self._flood(socket, "10")
        self.server.close(socket, 4001, reason)
        self.server.send(socket, "nobody hears this")


def is_a_gateway(toy: Toy) -> Gateway:
    """The type checker says so."""
    return toy


@dataclass(frozen=True)
class Closed:
    """The server has closed the WebSocket."""

    code: int
    reason: str | None


class Client:
    """The far end of a WebSocket, on a memory stream."""

    def __init__(self, stream: trio.abc.HalfCloseableStream) -> None:
        self.stream = stream
        self.pongs = 0
        self.answers_pings = True
        self.accepted: AcceptConnection | None = None
        self._socket = WSConnection(ConnectionType.CLIENT)
        self._parts: list[str] = []
        self._come: list[Event] = []

    async def shakes_hands(self) -> "Client":
        """Open the WebSocket, offering what the server need not take."""
        await self.sends(Request(host="x", target="/any/path", subprotocols=["chat"]))
        answer = await self._event(PATIENCE_S)
        assert isinstance(answer, AcceptConnection)
        self.accepted = answer
        return self

    async def sends(self, *events: Event) -> None:
        """Send these in one piece."""
        await self.stream.send_all(b"".join(self._socket.send(event) for event in events))

    async def says(self, *texts: str) -> None:
        """Send texts in one piece."""
        await self.sends(*map(TextMessage, texts))

    async def hears(self, within: float = PATIENCE_S) -> str | Closed | None:
        """The next whole text, how it is closed, or None at the end of the stream."""
        while True:
            event = await self._event(within)
            match event:
                case None:
                    return None
                case TextMessage():
                    self._parts.append(event.data)
                    if event.message_finished:
                        text, self._parts = "".join(self._parts), []
                        return text
                case CloseConnection():
                    return Closed(event.code, event.reason)
                case Ping() if self.answers_pings:
                    await self.sends(event.response())
                case _:
                    self.pongs += not isinstance(event, Ping)

    async def closes(self) -> None:
        """Close it as one should."""
        await self.sends(CloseConnection(1000))

    async def answers_close(self) -> None:
        """The other half of the closing handshake."""
        await self.sends(CloseConnection(1000))
        assert await self.hears() is None

    async def _event(self, within: float) -> Event | None:
        while not self._come:
            with trio.fail_after(within):
                data = bytes(await self.stream.receive_some())
            if not data:
                return None
            self._socket.receive_data(data)
            self._come += self._socket.events()
        return self._come.pop(0)


class ToyHouse:
    """A server with a toy gateway, without its listeners."""

    def __init__(self, shell: Shell, **settings: object) -> None:
        """``settings`` are those of the gateway."""
        self.shell = shell
        self.server = GatewayServer(shell, Toy, GatewaySettings.read(settings))
        assert isinstance(self.server.gateway, Toy)
        self.toy = self.server.gateway

    def connects(self) -> Client:
        """A client that has not shaken hands."""
        near, far = memory_stream_pair()
        self.shell.tasks.start_soon(self.server.let_in(StreamTransport(near, "192.0.2.5:5")).run)
        return Client(far)

    async def client(self) -> Client:
        """A client that has shaken hands."""
        return await self.connects().shakes_hands()

    async def pipe(self, room: int) -> Pipe:
        """A client that has shaken hands, takes ``room`` more bytes, and keeps each write to it apart."""
        plenty = 1_000_000
        pipe = Pipe(plenty)
        self.shell.tasks.start_soon(self.server.let_in(pipe).run)
        pipe.says(HANDSHAKE)
        while not any(received[0] == "opened" for received in self.toy.received):
            await trio.lowlevel.checkpoint()
        pipe.makes_room(len(pipe.written) - plenty + room, announced=False)
        return pipe


def masked(opcode: int, payload: bytes, *, final: bool = True) -> bytes:
    """A frame of a client, with the mask that changes nothing. Payloads are shorter than 65,536 bytes."""
    size = bytes([0x80 | len(payload)]) if len(payload) < 126 else b"\xfe" + len(payload).to_bytes(2, "big")
    return bytes([(0x80 if final else 0) | opcode]) + size + b"\0\0\0\0" + payload
