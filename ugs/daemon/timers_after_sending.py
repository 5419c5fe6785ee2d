"""Timers that count from when the network has taken a peer's messages: a player's clock must not run while the state
that says whose turn it is lies in the server."""

from collections.abc import Mapping, Sequence

import trio

from ugs.broker.effects import StartTimer, StopTimer
from ugs.broker.events import Timer, TimerBegun, TimerFired, TimerKind
from ugs.daemon.connection import Connection
from ugs.daemon.driver import Driver
from ugs.daemon.heard_out import AGAIN_S, HeardOut
from ugs.daemon.timers import Timers
from ugs.record.times import MICRO


class TimersAfterSending:
    """Starts and stops the timers of one server.

    ``connections`` are those there are, by number. ``handed_us``, if any, is told when a game's player was handed its
    messages. ``heard_out`` says when a timer that has run out has to wait. ``patience_s`` is how long the network may
    take for messages: a peer that takes its bytes in trickles cannot keep the others waiting for ever.
    """

    def __init__(
        self,
        driver: Driver,
        connections: Mapping[int, Connection],
        handed_us: dict[str, int] | None,
        heard_out: HeardOut,
        patience_s: float,
    ) -> None:
        self.timers: Timers[Timer] = Timers(self._fired)
        self._heard_out = heard_out
        self._driver = driver
        self._connections = connections
        self._handed_us = handed_us
        self._patience_s = patience_s
        self._waiting: dict[Timer, tuple[Connection, float, bool]] = {}
        """Timers that do not count yet: the peer, their seconds, and whether the broker wants to know when they do."""

    def start(self, effect: StartTimer, now: float) -> None:
        """Perform: start a timer, now or when the network has taken everything that waits for ``effect.after``."""
        timer, after = effect.timer, effect.after
        if self._waiting:
            self._waiting.pop(timer, None)
        if self._heard_out.put_off:
            self._heard_out.forget(timer)
        connection = self._connections.get(after) if after is not None else None
        if connection is None or connection.closing or (not connection.outbox.batch and connection.outbox.empty):
            self.timers.start(timer, now + effect.seconds)
        else:
            self.timers.start(timer, now + self._patience_s + effect.seconds)
            self._waiting[timer] = (connection, effect.seconds, effect.report)
            connection.start_after_sending(timer)

    def stop(self, effect: StopTimer, _now: float) -> None:
        """Perform: stop a timer, whether it counts or waits."""
        self._waiting.pop(effect.timer, None)
        self._heard_out.forget(effect.timer)
        self.timers.stop(effect.timer)

    def handed(self, connection: Connection, timers: Sequence[Timer], now: float) -> None:
        """The network has taken everything: these timers count from now, unless they were started or stopped in another
        way meanwhile."""
        for timer in timers:
            waiting = self._waiting.get(timer)
            if waiting is not None and waiting[0] is connection:
                del self._waiting[timer]
                self.timers.start(timer, now + waiting[1])
                if self._handed_us is not None and timer.kind is TimerKind.GAME:
                    self._handed_us[str(timer.subject)] = int(now * MICRO)
                if waiting[2]:
                    self._driver.decide(TimerBegun(timer), now)

    def _fired(self, timer: Timer) -> None:
        if self._heard_out.puts_off(timer):
            self.timers.start(timer, trio.current_time() + AGAIN_S)
            return
        self._waiting.pop(timer, None)
        self._driver.happens(TimerFired(timer))
