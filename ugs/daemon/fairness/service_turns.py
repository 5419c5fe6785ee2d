"""Gives turns to the peers that have sent something.

As long as all can be served in one short pass, the order does not matter, and no accounts are kept. When a pass ends
while a peer still waits, the queue of :mod:`ugs.daemon.fairness.fair_queue` decides whose turn it is.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Sequence
from time import perf_counter

import trio

from ugs.daemon.fairness.fair_queue import PeerStanding, QueueMember, Shares
from ugs.daemon.fairness.watchdog import Watchdog

PASS_S = 0.005
"""After this many seconds all other tasks get their turn."""
LONG_TURN_S = 0.003
"""Only in a turn longer than this, in seconds on the wall, is the processor time asked for: a peer must not pay for
what the machine did meanwhile."""
HEAVY_TURN_S = 0.0005
"""A turn longer than this, in seconds, is charged even when no peer waits."""


class Speaker(QueueMember, ABC):
    """A peer that is given turns."""

    __slots__ = ()

    later_s = 0.0
    """Seconds that its turn costs after the pass, in a task of its own."""

    @abstractmethod
    def standing(self) -> PeerStanding:
        """Its standing among the others."""

    @abstractmethod
    def turn(self, begun: float) -> float:
        """Take a turn that begins at ``begun`` (``perf_counter``); returns the moment when it ended. Raises nothing."""

    @abstractmethod
    def wants_more(self) -> bool:
        """Whether it wants another turn right after the one it has had."""


class Guest(Speaker):
    """A peer that a task of its own serves: its turn allows the task to go on. ``ask`` puts it into the queue."""

    __slots__ = ("_ask", "_called", "_origin", "later_s", "spent_s")

    def __init__(self, origin: Hashable, ask: Callable[["Guest"], None]) -> None:
        super().__init__()
        self._origin = origin
        self._ask = ask
        self._called = trio.Event()
        self.later_s = 0.0
        self.spent_s = 0.0
        """Seconds spent on it since its turn began; the code that spends them adds them here."""

    async def next_turn(self) -> None:
        """End this turn and wait for the next one. The next one is charged with what this one has cost."""
        self.later_s, self.spent_s = self.spent_s, 0.0
        self._called = trio.Event()
        self._ask(self)
        await self._called.wait()

    def standing(self) -> PeerStanding:
        """Its standing among the others."""
        return PeerStanding(self._origin, plays=False)

    def turn(self, begun: float) -> float:
        """Take a turn that begins at ``begun`` (``perf_counter``); returns the moment when it ended."""
        self._called.set()
        return begun

    def wants_more(self) -> bool:
        """Return False: its task asks for the next turn."""
        return False


class ServiceTurns:
    """Who is served next. ``watchdog`` sees each pass."""

    def __init__(self, watchdog: Watchdog) -> None:
        self._watchdog = watchdog
        self._shares: Shares[Speaker] = Shares()

    @property
    def wanted(self) -> bool:
        """Whether a peer waits for a turn."""
        return len(self._shares) > 0

    def ask(self, speaker: Speaker) -> None:
        """This one wants a turn. Does nothing when it waits already."""
        if not speaker.waits:
            self._shares.arrives(speaker, speaker.standing())

    def give(self, ready: Sequence[Speaker] = ()) -> None:
        """One pass: give turns to those who are ``ready`` and to all who wait, until none waits or the time of a pass
        is up."""
        moment = perf_counter()
        self._watchdog.pass_begins(moment)
        until = moment + PASS_S
        shares = self._shares
        rest: Sequence[Speaker] = ready
        if not shares:
            rest = ()
            for place, speaker in enumerate(ready, 1):
                ended = speaker.turn(moment)
                if speaker.wants_more():
                    self._charge(speaker, ended - moment)
                    self.ask(speaker)
                elif ended - moment > HEAVY_TURN_S:
                    self._charge(speaker, ended - moment)
                moment = ended
                if moment > until:
                    rest = ready[place:]
                    break
        for speaker in rest:
            if not speaker.waits:  # most do, where many wait: their sockets are reported in each pass
                shares.arrives(speaker, speaker.standing())
        while shares and moment < until:
            speaker = shares.next()
            ended = speaker.turn(moment)
            # Its task runs after this pass and takes about that long.
            until -= speaker.later_s
            self._charge(speaker, ended - moment)
            moment = ended
            if speaker.wants_more():
                self.ask(speaker)

    def _charge(self, speaker: Speaker, seconds: float) -> None:
        if seconds > LONG_TURN_S:
            seconds = self._watchdog.processor_s(seconds)
            self._watchdog.begin()  # or the next turn would pay for this one
        if speaker.group is None:
            self._shares.known(speaker, speaker.standing())
        self._shares.spent(speaker, seconds + speaker.later_s)
