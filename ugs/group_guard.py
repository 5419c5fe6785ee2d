"""Ends the programs that a process has started when that process is killed and cannot do it itself.

Each program is the leader of a process group. Beside it waits a shell whose standard input is a pipe from us: when we
end, however that happens, the system closes the pipe, and the shell kills the group. A program that is started with
``PR_SET_PDEATHSIG`` would end with the thread that has started it, which Trio ends when it is idle.
"""

import subprocess
from contextlib import suppress
from typing import Final

import trio

WAITS: Final = ("sh", "-c", 'read -r released || kill -s KILL -- "-$1"', "sh")
"""What waits: a line releases the group, the end of the input ends it."""


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
