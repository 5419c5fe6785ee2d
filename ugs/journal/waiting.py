"""Entries that wait to be written, and how long those of running games wait.

A transaction writes a row for each game with entries, which costs more than the entries. So under load the writer
leaves the entries of running games for :data:`HELD_S`, while it writes everything else.
"""

from ugs.journal.batch import EntriesPart
from ugs.journal.continuing_games import GameClock
from ugs.journal.entries import Repeating

LINGER_S = 0.02
"""How long items wait for more under load, so that a transaction is worth its cost."""
QUIET_ENTRIES = 8
"""The load is small when at most this many entries come in :data:`LINGER_S`."""
HELD_S = 0.8
"""How long entries of running games wait under load. A power cut loses them even for games that go on; the end of the
process only for games that do not (:mod:`ugs.journal.write_ahead`)."""
HELD_BYTES = 24 * 1024 * 1024
"""Beyond this many bytes, they do not wait."""


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
        """The payloads that the entries may repeat."""


class WaitingEntries:
    """The entries that the writer has not taken. Times are those of ``time.monotonic``."""

    def __init__(self) -> None:
        self.games: list[OpenGame] = []
        """Games with entries; the owner adds a game with its first one. Games that are over may be here without
        entries."""
        self.over: list[OpenGame] = []
        """Games that are over; their entries do not wait."""
        self.bytes = 0
        """The size of all entries; the owner adds the size of each."""
        self.busy = False
        """Whether there was load at the last taking of all entries."""
        self._taken_since = 0
        self._all_taken_at = 0.0

    def may_wait(self, now: float) -> bool:
        """Whether entries of running games may wait longer."""
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
            # Over LINGER_S at least: a single full moment is no load.
            self.busy = entries * LINGER_S > QUIET_ENTRIES * max(LINGER_S, now - self._all_taken_at)
        self._taken_since, self._all_taken_at = 0, now
        return parts


def _parts(games: list[OpenGame]) -> list[EntriesPart]:
    parts = []
    for game in games:
        if game.entries:
            parts.append(EntriesPart(game.row, game.entries))
            game.entries = []
            # The next entries begin another part, which has to be readable alone.
            game.repeating.forget()
    return parts
