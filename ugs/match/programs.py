"""Programs that a match starts: what they write goes to a file, and none of them outlives the match."""

import os
import signal
import subprocess
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import ExitStack, suppress
from itertools import groupby
from pathlib import Path
from typing import Final

import trio

from ugs.group_guard import GroupGuard, start_guarded

STOP_S: Final = 3.0
"""Seconds that a program has to end after it was asked to."""
TAIL_BYTES, TAIL_LINES = 4000, 12
"""The last of what a program has written, as it is shown when it fails."""
STACK_ENDS: Final = 4
"""Lines that are shown of each end of a long stack."""
MAX_LOG_BYTES: Final = 2**21
"""What a bot has written is shortened to half of that before a game, so that a long match does not fill the disk."""
MAX_KEPT_BYTES: Final = 65_536
"""Bytes that are kept of what a bot has written during one game: the last ones."""


class MatchFailed(Exception):
    """The match cannot go on. The text gives the reason, and what a program wrote last."""


async def start(command: Sequence[str], errors: Path | None) -> trio.Process:
    """Start a program in a process group of its own; what it writes is added to ``errors``. Without these its standard
    error is a pipe to be read, and its standard input one that ends with us. Raises MatchFailed."""
    try:
        with ExitStack() as stack:
            file = stack.enter_context(errors.open("ab")) if errors is not None else None
            return await trio.lowlevel.open_process(
                command,
                stdin=subprocess.DEVNULL if file is not None else subprocess.PIPE,
                stdout=file or subprocess.DEVNULL,
                stderr=file or subprocess.PIPE,
                start_new_session=True,
            )
    except OSError as error:
        raise MatchFailed(f"{command[0]} cannot be started: {error.strerror or error}") from None


async def start_bot(command: Sequence[str], errors: Path) -> tuple[trio.Process, GroupGuard]:
    """Start a program that is killed with all it has started when we are; what it writes is added to ``errors``. Raises
    MatchFailed."""
    try:
        with errors.open("ab") as file:
            return await start_guarded(command, file, file)
    except OSError as error:
        raise MatchFailed(f"{command[0]} cannot be started: {error.strerror or error}") from None


async def lines_of(stream: trio.abc.ReceiveStream) -> AsyncIterator[bytes]:
    """The lines that come over a pipe, without their ends, until it is closed. What follows the last end is dropped."""
    rest = b""
    async for data in stream:
        *lines, rest = (rest + bytes(data)).split(b"\n")
        for line in lines:
            yield line


async def stop(processes: Iterable[trio.Process]) -> None:
    """Ask all to end, and kill the groups of those that do not."""
    running = [process for process in processes if process.poll() is None]
    for process in running:
        signal_group(process, signal.SIGTERM)
    with trio.move_on_after(STOP_S):
        for process in running:
            await process.wait()
    for process in running:
        signal_group(process, signal.SIGKILL)
        await process.wait()


def signal_group(process: trio.Process, number: signal.Signals) -> None:
    """Signal a program and all that it has started, as far as there is something left of them."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)


def tail(errors: Path, begin: int = 0) -> str:
    """The last lines that a program has written, from this byte on."""
    try:
        with errors.open("rb") as file:
            file.seek(max(begin, file.seek(0, os.SEEK_END) - TAIL_BYTES))
            lines = file.read().decode("utf-8", "replace").splitlines()
    except OSError:
        return ""
    return "\n".join(line.expandtabs(2) for line in _without_middles(lines)[-TAIL_LINES:])


def _without_middles(lines: Sequence[str]) -> list[str]:
    """Leave out the middle of each long stack, whose lines are indented: the error stands before it in one language,
    behind it in another."""
    found: list[str] = []
    for indented, run in groupby(lines, lambda line: line[:1].isspace()):
        stack = list(run)
        is_long = indented and len(stack) > 2 * STACK_ENDS + 1
        found += [*stack[:STACK_ENDS], "  …", *stack[-STACK_ENDS:]] if is_long else stack
    return found


def cpu_s(pid: int) -> float:
    """The processor time that a process and its ended children have used; 0 where the system does not count it."""
    try:
        # Behind the last bracket: the name of a program may hold brackets and blanks.
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return 0.0
    # User and system time, of the process and of its ended children.
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


class Errors:
    """What one bot writes, cut game by game. The file is only added to: it can be shortened while it is open."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        self._from = self._size()
        self._kept: tuple[Path, int] | None = None
        """Where the last game is kept, if it is, and up to where."""
        self._last_start = self._from
        self._ended_at: int | None = None
        """Up to where the program of the present game has written, if it has ended."""

    def begins(self) -> None:
        """A game begins at once, or is refused and this is called again: what has been written by now is of the last
        game, or of none."""
        with suppress(OSError):
            if self._kept is not None:
                self._add(self._kept[1], self._kept[0])
            self._shorten()
        self._from, self._ended_at = self._size(), None
        if self._kept is not None:
            self._kept = self._kept[0], self._from

    def begun(self) -> None:
        """It has begun: what comes now is its own."""
        self._kept = None

    def starts(self) -> None:
        """A program is going to be started."""
        self._last_start = self._size()

    def tail(self) -> str:
        """The last lines that the program has written which was started last."""
        return tail(self.path, self._last_start)

    def ended(self) -> None:
        """The program has ended: what comes now is written by the next one."""
        if self._ended_at is None:
            self._ended_at = self._size()
        if self._kept is not None:
            beside, until = self._kept
            self._kept = None
            with suppress(OSError):
                self._add(until, beside)

    def keep(self, beside: Path) -> None:
        """Write what has come since the beginning of the game to a file of its own, unless there is nothing. What the
        bot writes when it is sent the result is added to it before the next game begins, but nothing of the program
        that is started after it has ended."""
        size = self._size() if self._ended_at is None else self._ended_at
        self._kept = (beside, size) if self._ended_at is None else None
        if size <= self._from:
            return
        with self.path.open("rb") as file:
            begin = max(self._from, size - MAX_KEPT_BYTES)
            file.seek(begin)
            beside.write_bytes(file.read(size - begin))

    def _shorten(self) -> None:
        """Keep the end where much was written."""
        size = self._size()
        if size > MAX_LOG_BYTES:
            with self.path.open("rb") as file:
                file.seek(size - MAX_LOG_BYTES // 2)
                end = file.read(MAX_LOG_BYTES // 2)
            os.truncate(self.path, 0)
            with self.path.open("ab") as file:
                file.write(end)

    def _add(self, begin: int, beside: Path) -> None:
        """Add what was written from there on."""
        size = self._size()
        if size > begin:
            with self.path.open("rb") as file, beside.open("ab") as kept:
                file.seek(max(begin, size - MAX_KEPT_BYTES))
                kept.write(file.read(MAX_KEPT_BYTES))

    def _size(self) -> int:
        try:
            return self.path.stat().st_size
        except OSError:
            return 0
