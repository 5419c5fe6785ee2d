"""Times as text, exact to the microsecond."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.record.strategies import NUMBERS
from ugs.record.times import read_seconds, read_time, written_hours, written_seconds, written_time


@given(NUMBERS)
def test_durations_come_back(microseconds: int) -> None:
    assert read_seconds(written_seconds(microseconds)) == microseconds


@given(st.integers(-62_135_596_800_000_000, 253_402_300_799_999_999))
def test_every_time_of_the_calendar_comes_back(wall_us: int) -> None:
    assert read_time(written_time(wall_us)) == wall_us


def test_how_they_look() -> None:
    assert written_time(1_903_896_000_123_456) == "2030-05-01T20:00:00.123456Z"
    assert written_seconds(-123) == "-0.000123"
    assert written_hours(360_061_000_001) == "100:01:01.000001"
    assert written_hours(-1) == "-00:00:00.000001"


@pytest.mark.parametrize("wall_us", [-62_135_596_800_000_001, 253_402_300_800_000_000, 10**40])
def test_a_time_outside_the_calendar_cannot_be_written(wall_us: int) -> None:
    with pytest.raises(OverflowError):
        written_time(wall_us)


@pytest.mark.parametrize("text", ["", "2030-05-01", "2030-05-01 20:00:00.123456Z", "2030-13-01T20:00:00.123456Z", "٣"])
def test_another_time_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"time|month"):
        read_time(text)


@pytest.mark.parametrize("text", ["", "1", "1.5", "1.0000000", "--1.000000", "1e3"])
def test_another_duration_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="seconds"):
        read_seconds(text)
