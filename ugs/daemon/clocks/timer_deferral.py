"""No peer is late before its bytes have been handled.

When the server is busy, what a peer has sent in time may still lie in the network's buffers, or wait for the peer's
turn. A timer that judges its silence is put off until the bytes that were there at that moment have been handled. What
comes later does not count, so a peer that never stops sending is late all the same.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

from ugs.broker.events import Timer

AGAIN_S = 0.01
"""Seconds between two looks at whether a peer's bytes have been handled."""


class Ear(Protocol):
    """Who knows what has come from a connection: :class:`ugs.daemon.connections.reading.Reading`."""

    def unheard(self, number: int, /) -> int:
        """How many bytes have to be handled; 0 when all that is here has been."""
        ...

    def handled(self, number: int, size: int, /) -> bool:
        """Whether that many bytes have been handled, or never will be."""
        ...


class TimerDeferral:
    """Decides which timers have to wait. ``awaited`` gives the connections whose silence a timer judges."""

    def __init__(self, awaited: Callable[[Timer], Sequence[int]], ear: Ear) -> None:
        self._awaited = awaited
        self._ear = ear
        self.put_off: dict[Timer, list[tuple[int, int]]] = {}
        """For each timer that is put off: the connections with unhandled bytes, and the byte up to where to wait."""

    def puts_off(self, timer: Timer) -> bool:
        """Whether a timer that has run out must wait, since a peer that it judges has sent something that was not
        handled yet. The caller lets it run out again in AGAIN_S, or calls :meth:`forget`."""
        before = self.put_off.get(timer)
        if before is None:
            found = [(number, self._ear.unheard(number)) for number in self._awaited(timer)]
            before = [(number, size) for number, size in found if size]
        still = [(number, size) for number, size in before if not self._ear.handled(number, size)]
        if still:
            self.put_off[timer] = still
        else:
            self.put_off.pop(timer, None)
        return bool(still)

    def forget(self, timer: Timer) -> None:
        """This timer has been stopped or started again."""
        self.put_off.pop(timer, None)
