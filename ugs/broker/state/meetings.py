"""Whom the players of a game type met last in open play, so that the same ones need not meet again and again."""

from collections import deque
from collections.abc import Iterable, Sequence

REMEMBERED = 8
"""Opponents of its latest games that are remembered of each player."""


class Meetings:
    """The latest opponents of each player."""

    def __init__(self) -> None:
        self._latest: dict[str, deque[frozenset[str]]] = {}

    def add(self, nicks: Sequence[str]) -> None:
        """These players meet."""
        for nick in nicks:
            self._latest.setdefault(nick, deque(maxlen=REMEMBERED)).appendleft(frozenset(nicks) - {nick})

    def forget(self, nick: str) -> None:
        """Nothing is remembered of this player."""
        self._latest.pop(nick, None)

    def staleness(self, nick: str, others: Iterable[str]) -> int:
        """Return how recently ``nick`` met any of ``others``: 0 is not in a long time, the most is in its last game."""
        there = frozenset(others)
        for ago, met in enumerate(self._latest.get(nick, ())):
            if not there.isdisjoint(met):
                return REMEMBERED - ago
        return 0

    def again(self, nicks: Sequence[str]) -> bool:
        """Return whether any two of these met in the last game of both."""
        lasts = {nick: next(iter(self._latest.get(nick, ())), frozenset()) for nick in nicks}
        return any(other in lasts[one] and one in lasts[other] for one in nicks for other in nicks if one != other)
