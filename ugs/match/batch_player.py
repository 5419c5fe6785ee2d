"""Plays one batch on the machine that was given it, with a server, a master and bots of its own, and packs up what has
come of it: results, what bots at fault wrote, packets. All of that has bounds."""

import shutil
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from ugs import __version__
from ugs.journal.journal_error import JournalError
from ugs.journal.reader import Reader
from ugs.match.batch_site import BatchSite, SiteEnded
from ugs.match.batches import (
    MAX_PACKET_BYTES,
    MAX_PACKETS,
    BatchJob,
    MatchBatch,
    PlayedBatch,
)
from ugs.match.bookkeeping import MatchBooks
from ugs.match.match_file import bot_of
from ugs.match.match_settings import BUILTIN, PYTHON, MatchSettings, WrongMatch
from ugs.match.packets import packets_of
from ugs.match.score import ScoredGame
from ugs.match.start_words import command_of
from ugs.record.times import wall_us
from ugs.record.validation import RecordError
from ugs.why.seat_packet import seat_packet


class BatchSites:
    """The sites of a process that plays batches: one for each batch that is played at once, and idle ones."""

    def __init__(self) -> None:
        self.idle: list[BatchSite] = []
        """Those that wait for a batch, or have waited for too long."""
        self._turn = threading.Lock()

    def play(self, job: BatchJob, batch: MatchBatch, worker: str, stopped: Callable[[], bool]) -> PlayedBatch:
        """Play a batch; blocks for as long as that takes. ``worker`` is what people call this machine. ``stopped`` is
        asked again and again whether it is still wanted. Raises BatchStopped when it is not, and OSError."""
        lacking = what_lacks(job)
        if lacking:
            return PlayedBatch(batch.number, worker, unfit=lacking)
        while True:
            site = self._take(job)
            try:
                return site.play(batch, worker, stopped)
            except SiteEnded:
                continue  # it was idle for too long, just now
            except WrongMatch as error:
                return PlayedBatch(batch.number, worker, unfit=str(error))
            finally:
                self._give_back(site)

    def _give_back(self, site: BatchSite) -> None:
        with self._turn:
            if not site.ended:
                self.idle.append(site)

    def _take(self, job: BatchJob) -> BatchSite:
        """An idle site of the same match, or another one."""
        with self._turn:
            self.idle = [site for site in self.idle if not site.ended]
            for site in self.idle:
                if site.job == job:
                    self.idle.remove(site)
                    return site
        return BatchSite(job, for_batch(job.wanted), packets_in_bounds)


def for_batch(wanted: MatchSettings) -> MatchSettings:
    """A match as those see it who play some of its games: which games, and when it is over, is decided elsewhere."""
    elsewhere = {"sprt": None, "until": "", "openings": "", "data_dir": "", "cluster": "", "output": "table"}
    return wanted.but(**elsewhere)


def what_lacks(job: BatchJob) -> str:
    """What this machine lacks to play batches of a match; empty where it lacks nothing."""
    if job.version != __version__:
        return f"it has ugs {__version__}; the match is one of ugs {job.version}: install the same"
    for bot, how in job.wanted.bots.items():
        if how.startswith((BUILTIN, PYTHON)):
            continue
        # Any address will do: only the name of the program is looked for.
        command = command_of(how, ("127.0.0.1", 1), bot)[0]
        if shutil.which(command) is None:
            return f"it has no program {command} (bot {bot}), seen from the folder {Path.cwd()}"
    return ""


def packets_in_bounds(
    match: MatchBooks, results: Sequence[ScoredGame], wrote: Mapping[tuple[int, str], bytes]
) -> dict[tuple[int, str], bytes]:
    """The packets of the games that are worth one, the most interesting first."""
    found: dict[tuple[int, str], bytes] = {}
    room = MAX_PACKET_BYTES
    try:
        with Reader(match.directory / "server") as reader:
            # Bounded before any is made: each is read from the journal and packed.
            for offered in packets_of(results, tuple(match.wanted.bots), match.directory)[:MAX_PACKETS]:
                record = reader.record(offered.game_id)
                nick = next((seat for seat in record.seats if bot_of(seat) == offered.bot), None)
                if nick is None:
                    continue
                content = seat_packet(record, nick, wall_us(), wrote.get((offered.number, offered.bot), b""))
                if len(content) <= room:
                    found[offered.number, offered.bot] = content
                    room -= len(content)
    except (JournalError, RecordError, OSError):
        return found  # a packet is a courtesy: the result counts without it
    return found
