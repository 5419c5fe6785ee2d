"""Turns in one pass. They cost what the test says: the clock is the test's."""

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from ugs.daemon.fairness import service_turns, watchdog
from ugs.daemon.fairness.fair_queue import PeerStanding
from ugs.daemon.fairness.service_turns import PASS_S, Guest, ServiceTurns, Speaker
from ugs.daemon.fairness.watchdog import Watchdog


class Clock:
    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 100.0
        for module in (service_turns, watchdog):
            monkeypatch.setattr(module, "perf_counter", lambda: self.now)
        monkeypatch.setattr(watchdog, "thread_time", lambda: self.now)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


class Scripted(Speaker):
    """A speaker whose turns cost these seconds; it wants one after the other."""

    def __init__(self, clock: Clock, served: list[str], name: str, *costs: float, plays: bool = False) -> None:
        super().__init__()
        self._clock = clock
        self._served = served
        self._name = name
        self._costs = list(costs)
        self._plays = plays

    def standing(self) -> PeerStanding:
        return PeerStanding("here", self._plays)

    def turn(self, begun: float) -> float:
        self._served.append(self._name)
        self._clock.now = begun + self._costs.pop(0)
        return self._clock.now

    def wants_more(self) -> bool:
        return bool(self._costs)


def test_all_who_are_ready_are_served_in_one_pass(clock: Clock) -> None:
    served: list[str] = []
    order = ServiceTurns(Watchdog(lambda number: ""))
    order.give([Scripted(clock, served, name, 0.0001) for name in "abc"])
    assert served == ["a", "b", "c"]
    assert not order.wanted


def test_a_pass_ends_when_it_has_been_long_and_the_next_goes_on(clock: Clock) -> None:
    served: list[str] = []
    order = ServiceTurns(Watchdog(lambda number: ""))
    order.give([Scripted(clock, served, name, PASS_S * 0.6) for name in "abcd"])
    assert served == ["a", "b"]
    order.give()
    assert served == ["a", "b", "c", "d"]
    order.give()
    assert not order.wanted


def test_who_has_used_much_waits_for_those_who_have_not(clock: Clock) -> None:
    served: list[str] = []
    order = ServiceTurns(Watchdog(lambda number: ""))
    greedy = Scripted(clock, served, "greedy", 0.010, 0.010, 0.010)
    order.give([greedy, *(Scripted(clock, served, f"calm {number}", 0.001) for number in range(8))])
    assert served == ["greedy"]
    order.give()
    order.give()
    assert served == ["greedy", *(f"calm {number}" for number in range(8)), "greedy"]


def test_an_expensive_turn_is_paid_for_though_nobody_waited(clock: Clock) -> None:
    served: list[str] = []
    order = ServiceTurns(Watchdog(lambda number: ""))
    expensive = Scripted(clock, served, "expensive", 0.004)
    long = Scripted(clock, served, "long", 0.004, 0.001)
    order.give([expensive, long])
    assert served == ["expensive", "long"]
    expensive._costs = [0.001]
    order.give([expensive, Scripted(clock, served, "calm", 0.001)])
    assert served[2:] == ["calm", "long", "expensive"] or served[2:] == ["calm", "expensive", "long"]


def test_one_who_plays_is_served_before_a_crowd_that_waits(clock: Clock) -> None:
    served: list[str] = []
    order = ServiceTurns(Watchdog(lambda number: ""))
    crowd = [Scripted(clock, served, "crowd", *[0.002] * 5) for _ in range(100)]
    order.give(crowd)
    order.give()
    before = len(served)
    order.give([Scripted(clock, served, "player", 0.0001, plays=True)])
    assert served[before] == "player"


# Peers that tasks of their own serve.


async def test_a_guest_goes_on_when_it_is_its_turn_and_pays_for_the_last_one(
    clock: Clock, autojump_clock: MockClock
) -> None:
    order = ServiceTurns(Watchdog(lambda number: ""))
    guests = [Guest("here", order.ask) for _ in range(10)]
    gone_on = []

    async def work(guest: Guest) -> None:
        for _ in range(2):
            await guest.next_turn()
            gone_on.append(guest)
            guest.spent_s += PASS_S * 0.6

    async with trio.open_nursery() as nursery:
        for guest in guests:
            nursery.start_soon(work, guest)
        await wait_all_tasks_blocked()
        assert gone_on == []
        order.give()
        await wait_all_tasks_blocked()
        assert len(gone_on) == 10, "of the first turn nobody knows what it will cost"
        order.give()
        await wait_all_tasks_blocked()
        assert len(gone_on) == 12
        while order.wanted:
            order.give()
            await wait_all_tasks_blocked()
        assert len(gone_on) == 20
