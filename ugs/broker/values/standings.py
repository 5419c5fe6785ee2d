"""Standings in a running server: how results are counted, and how the rows are ordered."""

import sys
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

from ugs.broker.verdict import GameResult, Outcome
from ugs.value import state
from ugs.wire.messages import ChampionRow, ChampionsList

Place: TypeAlias = tuple[int, int, str]
"""The sort key of standings: most won first, then fewest lost, then the nick."""


MAX_TYPES: Final = 1000
"""Game types whose standings of open play keep rows of departed players."""
ALL = sys.maxsize
"""More rows than there can be."""


@state(eq=True)
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


def fair_share(sizes: Sequence[int], most: int) -> int:
    """Return the maximum for each of these, so that all together have at most ``most``: those with less keep all they
    have."""
    left = most
    for larger, size in zip(range(len(sizes), 0, -1), sorted(sizes), strict=True):
        # From the smallest on: what a small one leaves is shared by those that want more.
        if size * larger > left:
            return left // larger
        left -= size
    return max(sizes, default=0)


class LiveStandings:
    """The standings of one game type or of one championship.

    The rows are kept in order at each change, since all of them are sent to each player who becomes idle. ``version``
    grows with each change that ``championsList`` can show; a drawn game is none.
    """

    def __init__(self) -> None:
        self.version = 0
        self._rows: dict[str, Row] = {}
        self._places: list[Place] = []
        self._listed_rows: list[ChampionRow] = []
        self._lists: dict[int, ChampionsList] = {}
        """The messages with the current version, by their maximum number of rows."""
        self.gone = 0
        """How many rows are of players who have gone."""
        self._gone: dict[int, dict[str, None]] = {}
        """These rows by number of counted games: nicks in the order of leaving."""

    def __len__(self) -> int:
        """How many rows there are."""
        return len(self._rows)

    def __contains__(self, nick: str) -> bool:
        return nick in self._rows

    def restore(self, rows: Iterable[Row]) -> None:
        """Replace all rows by copies of these, in any order; none of these players is there. Faster than adding them
        one by one."""
        self._rows = {row.nick: Row(row.nick, row.won, row.lost, row.drawn) for row in rows}
        self.gone, self._gone = 0, {}
        for row in self._rows.values():
            self._goes(row)
        ordered = sorted(self._rows.values(), key=lambda row: row.place)
        self._places = [row.place for row in ordered]
        self._listed_rows = [ChampionRow(row.nick, row.won, row.lost) for row in ordered]
        self._changed()

    def enter(self, nick: str) -> None:
        """A player is there: add a row of zeros for it, unless it has a row."""
        row = self._rows.get(nick)
        if row is None:
            self._insert(Row(nick))
        else:
            self._is_back(row)

    def leave(self, nick: str) -> None:
        """A player has gone: its row stays if it has played and is removed if not, so that rows do not pile up."""
        row = self._rows.get(nick)
        if row is None:
            return
        self._is_back(row)
        if row.played:
            self._goes(row)
        else:
            self._remove(row)

    def drop_least(self) -> str:
        """Remove the row of the departed player with the fewest counted games (of several, the first to leave); returns
        its nick. Raises ValueError if there is none."""
        nick = next(iter(self._gone[min(self._gone)]))
        self.strike(nick)
        return nick

    def strike(self, nick: str) -> None:
        """Remove the row of ``nick``. Raises KeyError when it has none."""
        row = self._rows[nick]
        self._is_back(row)
        self._remove(row)

    def count(self, result: GameResult) -> None:
        """Add the result of a finished game; a void one changes nothing."""
        for seat in result.seats:
            self.credit(seat.nick, seat.outcome)

    def credit(self, nick: str, outcome: Outcome, times: int = 1) -> None:
        """Add an outcome to the row of ``nick`` ``times`` times; a negative number takes it back."""
        if outcome is Outcome.VOID:
            return
        row = self._rows.get(nick)
        # Taken out first: departed rows are kept by their number of games, which changes now.
        is_gone = row is None or self._is_back(row)
        if row is None:
            row = Row(nick)
            self._insert(row)
        if outcome is Outcome.DRAWN:
            # A draw moves no row, and the list does not show it: nothing is sent again.
            row.drawn += times
        else:
            self._remove(row)
            if outcome is Outcome.WON:
                row.won += times
            else:
                row.lost += times
            self._insert(row)
        if is_gone:
            self._goes(row)

    def rows(self) -> list[Row]:
        """All rows, best first."""
        return [self._rows[nick] for _, _, nick in self._places]

    def champions_list(self, most: int = ALL) -> ChampionsList:
        """The best ``most`` rows as ``championsList``; the same object as long as ``version`` is the same."""
        known = self._lists.get(most)
        if known is None:
            known = self._lists[most] = ChampionsList(tuple(self._listed_rows[:most]))
        return known

    def champions_list_for(self, nick: str, most: int) -> ChampionsList:
        """The best ``most`` rows for one player, and its own row behind them if it is not among them."""
        list_rows = self.champions_list(most)
        if self.is_among(nick, most):
            return list_rows
        return ChampionsList((*list_rows.rows, self._listed_rows[bisect_left(self._places, self._rows[nick].place)]))

    def is_among(self, nick: str, most: int) -> bool:
        """Return whether the best ``most`` rows are enough for a player: its own row is one of them, or it has none."""
        row = self._rows.get(nick)
        return row is None or len(self._places) <= most or bisect_left(self._places, row.place) < most

    def _insert(self, row: Row) -> None:
        place = row.place
        at = bisect_left(self._places, place)
        self._places.insert(at, place)
        # Made once for each change: a list for any number of players is a slice.
        self._listed_rows.insert(at, ChampionRow(row.nick, row.won, row.lost))
        self._rows[row.nick] = row
        self._changed()

    def _remove(self, row: Row) -> None:
        at = bisect_left(self._places, row.place)
        del self._places[at], self._listed_rows[at], self._rows[row.nick]
        self._changed()

    def _goes(self, row: Row) -> None:
        """The player of this row has gone."""
        self._gone.setdefault(row.played, {})[row.nick] = None
        self.gone += 1

    def _is_back(self, row: Row) -> bool:
        """The player of this row is there, or will have none; returns whether it had gone."""
        same = self._gone.get(row.played, {})
        if row.nick not in same:
            return False
        del same[row.nick]
        if not same:
            del self._gone[row.played]
        self.gone -= 1
        return True

    def _changed(self) -> None:
        self.version += 1
        self._lists.clear()
