"""Very many long games at once, without sockets: what they hold in memory, and whether a limit ends one.

A broker in this process, with default settings, gets what the players of all games and their one master send, all from
one address. It has a real journal, or without one the temporary file of a server that keeps none; and the same look at
memory as a server has lets games give some back, or ends them.
"""

import resource
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from ugs import __version__
from ugs.broker.broker import Broker
from ugs.broker.effects import (
    Effect,
    KeepPast,
    RecordAct,
    RecordBegin,
    RecordChampionship,
    RecordEntry,
    RecordLogin,
    RecordLogout,
    RecordResult,
    RecordSession,
    RecordSessionOver,
    Send,
)
from ugs.broker.events import Connected, Event, JournalLost, Received, ResultKept, Started
from ugs.config import Config, parse
from ugs.daemon.connections.backlog import Unsent
from ugs.daemon.journal.recorder import DISK_PATIENCE_S, MAX_UNWRITTEN_BYTES
from ugs.daemon.memory.holders import Holders
from ugs.daemon.memory.memory_account import MemoryLook
from ugs.daemon.memory.shedding import Shedding
from ugs.journal.journal import Journal
from ugs.journal.recalling import JournalPast
from ugs.journal.temporary import TemporaryPast
from ugs.record.times import MICRO
from ugs.wire.messages import BeginGame, GameMasterLogin, GameState, Move, PlayerLogin, PlayerResult, Result

ADDRESS: Final = "192.0.2.1:4000"
"""From where all come."""
GAME_TYPE: Final = "long"
STEP_S: Final = 0.05
"""Seconds by the clock of the broker for a move in every game, so that no master reaches its limit of messages."""
MARKS: Final = 4
"""How many times memory is looked at on the way."""
RECORDS: Final = (
    RecordAct,
    RecordBegin,
    RecordChampionship,
    RecordLogin,
    RecordLogout,
    RecordSession,
    RecordSessionOver,
)


@dataclass(frozen=True, slots=True)
class Mark:
    """What was seen at one moment."""

    moves: int
    """Of each game."""
    held_bytes: int
    """What all games held."""
    peak_bytes: int
    """The most memory that this process has had."""
    seconds: float


@dataclass(frozen=True, slots=True)
class LongGames:
    """What has become of them."""

    games: int
    moves: int
    payload: int
    journal: bool
    void: int
    finished: int
    shed: Mapping[str, int]
    """How many had to give memory back, by the limit."""
    marks: tuple[Mark, ...]

    @property
    def good(self) -> bool:
        """Whether every game has ended as its master decided."""
        return self.void == 0 and self.finished == self.games


def play(games: int, moves: int, payload: int, *, journal: bool, seen: Callable[[Mark], None]) -> LongGames:
    """Play ``games`` to their end, each of ``moves`` of ``payload`` bytes; ``seen`` is called on the way."""
    with TemporaryDirectory(prefix="ugs-soak-long-games-") as name:
        house = _House(parse({}, "defaults"), Path(name) if journal else None)
        try:
            return house.play(games, moves, payload, seen)
        finally:
            house.close()


class _House:
    """The broker, its events and the place where it writes."""

    def __init__(self, config: Config, directory: Path | None) -> None:
        self._began = time.monotonic()
        self._now = 1_000.0
        self._wall = time.time() - self._now
        self._begun: list[BeginGame] = []
        self._results: Counter[bool] = Counter()
        self._kept: list[str] = []
        self._lost: list[str] = []
        self._journal = (
            Journal(directory, version=__version__, kept=self._kept.extend, lost=self._lost.append, back=lambda: None)
            if directory is not None
            else None
        )
        self._past = JournalPast(directory) if directory is not None else TemporaryPast(config.max_past_bytes)
        numbers, secrets = count(1), count(1)
        self._broker = Broker(config, lambda: f"g{next(numbers)}", lambda: f"{next(secrets):032}")
        server = self._broker.server
        self._shedding = Shedding({}, Unsent(), config, config.max_held_bytes)
        self._parts = Holders(
            server, self._happens, lambda: (), lambda _: 1.0, self._pending, lambda: (), lambda: 0
        ).parts()
        self._performers: Mapping[type[Effect], Callable[[Any], None]] = {
            RecordEntry: self._entry,
            RecordResult: self._result,
            KeepPast: self._past.keep,
            Send: self._send,
            **dict.fromkeys(RECORDS, self._record),
        }
        self._happens(Started())

    def play(self, games: int, moves: int, payload: int, seen: Callable[[Mark], None]) -> LongGames:
        """Play ``games`` games of ``moves`` moves; ``seen`` gets a mark on the way. Returns the result."""
        master = 1
        self._enters(master, GameMasterLogin("referee", GAME_TYPE, "2", "2"))
        players = {}
        for number in range(2 * games):
            players[f"p{number}"] = 2 + number
            self._enters(2 + number, PlayerLogin(f"p{number}", GAME_TYPE))
        text = b"x" * payload
        marks = []
        for number in range(moves):
            # A turn in each game after the other, so that all are long at the same time.
            for game in self._begun:
                mover = game.players[number % 2]
                state = b"<gameState>%d%b</gameState>" % (number, text)
                self._happens(Received(master, GameState(game.game_id, mover, None, state)))
                move = Move(game.game_id, b"<move>%d%b</move>" % (number, text))
                self._happens(Received(players[mover], move))
            self._now += STEP_S
            self._settles()
            held = self._look()
            # At MARKS moments, evenly apart.
            if (number + 1) * MARKS // moves > number * MARKS // moves:
                marks.append(Mark(number + 1, held, peak_bytes(), time.monotonic() - self._began))
                seen(marks[-1])
        for game in self._begun:
            self._happens(Received(master, _over(game)))
        self._settles(all_of_it=True)
        void, finished = self._results[True], self._results[False]
        counts = dict(self._shedding.counts)
        return LongGames(games, moves, payload, self._journal is not None, void, finished, counts, tuple(marks))

    def close(self) -> None:
        """Write what is left."""
        if self._journal is not None:
            self._journal.close()

    def _enters(self, conn: int, login: PlayerLogin | GameMasterLogin) -> None:
        self._happens(Connected(conn, ADDRESS))
        self._happens(Received(conn, login))

    def _happens(self, event: Event) -> None:
        for effect in self._broker.handle(event, self._now):
            performer = self._performers.get(type(effect))
            if performer is not None:
                performer(effect)

    def _settles(self, *, all_of_it: bool = False) -> None:
        """Let the disk catch up as far as a server waits for it, and report to the broker what is on it."""
        if self._journal is not None:
            self._journal.flush()
        while self._pending() > (0 if all_of_it else MAX_UNWRITTEN_BYTES):
            time.sleep(DISK_PATIENCE_S)
        for reason in self._lost:
            self._happens(JournalLost(reason))
        while self._kept:
            self._happens(ResultKept(self._kept.pop()))

    def _look(self) -> int:
        """Look at memory as a server does; returns what the games hold."""
        look = MemoryLook()
        for things, add in self._parts:
            add(list(things()), look)
        self._shedding.judge(look)
        return sum([holding.bytes for holding in look.holdings])

    def _pending(self) -> int:
        journal = self._journal.pending_bytes if self._journal is not None else 0
        return journal + self._past.pending_bytes

    def _entry(self, effect: RecordEntry) -> None:
        if self._journal is not None:
            self._journal.entry(effect, *self._times(), 0)

    def _record(self, effect: Any) -> None:
        if self._journal is not None:
            self._journal.record(effect, *self._times())

    def _result(self, effect: RecordResult) -> None:
        self._results[effect.result.verdict.void] += 1
        self._past.over(effect.result.game_id)
        self._record(effect)

    def _times(self) -> tuple[int, int]:
        return int((self._wall + self._now) * MICRO), int(self._now * MICRO)

    def _send(self, effect: Send) -> None:
        if type(effect.message) is BeginGame:
            self._begun.append(effect.message)


def _over(game: BeginGame) -> GameState:
    results = (PlayerResult(game.players[0], Result.WINNER), PlayerResult(game.players[1], Result.LOSER))
    return GameState(game.game_id, None, results)


def peak_bytes() -> int:
    """The most memory that this process has had, in bytes."""
    # Linux counts it in KiB.
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def line_of(mark: Mark) -> str:
    """A mark, for people."""
    held, peak = mark.held_bytes / 1e6, mark.peak_bytes / 1e6
    return f"{mark.moves:7} moves each: games hold {held:7.1f} MB, peak memory {peak:7.1f} MB, {mark.seconds:6.1f} s"


def summary(received: LongGames) -> str:
    """What has become of the games, for people."""
    kept = "a journal" if received.journal else "a temporary file"
    shed = ", ".join(f"{number} by {limit}" for limit, number in received.shed.items()) or "none"
    return (
        f"{received.games} games of {received.moves} moves of {received.payload} bytes from one address, with {kept}:"
        f" {received.finished} finished, {received.void} void; asked to give memory back: {shed}"
    )
