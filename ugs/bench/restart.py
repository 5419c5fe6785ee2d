"""How long a broker takes to be ready on a journal with many finished games.

The journal's own code writes the journal, as for a broker: finished games of two with a few moves each, among some
hundred players.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations, cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory

from ugs import __version__
from ugs.bench.load import Load
from ugs.bench.targets import Target, serve_config, started
from ugs.broker.effects import RecordBegin, RecordEntry, RecordResult
from ugs.broker.values.record import EntryKind, verdict_text
from ugs.broker.verdict import Cause, GameResult, Outcome, SeatResult, Verdict
from ugs.journal.database import DATABASE
from ugs.journal.journal import Journal
from ugs.journal.journal_error import JournalError

GOAL_S = 5.0
"""At most this many seconds until the broker is ready on a journal of :data:`GOAL_GAMES` games."""
GOAL_GAMES = 100_000
PLAYERS = 300
MOVES = 4
STATE = b'<gameState><tac player="p0" x="3" y="4"/></gameState>'
MOVE = b'<move><tic x="3" y="4"/></move>'
MAX_PENDING = 32 * 1024 * 1024
"""At most this many bytes wait for the disk while the journal is written."""
GAMES_PER_STEP = 500


@dataclass(frozen=True, slots=True)
class Restart:
    """The result of a measurement; times in seconds."""

    games: int
    journal_bytes: int
    built_s: float
    ready_s: tuple[float, ...]
    """From the start of the process until it is ready, once per start."""

    @property
    def best_s(self) -> float:
        """The shortest of the times."""
        return min(self.ready_s)

    @property
    def met(self) -> bool | None:
        """Whether the goal is met; None for fewer games than the goal is about."""
        return None if self.games < GOAL_GAMES else self.best_s <= GOAL_S


def measure_restart(games: int, rounds: int, on_progress: Callable[[int], None]) -> Restart:
    """Build a journal of ``games`` games, then start a broker on it a few times. ``on_progress`` is called with the
    number of games written. Raises TargetFailed when the broker does not start."""
    with TemporaryDirectory(prefix="ugs-bench-restart-") as name:
        data = Path(name) / "data"
        begun = time.perf_counter()
        build(data, games, on_progress)
        built_s = time.perf_counter() - begun
        size = (data / DATABASE).stat().st_size
        return Restart(games, size, built_s, tuple(_start_once(data) for _ in range(rounds)))


def _start_once(data: Path) -> float:
    def arguments(directory: Path, load: Load) -> list[str]:
        config = directory / "ugs.toml"
        config.write_text(serve_config(load))
        ports = ["--port", "0", "--http-port", "0"]
        return ["-m", "ugs", "serve", *ports, "--config", str(config), "--data-dir", str(data)]

    begun = time.perf_counter()
    with started(Target("restart", "", arguments), Load(1, 1, 0, 1)):
        return time.perf_counter() - begun


def build(data: Path, games: int, on_progress: Callable[[int], None]) -> None:
    """Write a journal of ``games`` finished games into an empty directory, and wait until they are packed. Raises
    JournalError when it cannot."""
    lost: list[str] = []
    journal = Journal(data, version=__version__, kept=lambda _: None, lost=lost.append, back=lambda: None)
    now_us = int(time.time() * 1e6)
    for number, pair in enumerate(islice(pairs(), games)):
        _write_game(journal, f"game-{number:08}", pair, now_us + number * 1000)
        if number % GAMES_PER_STEP == 0:
            journal.flush()
            on_progress(number)
            while journal.pending_bytes > MAX_PENDING and not lost:
                time.sleep(0.01)
    journal.flush()
    while not journal.settled and not lost:
        time.sleep(0.01)
    journal.close()
    if lost:
        raise JournalError(lost[0])
    on_progress(games)


def pairs() -> Iterator[tuple[str, str]]:
    """Yield pairs of players, for ever."""
    return cycle(combinations([f"p{number}" for number in range(PLAYERS)], 2))


def _write_game(journal: Journal, game_id: str, pair: tuple[str, str], at_us: int) -> None:
    verdict = Verdict(Cause.FINISHED)
    journal.record(RecordBegin(game_id, "5-in-line-tic-tac-toe", "master", pair), at_us, at_us)
    journal.entry(RecordEntry(game_id, EntryKind.BEGIN), at_us, at_us, 0)
    for move in range(MOVES):
        seat = move % 2
        journal.entry(RecordEntry(game_id, EntryKind.STATE, seat, 3, "", STATE), at_us, at_us, at_us)
        journal.entry(RecordEntry(game_id, EntryKind.MOVE, seat, 0, "", MOVE), at_us, at_us, at_us)
    journal.entry(RecordEntry(game_id, EntryKind.OVER, None, 3, "0:winner 1:loser", STATE), at_us, at_us, at_us)
    journal.entry(RecordEntry(game_id, EntryKind.VERDICT, text=verdict_text(verdict)), at_us, at_us, 0)
    seats = (SeatResult(pair[0], Outcome.WON), SeatResult(pair[1], Outcome.LOST))
    began = at_us / 1e6
    result = GameResult(game_id, "5-in-line-tic-tac-toe", "master", seats, verdict, MOVES, began, began)
    journal.record(RecordResult(result), at_us, at_us)
