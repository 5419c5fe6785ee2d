"""The bots of a match, each in as many copies as play at once. A copy that ends is started again.

How a bot is started is one text:

    builtin:NAME            a bundled bot of the game, in this process
    python:MODULE:OBJECT    a function from a view and a source of chance to a move, or what has one as ``choose``
    connect                 a program that somebody else starts; it has one copy
    anything else           a command, with {address}, {host}, {port} and {nick} in it
"""

import importlib
import shlex
import sys
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import trio

from ugs.match.builtin_player import Brain, Thinking, play
from ugs.match.games import Choose, Game, bundled
from ugs.match.match_file import COPY
from ugs.match.programs import Errors, MatchFailed, cpu_s, start, stop, tail
from ugs.match.wanted import WrongMatch

BUILTIN: Final = "builtin:"
PYTHON: Final = "python:"
CONNECT: Final = "connect"
MAX_STARTS: Final = 8
"""Starts of a copy in a row without a game between."""
AGAIN_S: Final = 0.05
"""Seconds before the second start; each further one waits twice as long."""


@dataclass(eq=False)
class Copy:
    """One player on the server."""

    bot: str
    nick: str
    errors: Errors
    here: bool = False
    """Whether it is logged in."""
    busy: bool = False
    seed: str = ""
    """Of its present game."""
    games: int = 0
    starts: int = 0
    """In a row, without a game between."""
    process: trio.Process | None = None
    used_s: float = 0.0
    """Processor time of its programs that have ended, as far as it was looked at."""
    _seen_s: float = 0.0

    def look(self) -> float:
        """Processor time of its programs until now. What one uses between the last look and its end is not known."""
        if self.process is not None:
            self._seen_s = max(self._seen_s, cpu_s(self.process.pid))
        return self.used_s + self._seen_s

    def starts_program(self, process: trio.Process) -> None:
        """A new program plays for it."""
        self.used_s, self._seen_s, self.process = self.look(), 0.0, process


class Copies:
    """All copies of all bots."""

    def __init__(
        self,
        bots: Mapping[str, str],
        game: Game,
        options: Any,
        directory: Path,
        at_most: int,
        objects: Mapping[str, Choose] | None = None,
    ) -> None:
        """``objects`` are bots of this process by name; for them the text says nothing. Raises WrongMatch."""
        self._how = dict(bots)
        self._game = game
        self._options = options
        self._directory = directory
        self._at_most = at_most
        self._objects = dict(objects or {})
        for bot, how in bots.items():
            found = None if bot in self._objects else _object(game, how)
            if found is not None:
                self._objects[bot] = found
            elif bot not in self._objects and how != CONNECT:
                check_command(bot, how)
        self.thinking = Thinking()
        self._of: dict[str, list[Copy]] = {bot: [] for bot in bots}
        self._by_nick: dict[str, Copy] = {}
        self._news = trio.lowlevel.ParkingLot()
        self._nursery: trio.Nursery | None = None
        self._address = ("", 0)

    @property
    def all(self) -> list[Copy]:
        """Every copy that was started."""
        return list(self._by_nick.values())

    @property
    def awaited(self) -> list[str]:
        """The nicks of programs that have to connect by themselves and have not come."""
        return [copy.nick for copy in self.all if self._how[copy.bot] == CONNECT and not copy.here]

    async def run(
        self, address: tuple[str, int], task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED
    ) -> None:
        """Keep copies running until cancelled. Raises MatchFailed when one ends again and again."""
        self._address = address
        async with trio.open_nursery() as nursery:
            self._nursery = nursery
            task_status.started()
            await trio.sleep_forever()

    async def take(self, bot: str) -> Copy:
        """A copy that is logged in and plays no game; one more is started if that is allowed."""
        while True:
            of = self._of[bot]
            free = next((copy for copy in of if copy.here and not copy.busy), None)
            if free is not None:
                free.busy = True
                return free
            coming = sum(not copy.busy for copy in of)
            if not coming and len(of) < (1 if self._how[bot] == CONNECT else self._at_most):
                self._start(bot)
            await self._news.park()

    def give_back(self, copy: Copy) -> None:
        """Its game is over."""
        copy.look()
        copy.busy = False
        copy.games += 1
        copy.starts = 0
        self._news.unpark_all()

    def came(self, nick: str) -> None:
        """A player has logged in."""
        self._set_here(nick, here=True)

    def went(self, nick: str) -> None:
        """A player has gone."""
        self._set_here(nick, here=False)

    def by_nick(self, nick: str) -> Copy | None:
        """The copy that plays under this nick."""
        return self._by_nick.get(nick)

    def _set_here(self, nick: str, *, here: bool) -> None:
        copy = self._by_nick.get(nick)
        if copy is not None:
            copy.here = here
            self._news.unpark_all()

    def _start(self, bot: str) -> None:
        number = len(self._of[bot]) + 1
        nick = bot if number == 1 else f"{bot}{COPY}{number}"
        copy = Copy(bot, nick, Errors(self._directory / "bots" / f"{nick}.log"))
        self._of[bot].append(copy)
        self._by_nick[nick] = copy
        assert self._nursery is not None
        if self._how[bot] != CONNECT or bot in self._objects:
            self._nursery.start_soon(self._keep, copy)

    async def _keep(self, copy: Copy) -> None:
        """Start a copy, again and again."""
        choose = self._objects.get(copy.bot)
        run = partial(self._run_object, copy, choose) if choose is not None else partial(self._run_command, copy)
        while True:
            copy.starts += 1
            if copy.starts > MAX_STARTS:
                said = tail(copy.errors.path) or "it has written nothing"
                raise MatchFailed(f"{copy.nick} ends again and again before it has played a game\n{said}")
            await run()
            self.went(copy.nick)
            await trio.sleep(AGAIN_S * 2 ** (copy.starts - 1))

    async def _run_command(self, copy: Copy) -> None:
        command = command_of(self._how[copy.bot], self._address, copy.nick)
        process = await start(command, copy.errors.path)
        copy.starts_program(process)
        try:
            await process.wait()
        finally:
            with trio.CancelScope(shield=True):
                await stop([process])

    async def _run_object(self, copy: Copy, choose: Choose) -> None:
        brain = Brain(self._game.game_type, self._game.notation, self._options, choose)
        try:
            await play(self._address, copy.nick, brain, lambda: copy.seed, self.thinking)
        except Exception:  # whatever a bot does, it costs only its game
            with copy.errors.path.open("a", encoding="utf-8") as file:
                traceback.print_exc(file=file)


def _object(game: Game, how: str) -> Choose | None:
    """The bot that plays in this process; None where it is a program. Raises WrongMatch."""
    if how.startswith(BUILTIN):
        return bundled(game, how.removeprefix(BUILTIN))
    if not how.startswith(PYTHON):
        return None
    module, _, name = how.removeprefix(PYTHON).partition(":")
    try:
        sys.path.insert(0, "")
        found: Any = importlib.import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
    except Exception as error:  # the code behind the name may do anything
        raise WrongMatch(f"{how}: allowed: python:MODULE:OBJECT; {type(error).__name__}: {error}") from error
    finally:
        sys.path.remove("")
    choose: Choose = getattr(found, "choose", found)
    if not callable(choose):
        raise WrongMatch(f"{how}: it is no function, and has none as choose")
    return choose


def check_command(bot: str, how: str) -> None:
    """Raises WrongMatch unless the text is a command that names its server."""
    try:
        parts = command_of(how, ("127.0.0.1", 1), bot)
    except ValueError as error:
        raise WrongMatch(f"--bot {bot}={how}: {error}") from None
    if not parts or "{nick}" not in how or not ("{address}" in how or "{port}" in how):
        raise WrongMatch(
            f"--bot {bot}={how}: allowed: a command with {{address}} and {{nick}} in it, builtin:NAME, "
            "python:MODULE:OBJECT, or connect"
        )


def command_of(how: str, address: tuple[str, int], nick: str) -> list[str]:
    """The command that starts a bot. Raises ValueError where the quotes are wrong."""
    host, port = address
    words = {"{address}": f"{host}:{port}", "{host}": host, "{port}": str(port), "{nick}": nick}
    parts = shlex.split(how)
    for place, part in enumerate(parts):
        for word, text in words.items():
            part = part.replace(word, text)
        parts[place] = part
    return parts
