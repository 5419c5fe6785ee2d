"""Plays one batch on the machine that was given it, with a server, a master and bots of its own, and packs up what has
come of it: results, what bots at fault wrote, packets. All of that has bounds."""

import shutil
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import trio

from ugs import __version__
from ugs.journal.journal_error import JournalError
from ugs.journal.reader import Reader
from ugs.match.batches import (
    MAX_PACKET_BYTES,
    MAX_PACKETS,
    MAX_WROTE_BYTES,
    BatchJob,
    BatchUse,
    MatchBatch,
    PlayedBatch,
)
from ugs.match.books import MatchBooks
from ugs.match.lanes import Lanes
from ugs.match.match_file import MatchFile, bot_of
from ugs.match.match_settings import MatchSettings, WrongMatch
from ugs.match.packets import packets_of
from ugs.match.programs import MatchFailed
from ugs.match.score import ScoredGame
from ugs.match.start_words import BUILTIN, PYTHON, command_of
from ugs.record.times import wall_us
from ugs.record.validation import RecordError
from ugs.why.seat_packet import seat_packet

LOOK_S: Final = 0.5
"""Seconds between two looks whether a batch is still wanted."""


class BatchStopped(Exception):
    """The batch is not wanted any more."""


def play_batch(job: BatchJob, batch: MatchBatch, worker: str, stopped: Callable[[], bool]) -> PlayedBatch:
    """Play a batch; blocks for as long as that takes. ``worker`` is what people call this machine. ``stopped`` is asked
    again and again whether it is still wanted. Raises BatchStopped when it is not, and OSError."""
    lacking = what_lacks(job)
    if lacking:
        return PlayedBatch(batch.number, worker, unfit=lacking)
    with TemporaryDirectory(prefix="ugs-batch-") as name:
        directory = Path(name)
        try:
            match = MatchBooks(for_batch(job.wanted), directory, given=batch.games)
        except WrongMatch as error:
            return PlayedBatch(batch.number, worker, unfit=str(error))
        failed = trio.run(_play, match, stopped)
        match.kept.close()
        results = MatchFile(directory, match.wanted, resume=True)
        results.close()
        found = tuple(results.results.values())
        if failed and not found:
            return PlayedBatch(batch.number, worker, failed=failed)
        return PlayedBatch(
            batch.number,
            worker,
            found,
            _wrote(match),
            _packets(match, found) if job.packets else {},
            _use(match),
            failed,
        )


def for_batch(wanted: MatchSettings) -> MatchSettings:
    """A match as those see it who play some of its games: which games, and when it is over, is decided elsewhere."""
    elsewhere = {"sprt": None, "until": "", "openings": "", "data_dir": "", "cluster": "", "output": "table"}
    return wanted.model_copy(update=elsewhere)


def what_lacks(job: BatchJob) -> str:
    """What this machine lacks to play batches of a match; empty where it lacks nothing."""
    if job.version != __version__:
        return f"it has ugs {__version__}; the match is one of ugs {job.version}: install the same"
    for bot, how in job.wanted.bots.items():
        if how.startswith((BUILTIN, PYTHON)):
            continue
        command = command_of(how, ("127.0.0.1", 1), bot)[0]
        if shutil.which(command) is None:
            return f"it has no program {command} (bot {bot}), seen from the folder {Path.cwd()}"
    return ""


async def _play(match: MatchBooks, stopped: Callable[[], bool]) -> str:
    """Play all games; returns why that was not possible, if it was not."""
    failures: list[str] = []

    def note(group: BaseExceptionGroup[MatchFailed]) -> None:
        for one in group.exceptions:
            if isinstance(one, BaseExceptionGroup):
                note(one)
            else:
                failures.append(str(one))

    unwanted = False
    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(Lanes(match).play_and, nursery.cancel_scope.cancel)
            while not unwanted:
                await trio.sleep(LOOK_S)
                unwanted = stopped()
            nursery.cancel_scope.cancel()
    except* MatchFailed as group:
        note(group)
    if unwanted:
        raise BatchStopped
    return failures[0] if failures else ""


def _use(match: MatchBooks) -> BatchUse:
    cost = match.cost
    programs = {bot: (games, use.used_s, use.waited_s) for bot, (games, use) in match.times().items()}
    if cost is None:
        return BatchUse(programs=programs)
    return BatchUse(cost.bots_s, cost.master_s, cost.broker_s, cost.runner_s, cost.seconds, programs)


def _wrote(match: MatchBooks) -> dict[tuple[int, str], bytes]:
    """What bots at fault wrote; of the first games whole, as far as there is room."""
    found: dict[tuple[int, str], bytes] = {}
    room = MAX_WROTE_BYTES
    for result, path in match.faults:
        if path is None:
            continue
        content = path.read_bytes()
        bot = path.stem.partition("-")[2]
        if room and content:
            found[result.planned.number, bot] = content[-room:]
            room -= len(found[result.planned.number, bot])
    return found


def _packets(match: MatchBooks, results: tuple[ScoredGame, ...]) -> dict[tuple[int, str], bytes]:
    """The packets of the games that are worth one, the most telling first."""
    found: dict[tuple[int, str], bytes] = {}
    wrote = _wrote(match)
    room = MAX_PACKET_BYTES
    try:
        with Reader(match.directory / "server") as reader:
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
