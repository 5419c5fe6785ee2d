"""A program that plays by lines on its standard input and output, as engines of chess and Go do."""

import shlex
import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress

MAX_ANSWER_S = 600.0
"""Seconds for one answer; an engine that is silent for longer is ended."""
MAX_LINE = 64 * 1024
"""Characters of a line; an engine that writes longer ones is not understood."""
FAREWELL_S = 2.0


class EngineFailed(Exception):
    """An engine that cannot be started, has ended, or does not speak its protocol. The text names it."""


class EngineProcess:
    """One engine, from its start to its end."""

    def __init__(self, command: Sequence[str]) -> None:
        """Start ``command``. Raises EngineFailed."""
        self.name = shlex.join(command)
        if not command:
            raise EngineFailed("no engine is named; write its command line behind --")
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, errors="replace", bufsize=1
            )
        except OSError as error:
            raise EngineFailed(f"{self.name}: {error.strerror or error}") from error
        # ``stop`` comes from another thread than the moves, and two lines must not mix.
        self._writing = threading.Lock()

    @property
    def ended(self) -> bool:
        """Whether the program runs no more."""
        return self._process.poll() is not None

    def send(self, line: str) -> None:
        """Write a line; from any thread. Raises EngineFailed when the engine has ended."""
        assert self._process.stdin is not None
        try:
            with self._writing:
                self._process.stdin.write(line + "\n")
                self._process.stdin.flush()
        except (OSError, ValueError) as error:
            raise EngineFailed(f"{self.name}: the engine has ended") from error

    def lines(self) -> Iterator[str]:
        """Yield lines, without their ends, until the caller has enough. Raises EngineFailed when there are no more, or
        none comes in time."""
        assert self._process.stdout is not None
        while True:
            # readline has no time limit of its own, so a timer ends the process, and with it the wait.
            guard = threading.Timer(MAX_ANSWER_S, self._process.kill)
            guard.daemon = True
            guard.start()
            try:
                line = self._process.stdout.readline(MAX_LINE)
            finally:
                guard.cancel()
            # A last line without an end is half an answer: the engine died in it, or wrote more than a line may have.
            if not line.endswith("\n"):
                raise EngineFailed(f"{self.name}: the engine has ended, or its line is too long")
            yield line.rstrip("\r\n")

    def kill(self) -> None:
        """End it at once; a caller that waits for a line gets EngineFailed."""
        self._process.kill()

    def close(self, farewell: str = "quit") -> None:
        """Ask it to end, and end it."""
        with suppress(EngineFailed):
            self.send(farewell)
        try:
            self._process.wait(FAREWELL_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            # Reaped at once, so that no dead process is left behind.
            self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            assert stream is not None
            # Closing flushes what the engine did not take: the pipe is broken then.
            with suppress(OSError):
                stream.close()
