"""Ends the programs that a process has started when that process is killed and cannot do it itself.

Each program is the leader of a process group. Beside it waits a shell whose standard input is a pipe from us: when we
end, however that happens, the system closes the pipe, and the shell kills the group. A program that is started with
``PR_SET_PDEATHSIG`` would end with the thread that has started it, which Trio ends when it is idle.

The program itself begins behind a shell that waits for a line from us, which we send when the guard is there. If we are
killed between the two, the line never comes, and the program never begins.
"""

import errno
import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import IO, Final

import trio

WAITS: Final = ("sh", "-c", 'read -r released || kill -s KILL -- "-$1"', "sh")
"""What waits: a line releases the group, the end of the input ends it."""

HOLDS: Final = ("sh", "-c", 'read -r guarded && exec "$@" </dev/null', "sh")
"""What becomes the program once it has read a line; the end of the input ends it."""


class GroupGuard:
    """Guards one process group until :meth:`release`."""

    def __init__(self, process: trio.Process | None) -> None:
        """``process`` is what waits; None where it could not be started: then nothing is guarded."""
        self._process = process

    @classmethod
    async def over(cls, group: int) -> "GroupGuard":
        """Guard this group from now on."""
        try:
            process = await trio.lowlevel.open_process(
                (*WAITS, str(group)),
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError:
            return cls(None)
        return cls(process)

    async def release(self) -> None:
        """Nothing is to be ended any more. Does nothing the second time."""
        process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin is not None
        with trio.CancelScope(shield=True):
            async with process.stdin as released:
                with suppress(trio.BrokenResourceError):
                    await released.send_all(b"\n")
            await process.wait()


async def start_guarded(
    command: Sequence[str],
    stdout: int | IO[bytes] | None,
    stderr: int | IO[bytes],
    environment: Mapping[str, str] | None = None,
) -> tuple[trio.Process, GroupGuard]:
    """Start a program in a session of its own, without standard input; it is guarded before its first instruction.
    Without ``stdout`` it has ours. Raises OSError where there is no such program."""
    _check(command[0])
    try:
        process = await trio.lowlevel.open_process(
            (*HOLDS, *command),
            stdin=subprocess.PIPE,
            stdout=stdout,
            stderr=stderr,
            env=environment,
            start_new_session=True,
        )
    except OSError:  # no shell: then nothing can guard it either
        process = await trio.lowlevel.open_process(
            command, stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr, env=environment, start_new_session=True
        )
        return process, GroupGuard(None)
    assert process.stdin is not None
    # Shielded: only milliseconds, and a cancelled start would leave a shell that nothing waits for.
    with trio.CancelScope(shield=True):
        try:
            async with process.stdin as held:
                guard = await GroupGuard.over(process.pid)
                with suppress(trio.BrokenResourceError):  # it was ended already
                    await held.send_all(b"\n")
        except BaseException:
            # The shell has read the end of its input: it is as good as gone.
            await process.wait()
            raise
    return process, guard


def _check(program: str) -> None:
    """Raise what the system would, if the shell did not start it for us."""
    if shutil.which(program) is None:
        there = os.path.dirname(program) and os.path.exists(program)
        number = errno.EACCES if there else errno.ENOENT
        raise OSError(number, os.strerror(number), program)
