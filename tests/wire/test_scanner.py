"""The scanner alone: it finds the end, and hardly reads a byte twice."""

import pytest

from tests.wire.samples import AWKWARD, move
from ugs.wire.errors import WireError
from ugs.wire.limits import Limits
from ugs.wire.scanner import Scanner


def end_of(raw: bytes) -> int | None:
    return Scanner(Limits()).next_end(raw)


def test_an_end_tag_that_is_none_is_passed_over() -> None:
    raw = move(b"<!-- </message> -->")
    assert end_of(raw) == len(raw)
    assert end_of(raw[:-1]) is None


def test_the_beginning_of_tls_is_named() -> None:
    with pytest.raises(WireError, match="with byte 0x16, with which TLS begins"):
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
