"""Plays a match: takes games from the planner, has them played on the server, and gives results to the score.

Each of as many lanes as games run at once plays one game after the other: it takes a copy of each bot, orders the game,
and waits for its end. A game that ends through the fault of master or server is played again.
"""

import os
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import trio

from ugs.broker.verdict import Cause
from ugs.journal.journal_error import JournalError
from ugs.journal.reader import Reader
from ugs.match.copies import Copies, Copy
from ugs.match.cost import CostMeter, MatchCost
from ugs.match.game_log import GameLog
from ugs.match.game_orders import WHY, GameOrders
from ugs.match.game_results import of_journal, of_log
from ugs.match.games import Choose, find_game, options_of, players_of
from ugs.match.match_file import MatchFile, fault_file
from ugs.match.match_server import Event, MatchServer
from ugs.match.match_settings import MatchSettings, WrongMatch
from ugs.match.openings import read_openings, setup_of
from ugs.match.packets import PacketOffered, packets_of
from ugs.match.planner import PlannedGame, Planner
from ugs.match.programs import MatchFailed
from ugs.match.score import MatchScore, ScoredGame

MAX_VOID: Final = 3
"""Times a game is played again that has ended void."""
MAX_FAULTS: Final = 10_000
"""Games with a fault whose output of the bot is kept."""


@dataclass(slots=True)
class Progress:
    """How far a match has come, for those who show it."""

    total: int
    began: float = field(default_factory=time.monotonic)
    played: int = 0
    """Games that have ended in this life of the match."""
    running: int = 0
    void: int = 0
    """Games that had to be played again."""
    address: str = ""
    page: str = ""
    awaited: tuple[str, ...] = ()

    @property
    def seconds(self) -> float:
        """Since the first game could begin."""
        return max(1e-9, time.monotonic() - self.began)

    @property
    def per_second(self) -> float:
        """Games that ended in a second."""
        return self.played / self.seconds


class Match:
    """A match that is going to be played, in a directory that is there."""

    def __init__(
        self,
        wanted: MatchSettings,
        directory: Path,
        *,
        resume: bool = False,
        objects: Mapping[str, Choose] | None = None,
    ) -> None:
        """Raises WrongMatch; OSError when nothing can be written."""
        self.wanted = wanted
        self.directory = directory
        self.game = find_game(wanted.game)
        options_of(self.game, wanted.option)  # wrong ones are refused before anything else is looked at
        self.players = players = players_of(self.game, wanted.players, len(wanted.bots))
        """Of one game."""
        if wanted.openings and self.game.fixture is None:
            raise WrongMatch(f"--openings: games of {self.game.name} begin in one way only; it takes no fixtures")
        self._openings = read_openings(Path(wanted.openings)) if wanted.openings else []
        self.planner = Planner(wanted, players, len(self._openings))
        pairs = players == 2 and wanted.seats == "balanced" and wanted.format in ("round-robin", "gauntlet")
        test = wanted.sprt.test() if wanted.sprt is not None else None
        self.score = MatchScore(
            tuple(wanted.bots), self.game.game_type, 2 if pairs else 1, test, until_best=wanted.until == "best"
        )
        self.progress = Progress(self.planner.total)
        self.copies = Copies(
            wanted.bots, self.game, wanted.option, directory, wanted.concurrency, objects, wanted.time_limits
        )
        self.kept = MatchFile(directory, wanted, resume=resume)
        self.server = MatchServer(directory, self._happened)
        self.cost: MatchCost | None = None
        """Once all games are over."""
        self.faults: list[tuple[ScoredGame, Path | None]] = []
        """Games that ended by a fault, with what the bot at fault wrote meanwhile."""
        self._games = GameLog()
        self._news = trio.lowlevel.ParkingLot()
        self._waiting: deque[PlannedGame] = deque()
        """Games that were given out when the match was taken up again, and are to be played first."""
        self._orders = GameOrders(self.server, self.game.game_type)
        self._cost_meter = CostMeter(self.copies, self.server)

    async def play(self) -> None:
        """Play to the end, once. Raises MatchFailed when it cannot go on."""
        try:
            self._take_up()
            if not self._over:
                await self._play_on()
        finally:
            self.kept.close()

    async def _play_on(self) -> None:
        async with trio.open_nursery() as nursery:
            await nursery.start(self.server.serve, self.wanted, self.game.game_type)
            self.progress.address, self.progress.page = self.server.address, self.server.page
            await self.server.ask({"ask": "act", "kind": "pause", "game_type": self.game.game_type, "why": WHY})
            await self._void_old()
            await nursery.start(self.copies.run, self.server.host)
            options = [word for key, value in self.wanted.option.items() for word in ("--option", f"{key}={value}")]
            nursery.start_soon(self.server.lead, self.wanted.game, options)
            async with trio.open_nursery() as lanes:
                for _ in range(self.wanted.concurrency):
                    lanes.start_soon(self._lane)
            at_once = min(self.wanted.concurrency, len(os.sched_getaffinity(0)))
            self.cost = self._cost_meter.cost(self.progress.played, self.progress.seconds, at_once)
            nursery.cancel_scope.cancel()

    @property
    def _over(self) -> bool:
        return bool(self.score.stopped) or self.planner.finished

    @property
    def packets(self) -> list[PacketOffered]:
        """Games that a packet can be made of; none where the games are not kept."""
        return packets_of(self.score.counted, tuple(self.wanted.bots), self.directory) if self.wanted.data_dir else []

    # Going on.

    def _take_up(self) -> None:
        """Go through the results that are there. A game that had begun may have ended without us."""
        for number, result in self._ended_without_us().items():
            self.kept.ended(result)
            self.kept.results[number] = result
        known = self.kept.results
        last = max(known, default=0)
        while last and not self.score.stopped and (planned := self.planner.next()) is not None:
            if planned.number in known:
                self._settle(known[planned.number])
            else:
                self._waiting.append(planned)
            if planned.number >= last:
                return

    def _ended_without_us(self) -> dict[int, ScoredGame]:
        """The results in the journal of the server of games that we do not know to be over. Those that ended by a fault
        are played again: the lines of bots that were killed were lost, too."""
        data = self.directory / "server"
        if not self.kept.begun or not data.exists():
            return {}
        begun = {game_id: planned for planned, game_id in self.kept.begun.values()}
        try:
            with Reader(data) as reader:
                results = reader.results(game_type=self.game.game_type)
                found = [of_journal(begun[one.game_id], one) for one in results if one.game_id in begun]
        except JournalError:
            return {}
        return {result.planned.number: result for result in found if not result.void and not result.faults}

    async def _void_old(self) -> None:
        """End what a killed server may have brought back: it is played again, by players who are here."""
        for number, (_, game_id) in self.kept.begun.items():
            if number not in self.kept.results:
                await self.server.ask({"ask": "act", "kind": "void", "subject": game_id, "why": WHY})

    # One game.

    async def _lane(self) -> None:
        while (planned := await self._next()) is not None:
            self.progress.running += 1
            result = await self._play(planned)
            self.progress.running -= 1
            self.progress.played += 1
            self.kept.ended(result)
            self._settle(result)
            self._news.unpark_all()

    async def _next(self) -> PlannedGame | None:
        while not self._over:
            planned = self._waiting.popleft() if self._waiting else self.planner.next()
            if planned is not None:
                return planned
            await self._news.park()
        return None

    def _settle(self, result: ScoredGame) -> None:
        self.score.take(result)
        self.planner.settle(result.planned.number, result.points)

    async def _play(self, planned: PlannedGame) -> ScoredGame:
        """Play a game, again if it is void."""
        opening = self._openings[planned.opening - 1] if planned.opening else None
        setup = setup_of(self.game, planned, opening, self.wanted.seed)
        for _ in range(MAX_VOID):
            result = await self._play_once(planned, setup)
            if not result.void:
                break
            if result.cause is Cause.DECLINED:
                raise MatchFailed(f"the game master cannot lead game {planned.number}: {result.reason or setup}")
            self.progress.void += 1
        return result

    async def _play_once(self, planned: PlannedGame, setup: str) -> ScoredGame:
        taken = {
            bot: await self.copies.take(bot) for bot in sorted(planned.bots)
        }  # in one order, so none waits for ever
        copies = [taken[bot] for bot in planned.bots]
        try:
            for copy in copies:
                await self.copies.begins(copy, f"{self.wanted.seed} {planned.number} {copy.bot}")
            played_before = any(copy.games for copy in copies)
            game_id = await self._orders.begin([copy.nick for copy in copies], setup, played_before=played_before)
            self.kept.begins(planned, game_id)
            if not self._cost_meter.runs:  # what the start has cost is no part of a game
                self._cost_meter.begin()
                self.progress.began = time.monotonic()
            end = await self._games.end_of(game_id)
            result = of_log(planned, end, {copy.nick: copy.overtime for copy in copies if copy.overtime})
            self._keep_errors(result, taken)
            return result
        finally:
            for copy in copies:
                self.copies.give_back(copy)

    def _happened(self, event: Event) -> None:
        """A line of the server's log."""
        does = HANDLERS.get(event.get("event", ""))
        if does is not None:
            does(self, event)

    def _player_came(self, event: Event) -> None:
        self.copies.came(event["nick"])

    def _player_went(self, event: Event) -> None:
        self.copies.went(event.get("nick", ""))

    def _player_left(self, event: Event) -> None:
        self._games.player_left(event)

    def _game_ended(self, event: Event) -> None:
        self._games.game_ended(event)

    def _keep_errors(self, result: ScoredGame, taken: Mapping[str, Copy]) -> None:
        """Put what bots at fault have written beside their game."""
        for bot in result.faults:
            path = fault_file(self.directory, result.planned.number, bot)
            path.parent.mkdir(exist_ok=True)
            if len(self.faults) < MAX_FAULTS:
                self.faults.append((result, path if taken[bot].errors.keep(path) else None))


HANDLERS: Final[Mapping[str, Callable[[Match, Event], None]]] = {
    "player logged in": Match._player_came,
    "disconnected": Match._player_went,
    "logged out": Match._player_went,
    "player left game": Match._player_left,
    "game ended": Match._game_ended,
}
"""What is done about a line of the log."""
