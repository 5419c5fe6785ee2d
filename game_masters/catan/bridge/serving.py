"""The sockets of a bridge: one task group per client, which ends with the client or with its connection to our server.
Nothing here decides; what is bounded is here and in :mod:`game_masters.catan.bridge.guest`."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Final, TypeAlias

import trio
from structlog.typing import FilteringBoundLogger

from game_masters.catan.bridge.framing import BadFrame, Frames, framed
from game_masters.catan.bridge.guest import Close, Dial, Effect, Guest, HangUp, House, Line
from game_masters.kit.client import Send
from ugs.address import origin_of
from ugs.peer import Peer
from ugs.wire.codec import WrongMessage
from ugs.wire.framing import WireError
from ugs.wire.messages import Message

MAX_LINE: Final = 4096
"""Bytes of the longest line that is read of a client: names and a few numbers."""
MAX_UNSENT: Final = 4_000
"""Lines that wait for a client: the beginning of a game has a hundred."""
MAX_UNTOLD: Final = 64
"""Messages that wait for our server."""
SEND_LIMIT_S: Final = 10.0
"""Seconds that a client has to take a line; also for the last words to it."""
DIAL_LIMIT_S: Final = 8.0
TICK_S: Final = 1.0
FULL: Final = framed("1059|the bridge has no room for one more")

Call: TypeAlias = Callable[[], Awaitable[Peer]]
"""Opens a connection to our server; raises OSError."""


async def serve(
    house: House, listeners: Sequence[trio.SocketListener], call: Call, room: "Room", log: FilteringBoundLogger
) -> None:
    """Serve clients, as many as there is room for, until cancelled."""

    async def visited(stream: trio.SocketStream) -> None:
        host, port = stream.socket.getpeername()[:2]
        origin = origin_of(f"[{host}]:{port}")
        visit = Visit(stream, Guest(house, trio.current_time()), call, log.bind(address=f"{host}:{port}"))
        if not room.takes(visit, origin):
            with trio.move_on_after(SEND_LIMIT_S):
                await _sent(stream, FULL)
            await stream.aclose()
            return
        try:
            await visit.run()
        finally:
            room.leaves(visit)

    await trio.serve_listeners(visited, list(listeners))


class Room:
    """The clients that are connected. One address has at most half of the places. Where all are taken, the first
    client without a name gives way."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._here: dict[Visit, str] = {}

    def takes(self, visit: "Visit", origin: str) -> bool:
        """Let a client in, if it finds a place."""
        if list(self._here.values()).count(origin) >= max(self._most // 2, 1):
            nameless = [one for one, whose in self._here.items() if whose == origin and not one.named]
        elif len(self._here) >= self._most:
            nameless = [one for one in self._here if not one.named]
        else:
            self._here[visit] = origin
            return True
        if not nameless:
            return False
        self._here.pop(nameless[0])
        nameless[0].gives_way()
        self._here[visit] = origin
        return True

    def leaves(self, visit: "Visit") -> None:
        """A client has gone."""
        self._here.pop(visit, None)


async def _sent(stream: trio.abc.SendStream, data: bytes) -> bool:
    """Send, and return whether that was possible."""
    try:
        await stream.send_all(data)
    except (trio.BrokenResourceError, trio.ClosedResourceError):
        return False
    return True


class Visit:
    """One client and its connections."""

    def __init__(self, stream: trio.abc.Stream, guest: Guest, call: Call, log: FilteringBoundLogger) -> None:
        self._stream = stream
        self._guest = guest
        self._call = call
        self._log = log
        self._lines, self._unsent = trio.open_memory_channel[str](MAX_UNSENT)
        self._messages: trio.MemorySendChannel[Message] | None = None
        """What to send to our server; None while there is no connection."""
        self._nursery: trio.Nursery | None = None

    @property
    def named(self) -> bool:
        """Whether the client has named itself."""
        return self._guest.named

    def gives_way(self) -> None:
        """Make room for another client."""
        self._do([Line("1059|the bridge needs the place for another one"), Close("gives way to another one")])

    async def run(self) -> None:
        """Serve the client until one of the two has gone."""
        async with self._stream, trio.open_nursery() as nursery:
            self._nursery = nursery
            nursery.start_soon(self._write)
            nursery.start_soon(self._tick)
            await self._read()
            nursery.cancel_scope.cancel()

    # --- the client -------------------------------------------------------------------------------------------------

    async def _read(self) -> None:
        frames = Frames(MAX_LINE)
        while True:
            try:
                data = await self._stream.receive_some(MAX_LINE)
            except (trio.BrokenResourceError, trio.ClosedResourceError):
                return
            if not data:
                return
            try:
                for line in frames.feed(bytes(data)):
                    self._do(self._guest.msg(line, trio.current_time()))
            except BadFrame as why:
                self._do([Line(f"1059|{why}"), Close(str(why))])
                await trio.sleep_forever()  # until the last line has been sent

    async def _write(self) -> None:
        async for line in self._unsent:
            with trio.move_on_after(SEND_LIMIT_S) as limit:
                if await _sent(self._stream, framed(line)):
                    continue
            if limit.cancelled_caught:
                self._log.info("slow client of the bridge")
            break
        assert self._nursery is not None
        self._nursery.cancel_scope.cancel()

    async def _tick(self) -> None:
        while True:
            await trio.sleep(TICK_S)
            self._do(self._guest.passed(trio.current_time()))

    # --- our server -------------------------------------------------------------------------------------------------

    async def _talk(self, unsaid: trio.MemoryReceiveChannel[Message]) -> None:
        """Open a connection to our server, and pass on what it sends until it ends or the guest hangs up."""
        try:
            with trio.fail_after(DIAL_LIMIT_S):
                peer = await self._call()
        except (OSError, trio.TooSlowError) as error:
            self._do(self._guest.lost(str(error) or "the server does not answer"))
            return
        async with peer, trio.open_nursery() as nursery:
            nursery.start_soon(partial(self._send, peer, unsaid, nursery.cancel_scope))
            self._do(self._guest.dialled())
            await self._receive(peer)
            nursery.cancel_scope.cancel()

    async def _send(self, peer: Peer, unsaid: trio.MemoryReceiveChannel[Message], scope: trio.CancelScope) -> None:
        async for message in unsaid:
            try:
                await peer.send(message)
            except (trio.BrokenResourceError, trio.ClosedResourceError):
                break
        scope.cancel()  # the guest has hung up, or the line is broken

    async def _receive(self, peer: Peer) -> None:
        while True:
            try:
                message = await peer.receive()
            except WrongMessage as error:
                self._log.warning("the server sends something that is not understood", reason=str(error))
                continue
            except (WireError, trio.BrokenResourceError, trio.ClosedResourceError) as error:
                message, why = None, str(error)
            else:
                why = "the server has closed the connection"
            if message is None:
                self._do(self._guest.lost(why))
                return
            self._do(self._guest.takes(message, trio.current_time()))

    # --- what the guest decides -------------------------------------------------------------------------------------

    def _do(self, effects: Sequence[Effect]) -> None:
        try:
            for effect in effects:
                self._perform(effect)
        except trio.WouldBlock:
            self._log.info("slow client of the bridge")
            self._lines.close()
        except (trio.ClosedResourceError, trio.BrokenResourceError):
            pass  # it is closing already

    def _perform(self, effect: Effect) -> None:
        match effect:
            case Line():
                self._lines.send_nowait(effect.text)
            case Send():
                if self._messages is not None:
                    self._messages.send_nowait(effect.message)
            case Dial():
                assert self._nursery is not None
                self._messages, unsaid = trio.open_memory_channel[Message](MAX_UNTOLD)
                self._nursery.start_soon(self._talk, unsaid)
            case HangUp():
                assert self._messages is not None
                self._messages.close()
                self._messages = None
            case Close():
                self._log.info("client of the bridge turned away", reason=effect.why)
                self._lines.close()
