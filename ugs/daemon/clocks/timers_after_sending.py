"""Timers that count from when the network has taken a peer's messages: a player's clock must not run while the state
that names it as next player lies in the server. :mod:`ugs.daemon.clocks.wire_credit` limits how long it may lie
there."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from ugs.broker.effects import RecordResult, StartTimer, StopTimer
from ugs.broker.events import Timer, TimerBegun, TimerFired, TimerKind
from ugs.daemon.clocks.timer_deferral import AGAIN_S, TimerDeferral
from ugs.daemon.clocks.timers import Timers
from ugs.daemon.clocks.wire_credit import FREE_S, MAX_STALL_S, Credit
from ugs.daemon.connections.connection import Connection
from ugs.daemon.driver import Driver
from ugs.record.times import MICRO


class WaitingTimer(NamedTuple):
    """A timer that does not count yet."""

    connection: Connection
    seconds: float
    """How long it runs when it counts."""
    report: bool
    """Whether the broker wants to know when it does."""
    since: float
    """When it should have started."""
    taken_bytes: int | None
    """What the peer had taken then; None: as much as when the network could not take all of it at once."""

    def earned_bytes(self) -> int:
        """What the peer has taken since."""
        outbox = self.connection.outbox
        before = outbox.acknowledged_then if self.taken_bytes is None else self.taken_bytes
        return max(0, outbox.acknowledged_bytes() - before)


class TimersAfterSending:
    """Starts and stops the timers of one server.

    ``connections`` are all open ones, by number; ``name_of`` gives the name that one has logged in with. ``handed_us``,
    if any, is called when a game's player was handed its messages. ``all_received`` decides when a timer that has run
    out has to wait. All moments are those of the driver's clock.
    """

    def __init__(
        self,
        driver: Driver,
        connections: Mapping[int, Connection],
        name_of: Callable[[int], str],
        handed_us: dict[str, int] | None,
        all_received: TimerDeferral,
    ) -> None:
        self._clock = driver.clock
        self.timers: Timers[Timer] = Timers(self._fired, self._clock)
        self._all_received = all_received
        self._driver = driver
        self._connections = connections
        self._name_of = name_of
        self._handed_us = handed_us
        self._waiting: dict[Timer, WaitingTimer] = {}
        self._credits: dict[object, dict[str, Credit]] = {}
        """By game and player, of those who were waited for."""

    def start(self, effect: StartTimer, now: float) -> None:
        """Perform: start a timer, now or when the network has taken everything that waits for ``effect.after``."""
        timer, after = effect.timer, effect.after
        if timer in self._waiting:
            self._stops_waiting(timer, now)
        if self._all_received.put_off:
            self._all_received.forget(timer)
        connection = self._connections.get(after) if after is not None else None
        if connection is None or connection.closing or (not connection.outbox.batch and connection.outbox.empty):
            self.timers.start(timer, now + effect.seconds)  # the usual case
        else:
            taken = connection.outbox.acknowledged_bytes() if connection.outbox.backlog_bytes else None
            waiting = self._waiting[timer] = WaitingTimer(connection, effect.seconds, effect.report, now, taken)
            # Usually it takes no time at all, and no player of the game was ever waited for.
            known = timer.subject in self._credits
            self.timers.start(timer, now + (self._credit(timer, waiting).worth_s(0) if known else MAX_STALL_S))
            connection.start_after_sending(timer)

    def stop(self, effect: StopTimer, now: float) -> None:
        """Perform: stop a timer, whether it counts or waits."""
        self._stops_waiting(effect.timer, now)
        self._all_received.forget(effect.timer)
        self.timers.stop(effect.timer)

    def over(self, effect: RecordResult, _now: float) -> None:
        """Perform: a game is over, and no player of it is waited for any more."""
        game = effect.result.game_id
        self._waiting.pop(Timer(TimerKind.GAME, game), None)
        self._credits.pop(game, None)

    def handed(self, connection: Connection, timers: Sequence[Timer], now: float) -> None:
        """The network has taken everything at ``now``, by Trio's clock: these timers count from then, unless they were
        started or stopped in another way meanwhile."""
        now = self._clock.at(now)
        for timer in timers:
            waiting = self._waiting.get(timer)
            if waiting is not None and waiting.connection is connection:
                self._begins(timer, waiting, now)

    def _begins(self, timer: Timer, waiting: WaitingTimer, now: float) -> None:
        del self._waiting[timer]
        if now - waiting.since > FREE_S:
            self._spend(timer, waiting, now)
        self.timers.start(timer, now + waiting.seconds)
        if self._handed_us is not None and timer.kind is TimerKind.GAME:
            self._handed_us[str(timer.subject)] = int(now * MICRO)
        if waiting.report:
            self._driver.decide(TimerBegun(timer), now)

    def _stops_waiting(self, timer: Timer, now: float) -> None:
        waiting = self._waiting.pop(timer, None)
        if waiting is not None and now - waiting.since > FREE_S:
            self._spend(timer, waiting, now)

    def _spend(self, timer: Timer, waiting: WaitingTimer, now: float) -> None:
        self._credit(timer, waiting).spend(now - waiting.since, waiting.earned_bytes())

    def _credit(self, timer: Timer, waiting: WaitingTimer) -> Credit:
        if timer.kind is not TimerKind.GAME:
            return Credit()
        of_game = self._credits.setdefault(timer.subject, {})
        # By name, not by connection: a player that cuts its line and comes back gets no new credit.
        return of_game.setdefault(self._name_of(waiting.connection.number), Credit())

    def _fired(self, timer: Timer) -> None:
        waiting = self._waiting.get(timer)
        if waiting is not None:
            self._looks_again(timer, waiting)
        elif self._all_received.puts_off(timer):
            self.timers.start(timer, self._clock.now() + AGAIN_S)
        else:
            self._driver.happens(TimerFired(timer))

    def _looks_again(self, timer: Timer, waiting: WaitingTimer) -> None:
        """Let a clock stand still for longer if the peer has earned it meanwhile; else it runs from now on."""
        now = self._clock.now()
        until = waiting.since + self._credit(timer, waiting).worth_s(waiting.earned_bytes())
        if until > now:
            self.timers.start(timer, max(until, now + FREE_S))
        else:
            self._begins(timer, waiting, now)
