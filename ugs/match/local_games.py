"""Plays a match on this machine: has games played on a server of its own, several at once.

Each of as many lanes as games run at once plays one game after the other: it takes a copy of each bot, orders the game,
and waits for its end. A game that ends through the fault of master or server is played again.
"""

import os
import time
from collections.abc import Callable, Mapping
from typing import Final

import trio

from ugs.broker.verdict import Cause
from ugs.match.bookkeeping import MatchBooks
from ugs.match.bot_copy import Copy
from ugs.match.cost import CostMeter
from ugs.match.game_log import GameLog
from ugs.match.game_orders import WHY, GameOrders
from ugs.match.game_results import of_log
from ugs.match.match_file import fault_file
from ugs.match.match_server import Event, MatchServer
from ugs.match.planner import PlannedGame
from ugs.match.programs import MatchFailed
from ugs.match.score import ScoredGame

MAX_VOID: Final = 3
"""Times a game is played again that has ended void."""


class Lanes:
    """The lanes of one match, and the server beside them."""

    def __init__(self, match: MatchBooks) -> None:
        self._match = match
        self._server = MatchServer(match.directory, self._happened, keeps_games=match.keeps_games)
        self._games = GameLog()
        self._news = trio.lowlevel.ParkingLot()
        # The master of an installed game is started with them, and they are its defaults.
        chosen = match.wanted.option if match.wanted.master else {}
        self._orders = GameOrders(self._server, match.game.game_type, chosen)
        self._cost_meter = CostMeter(match.copies, self._server)

    async def play(self) -> None:
        """Play what is left of the match. Raises MatchFailed when it cannot go on."""
        match = self._match
        async with trio.open_nursery() as nursery:
            await nursery.start(self._server.serve, match.wanted, match.game.game_type)
            match.progress.address, match.progress.page = self._server.address, self._server.page
            # Paused, so that the pool seats none by itself: the match decides who meets.
            await self._server.ask({"ask": "act", "kind": "pause", "game_type": match.game.game_type, "why": WHY})
            # Before the bots come: a game that was brought back would take them.
            await self._void_old()
            await nursery.start(match.copies.run, self._server.host)
            nursery.start_soon(self._server.lead, match.wanted)
            async with trio.open_nursery() as lanes:
                for _ in range(match.wanted.concurrency):
                    lanes.start_soon(self._lane)
            match.progress.master_code = self._server.master_code
            at_once = min(match.wanted.concurrency, len(os.sched_getaffinity(0)))
            match.cost = self._cost_meter.cost(match.progress.played, match.progress.seconds, at_once)
            nursery.cancel_scope.cancel()

    def wake(self) -> None:
        """There are more games."""
        self._news.unpark_all()

    def used(self) -> tuple[float, float, float, float]:
        """Seconds of processor time until now, without the start: bots, master, broker, this process."""
        cost = self._cost_meter.cost(0, 0.0, 1)
        return cost.bots_s, cost.master_s, cost.broker_s, cost.runner_s

    async def _void_old(self) -> None:
        """End what a killed server may have brought back: it is played again, by players who are here."""
        kept = self._match.kept
        for number, (_, game_id) in kept.begun.items():
            if number not in kept.results:
                await self._server.ask({"ask": "act", "kind": "void", "subject": game_id, "why": WHY})

    # One game.

    async def _lane(self) -> None:
        match = self._match
        while (planned := await self._next()) is not None:
            match.progress.running += 1
            result = await self._play(planned)
            match.progress.running -= 1
            match.ended(result)
            self._news.unpark_all()

    async def _next(self) -> PlannedGame | None:
        while not self._match.over:
            planned = self._match.next_game()
            if planned is not None:
                return planned
            await self._news.park()
        return None

    async def _play(self, planned: PlannedGame) -> ScoredGame:
        """Play a game, again if it is void."""
        setup = self._match.setup_of(planned)
        for _ in range(MAX_VOID):
            result = await self._play_once(planned, setup)
            if not result.void:
                break
            # The master has given a reason: it would decline the game each time.
            if result.cause is Cause.NO_BEGINNING and result.reason:
                opening = f" from opening {planned.opening}" if planned.opening else ""
                raise MatchFailed(f"game {planned.number} cannot begin{opening}: {result.reason}")
            self._match.progress.void += 1
        else:
            why = result.reason or result.cause
            self._match.progress.notes.append(f"game {planned.number} ended void {MAX_VOID} times, last by: {why}")
        return result

    async def _play_once(self, planned: PlannedGame, setup: str) -> ScoredGame:
        match = self._match
        taken = {
            bot: await match.copies.take(bot, self._orders.pause_s) for bot in sorted(planned.bots)
        }  # in one order, so none waits for ever
        copies = [taken[bot] for bot in planned.bots]
        try:
            # Before the order: the first state may come at once, and asks for the chance of the game.
            for copy in copies:
                await match.copies.begins(copy, f"{match.wanted.seed} {planned.number} {copy.bot}")
            free_since = max(copy.free_since for copy in copies)

            def cut() -> None:
                for copy in copies:
                    copy.errors.begins()

            game_id = await self._orders.begin([copy.nick for copy in copies], setup, free_since, cut)
            for copy in copies:
                copy.errors.begun()
            # A match that is killed from here on looks for the result in the journal.
            match.kept.begins(planned, game_id)
            if not self._cost_meter.runs:  # what the start has cost is no part of a game
                self._cost_meter.begin()
                match.progress.began = time.monotonic()
            end = await self._games.end_of(game_id)
            result = of_log(planned, end, {copy.nick: copy.overtime for copy in copies if copy.overtime})
            self._keep_errors(result, taken)
            return result
        finally:
            for copy in copies:
                match.copies.give_back(copy)

    def _happened(self, event: Event) -> None:
        """A line of the server's log."""
        does = HANDLERS.get(event.get("event", ""))
        if does is not None:
            does(self, event)

    def _player_came(self, event: Event) -> None:
        self._match.copies.came(event["nick"], event["game_type"])

    def _player_went(self, event: Event) -> None:
        self._match.copies.went(event.get("nick", ""))

    def _player_left(self, event: Event) -> None:
        self._games.player_left(event)

    def _game_ended(self, event: Event) -> None:
        self._games.game_ended(event)

    def _keep_errors(self, result: ScoredGame, taken: Mapping[str, Copy]) -> None:
        """Put what bots at fault have written beside their game."""
        for bot in result.faults:
            path = fault_file(self._match.directory, result.planned.number, bot)
            path.parent.mkdir(exist_ok=True)
            taken[bot].errors.keep(path)
            self._match.failed(result, path)


HANDLERS: Final[Mapping[str, Callable[[Lanes, Event], None]]] = {
    "player logged in": Lanes._player_came,
    "disconnected": Lanes._player_went,
    "logged out": Lanes._player_went,
    "player left game": Lanes._player_left,
    "game ended": Lanes._game_ended,
}
"""What is done about a line of the log."""
