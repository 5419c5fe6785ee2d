"""What a match costs: processor time of bots, master, broker and of the match itself."""

import time
from collections.abc import Mapping
from dataclasses import dataclass

from ugs.match.copies import Copies
from ugs.match.match_server import MatchServer
from ugs.processor_time import thread_s


@dataclass(frozen=True, slots=True)
class MatchCost:
    """Processor time of a match, in seconds."""

    bots_s: float
    master_s: float
    broker_s: float
    runner_s: float
    games: int
    seconds: float
    at_once: int
    busiest_s: float = 0.0
    """Of the thread that has used most, among those of which one plays all games of a bot or leads them. It can use one
    processor at a time, however many there are; 0 where no game depends on such a one, or that is not known."""

    @property
    def all_s(self) -> float:
        """All of it."""
        return self.bots_s + self.master_s + self.broker_s + self.runner_s

    @property
    def share(self) -> float:
        """Of all processor time, what bots and master took: the most that can be reached of their games per
        second."""
        return (self.bots_s + self.master_s) / max(1e-9, self.all_s)

    @property
    def alone_per_second(self) -> float:
        """How many games a second bots and master allow at most by themselves: if they keep these processors busy, or
        if the busiest of them keeps one."""
        return self.games / max(1e-9, self._shared_s, self.busiest_s)

    @property
    def limited_by_busiest(self) -> bool:
        """Whether it is the busiest of them that allows no more."""
        return self.busiest_s > self._shared_s

    @property
    def _shared_s(self) -> float:
        """What bots and master took, if processors were shared among them without a gap."""
        return (self.bots_s + self.master_s) / self.at_once

    @property
    def reached(self) -> float:
        """Of the games per second that bots and master allow, the part that was played. It is below :attr:`share` when
        processors were idle or other programs used them."""
        return self.games / max(1e-9, self.seconds) / max(1e-9, self.alone_per_second)


class CostMeter:
    """Measures from :meth:`begin` on."""

    def __init__(self, copies: Copies, server: MatchServer) -> None:
        self._copies = copies
        self._server = server
        self._before: tuple[float, float, float, float] | None = None
        self._threads_before: Mapping[str, float] = {}

    @property
    def runs(self) -> bool:
        """Whether it has begun."""
        return self._before is not None

    def begin(self) -> None:
        """Measure from now on, also what each bot that is a program uses."""
        self._copies.first_game_begins()
        self._before, self._threads_before = self._used(), self._threads()

    def cost(self, games: int, seconds: float, at_once: int) -> MatchCost:
        """What this many games have cost, that were played in these seconds, at most ``at_once`` at a time. Without a
        game before it, the start is part of it."""
        before = self._before or (0.0, 0.0, 0.0, 0.0)
        bots, master, broker, own = (now - then for now, then in zip(self._used(), before, strict=True))
        busiest = max(used - self._threads_before.get(name, 0.0) for name, used in self._threads().items())
        return MatchCost(bots, master, broker, own, games, seconds, at_once, busiest)

    def _used(self) -> tuple[float, float, float, float]:
        programs = sum(copy.use().used_s for copy in self._copies.all)
        # Bots that are objects think in this process, which is not the match's own time.
        own, thinking = time.process_time(), self._copies.thinking.used_s
        return (
            programs + self._copies.bundled_s + thinking,
            self._server.all_master_cpu_s,
            self._server.broker_cpu_s,
            own - thinking,
        )

    def _threads(self) -> dict[str, float]:
        """By name: processor time of each thread that plays all games of bots, or leads them."""
        found = {str(pid): thread_s(pid) for pid in (*self._copies.bundled_pids, *self._server.master_pids)}
        return {**found, "objects": self._copies.thinking.used_s}
