"""What a match costs: processor time of bots, master, broker and of the match itself."""

import time
from dataclasses import dataclass

from ugs.match.copies import Copies
from ugs.match.match_server import MatchServer


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
        """How many games a second bots and master allow at most by themselves, if they keep these processors busy."""
        return self.at_once * self.games / max(1e-9, self.bots_s + self.master_s)

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

    @property
    def runs(self) -> bool:
        """Whether it has begun."""
        return self._before is not None

    def begin(self) -> None:
        """Measure from now on."""
        self._before = self._used()

    def cost(self, games: int, seconds: float, at_once: int) -> MatchCost:
        """What this many games have cost, that were played in these seconds, at most ``at_once`` at a time. Without a
        game before it, the start is part of it."""
        before = self._before or (0.0, 0.0, 0.0, 0.0)
        bots, master, broker, own = (now - then for now, then in zip(self._used(), before, strict=True))
        return MatchCost(bots, master, broker, own, games, seconds, at_once)

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
