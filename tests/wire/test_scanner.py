"""The scanner alone: it finds the end, and hardly reads a byte twice."""

import re
from collections.abc import Iterator

import pytest

from tests.wire.samples import AWKWARD, move
from ugs.wire import scanner as module
from ugs.wire.document_limits import Limits
from ugs.wire.errors import WireError
from ugs.wire.lexer import TOKEN, Buffer
from ugs.wire.scanner import Scanner


def end_of(raw: bytes) -> int | None:
    return Scanner(Limits()).next_end(raw)


def test_an_end_tag_that_is_none_is_passed_over() -> None:
    raw = move(b"<!-- </message> -->")
    assert end_of(raw) == len(raw)
    assert end_of(raw[:-1]) is None


def test_the_beginning_of_tls_is_named() -> None:
    with pytest.raises(WireError, match="with byte 0x16, the first byte of TLS"):
        end_of(b"\x16\x03\x01\x02\x00")


def test_an_empty_root_ends_the_document() -> None:
    raw = b'<message type="/>"/>'
    assert end_of(raw + raw) == len(raw)


def test_where_the_root_closes_the_parser_has_to_say_what_is_wrong_inside() -> None:
    assert end_of(b"<message><a></message></a></message>") == len(b"<message><a></message>")
    assert end_of(b"<message></a></message>") == len(b"<message></a>")


LONG = {
    **AWKWARD,
    "long white space": b"<?a?>" + b" " * 3000 + b"<message/>",
    "long comment in the prolog": b"<!--" + b"- " * 1500 + b"--><message/>",
    "long declaration": b"<?xml" + b" " * 3000 + b"version='1.0'?><message/>",
    "long type": b'<message type="' + b"x" * 3000 + b'"></message>',
    "long blanks in the root tag": b"<message" + b" " * 1024 + b"a" + b" " * 1024 + b"=''" + b" " * 1024 + b"/>",
    "long blank in the end tag": b"<message></message" + b" " * 1024 + b">",
    "long text": move(b"x" * 3000),
    "long comment": move(b"<!--</message>" + b"->" * 1500 + b"-->"),
    "long CDATA": move(b"<![CDATA[</message>" + b"]>" * 1500 + b"]]>"),
    "long instruction": move(b"<?a </message>" + b"?" * 3000 + b"?>"),
    "many small elements": move(b"<!--</message>-->" + b"<a/>" * 800),
    "many nested messages": move(b"<message></message>" * 100 + b"<message a='" + b">" * 1000 + b"'/>"),
    "many almost end tags": move(b"<!--</message>-->" + b"<messag></messag>" * 200),
}


@pytest.mark.parametrize("raw", LONG.values(), ids=LONG)
def test_work_is_linear_however_small_the_pieces(raw: bytes) -> None:
    """Each step begins where the last one could not go on, at most nine bytes back: that bounds the total work."""
    scanner = Scanner(Limits())
    buffer = bytearray()
    for byte in raw[:-1]:
        buffer.append(byte)
        assert scanner.next_end(buffer) is None
        assert len(buffer) - scanner.position <= 9
    assert scanner.next_end(raw) == len(raw)


class Recorded:
    """A regular expression of which is known how much it was asked to read."""

    def __init__(self, pattern: re.Pattern[bytes]) -> None:
        self._pattern = pattern
        self.read = 0

    def finditer(self, buffer: Buffer, start: int, stop: int) -> Iterator[re.Match[bytes]]:
        for match in self._pattern.finditer(buffer, start, stop):
            self.read += match.end() - match.start()
            yield match


@pytest.mark.parametrize(
    "token", [b"<!--%b-->" % (b"- " * 5000), b"<![CDATA[%b]]>" % (b"] " * 5000), b"<?p %b?>" % (b"? " * 5000)]
)
@pytest.mark.parametrize("before_root", [False, True])
def test_a_long_token_whose_end_was_looked_for_is_not_read_again(
    token: bytes, before_root: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A regular expression takes ten times as long for each byte."""
    if before_root and token.startswith(b"<![CDATA["):
        token = b"<!-- -->"  # there it may not stand
    recorded = Recorded(TOKEN)
    monkeypatch.setattr(module, "TOKEN", recorded)
    document = b"<message>%b</message>" % token if not before_root else token + b"<message></message>"
    scanner, buffer = Scanner(Limits()), bytearray()
    ends = []
    for begin in range(0, len(document), 1000):
        buffer += document[begin : begin + 1000]
        ends.append(scanner.next_end(buffer))
    assert ends[-1] == len(document)
    assert recorded.read < 3000, "the token is 10 000 bytes long"
