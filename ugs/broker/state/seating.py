"""Who sits where: over time, each player has each seat equally often.

Each deal is a small assignment problem: a seat costs a player as many points as it has had that seat, and the cheapest
arrangement wins. Among equal arrangements the player who came first sits first.
"""

from collections.abc import Mapping, Sequence

from ugs.championship.assignment import assigned


class Seating:
    """How often each player of one game type has had each seat."""

    def __init__(self) -> None:
        self._had: dict[str, list[int]] = {}

    def deal(self, nicks: Sequence[str]) -> tuple[str, ...]:
        """Seat these players. Returns the nicks, first seat first, and counts the seats they have got."""
        cost = [self._costs(nick, len(nicks)) for nick in nicks]
        seats: list[str] = [""] * len(nicks)
        for player, seat in enumerate(assigned(cost)):
            seats[seat] = nicks[player]
            self._had[nicks[player]][seat] += 1
        return tuple(seats)

    def restore(self, had: Mapping[str, Sequence[int]]) -> None:
        """Begin with the counts of earlier lives: by nick, how often it had the first seat, the second, …"""
        self._had = {nick: list(seats) for nick, seats in had.items()}

    def forget(self, nick: str) -> None:
        """Forget a player who has no line in the standings."""
        self._had.pop(nick, None)

    def had(self, nick: str) -> tuple[int, ...]:
        """How often ``nick`` has had the first seat, the second, …; empty when it has had none."""
        return tuple(self._had.get(nick, ()))

    def _costs(self, nick: str, seats: int) -> list[int]:
        had = self._had.setdefault(nick, [])
        had.extend([0] * (seats - len(had)))
        return had[:seats]
