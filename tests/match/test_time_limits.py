"""Limits of time: what counts, strikes, and how a verdict reads."""

import pytest

from ugs.match.time_limits import Strikes, TimeLimits
from ugs.processor_time import ProcessorUse

HALF = ProcessorUse(used_s=0.5)


def test_without_limits_nothing_is_too_late() -> None:
    assert not TimeLimits().set
    assert Strikes(TimeLimits()).judge(1e6, ProcessorUse(1e6)) == ""


def test_a_wall_clock_does_not_count_waiting_for_a_processor() -> None:
    limits = TimeLimits("wall", hard_s=1.0)
    assert Strikes(limits).judge(1.3, ProcessorUse(0.1, waited_s=0.31)) == ""
    text = Strikes(limits).judge(2.15, ProcessorUse(0.1, waited_s=0.31))
    assert text == "thought 1,840 ms of 1,000 allowed; waited 310 ms for a processor: not counted"


def test_a_processor_clock_counts_only_what_was_used() -> None:
    limits = TimeLimits("cpu", hard_s=1.0)
    assert Strikes(limits).judge(60.0, HALF) == ""
    assert Strikes(limits).judge(60.0, ProcessorUse(1.5)) == "thought 1,500 ms of 1,000 allowed (processor time)"


def test_so_many_strikes_are_allowed_in_a_game() -> None:
    strikes = Strikes(TimeLimits("wall", soft_s=0.1, strikes=2))
    assert [strikes.judge(took, ProcessorUse()) for took in (0.05, 0.2, 0.1, 0.2)] == ["", "", "", ""]
    assert strikes.judge(0.2, ProcessorUse()) == "thought 200 ms of 100 allowed, 3 times in this game (2 allowed)"


def test_thinking_that_goes_on_is_no_strike_yet() -> None:
    strikes = Strikes(TimeLimits("wall", soft_s=0.1, hard_s=1.0))
    assert strikes.judge(0.5, ProcessorUse(), moved=False) == ""
    assert strikes.count == 0
    assert strikes.judge(1.5, ProcessorUse(), moved=False) == "thought 1,500 ms of 1,000 allowed"


@pytest.mark.parametrize(
    ("limits", "longest"),
    [(TimeLimits(), 0), (TimeLimits(soft_s=1), 1), (TimeLimits(soft_s=1, strikes=1), 0), (TimeLimits(hard_s=2), 2)],
)
def test_what_no_move_may_take(limits: TimeLimits, longest: float) -> None:
    assert limits.longest_s == longest
