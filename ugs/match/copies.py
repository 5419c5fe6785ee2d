"""The bots of a match, each in as many copies as play at once. A copy that ends is started again."""

import os
import traceback
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import trio

from ugs.match.bot_copy import Copy
from ugs.match.builtin_player import Brain, Thinking, play
from ugs.match.bundled_process import BundledProcess
from ugs.match.bundled_processes import BundledProcesses
from ugs.match.clocked_line import ClockedLine
from ugs.match.games import Choose, InstalledGame, bundled, options_of
from ugs.match.match_file import COPY
from ugs.match.match_settings import BUILTIN, CONNECT, PYTHON
from ugs.match.programs import Errors, MatchFailed, start_bot, stop
from ugs.match.start_words import check_command, command_of, object_of
from ugs.match.time_limits import TimeLimits
from ugs.processor_time import ProcessorUse

MAX_STARTS: Final = 8
"""Starts of a copy in a row without a game between."""
CONNECT_TIMEOUT_S: Final = 600.0
"""Seconds that a program may be away: not logged in while a game waits for it."""
LATE_S: Final = 10.0
"""Seconds until a program that was started here, and has not logged in, is shown as awaited."""
SPARE: Final = 2
"""Copies of a bot that is not a program, for each game at once, beside the one that plays: they wait until the results
of their last games are written down, and owe thanks for them, while others play."""
AGAIN_S: Final = 0.05
"""Seconds before the second start; each further one waits twice as long."""


class Copies:
    """All copies of all bots."""

    def __init__(
        self,
        bots: Mapping[str, str],
        game: InstalledGame,
        options: Mapping[str, str],
        directory: Path,
        at_most: int,
        objects: Mapping[str, Choose] | None = None,
        limits: TimeLimits = TimeLimits(),  # noqa: B008  (frozen)
        connect_timeout_s: float = CONNECT_TIMEOUT_S,
    ) -> None:
        """``limits`` are for programs, which have ``connect_timeout_s`` to log in. ``objects`` are bots of this process
        by name; their text is not read. Raises WrongMatch."""
        self._how = dict(bots)
        self._game = game
        self._options = options_of(game, options)
        self._directory = directory
        self._at_most = at_most
        self._limits = limits
        self._connect_timeout_s = connect_timeout_s
        self._objects = dict(objects or {})
        self._bundled: dict[str, BundledProcesses] = {}
        # More processes than processors would not think any sooner.
        at_once = min(at_most, len(os.sched_getaffinity(0)))
        for bot, how in bots.items():
            if bot in self._objects or how == CONNECT:
                continue
            if how.startswith(BUILTIN):
                name = how.removeprefix(BUILTIN)
                bundled(game, name)
                errors = directory / "bots" / f"{bot}.process.log"
                self._bundled[bot] = BundledProcesses(
                    partial(BundledProcess, game.name, name, options, errors), at_once
                )
            elif how.startswith(PYTHON):
                self._objects[bot] = object_of(how)
            else:
                check_command(bot, how)
        self.thinking = Thinking()
        self._of: dict[str, list[Copy]] = {bot: [] for bot in bots}
        self._by_nick: dict[str, Copy] = {}
        self._logged_in: dict[str, str] = {}
        """Who is on the server, and for which game type: programs that connect by themselves may be there before their
        copy is wanted."""
        self._news = trio.lowlevel.ParkingLot()
        self._nursery: trio.Nursery | None = None
        self._address = ("", 0)

    @property
    def all(self) -> list[Copy]:
        """Every copy that was started."""
        return list(self._by_nick.values())

    def programs(self, players: int) -> int:
        """How many programs run at once when games of ``players`` are played."""
        commands = sum(self._is_command(bot) for bot in self._how)
        return self._at_most * min(players, commands)

    def _is_command(self, bot: str) -> bool:
        return not self._is_ours(bot) and self._how[bot] != CONNECT

    @property
    def bundled_s(self) -> float:
        """Processor time of all bundled bots until now, in seconds."""
        return sum(one.used_s for one in self._bundled.values())

    @property
    def bundled_pids(self) -> list[int]:
        """The processes of all bundled bots."""
        return [pid for one in self._bundled.values() for pid in one.pids]

    def first_game_begins(self) -> None:
        """The first game of the match begins: what bots have used until now is no part of a game."""
        for copy in self.all:
            copy.first_game_begins()

    def times(self) -> dict[str, tuple[int, ProcessorUse]]:
        """By bot that is a program: games that were played, and what it has used since the first of the match began."""
        found: dict[str, tuple[int, ProcessorUse]] = {}
        for copy in self.all:
            if copy.process is not None:
                games, use = found.get(copy.bot, (0, ProcessorUse()))
                more = copy.use_for_games()
                found[copy.bot] = (
                    games + copy.games,
                    ProcessorUse(use.used_s + more.used_s, use.waited_s + more.waited_s),
                )
        return found

    @property
    def awaited(self) -> list[str]:
        """The nicks of programs that have not come: of those that were started here, the ones that take long."""
        return [copy.nick for copy in self.all if not copy.here and (copy.late or not self._is_started(copy.bot))]

    async def run(
        self, address: tuple[str, int], task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED
    ) -> None:
        """Keep copies running until cancelled. Raises MatchFailed when one ends again and again."""
        self._address = address
        async with trio.open_nursery() as nursery:
            self._nursery = nursery
            for one in self._bundled.values():
                await nursery.start(one.run, address)
            task_status.started()
            await trio.sleep_forever()

    async def take(self, bot: str, pause_s: float = 0.0) -> Copy:
        """A copy that is logged in and plays no game: of those whose process plays the fewest games, that which has
        been free for the longest. One more is started if that is allowed and none is free, or, of a bot that is no
        program, none has been for ``pause_s``. Raises MatchFailed when a program does not come."""
        while True:
            of = self._of[bot]
            free = self._lightest([copy for copy in of if copy.here and not copy.busy])
            # One that is on its way is waited for.
            coming = any(not copy.busy and not copy.here for copy in of)
            if not coming and len(of) < self._most(bot) and self._needs_more(bot, free, pause_s):
                self._start(bot)
                # A program that had connected before is here at once.
                free = free or self._lightest([copy for copy in of if copy.here and not copy.busy])
            if free is not None:
                free.busy = True
                return free
            await self._wait(bot)

    def _lightest(self, free: Sequence[Copy]) -> Copy | None:
        """Which of these copies of a bot plays next; None where there are none."""
        if not free:
            return None
        bundled = self._bundled.get(free[0].bot)
        if bundled is None or bundled.count == 1:
            return min(free, key=lambda copy: copy.free_since)
        busy = Counter(bundled.place(copy.nick) for copy in self._of[free[0].bot] if copy.busy)
        return min(free, key=lambda copy: (busy[bundled.place(copy.nick)], copy.free_since))

    def _needs_more(self, bot: str, free: Copy | None, pause_s: float) -> bool:
        """Whether one more copy would help, where ``free`` plays next."""
        if free is None or (self._is_ours(bot) and free.free_since + pause_s > trio.current_time()):
            return True
        bundled = self._bundled.get(bot)
        return bundled is not None and bundled.count > 1 and bundled.fewest_copies < self._at_most

    def _most(self, bot: str) -> int:
        """How many copies of a bot there may be."""
        if self._is_ours(bot):
            bundled = self._bundled.get(bot)
            return (1 + SPARE) * self._at_most * (1 if bundled is None else bundled.count)
        return 1 if self._how[bot] == CONNECT else self._at_most

    def _is_ours(self, bot: str) -> bool:
        """Whether its copies share a process, so that one more costs next to nothing."""
        return bot in self._objects or bot in self._bundled

    async def _wait(self, bot: str) -> None:
        """Wait for news of copies. Raises MatchFailed when a program does not come."""
        away = [copy for copy in self._of[bot] if not copy.here]
        if self._is_ours(bot) or not away:
            await self._news.park()
            return
        copy = min(away, key=lambda one: one.away_since)
        for wait_s in (min(LATE_S, self._connect_timeout_s), self._connect_timeout_s):
            with trio.move_on_at(copy.away_since + wait_s):
                await self._news.park()
                return
            copy.late = True
        host, port = self._address
        if self._is_started(bot):
            written = copy.errors.tail() or "it has written nothing"
            raise MatchFailed(
                f"{copy.nick} runs, and has not logged in for {self._connect_timeout_s:g} s: it has to connect to the "
                f"address in its command and log in as {copy.nick!r} for {self._game.game_type!r}; "
                f"--connect-timeout gives it more time\n{written}"
            )
        raise MatchFailed(
            f"{copy.nick} has not connected for {self._connect_timeout_s:g} s: start a program that connects to "
            f"{host}:{port} and logs in as {copy.nick!r} for {self._game.game_type!r} while the match waits; "
            "--connect-timeout gives it more time"
        )

    async def begins(self, copy: Copy, seed: str) -> None:
        """Its next game begins, with this chance."""
        copy.begins(seed)
        if copy.bot in self._bundled:
            await self._bundled[copy.bot].seed(copy.nick, seed)

    def give_back(self, copy: Copy) -> None:
        """Its game is over."""
        # A last look: what a thread uses between a look and its end is not known.
        copy.use()
        copy.busy = False
        copy.free_since = trio.current_time()
        copy.games += 1
        # It has played: only failures in a row count.
        copy.starts = 0
        self._news.unpark_all()

    def came(self, nick: str, game_type: str) -> None:
        """A player has logged in. Raises MatchFailed when it is a copy, and here for another game type."""
        self._logged_in[nick] = game_type
        copy = self._by_nick.get(nick)
        if copy is not None:
            self._is_here(copy, game_type)

    def went(self, nick: str) -> None:
        """A player has gone."""
        self._logged_in.pop(nick, None)
        copy = self._by_nick.get(nick)
        if copy is not None:
            self._set_here(copy, here=False)

    def _is_here(self, copy: Copy, game_type: str) -> None:
        if game_type != self._game.game_type:  # it would be waited for in vain
            # Whoever likes may have taken the nick of a program that connects by itself.
            started = self._is_started(copy.bot)
            who = f"{copy.bot} logs in" if started else f"who logged in as {copy.nick} is here"
            what = "set it in the bot" if started else "set it there, if that is your program"
            raise MatchFailed(f"{who} for {game_type}; this match plays {self._game.game_type}: {what}")
        self._set_here(copy, here=True)

    def _set_here(self, copy: Copy, *, here: bool) -> None:
        copy.here, copy.late = here, False
        copy.away_since = trio.current_time()
        self._news.unpark_all()

    def _start(self, bot: str) -> None:
        number = len(self._of[bot]) + 1
        nick = bot if number == 1 else f"{bot}{COPY}{number}"
        errors = Errors(self._directory / "bots" / f"{nick}.log")
        copy = Copy(bot, nick, errors, away_since=trio.current_time())
        self._of[bot].append(copy)
        self._by_nick[nick] = copy
        assert self._nursery is not None
        if self._is_started(bot):
            self._nursery.start_soon(self._keep, copy)
        elif (game_type := self._logged_in.get(nick)) is not None:
            self._is_here(copy, game_type)

    def _is_started(self, bot: str) -> bool:
        """Whether its copies are started here; a program may connect by itself instead."""
        return self._how[bot] != CONNECT or bot in self._objects

    async def _keep(self, copy: Copy) -> None:
        """Start a copy, again and again."""
        choose, bundled = self._objects.get(copy.bot), self._bundled.get(copy.bot)
        run = partial(self._run_command, copy)
        if choose is not None:
            run = partial(self._run_object, copy, choose)
        elif bundled is not None:
            run = partial(bundled.play, copy.nick, copy.errors.path)
        while True:
            copy.starts += 1
            if copy.starts > MAX_STARTS:
                written = copy.errors.tail()
                last = f"; the last time it has written\n{written}" if written else "; it has written nothing"
                ends = f"{copy.nick} ends again and again before it has played a game, {MAX_STARTS} times"
                raise MatchFailed(ends + last)
            copy.errors.starts()
            await run()
            copy.errors.ended()
            self.went(copy.nick)
            await trio.sleep(AGAIN_S * 2 ** (copy.starts - 1))

    async def _run_command(self, copy: Copy) -> None:
        address = self._address
        if self._limits.set:
            assert self._nursery is not None
            if copy.line is None:
                copy.line = ClockedLine(address, copy.nick, self._limits, copy.use)
                copy.address = await self._nursery.start(copy.line.serve)
            address = copy.address
        command = command_of(self._how[copy.bot], address, copy.nick)
        process, guard = await start_bot(command, copy.errors.path)
        copy.starts_program(process)
        try:
            await process.wait()
        finally:
            # Shielded: no program may outlive the match.
            with trio.CancelScope(shield=True):
                await stop([process])
                await guard.release()
                copy.ends_program()

    async def _run_object(self, copy: Copy, choose: Choose) -> None:
        brain = Brain(self._game.game_type, self._game.notation, self._options, choose)

        async def seed() -> str:
            return copy.seed

        try:
            await play(self._address, copy.nick, brain, seed, self.thinking)
        except Exception:  # an error of a bot costs only its game
            with copy.errors.path.open("a", encoding="utf-8") as file:
                traceback.print_exc(file=file)
