"""Texts of others in a given width."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ugs.pictures.contract import Span
from ugs.pictures.lettering import clipped, columns, cut_line, padded, wrapped


@pytest.mark.parametrize(
    ("text", "most", "shown"),
    [
        ("ada", 3, "ada"),
        ("adam", 3, "ad…"),
        ("名前", 4, "名前"),
        ("名前a", 4, "名…"),
        ("a\n", 3, "a\\n"),
        ("e\u0301", 1, "e\u0301"),
    ],
)
def test_texts_are_cut_by_columns(text: str, most: int, shown: str) -> None:
    assert clipped(text, most) == shown


@given(st.text(), st.integers(1, 30))
def test_whatever_the_text_is_it_is_printable_and_fits(text: str, width: int) -> None:
    assert clipped(text, width).isprintable()
    assert columns(clipped(text, width)) <= width
    assert columns(padded(text, width)) == width
    assert all(columns(line) <= width and line.isprintable() for line in wrapped(text, width))
    line = cut_line((Span(text, "bold"), Span(text)), width)
    assert sum(columns(span.text) for span in line) <= width


def test_lines_break_at_blanks() -> None:
    assert list(wrapped("one two three", 7)) == ["one two", "three"]
    assert list(wrapped("", 7)) == []


def test_a_cut_line_keeps_its_styles() -> None:
    assert cut_line((Span("ab", "red"), Span("cd", "bold"), Span("e")), 4) == (Span("ab", "red"), Span("cd", "bold"))
