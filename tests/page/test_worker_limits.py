"""Processor time is looked at only when it can be used up."""

import pytest

from ugs.page import worker_limits
from ugs.page.worker_limits import THREADS, ProcessorBudget


class Clock:
    """Two clocks that a test moves."""

    spent = 0.0
    now = 0.0
    looks = 0

    def process_time(self) -> float:
        self.looks += 1
        return self.spent

    def monotonic(self) -> float:
        return self.now


def test_the_system_is_asked_when_the_bound_can_be_used_up(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    monkeypatch.setattr(worker_limits, "time", clock)
    budget = ProcessorBudget(20.0)
    clock.looks = 0
    clock.now = 20.0 / THREADS - 0.1
    assert not budget.used_up()
    assert clock.looks == 0
    clock.now, clock.spent = 20.0, 19.0
    assert not budget.used_up()
    clock.now, clock.spent = 20.1, 19.1
    assert not budget.used_up()
    assert clock.looks == 1
    clock.now, clock.spent = 21.0, 20.0
    assert budget.used_up()
