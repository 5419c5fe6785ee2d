"""The processes of ``ugs demo``: started, listened to, stopped."""

import signal
import subprocess
import sys
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing

import trio

from ugs.commands.stop_signals import STOP_SIGNALS
from ugs.group_guard import GroupGuard, start_guarded

START_PATIENCE_S = 120.0
"""Seconds the broker may take to listen: a busy machine may need many times what a quiet one does, and a broker that
fails ends, for which no time is waited."""
PATIENCE_S = 20.0
"""Seconds a part may take to end after it was asked to."""
LINES_KEPT = 15
"""Last lines of a process that are shown when it fails."""


class PartFailed(Exception):
    """One of the processes ended, or did not start, when it should not."""


BROKER, MASTER = "broker", "game master"
"""The processes that are no bots, by their names for people."""


class DemoPart:
    """One process of the demonstration; what it writes to standard error is kept, the last lines of it."""

    def __init__(self, name: str, process: trio.Process, guard: GroupGuard | None = None) -> None:
        """``guard`` is that of its group."""
        self.name = name
        self.process = process
        self.guard = guard
        self.asked_to_end = False
        self.too_slow = False
        """Whether we have killed it because it did not end."""
        self.lines: deque[str] = deque(maxlen=LINES_KEPT)

    @classmethod
    async def start(cls, name: str, *arguments: str) -> "DemoPart":
        """Start ``ugs`` with these arguments, shielded from the terminal's Ctrl-C. They end with us, also when we
        are killed."""
        command = [sys.executable, "-m", "ugs", *arguments]
        return cls(name, *await start_guarded(command, None, subprocess.PIPE))

    async def log(self) -> AsyncGenerator[str, None]:
        """The lines of its standard error, until it ends."""
        assert self.process.stderr is not None
        rest = b""
        async for chunk in self.process.stderr:
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                text = line.decode("utf-8", "replace")
                self.lines.append(text)
                yield text

    async def drain(self) -> None:
        """Keep reading, so that it never waits for us."""
        async with aclosing(self.log()) as lines:
            async for _ in lines:
                pass

    @property
    def failed(self) -> bool:
        """Whether it ended otherwise than in order: what is asked to end while it is still starting dies of that
        signal, which is in order, too."""
        code = self.process.returncode
        return code not in (0, -signal.SIGTERM) if self.asked_to_end else code != 0

    def failure(self) -> str:
        """What is known of its end."""
        code = self.process.returncode
        if self.too_slow:
            return f"{self.name} did not end in {PATIENCE_S:g} s, and was killed"
        killed = code is not None and code < 0  # then its last words do not explain it
        return "\n".join([f"{self.name} {how_it_ended(code)}", *([] if killed else self.lines)])


def how_it_ended(code: int | None) -> str:
    """The end of a process with this exit code, for people; a negative one is the signal that killed it."""
    if code is None or code >= 0:
        return f"ended with exit code {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    return f"was killed ({name}): by a person, or by the system, which may be out of memory"


async def stop(parts: Sequence[DemoPart]) -> bool:
    """Stop the broker, which notifies all others; kill the programs that do not stop, at Ctrl-C at once. Returns
    whether they had the time to end: how they ended shows nothing otherwise."""
    if not parts:
        return True
    with trio.open_signal_receiver(*STOP_SIGNALS) as signals:
        if parts[0].process.poll() is None:
            parts[0].asked_to_end = True
            parts[0].process.terminate()
        hurry = trio.CancelScope()
        with trio.move_on_after(PATIENCE_S):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_until_told_again, signals, hurry)
                with hurry:
                    await _all_ended(parts)
                nursery.cancel_scope.cancel()
        for part in parts:
            if part.process.poll() is None:
                part.too_slow = True
                part.process.kill()
                await part.process.wait()
            if part.guard is not None:
                await part.guard.release()
    return not hurry.cancelled_caught


async def _until_told_again(signals: AsyncIterator[int], stopping: trio.CancelScope) -> None:
    async for _ in signals:
        stopping.cancel()


async def _all_ended(parts: Sequence[DemoPart]) -> None:
    async with trio.open_nursery() as nursery:
        for part in parts:
            # A pipe that is full would keep the process from ending.
            nursery.start_soon(part.drain)
            nursery.start_soon(part.process.wait)
