"""Decide and perform: an event goes into the broker, the broker's effects go to the parts of the shell.

Nothing here waits, so nothing can come between a decision and its consequences. An event that comes while effects are
being performed is decided after them.
"""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

import structlog
import trio

from ugs.address import origin_of
from ugs.broker.broker import Broker
from ugs.broker.effects import Effect, Note, Stopped
from ugs.broker.events import Event
from ugs.daemon.server_clock import ServerClock
from ugs.log import Doing

Perform: TypeAlias = Mapping[type[Effect], Callable[[Any, float], None] | None]
"""For each type of effect what performs it, None if it needs nothing. The number is the moment of the event, by the
driver's clock."""


class Decides(Protocol):
    """A broker."""

    def handle(self, event: Event, now: float, /) -> Sequence[Effect]:
        """What follows from an event."""
        ...


class Silence:
    """What is in the place of the broker of a server that ends through a fault of its own."""

    def handle(self, event: Event, now: float) -> Sequence[Effect]:
        """Nothing follows from anything."""
        return ()


class Driver:
    """Runs one broker, which goes by :attr:`clock`. :meth:`connect` has to be called before the first event."""

    def __init__(self, broker: Broker) -> None:
        self.clock = ServerClock()
        self.stopped = trio.Event()
        """Set when the broker has nothing more to do."""
        self.now = 0.0
        """When the latest event happened, by the clock."""
        self._broker: Decides = broker
        self._perform: Perform = {}
        self._blame: Callable[[int], None] = lambda conn: None
        self._deciding = False
        self._following: deque[Event] = deque()
        self._waiting: deque[Event] = deque()
        self._log: structlog.typing.FilteringBoundLogger = structlog.get_logger("ugs").bind()

    def connect(self, perform: Perform, blame: Callable[[int], None]) -> None:
        """Set what performs the effects. ``blame`` is called with the number of the peer whose event met a bug."""
        self._perform = perform
        self._blame = blame

    def happens(self, event: Event) -> None:
        """Decide about an event of this moment and perform what follows."""
        self.decide(event, self.clock.now())

    def happens_next(self, event: Event) -> None:
        """Decide about an event now, or right after the effects that are being performed."""
        if self._deciding:
            self._waiting.append(event)
        else:
            self.happens(event)

    def follows(self, event: Event) -> None:
        """For performers: an effect has led to this event. It happens at the same moment, when the other effects have
        been performed, and before what waits in :meth:`happens_next`."""
        self._following.append(event)

    def decide(self, event: Event, now: float) -> None:
        """Decide about an event that happened at ``now`` (by the clock) and perform what follows. Raises nothing: a bug
        in the server may cost the peer that met it, not a contest."""
        outermost, self._deciding = not self._deciding, True
        if now < self.now:  # when these bytes came is before something that they have led to meanwhile
            now = self.now
        self.now = now
        perform = self._perform
        try:
            for effect in self._broker.handle(event, now):
                performer = perform[type(effect)]
                if performer is not None:
                    performer(effect, now)
        except Exception:
            self._survive(event)
        while self._following:
            self.decide(self._following.popleft(), now)
        if outermost:
            while self._waiting:
                # With a time of their own: they did not happen when the first event did.
                self.decide(self._waiting.popleft(), self.clock.now())
            self._deciding = False

    def halt(self) -> None:
        """From now on nothing is decided: the server ends through a fault of its own, and what its peers do meanwhile
        must not count against them."""
        self._broker = Silence()

    def note(self, effect: Note, _now: float) -> None:
        """Write a line to the log."""
        log = self._log.warning if effect.warning else self._log.info
        log(Doing(effect.event, origin_of(effect.address)) if effect.address else effect.event, **effect.fields)

    def stop(self, _effect: Stopped, _now: float) -> None:
        """The broker has stopped."""
        self.stopped.set()

    def _survive(self, event: Event) -> None:
        """Log a bug that showed while this event was decided, and drop the peer that the event came from."""
        number: int = getattr(event, "conn", 0)
        self._log.exception("bug in the server", during=type(event).__name__, conn=number)
        self._blame(number)
