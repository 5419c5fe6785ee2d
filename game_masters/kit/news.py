"""What the seats of a game have certainly heard of its record, so that states tell them the rest.

A state that was sent need not have arrived: the server refuses one that names a player who has just left, spares a
player that has been asked already another question, and hands only the last of all states to a player whose line was
cut. What proves something is a move: who moves has read the state that asked it. So a seat's news begin where they
began in that state, however many states have been sent since.

A seat that moves rarely, or no more, would hear the same for ever. Its news go back :data:`LONGEST_ABSENCE` states and
no further: who missed more than that at a stretch has lost the thread of a game that tells only what is new.
"""

from collections import deque
from collections.abc import Collection
from typing import TypeAlias

LONGEST_ABSENCE = 50
"""States."""

Listener: TypeAlias = int | None
"""A seat, or None for everybody who sits on none."""


class News:
    """Numbers of entries of one game's record, per seat."""

    def __init__(self, *, spares: bool) -> None:
        """``spares``: the server does not ask a player again that has been asked and has not moved."""
        self._spares = spares
        self._shown: dict[Listener, int] = {}
        """What was told by the state that asked the seat."""
        self._heard: dict[Listener, int] = {}
        self._asked: set[int] = set()
        """Whom the last state names, and who has not moved since."""
        self._waiting: set[int] = set()
        """Who may have been asked by one of the states since the last move, or before it, and not have moved."""
        self._latest: deque[int] = deque(maxlen=LONGEST_ABSENCE)

    def since(self, listener: Listener) -> int:
        """Where the news of the next state begin."""
        heard = self._heard.get(listener, 0)
        return max(heard, self._latest[0]) if len(self._latest) == LONGEST_ABSENCE else heard

    def told(self, asked: Collection[int], entries: int) -> None:
        """A state is sent that names these seats and tells so many entries."""
        for seat in asked:
            if not (self._spares and seat in self._waiting):
                self._shown[seat] = entries
        self._shown[None] = entries
        self._asked = set(asked)
        self._waiting.update(asked)
        self._latest.append(entries)

    def moved(self, seat: int) -> None:
        """A move has arrived: this seat has read what asked it, and the server has taken the last state."""
        self._heard[seat] = self._shown.get(seat, 0)
        self._heard[None] = self._shown.get(None, 0)
        self._asked.discard(seat)
        self._waiting = set(self._asked)
