"""How often the players of a game type have met in open play, and when last, so that all meet all."""

from collections.abc import Mapping, Sequence
from math import inf
from typing import Final

MAX_OPPONENTS: Final = 64
"""Opponents that are remembered per player; those met least recently are forgotten first."""


class Meetings:
    """Who has met whom, as long as both are logged in."""

    def __init__(self) -> None:
        self._met: dict[str, dict[str, int]] = {}
        """By nick: how often it met each opponent, the latest opponent last."""
        self._latest: dict[str, tuple[frozenset[str], float]] = {}
        """By nick: the players of its latest game (one object for all of them), and when that began."""
        self._took: dict[str, float] = {}
        """By nick: how long its latest game took, once it is over."""

    def add(self, nicks: Sequence[str], now: float) -> None:
        """These players meet."""
        together = frozenset(nicks)
        for nick in nicks:
            met = self._met.setdefault(nick, {})
            for other in together - {nick}:
                # Taken out and put back: the order of the dictionary is that of the last meetings.
                met[other] = met.pop(other, 0) + 1
            while len(met) > MAX_OPPONENTS:
                del met[next(iter(met))]
            self._latest[nick] = together, now
            # How long a game took is known again when this one is over.
            self._took.pop(nick, None)

    def is_free(self, nick: str, now: float) -> None:
        """This player is free: if it has played since the last time, its game took until now."""
        if nick in self._latest and nick not in self._took:
            self._took[nick] = now - self._latest[nick][1]

    def forget(self, nick: str) -> None:
        """Forget everything about this player."""
        self._latest.pop(nick, None)
        self._took.pop(nick, None)
        # From both sides: names that never come back would otherwise fill the lists of those who stay.
        for other in self._met.pop(nick, ()):
            self._met.get(other, {}).pop(nick, None)

    def times(self, nick: str, other: str) -> int:
        """How often these two have met."""
        return self._met.get(nick, {}).get(other, 0)

    def met(self, nick: str) -> Mapping[str, tuple[int, int]]:
        """Return whom ``nick`` has met, each with how often, and how recently (a higher number is later)."""
        met = self._met.get(nick, {})
        return {other: (times, place) for place, (other, times) in enumerate(met.items(), start=1)}

    def again(self, nicks: Sequence[str]) -> bool:
        """Whether any two of these met in the last game of both."""
        # By identity: two games of the same players have equal sets.
        games = [id(self._latest[nick][0]) for nick in nicks if nick in self._latest]
        return len(set(games)) < len(games)

    def plays_since(self, nick: str) -> float:
        """Return when the game of ``nick`` began; infinite if it is in no game of open play, and may come at any
        time."""
        return inf if nick in self._took or nick not in self._latest else self._latest[nick][1]

    def took_s(self, nick: str) -> float | None:
        """Return how long the latest game of ``nick`` took; None if it had none."""
        return self._took.get(nick)
