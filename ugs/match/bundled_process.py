"""Starts the process of a bundled bot (:mod:`ugs.match.bundled_bots`) and sends it what to play."""

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import trio

from ugs.match.programs import MatchFailed, cpu_s, lines_of, stop

COMMAND: Final = (sys.executable, "-m", "ugs.match.bundled_bots")


class BundledProcess:
    """All copies of one bundled bot of a game with these options."""

    def __init__(self, game: str, bot: str, options: Mapping[str, str], errors: Path) -> None:
        """What the process itself writes goes to ``errors``."""
        self._first = {"game": game, "bot": bot, "options": dict(options)}
        self._errors = errors
        errors.parent.mkdir(parents=True, exist_ok=True)
        self.process: trio.Process | None = None
        """The one that runs."""
        self._ends: dict[str, trio.Event] = {}
        """By nick: of copies that play."""
        self._used_s = 0.0
        """Processor time of processes that have ended, as far as it was looked at."""
        self._turn = trio.Lock()

    @property
    def used_s(self) -> float:
        """Processor time until now, in seconds."""
        return self._used_s + (cpu_s(self.process.pid) if self.process is not None else 0.0)

    async def run(
        self, address: tuple[str, int], task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED
    ) -> None:
        """Keep a process until cancelled: a new one when one has ended. Raises MatchFailed where none starts."""
        while True:
            process = await self._start()
            try:
                await self._send(process, {**self._first, "address": list(address)})
                self.process = process
                task_status.started()
                # It may be called once only; further processes begin without it.
                task_status = trio.TASK_STATUS_IGNORED
                await self._listen(process)
            finally:
                # Now: what a process used can be read until it has been waited for.
                self._used_s, self.process = self.used_s, None
                with trio.CancelScope(shield=True):
                    await stop([process])
                # Those who wait for a copy have to learn that its process has gone.
                for end in self._ends.values():
                    end.set()

    async def play(self, nick: str, errors: Path) -> None:
        """Have a copy play under this nick; returns when it has ended. What goes wrong in it is added to ``errors``."""
        end = self._ends[nick] = trio.Event()
        if self.process is None or not await self._send(self.process, {"play": nick, "errors": str(errors)}):
            end.set()
        await end.wait()

    async def seed(self, nick: str, seed: str) -> None:
        """The next game of a copy has this chance."""
        if self.process is not None:
            await self._send(self.process, {"nick": nick, "seed": seed})

    async def _start(self) -> trio.Process:
        try:
            with self._errors.open("ab") as file:
                return await trio.lowlevel.open_process(
                    COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=file, start_new_session=True
                )
        except OSError as error:
            raise MatchFailed(f"{COMMAND[0]} cannot be started: {error.strerror or error}") from None

    async def _send(self, process: trio.Process, line: Mapping[str, object]) -> bool:
        """Send a line. Returns whether the process was there to take it."""
        assert process.stdin is not None
        try:
            async with self._turn:
                await process.stdin.send_all(json.dumps(line).encode() + b"\n")
        except trio.BrokenResourceError:
            return False
        return True

    async def _listen(self, process: trio.Process) -> None:
        """Note which copies have ended, until the process has."""
        assert process.stdout is not None
        async for line in lines_of(process.stdout):
            self._ends[json.loads(line)["ended"]].set()
