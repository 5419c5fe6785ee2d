"""How long packing waits: not at all without load, nineteen times as long as it took under load."""

import pytest

from ugs.journal.packing_pace import AGAIN_S, QUIET_S, PackingPace


def test_without_load_it_never_waits() -> None:
    pace = PackingPace()
    assert pace.wait_s(10) == 0
    pace.packed(10, 10.004)
    assert pace.wait_s(10.004) == 0


def test_under_load_it_takes_a_twentieth_of_the_time() -> None:
    pace = PackingPace()
    pace.written(10)
    assert pace.wait_s(10) == 0
    pace.packed(10, 10.004)
    pace.written(10.005)
    assert pace.wait_s(10.004) == pytest.approx(0.076)
    assert pace.wait_s(10.08) == 0


def test_when_the_load_is_over_it_goes_on() -> None:
    pace = PackingPace()
    pace.packed(10, 20)  # a long one: its rest would be 190 s
    pace.written(20)
    assert pace.wait_s(20) == pytest.approx(QUIET_S)
    assert pace.wait_s(20 + QUIET_S) == 0


def test_after_a_failure_it_waits_a_while_whatever_the_load() -> None:
    pace = PackingPace()
    pace.failed(10)
    assert pace.wait_s(10) == AGAIN_S
    assert pace.wait_s(10 + AGAIN_S) == 0
