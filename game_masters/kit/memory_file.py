"""The file where a bot keeps what it has to remember (:mod:`game_masters.kit.memory`), readable by its owner only.

A file is replaced as a whole or has a line added, so that it can be read after any crash. One bot uses a file at a
time: a second one with the same nick, at the same server, goes without. Where nothing can be kept (a home that cannot
be written, a full disk) the bot plays all the same, and logs it once.
"""

import fcntl
import os
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from structlog.typing import FilteringBoundLogger

from game_masters.kit.memory import (
    MAX_BYTES,
    NOTHING,
    KeepStep,
    KeepToken,
    Memory,
    News,
    Whose,
    head,
    read,
    step,
)


class Keeping:
    """The file of one bot, from :meth:`open` to :meth:`close`."""

    def __init__(self, path: Path, whose: Whose, log: FilteringBoundLogger) -> None:
        self._path = path
        self._whose = whose
        self._log = log
        self._token, self._over = "", False
        self._lock = -1
        self._written = 0
        self._usable = False

    def open(self) -> Memory:
        """Take the file, and return what is in it: nothing if it is new, that of another bot, or in use by one."""
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            # The lock is a file of its own: the other one is replaced as a whole, and a lock would go with it.
            self._lock = os.open(f"{self._path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
            # A lock of the kernel ends with the process, also with one that is killed.
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            text = self._read()
        except BlockingIOError:
            self._log.warning("another bot uses this state file, so this one goes without", file=str(self._path))
            return NOTHING
        except OSError as error:
            self._fails(error)
            return NOTHING
        self._usable = True
        self._written = len(text)
        memory = read(text, self._whose)
        self._token, self._over = memory.token, memory.over
        return memory

    def keep(self, news: News) -> None:
        """Write down what the bot sends. Never raises."""
        if not self._usable:
            return
        try:
            self._keep(news)
        except OSError as error:
            self._fails(error)

    def close(self) -> None:
        """Let others use the file."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1
        self._usable = False

    def _keep(self, news: News) -> None:
        if isinstance(news, KeepStep):
            line = step(news.step).encode()
            # A longer game is played on without being remembered.
            if self._written + len(line) <= MAX_BYTES:
                self._append(line)
            return
        if isinstance(news, KeepToken):
            # Read again, since steps were added to it line by line.
            memory = read(self._read(), self._whose)
            if (memory.token, memory.over) == (news.token, news.over):
                return
            self._token, self._over = news.token, news.over
            self._replace(replace(memory, token=news.token, over=news.over))
        else:
            # Without what was received: the game before is over.
            self._replace(Memory(self._token, self._over, news.game_id))

    def _read(self) -> str:
        try:
            handle = os.open(self._path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
        except FileNotFoundError:
            return ""
        # Never more than is written by us, plus a line: the file may have been changed by others.
        with open(handle, "rb") as file:
            data = file.read(2 * MAX_BYTES)
        return data.decode("utf-8", "replace")

    def _append(self, line: bytes) -> None:
        handle = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW)
        with open(handle, "ab", buffering=0) as file:
            file.write(line)
        self._written += len(line)

    def _replace(self, memory: Memory) -> None:
        """Write the file again, so that it is there whole or as it was."""
        data = head(self._whose, memory).encode()
        new = f"{self._path}.{os.getpid()}.new"
        handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            with open(handle, "wb") as file:
                os.fchmod(handle, 0o600)  # under any umask
                # On the disk before it takes the other's name, or a crash could leave an empty file there.
                file.write(data)
                file.flush()
                os.fsync(handle)
            os.replace(new, self._path)
        except OSError:
            with suppress(OSError):
                # A half of a file is of no use, and the next attempt has another name.
                os.unlink(new)
            raise
        self._written = len(data)

    def _fails(self, error: OSError) -> None:
        """Go on without the file. What is in it may be older than the truth; a token in it is found out as such."""
        self._usable = False
        self._log.warning(
            "nothing can be kept for a new start of this bot", file=str(self._path), reason=error.strerror or str(error)
        )
