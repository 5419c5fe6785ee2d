"""Games that outlive the server that began them: which may go on, what a new broker is told of them, their clock.

The clock of a server that never goes back begins anywhere with each life. A game keeps the one it began with: what a
later life records is put on it, and the time between two lives is what the clock on the wall says of it.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from ugs.broker.effects import RecordBegin, RecordEntry
from ugs.broker.past import PastGame
from ugs.broker.record import EntryKind
from ugs.broker.verdict import GameResult
from ugs.journal.reading import Row
from ugs.record.game import Entry

MICRO = 1_000_000
ENDS = frozenset({EntryKind.OVER, EntryKind.VERDICT})


@dataclass(frozen=True, slots=True)
class GoingOn:
    """A game without a result that may go on, as it lies in the tables."""

    game: Row
    entries: Sequence[Entry]

    @property
    def last_wall_us(self) -> int:
        """When something happened in it last, in microseconds since 1970."""
        return self.entries[-1].wall_us if self.entries else self.game.began_us

    @property
    def last_mono_us(self) -> int:
        """The same on the clock of the game."""
        return self.entries[-1].mono_us if self.entries else self.game.began_mono_us

    def past(self, now_us: int) -> PastGame:
        """What a new broker is told of it; ``now_us`` is the time in microseconds since 1970."""
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
        entries = tuple(
            (
                max(0, entry.mono_us - game.began_mono_us) / MICRO,
                RecordEntry(game.game_id, entry.kind, entry.seat, entry.audience, entry.text, entry.body),
            )
            for entry in self.entries
        )
        ago_us = self.last_mono_us - game.began_mono_us + max(0, now_us - self.last_wall_us)
        return PastGame(begin, ago_us / MICRO, entries)


def may_go_on(game: Row, entries: Sequence[Entry], sessions: Collection[tuple[str, str]]) -> bool:
    """Whether a game without a result may go on in a new life: another master can take it over, somebody is still in
    it, and everybody who is may come back. ``sessions`` are the nicks and game types of those who may."""
    if not game.seed or any(entry.kind in ENDS for entry in entries):
        return False
    left = {entry.seat for entry in entries if entry.kind is EntryKind.LEFT}
    present = [seat.nick for place, seat in enumerate(game.seats) if place not in left]
    return bool(present) and all((nick, game.game_type) in sessions for nick in present)


class GameClock:
    """Puts what a later life records on the clock that a game began with."""

    __slots__ = ("_began_mono_us", "_last_mono_us", "_last_wall_us", "_shift_us")

    def __init__(self, game: GoingOn) -> None:
        self._began_mono_us = game.game.began_mono_us
        self._last_mono_us = game.last_mono_us
        self._last_wall_us = game.last_wall_us
        self._shift_us: int | None = None
        """From the clock of this life to that of the game; found with the first thing that happens in this life."""

    def times(self, wall_us: int, mono_us: int, handed_us: int) -> tuple[int, int]:
        """``mono_us`` and ``handed_us`` of an entry on the clock of the game; never before what earlier lives wrote."""
        if self._shift_us is None:
            self._shift_us = self._last_mono_us + max(0, wall_us - self._last_wall_us) - mono_us
        handed_us = max(handed_us + self._shift_us, self._last_mono_us) if handed_us else 0
        return max(mono_us + self._shift_us, self._last_mono_us), handed_us

    def result(self, result: GameResult) -> GameResult:
        """A result whose times are on the clock of the game."""
        began_at = self._began_mono_us / MICRO
        return replace(result, began_at=began_at, ended_at=began_at + max(0.0, result.ended_at - result.began_at))
