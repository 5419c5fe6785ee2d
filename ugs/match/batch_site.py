"""Server, master and bots on a machine that plays batches of a match; they stay for the next batch.

Starting them takes longer than playing a small batch. A site runs in a thread of its own until no batch has come for
some time, a batch was not wanted any more, or something failed.
"""

import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, TypeAlias

import trio

from ugs.match.batches import MAX_WROTE_BYTES, BatchJob, BatchUse, MatchBatch, PlayedBatch
from ugs.match.bookkeeping import MatchBooks
from ugs.match.local_games import Lanes
from ugs.match.match_settings import MatchSettings
from ugs.match.planner import GivenGame, GivenGames
from ugs.match.programs import MatchFailed
from ugs.match.score import ScoredGame
from ugs.unkept_folders import unkept_folder

LOOK_S: Final = 0.5
"""Seconds between two looks whether a batch is still wanted."""
IDLE_S: Final = 20.0
"""Seconds that a site waits for the next batch."""
MAX_GAMES: Final = 10_000
"""Games of a site: then its folder is thrown away, and another one is begun."""

Pack: TypeAlias = Callable[
    [MatchBooks, Sequence[ScoredGame], dict[tuple[int, str], bytes]], dict[tuple[int, str], bytes]
]
"""From books, results and what bots wrote to packets, by game and bot."""


class BatchStopped(Exception):
    """The batch is not wanted any more."""


class SiteEnded(Exception):
    """The site plays nothing more: too long no batch has come."""


class SiteBooks(MatchBooks):
    """The books of a site: batches come and go, and it is over when it is closed."""

    def __init__(self, wanted: MatchSettings, directory: Path, *, packets: bool) -> None:
        """``packets``: whether some are made of its games. Raises WrongMatch, and OSError."""
        self._packets = packets
        self._feed = GivenGames(())
        super().__init__(wanted, directory, games=self._feed)
        self.closed = False
        self.results: list[ScoredGame] = []
        """Of the present batch."""
        self.wrote: dict[tuple[int, str], bytes] = {}
        """By game and bot at fault: the end of what it wrote, of the present batch."""
        self.news = trio.lowlevel.ParkingLot()
        """For who waits for the next result."""

    @property
    def over(self) -> bool:
        """Whether nothing more is to be played."""
        return self.closed

    @property
    def keeps_games(self) -> bool:
        """Whether the server writes games down: packets are made of what it has written."""
        return self._packets

    def begins(self, games: Sequence[GivenGame]) -> None:
        """A batch begins."""
        self.results, self.wrote = [], {}
        self.setups = {one.planned.number: one.setup for one in games}
        self._feed.add(games)

    def ended(self, result: ScoredGame) -> None:
        """A game has ended."""
        self.progress.played += 1
        self.planner.settle(result.planned.number, result.points)
        self.results.append(result)
        self.news.unpark_all()

    def failed(self, result: ScoredGame, wrote: Path) -> None:
        """A game ended by the fault of bots; what one of them wrote is in this file, if it is there."""
        room = MAX_WROTE_BYTES - sum(map(len, self.wrote.values()))
        if wrote.exists():
            # From -0 on would be all of it.
            content = wrote.read_bytes()[-room:] if room > 0 else b""
            wrote.unlink()
            if content:
                self.wrote[result.planned.number, wrote.stem.partition("-")[2]] = content


class BatchSite:
    """One site. Batches are played one after the other."""

    def __init__(self, job: BatchJob, wanted: MatchSettings, pack: Pack) -> None:
        """``wanted``: the match as seen from here. ``pack`` makes packets of results, where some are wanted."""
        self.job = job
        self.ended = False
        """Whether it plays nothing more."""
        self._wanted = wanted
        self._pack = pack
        self._books: SiteBooks | None = None
        self._lanes: Lanes | None = None
        self._token: trio.lowlevel.TrioToken | None = None
        # A daemon: one that waits for batches keeps no process alive.
        self._thread = threading.Thread(target=self._run, name="ugs batch site", daemon=True)
        self._began = threading.Event()
        self._error: BaseException | None = None
        self._failure = ""
        """Why no match can go on here."""
        self._last_batch = 0.0
        """When the last one came or ended, on Trio's clock; none runs longer than :data:`IDLE_S` after it."""
        self._busy = False
        self._used = (0.0, 0.0, 0.0, 0.0)
        self._programs: dict[str, tuple[int, float, float]] = {}

    def play(self, batch: MatchBatch, worker: str, stopped: Callable[[], bool]) -> PlayedBatch:
        """Play a batch; blocks. ``worker`` is what people call this machine. ``stopped`` is asked again and again
        whether the batch is still wanted. Raises BatchStopped when it is not, SiteEnded when the site had ended before;
        WrongMatch, and OSError."""
        if not self._thread.ident:
            self._thread.start()
            self._began.wait()
        try:
            # It ended before it had begun; its error has the reason.
            if self._token is None:
                raise SiteEnded
            return trio.from_thread.run(self._play, batch, worker, stopped, trio_token=self._token)
        except (SiteEnded, trio.RunFinishedError, trio.Cancelled):
            # It may have ended while we waited; then its error is there.
            self._thread.join()
            raise self._error or SiteEnded from None

    def join(self) -> None:
        """Wait until it has ended."""
        self._thread.join()

    @property
    def played(self) -> int:
        """Games that have ended here."""
        return self._books.progress.played if self._books is not None else 0

    def _run(self) -> None:
        try:
            with unkept_folder("ugs-batches") as folder:
                trio.run(self._live, folder)
        except BaseException as error:  # handed to the one who waits for the batch
            self._error = error
        finally:
            self.ended = True
            self._began.set()

    async def _live(self, directory: Path) -> None:
        self._books = books = SiteBooks(self._wanted, directory, packets=self.job.packets)
        self._lanes = lanes = Lanes(books)
        self._last_batch = trio.current_time()
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._keep, lanes)
                self._token = trio.lowlevel.current_trio_token()
                self._began.set()
                while not self.ended and (self._busy or trio.current_time() < self._last_batch + IDLE_S):  # noqa: ASYNC110
                    await trio.sleep(LOOK_S)
                self.ended = books.closed = True
                nursery.cancel_scope.cancel()
        finally:
            books.kept.close()

    async def _keep(self, lanes: Lanes) -> None:
        """Have the lanes play until they cannot."""
        assert self._books is not None
        try:
            await lanes.play()
        except* MatchFailed as group:
            self._failure = first_of(group)
        finally:
            self.ended = self._books.closed = True
            self._books.news.unpark_all()

    async def _play(self, batch: MatchBatch, worker: str, stopped: Callable[[], bool]) -> PlayedBatch:
        books, lanes = self._books, self._lanes
        assert books is not None
        assert lanes is not None
        if self.ended:
            raise SiteEnded
        self._busy, began = True, time.monotonic()
        try:
            books.begins(batch.games)
            lanes.wake()
            while len(books.results) < len(batch.games) and not self.ended:
                with trio.move_on_after(LOOK_S):
                    await books.news.park()
                if stopped():
                    # Its bots are in the middle of games that are not wanted: it plays no other batch.
                    self.ended = True
                    raise BatchStopped
        finally:
            self._busy, self._last_batch = False, trio.current_time()
            self.ended |= self.played > MAX_GAMES
        packets = self._pack(books, books.results, books.wrote) if self.job.packets else {}
        # What the start of server and bots takes is not the games'.
        use = self._use_since(time.monotonic() - max(began, books.progress.began))
        return PlayedBatch(batch.number, worker, tuple(books.results), books.wrote, packets, use, self._failure)

    def _use_since(self, seconds: float) -> BatchUse:
        """What has been used since the last batch."""
        assert self._books is not None
        assert self._lanes is not None
        used, programs = self._lanes.used(), self._books.times()
        bots_s, master_s, broker_s, runner_s = (now - before for now, before in zip(used, self._used, strict=True))
        self._used = used
        more = {}
        for bot, (games, use) in programs.items():
            before = self._programs.get(bot, (0, 0.0, 0.0))
            self._programs[bot] = (games, use.used_s, use.waited_s)
            more[bot] = (games - before[0], use.used_s - before[1], use.waited_s - before[2])
        return BatchUse(bots_s, master_s, broker_s, runner_s, seconds, more)


def first_of(group: BaseExceptionGroup[MatchFailed]) -> str:
    """The text of the first error in a group."""
    for one in group.exceptions:
        return first_of(one) if isinstance(one, BaseExceptionGroup) else str(one)
    return ""
