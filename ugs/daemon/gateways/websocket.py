"""One WebSocket: the handshake, what comes, a queue of what goes out, and its end.

All that is sent to a client waits in its queue, which a task of its own empties, as with any peer: a client that does
not read fills its queue and loses its connection. Texts are not logged, since only the gateway knows what in them is
secret.
"""

from typing import Protocol

import structlog
import trio
from trio_websocket import ConnectionClosed

from ugs.address import origin_of
from ugs.config import Config
from ugs.daemon.fairness.rates import Meter
from ugs.daemon.fairness.service_turns import Guest
from ugs.daemon.gateways.text_outbox import TextOutbox
from ugs.daemon.gateways.websocket_line import WebSocketLine
from ugs.daemon.network.transport import Transport, linger
from ugs.gateway import GatewaySettings

TOO_MUCH = 1008
"""The code that closes a client that sends too much."""


class WebSocketHost(Protocol):
    """What a WebSocket reports to its gateway's server and asks of it."""

    @property
    def config(self) -> Config:
        """The settings of the server."""
        ...

    @property
    def settings(self) -> GatewaySettings:
        """The settings of the gateway."""
        ...

    def opened(self, client: "WebSocket", /) -> None:
        """Hands have been shaken."""
        ...

    def received(self, socket: int, message: str | bytes, /) -> None:
        """A whole message has come."""
        ...

    def lost(self, socket: int, /) -> None:
        """Nothing more comes from this client. May be called twice."""
        ...

    def gone(self, client: "WebSocket", /) -> None:
        """The transport is closed."""
        ...

    async def disk_ready(self) -> None:
        """Wait while the disk is too slow to read more."""
        ...


class WebSocket:
    """One client, from the handshake to the end. ``number`` is what the gateway knows it by."""

    def __init__(self, number: int, transport: Transport, host: WebSocketHost, meter: Meter, guest: Guest) -> None:
        config = host.config
        self.number = number
        self.meter = meter
        self.guest = guest
        """Its place among those who are served."""
        self._host = host
        self._transport = transport
        self._line = WebSocketLine(transport, config.write_timeout_s, host.settings.max_message_bytes, guest)
        self._scope = trio.CancelScope()
        # From the connection on, so that a client that drips its handshake has no more time than one that is silent.
        self._handshake = trio.CancelScope(deadline=trio.current_time() + config.login_timeout_s)
        self._outbox = TextOutbox(config.max_outbox_bytes)
        self._last_word: tuple[int, str] | None = None
        """The server's close code and reason, sent when the outbox is empty."""
        self._closed_by_us = trio.Event()
        self._why = ""
        self._log: structlog.typing.FilteringBoundLogger = structlog.get_logger("ugs").bind(socket=number)

    @property
    def address(self) -> str:
        """The client's address, for people to read."""
        return self._transport.address

    # For the account.

    @property
    def origin(self) -> str:
        """What limits per address count."""
        return origin_of(self.address)

    def describe(self) -> dict[str, object]:
        """Who it is, for the log."""
        return {"kind": "gateway client", "socket": self.number, "address": self.address}

    def held_bytes(self) -> int:
        """What was read and not handled, and what the client has not read."""
        return self._line.held_bytes + self._outbox.waiting_bytes

    def give_back(self, _held: int, why: str, _limit: str) -> None:
        """Let go of the client, which holds too much."""
        self.drop(why)

    # For the server.

    def send(self, text: str) -> None:
        """Put a text into the outbox."""
        if self._closing() or self._scope.cancel_called:
            return
        too_slow = self._outbox.put(text)
        if too_slow is not None:
            self.drop(too_slow)

    def close(self, code: int, reason: str) -> None:
        """Close it when the outbox is empty, at the latest ``close_s`` from now. Nothing more is read from it."""
        if self._last_word is None:
            self._last_word = (code, reason)
            self._scope.deadline = trio.current_time() + self._host.settings.close_s
            self._handshake.cancel()
            self._outbox.close()

    def drop(self, why: str) -> None:
        """Let go of the client at once."""
        self._why = self._why or why
        self._scope.cancel()

    # Its tasks.

    async def run(self) -> None:
        """Serve it until one side has had enough; leaves the transport closed."""
        try:
            with self._scope:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(self._read)
                    if await self._shake_hands() and not self._closing():
                        self._log.info("socket opened", address=self.address)
                        self._host.opened(self)
                        nursery.start_soon(self._write)
                        nursery.start_soon(self._ping)
                        await self._receive()
                        self._host.lost(self.number)
                        if self._closing():
                            await self._closed_by_us.wait()
                    nursery.cancel_scope.cancel()
                # A client given up for not reading would not read the end of the stream either.
                if not self._line.wire.fault:
                    await linger(self._transport)
        except Exception:
            self._log.exception("bug in the server", during="websocket")
        finally:
            self._host.lost(self.number)
            code, reason = self._end()
            self._log.info("socket closed", code=code, reason=reason, address=self.address)
            try:
                await self._transport.aclose()
            finally:
                self._host.gone(self)

    def _closing(self) -> bool:
        return self._last_word is not None

    def _end(self) -> tuple[int | None, str | None]:
        """The code that closed it, and why, for people to read."""
        why = self._why or self._line.wire.fault
        if self._last_word is not None:
            return self._last_word[0], why or self._last_word[1]
        closed = self._line.closed
        return (closed.code, why or closed.reason) if closed is not None else (None, why)

    async def _read(self) -> None:
        """Let the library make messages of bytes. It is not prepared for everything that may come instead of a
        handshake."""
        try:
            await self._line._reader_task()
        except Exception as error:
            self._why = f"no WebSocket: {error}"
        finally:
            self._handshake.cancel()

    async def _shake_hands(self) -> bool:
        overrun = self.meter.logs_in(trio.current_time())
        if overrun is not None:
            self._why = overrun.text
        with self._handshake:
            try:
                # A client over the rate of logins waits before its handshake is read, as a peer of the broker does.
                await trio.sleep(0 if overrun is None else overrun.wait_s)
                self._why = ""
                request = await self._line._get_request()
                await request.accept()
            except Exception as error:
                self._why = f"no WebSocket: {error}"
                return False
            return True
        self._why = self._why or "no handshake"
        return False

    async def _receive(self) -> None:
        """Pass what comes to the gateway, until the end."""
        while True:
            await self._host.disk_ready()
            try:
                message = await self._line.get_message()
            except ConnectionClosed:
                return
            # What comes after the server's own close is thrown away, and not charged.
            if not self._closing():
                await self._slow_down(message)
            if not self._closing():
                self._host.received(self.number, message)

    async def _slow_down(self, message: str | bytes) -> None:
        """Wait as long as the client must not be read since it sends too much; close it when it does so for long."""
        overrun = self.meter.add_sent(1, len(message), trio.current_time())
        if overrun is None:
            return
        if overrun.last:
            self.close(TOO_MUCH, overrun.text)
            return
        if overrun.first:
            self._log.warning("too much from a socket", reason=overrun.text, address=self.address)
        await trio.sleep(overrun.wait_s)

    async def _write(self) -> None:
        try:
            while (text := await self._outbox.get()) is not None:
                await self._line.send_message(text)
            if self._last_word is not None:
                await self._line.aclose(*self._last_word)
        except ConnectionClosed:  # a client that has gone gets no answer; the reader finds out, too
            return
        finally:
            self._closed_by_us.set()

    async def _ping(self) -> None:
        patience = self._host.settings.pong_timeout_s
        try:
            while True:
                await trio.sleep(self._host.settings.ping_s)
                with trio.move_on_after(patience) as scope:
                    await self._line.ping()
                if scope.cancelled_caught:
                    self.drop(f"no pong in {patience:g} s")
        except ConnectionClosed:
            return
