"""Standings in a running server: how results are counted, and how the rows are ordered."""

import sys
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from ugs.broker.verdict import GameResult, Outcome
from ugs.wire.messages import ChampionRow, ChampionsList

Place: TypeAlias = tuple[int, int, str]
"""The sort key of standings: most won first, then fewest lost, then the nick."""


ALL = sys.maxsize
"""More rows than there can be."""


@dataclass(slots=True)
class Row:
    """One player's line in the standings."""

    nick: str
    won: int = 0
    lost: int = 0
    drawn: int = 0

    @property
    def played(self) -> int:
        """How many games count for this player."""
        return self.won + self.lost + self.drawn

    @property
    def place(self) -> Place:
        """Its sort key."""
        return (-self.won, self.lost, self.nick)


class LiveStandings:
    """The standings of one game type or of one championship.

    The rows are kept in order at each change, since all of them are sent to each player who becomes idle. ``version``
    grows with each change that ``championsList`` can show; a drawn game is none.
    """

    def __init__(self) -> None:
        self.version = 0
        self._rows: dict[str, Row] = {}
        self._places: list[Place] = []
        self._told_rows: list[ChampionRow] = []
        self._lists: dict[int, ChampionsList] = {}
        """The messages that tell the present version, by how many rows they may have."""

    def __len__(self) -> int:
        """How many rows there are."""
        return len(self._rows)

    def __contains__(self, nick: str) -> bool:
        return nick in self._rows

    def restore(self, rows: Iterable[Row]) -> None:
        """Replace all rows by copies of these, in any order. Faster than adding them one by one."""
        self._rows = {row.nick: Row(row.nick, row.won, row.lost, row.drawn) for row in rows}
        ordered = sorted(self._rows.values(), key=lambda row: row.place)
        self._places = [row.place for row in ordered]
        self._told_rows = [ChampionRow(row.nick, row.won, row.lost) for row in ordered]
        self._changed()

    def enter(self, nick: str) -> None:
        """Add a row of zeros for ``nick``, unless it has a row."""
        if nick not in self._rows:
            self._insert(Row(nick))

    def leave(self, nick: str) -> None:
        """A player has gone: its row stays if it has played and is removed if not, so that rows do not pile up."""
        row = self._rows.get(nick)
        if row is not None and row.played == 0:
            self.strike(nick)

    def strike(self, nick: str) -> None:
        """Remove the row of ``nick``. Raises KeyError when it has none."""
        self._remove(self._rows[nick])

    def count(self, result: GameResult) -> None:
        """Add the result of a finished game; a void one changes nothing."""
        for seat in result.seats:
            self.credit(seat.nick, seat.outcome)

    def credit(self, nick: str, outcome: Outcome, times: int = 1) -> None:
        """Add an outcome to the row of ``nick`` ``times`` times; a negative number takes it back."""
        if outcome is Outcome.VOID:
            return
        self.enter(nick)
        row = self._rows[nick]
        if outcome is Outcome.DRAWN:
            row.drawn += times
            return
        self._remove(row)
        if outcome is Outcome.WON:
            row.won += times
        else:
            row.lost += times
        self._insert(row)

    def rows(self) -> list[Row]:
        """All rows, best first."""
        return [self._rows[nick] for _, _, nick in self._places]

    def champions_list(self, most: int = ALL) -> ChampionsList:
        """The best ``most`` rows as ``championsList``; the same object as long as ``version`` is the same."""
        known = self._lists.get(most)
        if known is None:
            known = self._lists[most] = ChampionsList(tuple(self._told_rows[:most]))
        return known

    def champions_list_for(self, nick: str, most: int) -> ChampionsList:
        """The best ``most`` rows for one player, and its own row behind them if it is not among them."""
        told = self.champions_list(most)
        if self.is_among(nick, most):
            return told
        return ChampionsList((*told.rows, self._told_rows[bisect_left(self._places, self._rows[nick].place)]))

    def is_among(self, nick: str, most: int) -> bool:
        """Whether the best ``most`` rows tell a player all: its own row is one of them, or it has none."""
        row = self._rows.get(nick)
        return row is None or len(self._places) <= most or bisect_left(self._places, row.place) < most

    def _insert(self, row: Row) -> None:
        place = row.place
        at = bisect_left(self._places, place)
        self._places.insert(at, place)
        self._told_rows.insert(at, ChampionRow(row.nick, row.won, row.lost))
        self._rows[row.nick] = row
        self._changed()

    def _remove(self, row: Row) -> None:
        at = bisect_left(self._places, row.place)
        del self._places[at], self._told_rows[at], self._rows[row.nick]
        self._changed()

    def _changed(self) -> None:
        self.version += 1
        self._lists.clear()
