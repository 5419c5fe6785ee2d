"""What scripted peers received: counts by kind of message, and the time from a move to the state that answers it."""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from math import ceil

PERCENTILES = (50, 95, 99, 100)
"""Of round trips; the last is the worst."""


@dataclass(slots=True)
class MessageTally:
    """Counts since the peers connected; only ever grows. One tally serves all scripts of a process."""

    logins: int = 0
    """Login answers."""
    begins: int = 0
    """``beginGame`` messages at masters."""
    moves: int = 0
    """Moves at masters."""
    states: int = 0
    """``gameState`` messages at players, the last of a game included."""
    champions_lists: int = 0
    """``championsList`` messages at players. Only `ugs` sends them, so they do not count as deliveries."""
    games_over: int = 0
    """Games that masters ended (not a message that the broker delivered)."""
    round_trips: list[int] = field(default_factory=list)
    """Nanoseconds from sending a move to receiving the state that answers it, in order of arrival."""

    def deliveries(self) -> int:
        """Return how many messages the broker handed to a peer, of the kinds that every target sends in play."""
        return self.begins + self.moves + self.states

    def counts(self) -> dict[str, int]:
        """Return all counts by name, and the number of round trips under ``round_trips``."""
        return {
            each.name: len(value) if isinstance(value := getattr(self, each.name), list) else value
            for each in fields(self)
        }


def percentile(ascending: Sequence[int], percent: float) -> int:
    """Return the smallest value that at least ``percent`` of a hundred of the values do not exceed (nearest rank).

    Takes the values in ascending order. Raises ValueError when there are none or percent is not in 0..100.
    """
    if not ascending:
        raise ValueError("no values, no percentile")
    if not 0 <= percent <= 100:
        raise ValueError(f"a percentile lies between 0 and 100, not at {percent}")
    return ascending[max(0, ceil(len(ascending) * percent / 100) - 1)]
