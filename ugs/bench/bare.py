"""Yardstick (a): a Trio relay that does no XML work, with the same kind of input and output as the broker.

It keeps only what relaying needs: one reader task per connection that waits for the socket and reads it raw, a cut at
``</message>``, a look at a few bytes to find the receiver, and one raw send per peer and tick. It checks nothing, so
only the load generator may connect. What the broker costs above this is the price of its promises.

Started as ``python -m ugs.bench.bare --ready-file FILE``; ends on SIGTERM.
"""

import signal
import socket
import sys
from collections import deque
from collections.abc import Callable
from pathlib import Path

import trio

from ugs.ready import ready_file

BACKLOG = 1024
RECEIVE_BYTES = 64 * 1024
SEATS = 2

_END = b"</message>"
_DECLARED = b'<?xml version="1.0" encoding="UTF-8"?>'
_ACCEPTED = _DECLARED + b'<message type="loginResponse"><response accept="yes"/></message>'


class BarePeer:
    """One connection: its unfinished input, its pending output, and its games."""

    __slots__ = ("master", "nick", "rest", "sending", "socket", "unsent")

    def __init__(self, sock: socket.socket) -> None:
        self.socket = sock
        self.rest = b""
        self.unsent: list[bytes] = []
        self.sending = False
        self.nick = b""
        self.master: BarePeer | None = None
        """For a player in a game: the master that leads it."""


class Relay:
    """Who is connected, who waits and who plays. At the end of each tick it sends what the tick produced."""

    def __init__(self, nursery: trio.Nursery) -> None:
        self._nursery = nursery
        self._masters: deque[BarePeer] = deque()
        self._idle: deque[BarePeer] = deque()
        self._games: dict[bytes, list[BarePeer]] = {}
        self._games_begun = 0
        self._written: list[BarePeer] = []
        self._tick = trio.lowlevel.ParkingLot()
        self._rules: dict[bytes, Callable[[BarePeer, bytes], None]] = {
            b"gameState": self._game_state,
            b"move": self._move,
            b"thank you": self._thank_you,
            b"playerLogin": self._player_login,
            b"gameMasterLogin": self._master_login,
            b"logout": self._logout,
        }

    async def serve(self, listener: socket.socket) -> None:
        """Accept connections for ever, and start a reader task for each."""
        while True:
            await trio.lowlevel.wait_readable(listener)
            sock, _ = listener.accept()
            sock.setblocking(False)
            # Small messages go out at once: in a game by turns each is waited for.
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._nursery.start_soon(self._read, BarePeer(sock))

    async def _read(self, peer: BarePeer) -> None:
        """Read from a peer until its connection ends."""
        sock, rules = peer.socket, self._rules
        while True:
            await trio.lowlevel.wait_readable(sock)
            try:
                data = sock.recv(RECEIVE_BYTES)
            except BlockingIOError:
                continue
            except ConnectionError:
                break
            if not data:
                break
            if peer.rest:
                # An end tag may lie half in what came before.
                searched = max(0, len(peer.rest) - len(_END))
                data = peer.rest + data
            else:
                searched = 0
            start = 0
            while (found := data.find(_END, searched)) >= 0:
                searched = found + len(_END)
                document = data[start:searched]
                start = searched
                rules[_between(document, b'type="')](peer, document)
            peer.rest = data[start:]
            # A logout has closed it.
            if sock.fileno() < 0:
                return
        self._forget(peer)

    def _write(self, peer: BarePeer, document: bytes) -> None:
        # Else it is in the list already, or a task sends for it.
        if not peer.unsent and not peer.sending:
            if not self._written:
                # It runs after all readers of this tick.
                self._tick.unpark()
            self._written.append(peer)
        peer.unsent.append(document)

    async def flush_every_tick(self) -> None:
        """Send to each peer, in one call, what all readers produced for it in a tick."""
        while True:
            await self._tick.park()
            written, self._written = self._written, []
            for peer in written:
                self._send(peer)

    def _send(self, peer: BarePeer) -> None:
        """Send once. A task of its own sends what the socket does not take."""
        data = b"".join(peer.unsent)
        peer.unsent.clear()
        try:
            sent = peer.socket.send(data)
        except BlockingIOError:
            sent = 0
        except OSError:
            return
        if sent < len(data):
            peer.sending = True
            self._nursery.start_soon(self._send_rest, peer, data[sent:])

    async def _send_rest(self, peer: BarePeer, data: bytes) -> None:
        """Send ``data``, then what is added meanwhile; stop when the peer is gone."""
        while data:
            try:
                await trio.lowlevel.wait_writable(peer.socket)
                data = data[peer.socket.send(data) :]
            except BlockingIOError:
                continue
            except (OSError, trio.ClosedResourceError):
                break
            if not data:
                data = b"".join(peer.unsent)
                peer.unsent.clear()
        peer.sending = False

    def _player_login(self, peer: BarePeer, document: bytes) -> None:
        peer.nick = _between(document, b'nick="')
        self._write(peer, _ACCEPTED)
        self._idle.append(peer)
        self._begin_games()

    def _master_login(self, peer: BarePeer, document: bytes) -> None:
        self._write(peer, _ACCEPTED)
        self._masters.append(peer)
        self._begin_games()

    def _begin_games(self) -> None:
        while self._masters and len(self._idle) >= SEATS:
            master = self._masters[0]
            self._masters.rotate()
            players = [self._idle.popleft() for _ in range(SEATS)]
            self._games_begun += 1
            game_id = b"bare-%d" % self._games_begun
            self._games[game_id] = players
            for player in players:
                player.master = master
            self._write(
                master,
                b'%b<message type="beginGame"><gameId id="%b"/>%b</message>'
                % (_DECLARED, game_id, b"".join(b'<player nick="%b"/>' % each.nick for each in players)),
            )

    def _move(self, peer: BarePeer, document: bytes) -> None:
        if peer.master is not None:
            self._write(peer.master, document)

    def _game_state(self, peer: BarePeer, document: bytes) -> None:
        game_id = _between(document, b'<gameId id="')
        for player in self._games[game_id]:
            self._write(player, document)
        # Near the beginning, so that a large state is not searched.
        if document.find(b"<gameOver>", 0, 200) >= 0:
            del self._games[game_id]

    def _thank_you(self, peer: BarePeer, document: bytes) -> None:
        peer.master = None
        self._idle.append(peer)
        self._begin_games()

    def _logout(self, peer: BarePeer, document: bytes) -> None:
        self._forget(peer)

    def _forget(self, peer: BarePeer) -> None:
        for waiting in (self._idle, self._masters):
            if peer in waiting:
                waiting.remove(peer)
        # Trio wakes the task that waits for it before the number can belong to another socket.
        trio.lowlevel.notify_closing(peer.socket)
        peer.socket.close()


def _between(document: bytes, opening: bytes) -> bytes:
    """Return what stands between ``opening`` and the next quote."""
    begin = document.find(opening) + len(opening)
    return document[begin : document.find(b'"', begin)]


async def serve(ready: Path) -> None:
    """Listen on a free port of the loopback interface, write the ready file ``ready``, relay until SIGTERM."""
    with socket.create_server(("127.0.0.1", 0), backlog=BACKLOG) as listener:
        listener.setblocking(False)
        host, port = listener.getsockname()
        with trio.open_signal_receiver(signal.SIGTERM) as signals:
            async with trio.open_nursery() as nursery:
                relay = Relay(nursery)
                nursery.start_soon(relay.flush_every_tick)
                nursery.start_soon(relay.serve, listener)
                with ready_file(ready, f"{host}:{port}", None):
                    async for _ in signals:
                        nursery.cancel_scope.cancel()


if __name__ == "__main__":
    trio.run(serve, Path(sys.argv[sys.argv.index("--ready-file") + 1]))
