"""How much may happen before a player is asked again.

While the program plays, no player is asked, and what happens is one step: one state holds all of it. When every player
is dead or has left the table, such a step may be the rest of the game, thousands of events, and no message is long
enough for that. So a step that has become long is sent in parts: after each, a player is asked to go on, and any
answer proves that the part has arrived.
"""

from collections.abc import Collection, Iterable

MAX_STEP = 700
"""The number of entries that are sent before the program waits for a player. An entry takes about 500 bytes, so that
the message with all seats' versions is less than 1 MiB; one of hundreds of whole games is longer."""


class Steps:
    """Counts the entries of a step, and knows who is there to be asked."""

    def __init__(self, seats: Iterable[int]) -> None:
        """``seats`` are those of players, who are all there."""
        self._there = set(seats)
        self._began = 0

    def copy(self) -> "Steps":
        """Return a copy that shares nothing that can change."""
        other = Steps(self._there)
        other._began = self._began
        return other

    def begin(self, entries: int) -> None:
        """Begin a step behind ``entries`` entries: a player has moved, so what was sent before has arrived."""
        self._began = entries

    def gone(self, seat: int) -> None:
        """Note that a player can no longer be asked."""
        self._there.discard(seat)

    def back(self, seat: int) -> None:
        """Note that a player can be asked again."""
        self._there.add(seat)

    def listener(self, entries: int, rather: Collection[int]) -> int | None:
        """Return the seat that is asked to go on after ``entries`` entries, best one of ``rather``; None if the step is
        not long, or no player is there."""
        if entries - self._began < MAX_STEP or not self._there:
            return None
        return min(self._there.intersection(rather) or self._there)
