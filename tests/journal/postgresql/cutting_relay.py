"""A relay before a database that cuts connections in the middle of what either end says."""

import random
import socket
import threading
from contextlib import suppress
from pathlib import Path
from typing import Final

PORT: Final = ".s.PGSQL.5432"
READ_BYTES: Final = 65_536


class CuttingRelay:
    """Listens in ``folder`` like the database in ``behind`` does, until :meth:`close`. Each connection is cut after a
    number of bytes by chance, at most ``max_bytes``, in the one direction or the other: what a server has committed it
    may never hear of. With 0, none is cut."""

    def __init__(self, folder: Path, behind: Path, seed: int) -> None:
        self.max_bytes = 0
        self.cuts = 0
        self._behind = behind
        self._chance = random.Random(seed)
        self._open: list[socket.socket] = []
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(folder / PORT))
        self._listening.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """End all connections."""
        for each in (self._listening, *self._open):
            _end(each)

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listening.accept()
                far = socket.socket(socket.AF_UNIX)
                try:
                    far.connect(str(self._behind / PORT))
                except OSError:
                    near.close()
                    continue
                self._open += (near, far)
                first = self._chance.random() < 0.5
                for one, other, cut in ((near, far, first), (far, near, not first)):
                    threading.Thread(target=self._pass_on, args=(one, other, cut), daemon=True).start()

    def _pass_on(self, one: socket.socket, other: socket.socket, cut: bool) -> None:
        left = self._chance.randrange(self.max_bytes) if cut and self.max_bytes else None
        with suppress(OSError):
            while data := one.recv(READ_BYTES):
                if left is not None and len(data) > left:
                    other.sendall(data[:left])
                    self.cuts += 1
                    break
                other.sendall(data)
                left = left - len(data) if left is not None else None
        _end(one)
        _end(other)


def _end(one: socket.socket) -> None:
    with suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)
    one.close()
