"""Which part of a game's record each seat has surely read, so that states hold only the rest.

A state that was sent need not have arrived: the server refuses one that names a player who has just left, does not ask
a player again that was already asked, and gives only the last state to a player whose connection was cut. Only a move
proves something: a player who moves has read the state that asked it. So the next state begins, for that seat, with the
first entry after those that existed when that state was sent, however many states have been sent since.

For a seat that moves rarely, or no longer, that part would grow without bound. So it goes back at most
:data:`MAX_ABSENCE` states: a player who missed more than that at a stretch cannot follow a game whose states hold only
what is new.
"""

from collections import deque
from collections.abc import Collection
from typing import TypeAlias

MAX_ABSENCE = 50
"""A number of states."""

Listener: TypeAlias = int | None
"""A seat, or None for those who sit on none."""


class Acknowledgements:
    """Numbers of entries of one game's record, per seat."""

    def __init__(self, *, spares: bool, longest: int = MAX_ABSENCE) -> None:
        """``spares``: the server does not ask a player again that was asked and has not moved. ``longest``: at most
        this number of states is repeated to a seat that has not moved."""
        self._spares = spares
        self._shown: dict[Listener, int] = {}
        """The number of entries when the state was sent that asked the seat."""
        self._seen: dict[Listener, int] = {}
        self._asked: set[int] = set()
        """The seats that the last state names and that have not moved since."""
        self._waiting: set[int] = set()
        """The seats that a state since the last move, or before it, may have asked and that have not moved."""
        self._latest: deque[int] = deque(maxlen=longest)
        self._oldest = 0
        """Where the last state began for a seat that had received nothing for long."""

    def since(self, listener: Listener) -> int:
        """Return the number of the first entry that the next state shows to ``listener``."""
        # The later of what it has surely read and what is repeated at most.
        return max(self._seen.get(listener, 0), self._longest_ago())

    def since_again(self, listener: Listener) -> int:
        """Return the number of the first entry that the last state shows to ``listener``, if it is sent once more."""
        return max(self._seen.get(listener, 0), self._oldest)

    def _longest_ago(self) -> int:
        return self._latest[0] if len(self._latest) == self._latest.maxlen else 0

    def note_sent(self, asked: Collection[int], entries: int) -> None:
        """Record that a state is sent that asks the seats ``asked`` and covers all ``entries`` entries."""
        for seat in asked:
            # A seat that was asked before is not asked again: its move may still answer the earlier state, which showed
            # less.
            if not (self._spares and seat in self._waiting):
                self._shown[seat] = entries
        self._shown[None] = entries
        self._asked = set(asked)
        self._waiting.update(asked)
        self._oldest = self._longest_ago()
        self._latest.append(entries)

    def moved(self, seat: int) -> None:
        """Record that a move has arrived: ``seat`` has read the state that asked it, and the server has accepted the
        last state."""
        self._seen[seat] = self._shown.get(seat, 0)
        # A move proves for all others only that the server took the state, so spectators are counted here.
        self._seen[None] = self._shown.get(None, 0)
        self._asked.discard(seat)
        self._waiting = set(self._asked)
