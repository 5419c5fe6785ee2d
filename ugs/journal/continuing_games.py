"""Games that outlive the server that began them: which can continue, what a new broker gets of them, and their clock.

The monotonic clock starts at a different value in each life of the server. A game keeps the clock it began with: times
of later lives are converted to it, and the time between two lives is taken from the wall clock.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from ugs.broker.effects import RecordBegin, RecordEntry
from ugs.broker.past import PastGame
from ugs.broker.values.record import EntryKind, departed
from ugs.broker.verdict import GameResult
from ugs.broker.verdict_sentences import MAX_NAMED
from ugs.journal.row_reader import GameRow
from ugs.record.game import Entry
from ugs.record.times import MICRO
from ugs.value import value

ENDS = frozenset({EntryKind.OVER, EntryKind.VERDICT})
SERVER_LOST = "game void: the server was lost"
"""The text of the verdict on a game that cannot continue; it may go on with ``: `` and :func:`hindrance`."""
MAX_IN_MEMORY: Final = 128
"""Games with up to this many entries are passed to a new broker at once. Entries of longer games are read on demand,
one game at a time."""


class StoredEntries(Sequence[Entry]):
    """The entries of a long game, on disk: ``read`` reads all of them. Only their number and the last one are in
    memory."""

    def __init__(self, entries: Sequence[Entry], read: Callable[[], Sequence[Entry]]) -> None:
        """``entries`` are all, at least one."""
        self._number, self._last = len(entries), entries[-1]
        self._read = read

    def __len__(self) -> int:
        return self._number

    def __getitem__(self, place: Any) -> Any:
        # The last entry has the times of the game, which are asked for without its moves.
        return self._last if place in (-1, self._number - 1) else self._read()[place]

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._read())


class PastEntries(Sequence[tuple[float, RecordEntry]]):
    """The entries of a long game as a new broker gets them: read again by each iteration."""

    def __init__(self, unfinished: "UnfinishedGame") -> None:
        self._unfinished = unfinished

    def __len__(self) -> int:
        return len(self._unfinished.entries)

    def __getitem__(self, place: Any) -> Any:
        return list(self)[place]

    def __iter__(self) -> Iterator[tuple[float, RecordEntry]]:
        return map(self._unfinished.for_broker, self._unfinished.entries)


@value
class UnfinishedGame:
    """A game without a result that can continue, as it is stored."""

    game: GameRow
    entries: Sequence[Entry]

    @property
    def last_wall_us(self) -> int:
        """The time of its last event, in microseconds since 1970."""
        return self.entries[-1].wall_us if self.entries else self.game.began_us

    @property
    def last_mono_us(self) -> int:
        """The same on the clock of the game."""
        return self.entries[-1].mono_us if self.entries else self.game.began_mono_us

    def past(self, now_us: int) -> PastGame:
        """Return the game as a new broker gets it; ``now_us`` is the time in microseconds since 1970."""
        game = self.game
        begin = RecordBegin(
            game.game_id,
            game.game_type,
            game.master,
            tuple(seat.nick for seat in game.seats),
            game.options,
            game.championship,
            game.fixture,
            game.seats_total,
            game.seed,
            game.counts,
            game.table,
        )
        # Read one game at a time: a restart with many long games must not take the memory of all their moves.
        entries: Sequence[tuple[float, RecordEntry]] = PastEntries(self)
        if len(entries) <= MAX_IN_MEMORY:
            entries = tuple(entries)
        ago_us = self.last_mono_us - game.began_mono_us + max(0, now_us - self.last_wall_us)
        return PastGame(begin, ago_us / MICRO, entries)

    def for_broker(self, entry: Entry) -> tuple[float, RecordEntry]:
        """Return an entry as a new broker gets it."""
        after_s = max(0, entry.mono_us - self.game.began_mono_us) / MICRO
        return after_s, RecordEntry(self.game.game_id, entry.kind, entry.seat, entry.audience, entry.text, entry.body)


def hindrance(game: GameRow, entries: Sequence[Entry], sessions: Collection[tuple[str, str]]) -> str:
    """Return why a game without a result cannot continue in a new life of the server, for people; empty if it can.

    It can if another master is able to take it over, at least one player is still in it, and every such player has a
    session. ``sessions`` holds (nick, game type) of the sessions.
    """
    if any(entry.kind in ENDS for entry in entries):
        return "its end was being written down"
    if not game.seed:
        return "its master had no restore"
    left = departed(entries)
    present = [seat.nick for place, seat in enumerate(game.seats) if place not in left]
    if not present:
        return "no player was left in it"
    # A player without a session could not come back, and would lose by the server's fault.
    without = [nick for nick in present if (nick, game.game_type) not in sessions]
    more = f" and {len(without) - MAX_NAMED} more" if len(without) > MAX_NAMED else ""
    return f"{', '.join(without[:MAX_NAMED])}{more} had no session" if without else ""


class GameClock:
    """Converts times of a later life to the clock that a game began with."""

    __slots__ = ("_began_mono_us", "_last_mono_us", "_last_wall_us", "_shift_us")

    def __init__(self, game: UnfinishedGame) -> None:
        self._began_mono_us = game.game.began_mono_us
        self._last_mono_us = game.last_mono_us
        self._last_wall_us = game.last_wall_us
        self._shift_us: int | None = None
        """What to add to a time of this life to get the clock of the game; set with the first event of this life."""

    def times(self, wall_us: int, mono_us: int, handed_us: int) -> tuple[int, int]:
        """Return ``mono_us`` and ``handed_us`` of an entry on the clock of the game, never before the last time of
        earlier lives. A ``handed_us`` of 0 (not known) stays 0."""
        if self._shift_us is None:
            # The wall clock may have been set back meanwhile; the game's own clock never goes back.
            self._shift_us = self._last_mono_us + max(0, wall_us - self._last_wall_us) - mono_us
        handed_us = max(handed_us + self._shift_us, self._last_mono_us) if handed_us else 0
        return max(mono_us + self._shift_us, self._last_mono_us), handed_us

    def result(self, result: GameResult) -> GameResult:
        """A result with its times on the clock of the game."""
        began_at = self._began_mono_us / MICRO
        return replace(result, began_at=began_at, ended_at=began_at + max(0.0, result.ended_at - result.began_at))
