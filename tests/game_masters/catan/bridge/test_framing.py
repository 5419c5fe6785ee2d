"""Frames of Java: what is written is read again, however it arrives, and what is too long or no text ends it."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game_masters.catan.bridge.framing import MAX_LINE, BadFrame, Frames, framed

LINES = ["1031|g1", "", "1091|g1\x01Zoë 𝄞 \0 end", "€" * 100]


def test_a_line_is_its_length_and_its_text() -> None:
    assert framed("1031|g1") == b"\x00\x071031|g1"
    assert framed("\0é") == b"\x00\x04\xc0\x80\xc3\xa9"
    assert framed("𝄞") == b"\x00\x06\xed\xa0\xb4\xed\xb4\x9e"


@pytest.mark.parametrize("step", [1, 2, 3, 7, 10_000])
def test_lines_are_read_however_they_arrive(step: int) -> None:
    data = b"".join(map(framed, LINES))
    frames = Frames(MAX_LINE)
    assert [line for at in range(0, len(data), step) for line in frames.feed(data[at : at + step])] == LINES


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=50), max_size=5))
def test_any_text_comes_back(lines: list[str]) -> None:
    assert list(Frames(MAX_LINE).feed(b"".join(map(framed, lines)))) == lines


@given(st.binary(max_size=60))
def test_any_bytes_give_lines_or_one_complaint(data: bytes) -> None:
    with suppress(BadFrame):
        list(Frames(20).feed(data))


def test_a_line_that_is_too_long_is_refused_before_it_has_come() -> None:
    with pytest.raises(BadFrame, match="at most 100"):
        list(Frames(100).feed(b"\x00\x65"))
    with pytest.raises(BadFrame, match="can be written"):
        framed("x" * (MAX_LINE + 1))


def test_what_is_no_text_is_refused() -> None:
    with pytest.raises(BadFrame, match="no text"):
        list(Frames(100).feed(b"\x00\x02\xff\xff"))
