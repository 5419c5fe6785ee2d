"""Entries that wait to be written, and how long those of running games do.

A transaction that takes some of them writes a row for each game, which costs more than what is in it. So under load
the writer leaves the entries of running games where they are for :data:`HELD_S`, while it writes everything else.
"""

from ugs.journal.batch import EntriesPart
from ugs.journal.continuing_games import GameClock
from ugs.journal.entries import Repeating

LINGER_S = 0.02
"""How long everything waits for more under load, so that a transaction is worth its cost."""
QUIET_ENTRIES = 8
"""The load is small when at most this many entries come in :data:`LINGER_S`."""
HELD_S = 0.8
"""How long entries of running games wait under load. After a power cut they are missing in games that go on, after the
end of the process only in games that do not (:mod:`ugs.journal.write_ahead`)."""
HELD_BYTES = 24 * 1024 * 1024
"""They do not wait when there are more bytes of them than this."""


class OpenGame:
    """A running game: its row id, its entries since the last batch, and, if it began in an earlier life, its clock."""

    __slots__ = ("clock", "entries", "may_outlive", "number", "repeating", "row")

    def __init__(self, row: int, *, may_outlive: bool, number: int = 0, clock: GameClock | None = None) -> None:
        self.row = row
        self.may_outlive = may_outlive
        """Whether the game can continue when this server is lost."""
        self.number = number
        """The number of entries written so far. Counted only if ``may_outlive``."""
        self.clock = clock
        self.entries: list[bytes] = []
        self.repeating = Repeating()
        """What they repeat."""


class WaitingEntries:
    """The entries that the writer has not taken. Times are those of ``time.monotonic``."""

    def __init__(self) -> None:
        self.games: list[OpenGame] = []
        """Games with entries; the owner adds a game with its first one. Those that are over may be there with none."""
        self.over: list[OpenGame] = []
        """Those that are over; their entries do not wait for others."""
        self.bytes = 0
        """The size of all of them; the owner adds up what it adds."""
        self.busy = False
        """Whether there was load when all were taken."""
        self._taken_since = 0
        self._all_taken_at = 0.0

    def may_wait(self, now: float) -> bool:
        """Whether those of running games need not be taken yet."""
        return self.busy and self.bytes <= HELD_BYTES and now < self._all_taken_at + HELD_S

    def take_over(self) -> list[EntriesPart]:
        """Take the entries of games that are over."""
        parts = _parts(self.over)
        self.over = []
        self._taken_since += sum(len(part.entries) for part in parts)
        self.bytes -= sum(sum(map(len, part.entries)) for part in parts)
        return parts

    def take_all(self, now: float) -> list[EntriesPart]:
        """Take all entries."""
        parts = _parts(self.games)
        self.games, self.over, self.bytes = [], [], 0
        entries = self._taken_since + sum(len(part.entries) for part in parts)
        if entries:
            self.busy = entries * LINGER_S > QUIET_ENTRIES * max(LINGER_S, now - self._all_taken_at)
        self._taken_since, self._all_taken_at = 0, now
        return parts


def _parts(games: list[OpenGame]) -> list[EntriesPart]:
    parts = []
    for game in games:
        if game.entries:
            parts.append(EntriesPart(game.row, game.entries))
            game.entries = []
            game.repeating.forget()
    return parts
