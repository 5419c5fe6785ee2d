"""Who sits where: over time, everybody sits in every seat equally often.

Each deal is a small assignment problem: the cost of a seat is how often this player has had it, and the cheapest
arrangement is taken, so a surplus is evened out at the next chance. Among equals, who came first sits first.
"""

from collections.abc import Mapping, Sequence

from ugs.championship.assignment import assigned


class Seating:
    """How often each player of one game type has had each seat."""

    def __init__(self) -> None:
        self._had: dict[str, list[int]] = {}

    def deal(self, nicks: Sequence[str]) -> tuple[str, ...]:
        """Seat these players, first seat first, and remember it."""
        cost = [self._costs(nick, len(nicks)) for nick in nicks]
        seats: list[str] = [""] * len(nicks)
        for player, seat in enumerate(assigned(cost)):
            seats[seat] = nicks[player]
            self._had[nicks[player]][seat] += 1
        return tuple(seats)

    def restore(self, had: Mapping[str, Sequence[int]]) -> None:
        """Begin with how often each player had each seat before."""
        self._had = {nick: list(seats) for nick, seats in had.items()}

    def forget(self, nick: str) -> None:
        """This player has gone and has no line in the standings."""
        self._had.pop(nick, None)

    def had(self, nick: str) -> tuple[int, ...]:
        """How often this player has had the first seat, the second, …"""
        return tuple(self._had.get(nick, ()))

    def _costs(self, nick: str, seats: int) -> list[int]:
        had = self._had.setdefault(nick, [])
        had.extend([0] * (seats - len(had)))
        return had[:seats]
