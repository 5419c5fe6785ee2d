"""Who sits where: over time, each player has each seat equally often.

Each deal is a small assignment problem: a seat costs a player as many points as it has had that seat, and the cheapest
arrangement wins. Among equal arrangements the player who came first sits first. Only seats that a player has had are
kept, so a game costs as much as it has players.
"""

from collections.abc import Mapping, Sequence

from ugs.championship.assignment import dealt


class Seating:
    """How often each player of one game type has had each seat."""

    def __init__(self) -> None:
        self._had: dict[str, dict[int, int]] = {}

    def deal(self, nicks: Sequence[str]) -> tuple[str, ...]:
        """Seat these players. Returns the nicks, first seat first, and counts the seats they have got."""
        had = [self._had.setdefault(nick, {}) for nick in nicks]
        seats: list[str] = [""] * len(nicks)
        for player, seat in enumerate(dealt(had)):
            seats[seat] = nicks[player]
            had[player][seat] = had[player].get(seat, 0) + 1
        return tuple(seats)

    def restore(self, had: Mapping[str, Mapping[int, int]]) -> None:
        """Begin with the counts of earlier lives: by nick, how often it had each seat, numbered from 0."""
        self._had = {nick: dict(seats) for nick, seats in had.items()}

    def forget(self, nick: str) -> None:
        """Forget a player who has no line in the standings."""
        self._had.pop(nick, None)

    def had(self, nick: str) -> tuple[int, ...]:
        """How often ``nick`` has had the first seat, the second, …; empty when it has had none."""
        had = self._had.get(nick, {})
        return tuple([had.get(seat, 0) for seat in range(max(had, default=-1) + 1)])
