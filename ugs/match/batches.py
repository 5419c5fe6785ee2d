"""Batches: games of a match that are played together on some machine, and what has come of them. No I/O, no clock.

A batch may be played more than once, since machines go down; its games count once. How large it is follows from what
games have taken so far, and changes nothing: a game is the same in any batch.
"""

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from ugs.match.match_settings import MatchSettings
from ugs.match.planner import GivenGame
from ugs.match.score import ScoredGame

MAX_LOST: Final = 5
"""Times that a batch is lost before the match ends: one that takes each machine down must not take them all."""
BATCH_S: Final = 20.0
"""Seconds of play that a batch should have: its server takes one or two to start."""
FIRST_ROUNDS: Final = 4
"""Games of the first batches, for each that is played at once."""
MAX_BATCH: Final = 1000
"""Games of a batch."""
MAX_WROTE_BYTES: Final = 1_048_576
"""Of what bots at fault wrote during the games of a batch, that comes back with it."""
MAX_PACKETS, MAX_PACKET_BYTES = 20, 4_194_304
"""Packets that come back with a batch, and their bytes in all."""


@dataclass(frozen=True, slots=True)
class BatchJob:
    """What all batches of a match have in common."""

    version: str
    """Of ugs: another one might play otherwise."""
    wanted: MatchSettings
    packets: bool
    """Whether packets are to come back."""


@dataclass(frozen=True, slots=True)
class MatchBatch:
    """Games that are played together."""

    number: int
    games: tuple[GivenGame, ...]


@dataclass(frozen=True, slots=True)
class BatchUse:
    """What a batch has used, in seconds: of processors, and in all."""

    bots_s: float = 0.0
    master_s: float = 0.0
    broker_s: float = 0.0
    runner_s: float = 0.0
    seconds: float = 0.0
    programs: Mapping[str, tuple[int, float, float]] = field(default_factory=dict)
    """By bot that is a program: its games, seconds of processor time, and seconds without a free processor."""


@dataclass(frozen=True, slots=True)
class PlayedBatch:
    """What has come of a batch."""

    number: int
    worker: str
    """The machine, as people call it."""
    results: tuple[ScoredGame, ...] = ()
    wrote: Mapping[tuple[int, str], bytes] = field(default_factory=dict)
    """By game and bot at fault: the end of what it wrote meanwhile."""
    packets: Mapping[tuple[int, str], bytes] = field(default_factory=dict)
    """By game and bot: a packet (zip)."""
    use: BatchUse = BatchUse()
    failed: str = ""
    """Why the match cannot go on, as on one machine."""
    unfit: str = ""
    """Why this worker can play no batch of this match; empty where it can."""


@dataclass(frozen=True, slots=True)
class LostBatch:
    """A batch that has not been played to its end."""

    number: int
    why: str
    counts: bool = True
    """Whether it may have been the batch that did it."""


class BatchBook:
    """Which batches are out. ``take`` gives games, as the match does: None for now, or for good."""

    def __init__(self, take: Callable[[], GivenGame | None], at_once: int, left: Callable[[], int]) -> None:
        """``at_once``: games that a batch plays at once; ``left``: games that the match still has to give out, at
        most."""
        self._take = take
        self._at_once = at_once
        self._left = left
        self._again: deque[MatchBatch] = deque()
        self._lost: dict[int, int] = {}
        """By batch: how often."""
        self._given = 0
        self._game_s = 0.0
        """Seconds of a worker for a game, of late."""
        self.out: dict[int, MatchBatch] = {}

    @property
    def games_out(self) -> int:
        """Games in batches that are out."""
        return sum(len(batch.games) for batch in self.out.values())

    def next(self, workers: int) -> MatchBatch | None:
        """The next batch, for one of ``workers``; lost ones come first. None while no game is to be played."""
        batch = self._again.popleft() if self._again else self._new(workers)
        if batch is not None:
            self.out[batch.number] = batch
        return batch

    @property
    def empty(self) -> bool:
        """Whether all that was given out has been played."""
        return not self.out and not self._again

    def fill(self, most: int, workers: int) -> list[MatchBatch]:
        """The next batches for this many workers, until ``most`` are out."""
        batches = []
        while len(self.out) < most and (batch := self.next(workers)) is not None:
            batches.append(batch)
        return batches

    def played(self, batch: PlayedBatch) -> tuple[ScoredGame, ...]:
        """The results of a batch that count: each game once, and only games that were in it."""
        wanted = self.out.pop(batch.number, None)
        if wanted is None:
            return ()
        due = {game.planned.number: game.planned for game in wanted.games}
        counted = []
        for result in batch.results:
            planned = due.get(result.planned.number)
            # What comes back is not trusted: it must be exactly the game that was given.
            if planned == result.planned and set(result.outcomes) == set(planned.bots):
                del due[planned.number]
                counted.append(result)
        if due:
            missing = tuple(game for game in wanted.games if game.planned.number in due)
            # The same number, so that its losses are counted together.
            self._again.append(MatchBatch(batch.number, missing))
        if counted and batch.use.seconds:
            each_s = batch.use.seconds / len(counted)
            self._game_s = each_s if not self._game_s else 0.7 * self._game_s + 0.3 * each_s
        return tuple(counted)

    def lost(self, number: int) -> bool:
        """A batch is lost and will be given out again. Returns False when that has happened too often."""
        batch = self.out.pop(number, None)
        if batch is None:
            return True
        self._again.append(batch)
        self._lost[number] = self._lost.get(number, 0) + 1
        return self._lost[number] < MAX_LOST

    def back(self, number: int) -> None:
        """A batch was not played through no fault of its own."""
        batch = self.out.pop(number, None)
        if batch is not None:
            self._again.append(batch)

    def _new(self, workers: int) -> MatchBatch | None:
        games = []
        for _ in range(self._size(workers)):
            game = self._take()
            if game is None:
                break
            games.append(game)
        if not games:
            return None
        self._given += 1
        return MatchBatch(self._given, tuple(games))

    def _size(self, workers: int) -> int:
        """Games of the next batch: as many as take some time, and towards the end few, so that all workers end
        together."""
        usual = FIRST_ROUNDS * self._at_once if not self._game_s else round(BATCH_S / self._game_s)
        fair = self._left() // (2 * max(1, workers))
        return max(self._at_once, min(usual, fair, MAX_BATCH))
