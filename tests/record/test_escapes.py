"""Text and payloads in one printable line, and back."""

import pytest
from hypothesis import given

from tests.record.strategies import BODIES, TEXTS
from ugs.record.escapes import escape_body, escape_text, unescape_body, unescape_text


@given(TEXTS)
def test_any_text_comes_back_and_is_one_printable_line(text: str) -> None:
    written = escape_text(text)
    assert written.isprintable()
    assert unescape_text(written) == text


@given(BODIES)
def test_any_payload_comes_back_and_is_one_printable_line(body: bytes) -> None:
    written = escape_body(body)
    assert written.isprintable()
    assert written == written.rstrip()
    assert written[:1] in ("", "<", "\\")
    assert unescape_body(written) == body


@pytest.mark.parametrize("body", [b'<move><tic x="3" y="4"/></move>', "<move>zażółć 'gęślą' &amp;</move>".encode()])
def test_a_payload_of_one_printable_line_is_shown_as_it_is(body: bytes) -> None:
    assert escape_body(body) == body.decode()


@pytest.mark.parametrize(
    ("body", "written"),
    [
        (b"<move>\r\n\t</move>", r"<move>\r\n\t</move>"),
        (b"<move>\\n</move>", r"<move>\\n</move>"),
        (b"<move>\xff</move>", r"<move>\xff</move>"),
        ("<move>\u202e\u00a0</move>".encode(), r"<move>\u{202e}\u{a0}</move>"),
        (b"<move/> ", r"<move/>\x20"),
        (b"7", r"\x37"),
        ("ż".encode(), r"\xc5\xbc"),
    ],
)
def test_what_is_not_printable_is_escaped(body: bytes, written: str) -> None:
    assert escape_body(body) == written
    assert unescape_body(written) == body


@pytest.mark.parametrize("written", ["\\", "\\q", "\\u{}", "\\u{1234567}", "\\u{d800}", "\\u{110000}", "\\x1"])
def test_a_backslash_without_a_valid_escape_is_refused(written: str) -> None:
    with pytest.raises(ValueError, match=r"backslash|not a character"):
        unescape_text(written)
    with pytest.raises(ValueError, match=r"backslash|not a character"):
        unescape_body(written)


def test_text_has_no_single_bytes() -> None:
    with pytest.raises(ValueError, match="payloads only"):
        unescape_text("\\xff")
