"""Orders from the runner to a process of the load: lines on a pipe."""

import os


class Orders:
    """The orders that come through one pipe."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._rest = b""

    def read(self) -> list[list[str]]:
        """Read once; return the complete lines, each as a list of its words. The end of the pipe reads as ``end``."""
        data = os.read(self._fd, 4096)
        if not data:
            return [["end"]]
        *lines, self._rest = (self._rest + data).split(b"\n")
        return [line.decode().split() for line in lines if line.strip()]
