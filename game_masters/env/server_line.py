"""A connection of one player to a server, for programs that wait for each answer: no thread, no event loop.

Nothing is received while the learner computes. So pings are answered when it asks for the next message; a game that was
lost meanwhile, and a connection that was closed, show then.
"""

import selectors
import socket
import ssl
import time
from collections.abc import Callable, Sequence
from typing import Final

from ugs import __version__
from ugs.peer import FROM_SERVER
from ugs.wire import extensions as x
from ugs.wire.codec import DECLARATION, decode, encode
from ugs.wire.errors import WireError, WrongMessage
from ugs.wire.framing import Framer
from ugs.wire.messages import LoginResponse, Logout, Message, PlayerLogin, ServerShutdown

FAMILIES: Final = tuple(map(str, (x.Family.LOBBY, x.Family.REASON, x.Family.STATE)))
MAX_SECONDS: Final = 30.0
"""How long a login may take."""
PIECE: Final = 65_536


class LineClosed(Exception):
    """The connection has ended. The text gives the reason."""


class ServerLine:
    """A player's connection; it is opened when it is needed."""

    def __init__(self, opened: Callable[[], socket.socket], nick: str, game_type: str, token: str) -> None:
        """``opened`` connects. Raises OSError."""
        self.nick = nick
        self._opened = opened
        self._game_type = game_type
        self._token = token
        self._socket: socket.socket | None = None
        self._was_in = False
        self._framer = Framer(FROM_SERVER)

    @property
    def is_open(self) -> bool:
        """Whether there is a connection, as far as is known."""
        return self._socket is not None

    @property
    def socket(self) -> socket.socket:
        """What can be waited on. Raises LineClosed."""
        if self._socket is None:
            raise LineClosed("the connection is closed")
        return self._socket

    def begin(self) -> None:
        """Log in, if need be, and ask for a game. Raises OSError, LineClosed."""
        self.log_in()
        self.send(x.Wait("wait", once=True))

    def log_in(self) -> None:
        """Connect and log in, unless that is done. Raises OSError, and LineClosed if it is to be tried again."""
        if self._socket is not None:
            return
        # What had begun to arrive on an earlier connection never goes on.
        self._socket, self._framer = self._opened(), Framer(FROM_SERVER)
        hello = x.Hello(FAMILIES, "ugs env", __version__, token=self._token)
        self._write(DECLARATION + encode(hello) + encode(PlayerLogin(self.nick, self._game_type)))
        refusal, until = None, time.monotonic() + MAX_SECONDS
        while True:
            try:
                messages = self.receive(until)
            except (LineClosed, TimeoutError) as error:
                self.close()
                why = f"nothing in {MAX_SECONDS:g} s" if isinstance(error, TimeoutError) else error
                raise ConnectionError(f"the server does not answer the login of {self.nick}: {why}") from error
            for message in messages:
                if isinstance(message, x.Failed):
                    refusal = message
                if isinstance(message, LoginResponse):
                    if message.error is None:
                        self._was_in = True
                        return
                    self.close()
                    if self._was_in and refusal is not None and refusal.code is x.RefusalReason.DUPLICATE_USER:
                        raise LineClosed("the server does not know yet that the last connection has ended")
                    why = (refusal and refusal.text) or message.error.name.lower().replace("_", " ")
                    raise ConnectionRefusedError(f"the server does not let {self.nick} in: {why}")

    def send(self, *messages: Message) -> None:
        """Send messages in one piece. Raises LineClosed."""
        self._write(b"".join(map(encode, messages)))

    def _write(self, data: bytes) -> None:
        if self._socket is None:
            raise LineClosed("the connection is closed")
        try:
            self._socket.settimeout(MAX_SECONDS)
            self._socket.sendall(data)
        except OSError as error:
            raise LineClosed(f"the connection is cut: {error}") from error

    def receive(self, until: float | None) -> list[Message]:
        """Wait for messages, at most until this time (None: for ever), and answer pings among them. Raises
        TimeoutError, LineClosed."""
        if self._socket is None:
            raise LineClosed("the connection is closed")
        left = None if until is None else until - time.monotonic()
        if left is not None and left <= 0:
            raise TimeoutError("no game in time")
        self._socket.settimeout(left)
        try:
            data = self._socket.recv(PIECE)
        except TimeoutError:
            raise TimeoutError("no game in time") from None
        except OSError as error:
            raise LineClosed(f"the connection is cut: {error}") from error
        if not data:
            raise LineClosed("the server has closed the connection")
        try:
            return [one for document in self._framer.feed(data) for one in self._read(document.raw)]
        except WireError as error:
            raise LineClosed(f"the server's bytes are no messages: {error}") from error

    def _read(self, raw: bytes) -> list[Message]:
        try:
            message = decode(raw)
        except WrongMessage:
            return []
        if isinstance(message, x.Ping):
            self.send(x.Pong(message.ref))
        elif isinstance(message, x.Warn) and message.scope is not x.WarningScope.CLOCK:
            # It warns of silence, which any message ends.
            self.send(x.Ping())
        elif isinstance(message, ServerShutdown):
            raise LineClosed("the server has stopped")
        return [message]

    def close(self) -> None:
        """Log out and close."""
        if self._socket is None:
            return
        try:
            # The server may not read any more, and the end should not wait for it.
            self._socket.settimeout(1)
            self._socket.sendall(encode(Logout()))
            until = time.monotonic() + 1
            while self._socket.recv(PIECE) and time.monotonic() < until:
                pass  # the server closes when it has read that, and the nick is free
        except OSError:
            pass
        finally:
            self._socket.close()
            self._socket = None


def ready(lines: Sequence[ServerLine]) -> list[ServerLine]:
    """Wait until something can be received on one of these lines; return those. Raises LineClosed if one is closed."""
    sockets = {one.socket: one for one in lines}
    decrypted = [one for plug, one in sockets.items() if isinstance(plug, ssl.SSLSocket) and plug.pending()]
    if decrypted:
        return decrypted
    with selectors.DefaultSelector() as selector:
        for plug, one in sockets.items():
            selector.register(plug, selectors.EVENT_READ, one)
        return [key.data for key, _ in selector.select()]
