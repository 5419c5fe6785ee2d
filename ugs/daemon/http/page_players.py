"""Players at browsers: each has a connection like any other, whose other end is in this process.

The two ends are a pair of sockets. So what holds for players with programs holds for them: limits, shares, clocks that
count from when the state was taken, sessions. Limits per address count the address of the browser.
"""

import socket
from collections import Counter

import trio

from ugs.config import Config
from ugs.daemon.network.listening import Doorkeeper, ListeningDoor
from ugs.daemon.network.transport import SocketTransport
from ugs.daemon.processes.supervision import Tasks


class PagePlayers:
    """Lets them in through ``door``, with the limits of a door of their own; ``tasks`` is the nursery of the peers."""

    def __init__(self, config: Config, tasks: Tasks, door: ListeningDoor, turned_away: Counter[str]) -> None:
        self._doorkeeper = Doorkeeper(config, tasks, door, turned_away)

    def connect(self, address: str) -> trio.abc.Stream:
        """A new connection, from ``address``: the player's end of it. Where there is no room, the player is sent a
        refusal and the connection closed. Raises OSError when the system has no more sockets."""
        near, far = socket.socketpair()
        far.setblocking(False)
        self._doorkeeper.enter(SocketTransport(near, address))
        return trio.SocketStream(trio.socket.from_stdlib_socket(far))
