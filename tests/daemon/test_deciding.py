"""Decide and perform: in which order events that come while effects are performed are decided, and bugs."""

from collections.abc import Iterable
from typing import cast

from structlog.testing import capture_logs
from trio.testing import MockClock

from ugs.broker.broker import Broker
from ugs.broker.effects import Close, Effect, Note, Stopped
from ugs.broker.events import Disconnected, Event, JournalBack, ResultKept, ShutdownAsked
from ugs.daemon.driver import Driver


class Script:
    """Stands in for a broker: to each event it has these effects, and it keeps what it is asked."""

    def __init__(self, **effects: Iterable[Effect]) -> None:
        """``effects`` by the name of the event."""
        self.heard: list[tuple[Event, float]] = []
        self._effects = effects

    def handle(self, event: Event, now: float) -> Iterable[Effect]:
        self.heard.append((event, now))
        return self._effects.get(type(event).__name__, ())


def driver_of(script: Script) -> Driver:
    """A driver whose broker this is."""
    return Driver(cast(Broker, script))


async def test_what_follows_is_decided_first_and_at_the_same_moment(autojump_clock: MockClock) -> None:
    script = Script(ShutdownAsked=[Note("one"), Stopped()])
    driver = driver_of(script)
    kept, back = ResultKept("g1"), JournalBack()

    def note(effect: Note, now: float) -> None:
        driver.happens_next(back)
        driver.follows(kept)
        autojump_clock.jump(5)
        assert len(script.heard) == 1, "first the other effects"

    driver.connect({Note: note, Stopped: driver.stop}, lambda number: None)
    driver.happens(ShutdownAsked())
    begun = script.heard[0][1]
    assert script.heard == [(ShutdownAsked(), begun), (kept, begun), (back, begun + 5)]
    assert driver.stopped.is_set()
    assert driver.now == begun + 5


async def test_an_event_while_nothing_is_performed_is_decided_at_once() -> None:
    script = Script()
    driver_of(script).happens_next(JournalBack())
    assert [event for event, _ in script.heard] == [JournalBack()]


async def test_a_bug_is_logged_and_blamed_on_the_peer_and_what_waits_is_still_decided() -> None:
    script = Script(Disconnected=[Note("one"), Close(7)])
    driver = driver_of(script)
    blamed: list[int] = []

    def fail(_effect: Close, _now: float) -> None:
        raise ZeroDivisionError

    driver.connect({Note: lambda effect, now: driver.happens_next(JournalBack()), Close: fail}, blamed.append)
    with capture_logs() as lines:
        driver.happens(Disconnected(7, "gone"))
    assert [line["during"] for line in lines if line["event"] == "bug in the server"] == ["Disconnected"]
    assert blamed == [7]
    assert [event for event, _ in script.heard] == [Disconnected(7, "gone"), JournalBack()]


async def test_what_followed_before_a_bug_is_decided_at_the_moment_of_the_bug(autojump_clock: MockClock) -> None:
    script = Script(Disconnected=[Note("one"), Close(7)])
    driver = driver_of(script)
    kept = ResultKept("g1")

    def fail(_effect: Close, _now: float) -> None:
        raise ZeroDivisionError

    driver.connect({Note: lambda effect, now: driver.follows(kept), Close: fail}, lambda number: None)
    with capture_logs():
        driver.happens(Disconnected(7, "gone"))
    begun = script.heard[0][1]
    assert script.heard == [(Disconnected(7, "gone"), begun), (kept, begun)]
