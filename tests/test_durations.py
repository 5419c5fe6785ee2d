"""Lengths of time as people type and read them."""

import pytest

from ugs.durations import SPOKEN, WrongDuration, duration_text, elapsed_text, read_duration


@pytest.mark.parametrize(
    ("text", "seconds"), [("0s", 0), ("90s", 90), (" 20m ", 1200), ("2h", 7200), ("3d", 259_200), ("1w", 604_800)]
)
def test_they_are_seconds(text: str, seconds: float) -> None:
    assert read_duration(text) == seconds


@pytest.mark.parametrize("text", ["", "5", "h", "-1s", "1.5h", "1h30m", "1H", "9999999999s", "٣s", "3 s"])
def test_other_texts_are_none(text: str) -> None:
    with pytest.raises(WrongDuration, match=SPOKEN):
        read_duration(text)


def test_the_examples_are_ones() -> None:
    assert [read_duration(one) for one in SPOKEN.replace(" or ", ", ").split(", ")]


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.4, "0 s"),
        (45, "45 s"),
        (60, "1 min"),
        (3599, "59 min 59 s"),
        (5429, "1 h 30 min"),
        (5430, "1 h 31 min"),
        (86_399, "1 d"),
        (90_184, "1 d 1 h"),
        (172_799, "2 d"),
        (172_800, "2 d"),
        (1_728_000, "20 d"),
    ],
)
def test_a_length_of_time_is_written_for_people_in_two_units(seconds: float, text: str) -> None:
    assert duration_text(seconds) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.4, "1 s"), (60, "1 min"), (5401, "1 h 31 min"), (86_401, "1 d 1 h"), (172_799, "2 d"), (172_800, "2 d")],
)
def test_a_time_to_come_is_no_shorter_than_it_is_said_to_be(seconds: float, text: str) -> None:
    assert duration_text(seconds, up=True) == text


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0.0 s"), (99.94, "99.9 s"), (100, "1 min 40 s"), (7300, "2 h 2 min")]
)
def test_measured_time_has_tenths_while_they_matter(seconds: float, text: str) -> None:
    assert elapsed_text(seconds) == text
