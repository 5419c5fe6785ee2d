"""Masters and bots as the command line makes them, at a whole server, in one process.

Memory streams take the place of the network, and the clock jumps: what programs say to each other is what they would
say as processes. A test asks for ``autojump_clock`` and for the fixture ``opens_server``.
"""

from collections.abc import Callable, Mapping, MutableMapping
from typing import Any, NoReturn

import pytest
import structlog
import trio
from structlog.testing import LogCapture
from typer.testing import CliRunner

from game_masters.commands import playing
from game_masters.commands.options import LineOptions
from game_masters.kit.client import Client
from game_masters.kit.run import run
from tests.daemon.shell import Shell
from ugs.commands.app import application
from ugs.lobby.client import Answer, List, visit
from ugs.peer import Peer

BOUND_S = 1000.0
"""Seconds of the clock that jumps within which anything must have happened."""

Line = MutableMapping[str, Any]


class Log(LogCapture):
    """What a program logs; who waits for a line is woken by each."""

    def __init__(self) -> None:
        super().__init__()
        self._news = trio.Event()

    def __call__(self, logger: Any, method_name: str, event_dict: Line) -> NoReturn:
        self._news.set()
        self._news = trio.Event()
        super().__call__(logger, method_name, event_dict)

    def of(self, event: str, **fields: object) -> list[Line]:
        """The lines so far about this event, with these fields."""
        return [line for line in self.entries if line.items() >= {"event": event, **fields}.items()]

    async def tells(self, event: str, times: int = 1, **fields: object) -> list[Line]:
        """Wait until there are at least ``times`` of them. Returns them all; raises trio.TooSlowError."""
        with trio.fail_after(BOUND_S):
            while len(found := self.of(event, **fields)) < times:
                await self._news.wait()
        return found


class Program:
    """A master or a bot at work."""

    def __init__(self, client: Client, facts: Mapping[str, Any]) -> None:
        self.log = Log()
        self._client = client
        self._facts = facts
        self._exit_code: int | None = None
        self._ended = trio.Event()

    async def run(self, shell: Shell) -> None:
        """Play or lead, as the command would."""
        log = structlog.wrap_logger(None, processors=[self.log], wrapper_class=structlog.BoundLogger).bind()

        async def dial() -> Peer:
            return Peer(shell.connects().stream)

        once, rng = self._facts["once"], self._facts["rng"]
        try:
            self._exit_code = await run(self._client, dial, once=once, rng=rng, log=log, in_thread=at_once)
        finally:
            for close in self._facts.get("closing", ()):
                close()
        self._ended.set()

    async def ends(self) -> int | None:
        """Wait for its end. Returns the exit code; raises trio.TooSlowError."""
        with trio.fail_after(BOUND_S):
            await self._ended.wait()
        return self._exit_code


async def at_once(work: Callable[[], Any]) -> Any:
    """Call what takes long without a thread: the clock that jumps does not know that one is at work."""
    await trio.lowlevel.checkpoint()
    return work()


class MemoryServer:
    """A server on memory streams, and the programs that are connected to it."""

    def __init__(self, nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch, **settings: object) -> None:
        self.log = Log()
        structlog.configure(processors=[self.log])
        self.shell = Shell(nursery, **settings)
        self._nursery = nursery
        self._made: list[Program] = []
        monkeypatch.setattr(playing, "run", self._make)

    def starts(self, *words: str) -> Program:
        """Start the program that ``ugs`` with these words is."""
        result = CliRunner(env={"COLUMNS": "200", "NO_COLOR": "1"}).invoke(application(), words)
        assert result.exit_code == 0, result.output
        program = self._made.pop()
        self._nursery.start_soon(program.run, self.shell)
        return program

    async def lobby(self, what: List, nick: str, game_type: str) -> Answer:
        """What ``ugs lobby`` would show to this nick."""
        return await visit(Peer(self.shell.connects().stream), nick, game_type, what)

    def _make(self, client: Client, to: playing.Dialled, line: LineOptions, **facts: Any) -> None:
        self._made.append(Program(client, {**facts, "once": line.once}))


Opens = Callable[..., MemoryServer]
"""Opens a server with these settings, all others at their defaults."""
