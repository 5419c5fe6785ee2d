"""Plays a match in batches on other machines: gives out as many as these can take, and counts what comes back.

The machines are a pool, which a package brings with an entry point of the group ``ugs.runners``. The name of the entry
point is what stands before the first colon of ``--cluster``; what it leads to is a :data:`PoolOpener`. Nothing here
knows how a pool reaches its machines.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Final, Protocol, TypeAlias

import trio

from ugs import __version__
from ugs.distributions import what_to_install
from ugs.loading import entry_points
from ugs.match.batches import BatchBook, BatchJob, LostBatch, MatchBatch, PlayedBatch
from ugs.match.bookkeeping import MatchBooks
from ugs.match.cost import MatchCost
from ugs.match.match_file import fault_file
from ugs.match.match_settings import CONNECT, WrongMatch
from ugs.match.packets import packet_file
from ugs.match.planner import GivenGame
from ugs.match.programs import MatchFailed
from ugs.processor_time import ProcessorUse

GROUP: Final = "ugs.runners"
OUT_PER_WORKER: Final = 2
"""Batches that are out for each that can be played at once: no worker waits while its result travels."""
MAX_OUT: Final = 4000
"""Batches that are out at once: what a front has to hold does not grow with the match."""
LOOK_S: Final = 1.0
"""Seconds between two looks at how many workers there are."""


class BatchPool(Protocol):
    """Machines that play batches."""

    @property
    def room(self) -> int:
        """Batches that can be played at once now."""

    async def submit(self, batches: Sequence[MatchBatch]) -> None:
        """Have batches played by some workers. Raises MatchFailed when the pool is gone."""

    async def next_end(self) -> PlayedBatch | LostBatch:
        """Wait until a batch has come back, or is lost. Raises MatchFailed when the pool is gone."""

    def exclude(self, worker: str) -> bool:
        """Give no more batches to this worker. Returns whether another one is left."""


PoolOpener: TypeAlias = Callable[[str, BatchJob, Callable[[str], None]], AbstractAsyncContextManager[BatchPool]]
"""From the text of ``--cluster``, what batches have in common, and where remarks for people go. Batches that are out
when it is left are given up. Raises MatchFailed."""


def find_opener(where: str) -> PoolOpener:
    """What opens the pool of this text. Raises WrongMatch."""
    scheme, colon, _ = where.partition(":")
    points = {point.name: point for point in entry_points(group=GROUP)}
    if not colon or scheme not in points:
        raise WrongMatch(f"--cluster {where}: allowed: {', '.join(f'{name}:…' for name in sorted(points)) or 'none'}")
    try:
        opener: PoolOpener = points[scheme].load()
    except ImportError as error:
        raise WrongMatch(f"--cluster {where}: {error}: {what_to_install(error) or 'it is not installed'}") from error
    return opener


def check_bots(bots: Mapping[str, str], objects: Mapping[str, object]) -> None:
    """``objects`` are bots of this process. Raises WrongMatch where these cannot play on other machines."""
    for bot, how in bots.items():
        if how == CONNECT:
            raise WrongMatch(f"--bot {bot}={how}: not with --cluster: each batch has a server of its own")
        if bot in objects:
            raise WrongMatch(f"{bot} is an object of this process, which other machines do not have")


async def play_in_batches(match: MatchBooks, opener: PoolOpener) -> None:
    """Play what is left of a match on these machines. Raises MatchFailed when it cannot go on."""
    job = BatchJob(__version__, match.wanted, packets=bool(match.wanted.data_dir))
    async with opener(match.wanted.cluster, job, match.progress.notes.append) as pool:
        await BatchRunner(match, pool).play()


class BatchRunner:
    """One match on one pool."""

    def __init__(self, match: MatchBooks, pool: BatchPool) -> None:
        self._match = match
        self._pool = pool
        self._book = BatchBook(self._take, match.wanted.concurrency, self._left)
        self._given = 0
        self._used = [0.0, 0.0, 0.0, 0.0]
        """Seconds of processor time: bots, masters, brokers, runners."""
        self._most = 1
        """Games that were played at once, at most."""

    async def play(self) -> None:
        """Play to the end. Raises MatchFailed."""
        match, waits = self._match, 0
        while not match.over:
            await self._give_out()
            match.progress.running = self._book.games_out
            end: PlayedBatch | LostBatch | None = None
            # Not for longer: workers may have come meanwhile that wait for something to play.
            with trio.move_on_after(LOOK_S):
                end = await self._pool.next_end()
            waits = 0 if self._pool.room else waits + (end is None)
            if waits and waits & (waits - 1) == 0:  # after 1, 2, 4, 8 … looks
                match.progress.notes.append(f"no worker at {match.wanted.cluster}; the match goes on when one comes")
            if isinstance(end, PlayedBatch):
                self._came(end)
            elif end is not None:
                self._lost(end)
        match.progress.running = 0
        bots_s, master_s, broker_s, runner_s = self._used
        match.cost = MatchCost(
            bots_s, master_s, broker_s, runner_s, match.progress.played, match.progress.seconds, self._most
        )

    async def _give_out(self) -> None:
        room = self._pool.room
        self._most = max(self._most, room * self._match.wanted.concurrency)
        batches = self._book.fill(min(OUT_PER_WORKER * room, MAX_OUT), room)
        if batches:
            await self._pool.submit(batches)

    def _take(self) -> GivenGame | None:
        planned = self._match.next_game()
        if planned is None:
            return None
        self._given += 1
        return GivenGame(planned, self._match.setup_of(planned))

    def _left(self) -> int:
        return max(0, self._match.progress.total - self._given)

    def _came(self, batch: PlayedBatch) -> None:
        """Count a batch, and give out again what it has not played."""
        if batch.unfit or batch.failed:
            self._cannot(batch)
        counted = self._book.played(batch)
        for result in counted:
            self._keep(result.planned.number, batch)
            for bot in result.faults:
                self._match.failed(result, fault_file(self._match.directory, result.planned.number, bot))
            self._match.ended(result)
        # A batch that was played twice is paid for once.
        if counted:
            use = batch.use
            more = (use.bots_s, use.master_s, use.broker_s, use.runner_s)
            self._used = [before + now for before, now in zip(self._used, more, strict=True)]
            for bot, (games, used_s, waited_s) in use.programs.items():
                played, so_far = self._match.used_elsewhere.get(bot, (0, ProcessorUse()))
                now = ProcessorUse(so_far.used_s + used_s, so_far.waited_s + waited_s)
                self._match.used_elsewhere[bot] = (played + games, now)

    def _cannot(self, batch: PlayedBatch) -> None:
        """A worker cannot play batches of this match. Raises MatchFailed when no other one is left."""
        why = f"worker {batch.worker}: {batch.unfit or batch.failed}"
        if not self._pool.exclude(batch.worker):
            raise MatchFailed(f"no worker is left that can play this match; {why}")
        self._match.progress.notes.append(f"{why}; it is given no more games of this match")

    def _lost(self, batch: LostBatch) -> None:
        if not batch.counts:
            self._book.back(batch.number)
            return
        self._match.progress.notes.append(f"batch {batch.number} is lost and played again: {batch.why}")
        if not self._book.lost(batch.number):
            raise MatchFailed(f"batch {batch.number} is lost again and again: {batch.why}")

    def _keep(self, number: int, batch: PlayedBatch) -> None:
        """Write what came with a game to files beside the match."""
        directory = self._match.directory
        for bot in self._match.wanted.bots:
            if wrote := batch.wrote.get((number, bot)):
                _write(fault_file(directory, number, bot), wrote)
            if packet := batch.packets.get((number, bot)):
                _write(packet_file(directory, number, bot), packet)


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content)
