"""HTTP: Hypercorn speaks it, an application answers, both in a nursery of the server.

Connections are accepted here instead of by Hypercorn, because at the end all of them have to be closed at once, without
waiting for their peers. They are served by turns (:mod:`ugs.daemon.http.request_turns`), and ambiguous requests are
refused (:mod:`ugs.daemon.http.strict`).
"""

import fcntl
import os
import socket
import sys
import termios
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple, cast

import h11
import structlog
import trio
from hypercorn.config import Config as HypercornConfig
from hypercorn.events import Closed, Event, RawData
from hypercorn.protocol.h11 import H11Protocol, H11WSConnection
from hypercorn.protocol.ws_stream import WSStream
from hypercorn.trio.tcp_server import TCPServer
from hypercorn.trio.worker_context import WorkerContext
from hypercorn.typing import AppWrapper, ASGIFramework, ConnectionState, H11SendableEvent
from hypercorn.utils import wrap_app
from starlette.types import ASGIApp
from starlette.websockets import WebSocketDisconnect

from ugs.address import origin_of
from ugs.daemon.fairness.steps import MAX_NAME
from ugs.daemon.http.request_turns import Caller, RequestTurns, TurnKind, kind_of
from ugs.daemon.http.strict import Strict
from ugs.daemon.http.tls import REFUSAL, SecureStream
from ugs.daemon.network.handshakes import Handshakes, NoTls
from ugs.daemon.network.listening import address_text, open_listeners
from ugs.daemon.network.tls import TlsTransport
from ugs.daemon.network.transport import Gone, SocketTransport
from ugs.daemon.processes.supervision import Supervisor
from ugs.printable import safe, shortened

UNREAD_S = 30
"""The system gives up a connection whose peer takes no byte for this many seconds."""
MAX_REQUEST, MAX_WEBSOCKET = 2048, 512
"""Bytes that are read at once: of requests, which the first frames of a WebSocket may follow, and of WebSockets. Six
bytes can be a frame, which costs as much as a small message."""
MAX_MESSAGE = 16_384
"""Bytes of a message on a WebSocket."""
PING_S = 20.0
"""Seconds between two pings on a WebSocket, so that nothing on the way forgets it."""
ANSWER_BUFFER = 16 * 1024
"""Bytes of answers that the system takes before it can send them, as it does below streams of Trio's."""
EVENT_BUFFER = 128 * 1024
"""Bytes that the system keeps of events for one client: more than are sent at once. (Linux takes twice as many, and
counts its own records among them, which may be larger than what they hold.)"""
LINE, PLACE = "ugs.line", "ugs.place"
"""The extensions of a scope: for requests the :class:`EventSocket` of the client, for WebSockets its
:class:`Caller`."""


async def serve_http(
    front: "Front",
    host: str,
    port: int,
    handshakes: Handshakes | None = None,
    supervisor: Supervisor | None = None,
    task_status: trio.TaskStatus[str] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Let clients in at ``host`` and ``port`` (0 picks a free one) until cancelled; with ``handshakes`` they have to
    speak TLS. The owner of ``front`` runs :meth:`Front.run`.

    ``task_status`` gets the address as text. Raises OSError, which names host and port, when it cannot listen.
    """
    sockets = await open_listeners(host, port)
    bound: int = sockets[0].getsockname()[1]
    task_status.started(address_text(sockets[0].getsockname()))

    async def let_in() -> None:
        nonlocal sockets
        # The first sockets are opened above, so that a taken port ends the start.
        own, sockets = sockets or await open_listeners(host, bound), []  # should it fail, Trio closes them
        listeners = [trio.SocketListener(trio.socket.from_stdlib_socket(sock)) for sock in own]
        await trio.serve_listeners(partial(front.serve, handshakes), listeners)

    await (supervisor or Supervisor()).run("page", let_in)


class ConnectionLimits(NamedTuple):
    """Connections at a time. One more from an address that has most takes the place of its oldest, so that a client
    with many idle connections does not keep others out; else it is closed at once."""

    in_all: int = 4000
    per_address: int = 400


class EventSocket:
    """The socket of a client that listens to events (:class:`ugs.page.contract.EventLine`). What is sent goes to the
    system at once, in the framing of HTTP/1.1; nothing is kept here."""

    def __init__(self, stream: trio.SocketStream) -> None:
        self._stream = stream
        self.listening = False
        """Whether its client is sent events, and sends nothing more itself."""

    def listen(self) -> None:
        """From now on the client is sent events."""
        self.listening = True
        self._stream.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, EVENT_BUFFER)
        if hasattr(socket, "TCP_NOTSENT_LOWAT"):  # streams of Trio's let the system take 16 KiB of what it cannot send
            self._stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, EVENT_BUFFER)

    def ready(self) -> bool:
        """Whether the client has taken all that was sent to it."""
        try:
            unsent = fcntl.ioctl(self._stream.socket.fileno(), termios.TIOCOUTQ, bytes(4))
            return int.from_bytes(unsent, sys.byteorder) == 0
        except (OSError, ValueError):
            return True  # it is gone, which shows when it is sent something

    def send(self, chunk: bytes | memoryview) -> bool:
        """Send a chunk of the body; False if not all of it went out."""
        return self._write(b"%x\r\n" % len(chunk), chunk, b"\r\n")

    def end(self) -> None:
        """End the answer in good order, and close it."""
        self._write(b"0\r\n\r\n")
        self.cut()

    def cut(self) -> None:
        """Close it."""
        # The socket, not the stream: closing that would have to be awaited.
        self._stream.socket.close()

    def _write(self, *parts: bytes | memoryview) -> bool:
        """Hand them to the system; False if it has not taken all."""
        try:
            # One system call and no copy: the same chunk goes to every client that listens.
            return os.writev(self._stream.socket.fileno(), parts) == sum(map(len, parts))
        except (OSError, ValueError):
            return False


class SecureLine(EventSocket):
    """The same over TLS. What the system does not take at once is lost with the line, as without TLS."""

    def __init__(self, stream: trio.SocketStream, transport: TlsTransport) -> None:
        super().__init__(stream)
        self._transport = transport

    def ready(self) -> bool:
        """Whether the client has taken all that was sent to it."""
        return not self._transport.owes and super().ready()

    def _write(self, *parts: bytes | memoryview) -> bool:
        data = b"".join(parts)
        try:
            return self._transport.send_now(data) == len(data)
        except Gone:
            return False


class EarlyFrames(Exception):
    """A client has sent frames of a WebSocket before hands were shaken. Hypercorn refuses that and cannot go on."""


class Http1(H11Protocol):
    """HTTP/1.1 and nothing else: HTTP/2 lets a client open and reset thousands of requests in one segment. Each request
    waits for its turn, also one of many that came together."""

    turns: RequestTurns
    caller: Caller

    def __init__(self, *made_of: Any) -> None:
        super().__init__(*made_of)
        self.connection = Strict(h11.SERVER, max_incomplete_event_size=self.config.h11_max_incomplete_size)

    async def _check_protocol(self, event: h11.Request) -> None:
        """Answer in HTTP/1.1, even if a client asks for another protocol."""
        await self.turns.wait(self.caller, kind_of(event.target))

    async def _create_stream(self, request: h11.Request) -> None:
        """WebSockets are not compressed: a few bytes could become megabytes."""
        headers = [(name, value) for name, value in request.headers if name != b"sec-websocket-extensions"]
        plain = h11.Request(
            method=request.method, target=request.target, headers=headers, http_version=request.http_version
        )
        await super()._create_stream(plain)

    async def _send_h11_event(self, event: H11SendableEvent) -> None:
        """Raises EarlyFrames when what should be sent cannot follow what a client was sent instead of a handshake."""
        try:
            await super()._send_h11_event(event)
        except h11.LocalProtocolError as error:
            if not isinstance(self.connection, H11WSConnection):
                raise
            raise EarlyFrames from error

    async def _send_error_response(self, status_code: int) -> None:
        """Answer a request that is refused, with the reason as its text; Hypercorn's own answer has none."""
        request = self.connection if isinstance(self.connection, Strict) else None
        fault = request.fault if request is not None else ""
        body = f"{status_code}: {safe(shortened(fault)) or 'the request cannot be read'}\n".encode()
        headers = [
            (b"content-length", str(len(body)).encode()),
            (b"content-type", b"text/plain; charset=utf-8"),
            (b"connection", b"close"),
            *self.config.response_headers("h11"),
        ]
        await self._send_h11_event(h11.Response(status_code=status_code, headers=headers))
        if request is None or not request.asks_head:
            await self._send_h11_event(h11.Data(data=body))
        await self._send_h11_event(h11.EndOfMessage())

    @property
    def is_websocket(self) -> bool:
        """Whether hands have been shaken."""
        return isinstance(self.stream, WSStream)


class Http1Server(TCPServer):
    """Hypercorn's server of one connection, with :class:`Http1`. Hypercorn has no setting for that."""

    turns: RequestTurns
    caller: Caller
    line: EventSocket

    async def protocol_send(self, event: Event) -> None:
        """Send, or close. An answer that is ready while the line is being closed, since its client has also sent
        something that is no HTTP, is as late as one that comes after that."""
        try:
            await super().protocol_send(event)
        except trio.BusyResourceError:
            await self.protocol.handle(Closed())

    async def _read_data(self) -> None:
        made = self.protocol
        made.protocol = Http1(
            made.app,
            made.config,
            made.context,
            made.task_group,
            made.state,
            made.ssl,
            made.client,
            made.server,
            made.send,
        )
        made.protocol.turns, made.protocol.caller = self.turns, self.caller
        while True:
            is_websocket = made.protocol.is_websocket
            try:
                if is_websocket:
                    await self.turns.wait(self.caller, TurnKind.PLAY if self.caller.plays else TurnKind.PAGE)
                data = await self.stream.receive_some(MAX_WEBSOCKET if is_websocket else MAX_REQUEST)
            except (trio.ClosedResourceError, trio.BrokenResourceError):
                break
            if self.line.listening:  # Hypercorn would wait for the end of the answer before it notices another end
                if not data:
                    break
                continue
            await self.protocol.handle(RawData(bytes(data)))
            if not data:
                break
        await self.protocol.handle(Closed())


class Front:
    """The connections, each in a task of its own."""

    def __init__(self, app: ASGIApp, limits: ConnectionLimits, turns: RequestTurns) -> None:
        self._limits = limits
        self._turns = turns
        self._config = HypercornConfig()
        self._config.errorlog = None  # errors are logged where they arise
        self._config.include_server_header = False
        self._config.websocket_max_message_size = MAX_MESSAGE
        self._config.websocket_ping_interval = PING_S
        self._app: AppWrapper = wrap_app(cast(ASGIFramework, app), self._config.wsgi_max_body_size, "asgi")
        self._context = WorkerContext(None)
        self._of_address: dict[str, dict[trio.SocketStream, None]] = {}
        """The connections of each address, the oldest first."""

    async def serve(self, handshakes: Handshakes | None, accepted: trio.SocketStream) -> None:
        """Answer one client until it or Hypercorn has had enough; with ``handshakes`` over TLS."""
        # The stream and a transport below TLS share one socket object, so closing it in one closes it for both.
        theirs = accepted.socket
        sock = socket.socket(theirs.family, theirs.type, theirs.proto, theirs.detach())
        async with trio.SocketStream(trio.socket.from_stdlib_socket(sock)) as stream:
            try:
                client = address_text(stream.socket.getpeername())
            except OSError:
                return  # gone before it was served
            address = origin_of(client)
            if not self._make_room(address):
                return
            self._of_address.setdefault(address, {})[stream] = None
            try:
                if hasattr(socket, "TCP_USER_TIMEOUT"):
                    stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD_S * 1000)
                caller = Caller(address, lambda: self._is_known(stream, address))
                await self._turns.wait(caller, TurnKind.PAGE)
                if not self._is_known(stream, address):
                    return  # another one of its address has taken its place
                line, spoken_to = EventSocket(stream), cast(trio.abc.Stream, stream)
                if handshakes is not None:
                    transport = await handshakes.shake(SocketTransport(sock, client, ANSWER_BUFFER))
                    line, spoken_to = SecureLine(stream, transport), SecureStream(transport, stream)
                # Its annotation names streams with TLS only; it finds out on its own what it was given.
                tls_or_not = cast("trio.SSLStream[trio.SocketStream]", spoken_to)
                app = cast(AppWrapper, _WithLine(self._app, line, caller))
                server = Http1Server(app, self._config, self._context, ConnectionState({}), tls_or_not)
                server.turns, server.caller, server.line = self._turns, caller, line
                await server.run()
            except NoTls:
                with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
                    await stream.send_all(REFUSAL)
            except (OSError, Gone):
                return  # gone meanwhile
            except Exception as error:  # unexpected input may cost a client its connection, not a contest
                if _is_bug(error):
                    _log().exception("bug in the server", during="HTTP", address=client)
            finally:
                self._forget(stream, address)

    def _make_room(self, address: str) -> bool:
        """Whether there is room for one more client from this address, if need be in place of another."""
        own = len(self._of_address.get(address, ()))
        if own >= self._limits.per_address:
            self._close_oldest(address)
        elif sum(map(len, self._of_address.values())) >= self._limits.in_all:
            most = max(self._of_address, key=lambda one: len(self._of_address[one]))
            # Or two addresses with equally many would close each other's lines for ever.
            if len(self._of_address[most]) <= own + 1:
                return False
            self._close_oldest(most)
        return True

    def _close_oldest(self, address: str) -> None:
        oldest = next(iter(self._of_address[address]))
        self._forget(oldest, address)
        oldest.socket.close()

    def _is_known(self, stream: trio.SocketStream, address: str) -> bool:
        return stream in self._of_address.get(address, ())

    def _forget(self, stream: trio.SocketStream, address: str) -> None:
        streams = self._of_address.get(address)
        if streams is not None:
            streams.pop(stream, None)
            if not streams:
                del self._of_address[address]

    async def run(self) -> None:
        """Give turns until cancelled, then close all sockets: Hypercorn cannot be cancelled in the middle of a send."""
        try:
            await self._turns.run()
        finally:
            for streams in self._of_address.values():
                for stream in streams:
                    stream.socket.close()


class _WithLine:
    """An application that finds in each scope what is known of its client."""

    def __init__(self, app: AppWrapper, line: EventSocket, caller: Caller) -> None:
        self._app = app
        self._line = line
        self._caller = caller

    async def __call__(self, scope: Any, *rest: Any) -> None:
        if scope["type"] == "http":
            scope["extensions"][LINE] = self._line
        elif scope["type"] == "websocket":
            scope["extensions"][PLACE] = self._caller
        try:
            await self._app(scope, *rest)
        except Exception as error:
            # Hypercorn closes the WebSocket, and keeps to itself why. What a request meets is logged by the page.
            if scope["type"] == "websocket" and _is_bug(error):
                what, address = f"WebSocket {scope['path']}"[:MAX_NAME], scope["client"][0]
                _log().exception("bug in the server", during=what, address=address)
            raise


def _is_bug(error: Exception) -> bool:
    """Whether anything but what clients do on their lines has ended the task of a connection."""
    return not all(isinstance(one, (EarlyFrames, OSError, Gone, WebSocketDisconnect)) for one in _leaves(error))


def _leaves(error: BaseException) -> Iterator[BaseException]:
    """What has gone wrong in all tasks of a connection."""
    if isinstance(error, BaseExceptionGroup):
        for one in error.exceptions:
            yield from _leaves(one)
    else:
        yield error


def _log() -> structlog.typing.FilteringBoundLogger:
    log: structlog.typing.FilteringBoundLogger = structlog.get_logger("ugs")
    return log
