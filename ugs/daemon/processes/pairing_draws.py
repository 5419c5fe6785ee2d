"""Draws of championships: each in a process of its own, one after the other, while the loop serves all peers.

A thread would not do: it holds the interpreter for 5 ms at a time, and the loop gives it up with each call to a socket.
The process is in a session of its own, so that Ctrl-C in a terminal does not reach it. It is killed when the server
stops, and ends on its own when the server is killed (:mod:`ugs.daemon.processes.pairing_worker`).
"""

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress

import structlog
import trio

from ugs.broker.effects import Draw
from ugs.broker.events import Drawn, Event
from ugs.championship.due_draws import Drawing, Request, described
from ugs.daemon.processes.supervision import Tasks

COMMAND = (sys.executable, "-P", "-m", "ugs.daemon.processes.pairing_worker")
"""It finds the modules where the server has found them, and looks for none in its working directory."""
AGAIN_S, AGAIN_AT_MAX_S = 1.0, 60.0
"""Seconds until a draw that failed is tried again: after the first failure, and in the long run."""
WORDS = 500
"""Characters of its last words that go into the log."""


class DrawFailed(Exception):
    """The process could not be started, or ended without a drawing; the text names which, and why."""


class Draws:
    """Performs ``Draw``. ``happens`` takes the events, ``tasks`` holds the task of each draw."""

    def __init__(self, happens: Callable[[Event], None], tasks: Tasks) -> None:
        self._happens = happens
        self._tasks = tasks
        self._one_at_a_time = trio.Lock()
        self._log: structlog.typing.FilteringBoundLogger = structlog.get_logger("ugs").bind()

    def draw(self, effect: Draw, _now: float) -> None:
        """Perform: what is asked for is going to be drawn. It is tried until it succeeds."""
        self._tasks.start_soon(self._draw, effect)

    async def _draw(self, effect: Draw) -> None:
        wait = AGAIN_S
        while True:
            try:
                async with self._one_at_a_time:
                    drawing = await drawn(effect.request)
            except Exception as error:  # any error: a championship waits for the drawing
                if not isinstance(error, DrawFailed):
                    self._log.exception("bug in the server", during="drawing")
                self._log.warning(
                    "drawing failed",
                    championship=effect.championship,
                    what=described(effect.request),
                    reason=str(error),
                    again_in_s=wait,
                )
                await trio.sleep(wait)
                wait = min(2 * wait, AGAIN_AT_MAX_S)
            else:
                self._happens(Drawn(effect.championship, drawing))
                return


async def drawn(request: Request, command: Sequence[str] = COMMAND) -> Drawing:
    """Return what another process has drawn, which is killed when this is cancelled. Raises DrawFailed. ``command``
    starts a process that does what :mod:`ugs.daemon.processes.pairing_worker` does."""
    pipe = subprocess.PIPE
    modules = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    try:
        process = await trio.lowlevel.open_process(
            command, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True, env=modules
        )
    except OSError as error:
        raise DrawFailed(f"{command[0]}: cannot be started: {error}") from error
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    answer, words = bytearray(), bytearray()
    try:
        async with trio.open_nursery() as reading:
            # Both pipes at once: a process that has filled one of them waits, and never ends.
            reading.start_soon(_read, process.stdout, answer)
            reading.start_soon(_read, process.stderr, words)
            with suppress(trio.BrokenResourceError):  # it has ended; its last words give the reason
                await process.stdin.send_all(pickle.dumps(request, pickle.HIGHEST_PROTOCOL))
        status = await process.wait()
    finally:
        process.kill()
        with trio.CancelScope(shield=True):
            await process.wait()  # it is dead, or about to be
        for stream in (process.stdin, process.stdout, process.stderr):
            await trio.aclose_forcefully(stream)
    if status != 0:
        last = words.decode(errors="replace").strip()[-WORDS:]
        raise DrawFailed(f"its process has ended with {status}{': ' if last else ''}{last}")
    try:
        drawing: Drawing = pickle.loads(answer)
    except Exception as error:  # bytes that are no pickle raise nearly anything
        raise DrawFailed(f"its answer cannot be read: {error!r}") from error
    return drawing


async def _read(stream: trio.abc.ReceiveStream, into: bytearray) -> None:
    async for data in stream:
        into += data
