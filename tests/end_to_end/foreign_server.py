"""A small server of plain v4 as others have written them: it knows no extensions, and less about XML than it should.

It leads no championship, keeps no clock and trusts everybody. What matters is how it reads:

- ``Manner.ANSWERS``: an unknown message is answered with an ``error``
- ``Manner.IGNORES``: the connection is deaf from an unknown message on
- ``Manner.DECLARES``: as the first, and every document has a declaration, as the specification wants it

The first two understand nothing any more once a segment holds a declaration that is not its beginning; the third wants
one at the beginning of every segment.
"""

import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum, auto

DECLARATION = b'<?xml version="1.0" encoding="UTF-8"?>'
MESSAGE = re.compile(rb'<message type="([^"]+)"(?:/>|>(.*?)</message>)', re.DOTALL)
NICK = re.compile(rb'nick="([^"]*)"')
ACCEPTED = b'<message type="loginResponse"><response accept="yes"/></message>'


class Manner(Enum):
    """How it reads what it does not expect."""

    ANSWERS = auto()
    IGNORES = auto()
    DECLARES = auto()


class ForeignServer:
    """Brings two players and a master together, one game after another."""

    def __init__(self, manner: Manner) -> None:
        self._manner = manner
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._listener.getsockname()[1]}"
        self.deaf = 0
        """The number of connections on which a segment could not be understood."""
        self.heard: list[bytes] = []
        """The types of all messages that were understood."""
        self._lock = threading.Lock()
        self._open: list[socket.socket] = []
        self._players: dict[bytes, socket.socket] = {}
        self._waiting: list[bytes] = []
        self._seated: tuple[bytes, ...] = ()
        self._master: socket.socket | None = None
        self._games = 0

    def runs(self) -> None:
        """Accept connections until the listener is closed."""
        while True:
            try:
                line, _ = self._listener.accept()
            except OSError:
                return
            self._open.append(line)
            threading.Thread(target=self._reads, args=(line,), daemon=True).start()

    def closes(self) -> None:
        """Close everything."""
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for line in self._open:
            line.close()

    def _reads(self, line: socket.socket) -> None:
        buffer, deaf = b"", False
        try:
            while segment := line.recv(65_536):
                if self._manner is Manner.DECLARES:
                    misread = not buffer and not segment.startswith(DECLARATION)
                else:
                    misread = segment.rfind(b"<?xml") > 0
                if misread and not deaf:
                    self.deaf, deaf = self.deaf + 1, True
                if deaf:
                    continue
                buffer += segment
                while not deaf and (match := MESSAGE.search(buffer)) is not None:
                    buffer = buffer[match.end() :]
                    deaf = not self._handles(line, match[1], match[2] or b"")
        except OSError:
            return
        finally:
            line.close()

    def _says(self, line: socket.socket, document: bytes) -> None:
        line.sendall((DECLARATION if self._manner is Manner.DECLARES else b"") + document)

    def _handles(self, line: socket.socket, kind: bytes, content: bytes) -> bool:
        """Handle one message; return whether the connection goes on."""
        with self._lock:
            self.heard.append(kind)
            match kind:
                case b"playerLogin":
                    nick = NICK.findall(content)[0]
                    self._says(line, ACCEPTED)
                    self._players[nick] = line
                    self._waits(nick)
                case b"gameMasterLogin":
                    self._says(line, ACCEPTED)
                    self._master = line
                    self._begins()
                case b"gameState":
                    document = b'<message type="gameState">%b</message>' % content
                    for nick in self._seated:
                        self._says(self._players[nick], document)
                case b"move":
                    assert self._master is not None
                    self._says(self._master, b'<message type="move">%b</message>' % content)
                case b"thank you":
                    self._waits(next(nick for nick, each in self._players.items() if each is line))
                case b"logout":
                    line.shutdown(socket.SHUT_RDWR)
                case _ if self._manner is Manner.IGNORES:
                    return False
                case _:
                    self._says(line, b'<message type="error">unknown type %b</message>' % kind)
        return True

    def _waits(self, nick: bytes) -> None:
        self._waiting.append(nick)
        self._begins()

    def _begins(self) -> None:
        if self._master is None or len(self._waiting) < 2:
            return
        self._games += 1
        self._seated, self._waiting = tuple(self._waiting), []
        players = b"".join(b'<player nick="%b"/>' % nick for nick in self._seated)
        begin = b'<message type="beginGame"><gameId id="%d"/>%b</message>' % (self._games, players)
        self._says(self._master, begin)


@contextmanager
def foreign_server(manner: Manner) -> Iterator[ForeignServer]:
    """A server that listens while the context lasts."""
    server = ForeignServer(manner)
    threading.Thread(target=server.runs, daemon=True).start()
    try:
        yield server
    finally:
        server.closes()
