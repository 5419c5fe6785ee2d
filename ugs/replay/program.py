"""A process that is started to connect to the replay: it is started, its last lines are kept, and it is ended."""

import os
import signal
import subprocess
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final, TypeVar

import trio

from ugs.group_guard import GroupGuard, start_guarded
from ugs.processor_time import ProcessorUse, program_use
from ugs.replay.dialogue import Dialogue

HOST: Final = "127.0.0.1"
LAST_LINES: Final = 30
LINE_BYTES: Final = 8192
"""Bytes that are kept of a line that does not end."""
GRACE_S: Final = 2.0
"""Seconds the process has to end on its own, and again after SIGTERM."""

T = TypeVar("T")


class ReplayFailed(Exception):
    """The process could not be started, or did not connect. The text is for people."""


class Program:
    """A process in a session of its own. Its standard output and error output are read as one, and the last lines are
    kept. When we are killed, it is killed, too, with all that it has started."""

    def __init__(self, process: trio.Process, guard: GroupGuard) -> None:
        """``guard`` is that of its group."""
        self._process = process
        self._guard = guard
        self._lines: deque[str] = deque(maxlen=LAST_LINES)
        self._count = self._before = 0
        """How many lines it has written, and how many of them before :meth:`begins_anew`."""
        self._stopped = False
        self._read = trio.Event()
        self.ended = trio.Event()

    @classmethod
    async def start(cls, command: Sequence[str], environment: Mapping[str, str]) -> "Program":
        """Start the process. Raises ReplayFailed when there is no such program."""
        try:
            # In a session of its own, so that killpg() reaches what it has started.
            process, guard = await start_guarded(
                command, subprocess.PIPE, subprocess.STDOUT, {**os.environ, **environment}
            )
        except (OSError, ValueError) as error:
            raise ReplayFailed(f"cannot start {command[0]!r}: {getattr(error, 'strerror', error)}") from None
        return cls(process, guard)

    async def watch(self) -> None:
        """Read its output until the process and all processes that it started have closed it."""
        assert self._process.stdout is not None
        rest = b""
        async for data in self._process.stdout:
            *lines, rest = (rest + bytes(data)).split(b"\n")
            rest = rest[-LINE_BYTES:]
            self._lines.extend(line.decode("utf-8", "replace").expandtabs(4) for line in lines)
            self._count += len(lines)
        if rest:
            self._lines.append(rest.decode("utf-8", "replace"))
            self._count += 1
        self._read.set()

    async def wait(self) -> None:
        """Wait until the process ends."""
        await self._process.wait()
        self.ended.set()

    async def last_words(self) -> None:
        """Wait until it has ended and all that it wrote is read."""
        await self.ended.wait()
        await self._read.wait()

    async def stop(self, *, at_once: bool = False) -> None:
        """End the process, with all processes that it started: wait for its end (unless ``at_once``), then send
        SIGTERM, then SIGKILL."""
        try:
            for number in (signal.SIGTERM, signal.SIGKILL) if at_once else (None, signal.SIGTERM, signal.SIGKILL):
                if number is not None:
                    self._stopped |= self._process.returncode is None
                    self._signal(number)
                with trio.move_on_after(GRACE_S):
                    await self._process.wait()
                    # What it has started may still write.
                    await self._read.wait()
                    return
        finally:
            await self._guard.release()

    @property
    def ended_by_itself(self) -> bool:
        """Whether it has ended without being stopped."""
        return self._process.returncode is not None and not self._stopped

    @property
    def processor_use(self) -> ProcessorUse:
        """What it has used of processors up to now; 0 where that is not known."""
        return program_use(self._process.pid)

    def begins_anew(self) -> None:
        """What it has written up to now belongs to something else. Once it has ended by itself, all is shown: the
        reason may have been written just before."""
        self._before = self._count

    def account(self) -> list[str]:
        """How it ended, and its last lines."""
        code = self._process.returncode
        if code is None or not self.ended_by_itself:
            how = "the process was still running"
        elif code < 0:
            how = f"the process was killed by {signal.Signals(-code).name}"
        else:
            how = f"the process ended with exit code {code}"
        number = self._count if self.ended_by_itself else self._count - self._before
        lines = list(self._lines)[-number:] if number else []
        if not lines:
            return [f"{how}; it wrote nothing{' meanwhile' if self._lines else ''}"]
        return [f"{how}; its last lines:", *(f"  {line}" for line in lines)]

    def _signal(self, number: signal.Signals) -> None:
        try:
            os.killpg(self._process.pid, number)
        except ProcessLookupError:
            return


async def converse(
    command: Sequence[str], timeout_s: float, talk: Callable[[Dialogue], Awaitable[T]]
) -> tuple[T, list[str]]:
    """Start a process, wait for its connection, call ``talk`` with it, and end the process.

    In the arguments ``{address}``, ``{host}`` and ``{port}`` are replaced by the address to connect to; the environment
    has the same as UGS_ADDRESS, UGS_HOST and UGS_PORT. Returns what ``talk`` returned and how the process ended. Raises
    ReplayFailed when it did not connect within ``timeout_s`` seconds.
    """
    (listener,) = await trio.open_tcp_listeners(0, host=HOST)
    port = str(listener.socket.getsockname()[1])
    places = {"address": f"{HOST}:{port}", "host": HOST, "port": port}
    async with listener:
        program = await Program.start(
            [filled(argument, places) for argument in command],
            {f"UGS_{name.upper()}": place for name, place in places.items()},
        )
        result: T | None = None
        connected = False
        async with trio.open_nursery() as nursery:
            nursery.start_soon(program.watch)
            nursery.start_soon(program.wait)
            try:
                stream = await _accepted(listener, program, timeout_s)
                await listener.aclose()  # one connection is expected; a second attempt is refused at once
                if stream is not None:
                    connected = True
                    async with stream:
                        result = await talk(Dialogue(stream, timeout_s))
            finally:
                with trio.CancelScope(shield=True):
                    # What has never connected has no reason to end by itself.
                    await program.stop(at_once=not connected and not program.ended.is_set())
                nursery.cancel_scope.cancel()
    if not connected:
        why = "before the process ended" if program.ended_by_itself else f"within {timeout_s:g} s"
        raise ReplayFailed("\n".join([f"no program connected to {HOST}:{port} {why}", *program.account()]))
    assert result is not None
    return result, program.account()


async def _accepted(listener: trio.SocketListener, program: Program, timeout_s: float) -> trio.SocketStream | None:
    """The connection of the process; None when it ends before it connects, or takes too long."""
    stream: trio.SocketStream | None = None
    with trio.move_on_after(timeout_s):
        async with trio.open_nursery() as nursery:

            @nursery.start_soon
            async def give_up() -> None:
                await program.ended.wait()
                nursery.cancel_scope.cancel()

            stream = await listener.accept()
            nursery.cancel_scope.cancel()
    return stream


def filled(argument: str, places: Mapping[str, str]) -> str:
    """A word of a command line, with each ``{name}`` replaced by its place."""
    for name, place in places.items():
        argument = argument.replace(f"{{{name}}}", place)
    return argument
