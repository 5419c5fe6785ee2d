"""Kills each part of a cluster again and again while lasting players play; holds their tales against the journal."""

import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import trio

from ugs.journal.reader import Reader
from ugs.soak.cluster.cluster_parts import GAME_TYPE, KILLS, Cluster
from ugs.soak.cluster.kill_table import ClusterSummary, KeptEnd, Kill, judge, pauses
from ugs.soak.cluster.lasting_player import LastingPlayer, LastingTales, SeenEnd
from ugs.soak.server_process import SoakFailed

CALM_S: Final = 1.0
"""Seconds between two kills when all parts are there and games go on."""
BEGIN_S: Final = 180.0
GO_ON_S: Final = 120.0
"""Seconds until a game must go on after a kill, on a busy machine too."""
LOOK_S: Final = 0.1
NEARLY_ALL: Final = 0.9
"""Some games are between their end and the next one's beginning."""


@contextmanager
def short_folder() -> Iterator[Path]:
    """A folder for a while that a database's user may look into, with a short name: those of sockets are bounded."""
    with TemporaryDirectory(prefix="ugs-", dir="/tmp") as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


class ClusterTrial:
    """All kills, on one cluster in one folder with a short name."""

    def __init__(self, folder: Path, seed: int, games: int = 100) -> None:
        self.summary = ClusterSummary(seed, games)
        self._cluster = Cluster(folder)
        self._tales = LastingTales()
        self._chance = random.Random(seed)

    async def run(
        self, seconds: float, on_kill: Callable[[Kill], None], times: int = 0, parts: Sequence[str] = tuple(KILLS)
    ) -> ClusterSummary:
        """Kill these parts in turn until ``seconds`` have passed, or each of them ``times`` times, if that is given.
        Raises SoakFailed and DatabaseFailed."""
        try:
            await trio.to_thread.run_sync(self._cluster.start)
            async with trio.open_nursery() as players:
                for number in range(2 * self.summary.games):
                    # Each has chance of its own: the order of tasks must not change what a player does.
                    chance = random.Random(self._chance.random())
                    player = LastingPlayer(f"lasting{number}", GAME_TYPE, self._cluster.places, self._tales, chance)
                    players.start_soon(player.run)
                await self._all_play()
                await self._kills(seconds, on_kill, times, parts)
                await trio.sleep(CALM_S)
                # A copy: they play on while a thread judges.
                await trio.to_thread.run_sync(self._judge, list(self._tales.ends))
                players.cancel_scope.cancel()
        finally:
            with trio.CancelScope(shield=True):
                await trio.to_thread.run_sync(self._cluster.close)
        return self.summary

    async def _kills(self, seconds: float, on_kill: Callable[[Kill], None], times: int, parts: Sequence[str]) -> None:
        until = time.monotonic() + seconds
        rounds = 0
        while rounds < times or (not times and time.monotonic() < until):
            for part in self._chance.sample(parts, len(parts)):
                kill = Kill(part, time.monotonic(), time.time_ns() // 1000)
                self.summary.kills.append(kill)
                await trio.to_thread.run_sync(KILLS[part], self._cluster)
                await trio.sleep(self._chance.uniform(0.2, 1.0))
                await trio.to_thread.run_sync(self._cluster.mend)
                await self._goes_on()
                kill.pause_s, kill.longest_s = pauses(self._tales.relayed, kill.since, time.monotonic())
                del self._tales.relayed[: -20 * self.summary.games]
                on_kill(kill)
                await trio.sleep(CALM_S * self._chance.uniform(0.5, 1.5))
            rounds += 1

    async def _all_play(self) -> None:
        with trio.move_on_after(BEGIN_S) as waited:
            while len({game for _, game in self._tales.relayed}) < self.summary.games:  # noqa: ASYNC110  (many events)
                await trio.sleep(LOOK_S)
        if waited.cancelled_caught:
            raise SoakFailed(f"not all games have begun within {BEGIN_S:g} s: {self._tales.harm[:3]}")

    async def _goes_on(self) -> None:
        """Wait until moves are relayed in nearly all games."""
        since = time.monotonic()
        with trio.move_on_after(GO_ON_S) as waited:
            while self._games_since(since) < NEARLY_ALL * self.summary.games:  # noqa: ASYNC110  (many events)
                await trio.sleep(LOOK_S)
        if waited.cancelled_caught:
            self.summary.harm.append(f"after a kill of {self.summary.kills[-1].part} not all games went on")

    def _games_since(self, since: float) -> int:
        return len({game for at, game in self._tales.relayed if at > since})

    def _judge(self, ends: list[SeenEnd]) -> None:
        with Reader(self._cluster.url) as reader:
            games = [game for game in reader.games(newest_first=False) if game.ended_us is not None]
        kept = [
            KeptEnd(game.game_id, {seat.nick: str(seat.outcome) for seat in game.seats}, game.ended_us or 0)
            for game in games
        ]
        self.summary.back = self._tales.back
        self.summary.harm += [what for _, what in self._tales.harm]
        judge(self.summary, ends, kept)
