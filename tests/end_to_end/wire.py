"""A line between a player and the server that a test can cut."""

import math
import socket
import struct
import threading
import time
from types import TracebackType
from typing import Self

from tests.end_to_end.processes import BOUND_S, POLL_S

MOVE = b'<message type="move"'


class Wire:
    """Listens at an address of its own and passes everything on to ``far``, in both directions, until it is cut."""

    def __init__(self, far: str) -> None:
        host, _, port = far.rpartition(":")
        self._far = (host, int(port))
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._listener.getsockname()[1]}"
        self.moves = 0
        """How many moves have passed."""
        self.most_moves = math.inf
        """The next move after that many waits until it is more, or the line is cut."""
        self.lines = 0
        """How many connections have been made."""
        self._ends: list[socket.socket] = []
        self._lock = threading.Lock()
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Both sides learn from the network that the connection is no more; the next one goes through again."""
        with self._lock:
            for end in self._ends:
                hang_up(end)
            self._ends.clear()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            try:
                far = socket.create_connection(self._far, BOUND_S)
            except OSError:  # the server is down at the moment
                near.close()
                continue
            far.settimeout(None)
            with self._lock:
                self.lines += 1
                self._ends += [near, far]
            threading.Thread(target=self._pass_on, args=(near, far, True), daemon=True).start()
            threading.Thread(target=self._pass_on, args=(far, near, False), daemon=True).start()

    def _pass_on(self, source: socket.socket, sink: socket.socket, upwards: bool) -> None:
        try:
            while data := source.recv(65_536):
                moves = data.count(MOVE) if upwards else 0
                while moves and self.moves >= self.most_moves and source.fileno() >= 0:
                    time.sleep(POLL_S)
                sink.sendall(data)
                self.moves += moves
        except OSError:
            pass
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        # An accept() that waits does not notice that its socket is closed, but that it is shut down.
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.cut()


def hang_up(end: socket.socket) -> None:
    """Close a socket so that its peer sees a lost connection."""
    try:
        end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        end.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass
    end.close()
