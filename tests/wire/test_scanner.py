"""The scanner alone: it finds at most two places, and hardly reads a byte twice."""

import pytest

from tests.wire.samples import AWKWARD, move
from ugs.wire.scanner import Scanner


def ends(raw: bytes) -> list[int]:
    """Return the places that are proposed for a document that arrives whole."""
    scanner = Scanner()
    return list(iter(lambda: scanner.next_end(raw, len(raw)), None))


def test_the_first_end_tag_is_proposed_first_and_the_true_one_second() -> None:
    raw = move(b"<!-- </message> -->")
    assert ends(raw) == [raw.index(b"</message>") + 10, len(raw)]


def test_a_plain_document_has_both_places_at_its_end() -> None:
    raw = move(b"<a/>")
    assert ends(raw) == [len(raw), len(raw)]


def test_an_empty_root_has_one_place() -> None:
    raw = b'<message type="/>"/>'
    assert ends(raw) == [len(raw)]


def test_bytes_behind_the_stop_are_not_seen() -> None:
    raw = move(b"")
    scanner = Scanner()
    assert scanner.next_end(raw, len(raw) - 1) is None
    assert scanner.next_end(raw, len(raw)) == len(raw)


LONG = {
    **AWKWARD,
    "long white space": b"<?a?>" + b" " * 3000 + b"<message/>",
    "long comment in the prolog": b"<!--" + b"- " * 1500 + b"--><message/>",
    "long declaration": b"<?xml" + b" " * 3000 + b"version='1.0'?><message/>",
    "long type": b'<message type="' + b"x" * 3000 + b'"></message>',
    "long blank in the root tag": b"<message" + b" " * 3000 + b"/>",
    "long blank in the end tag": b"<message></message" + b" " * 3000 + b">",
    "long text": move(b"x" * 3000),
    "long comment": move(b"<!--</message>" + b"->" * 1500 + b"-->"),
    "long CDATA": move(b"<![CDATA[</message>" + b"]>" * 1500 + b"]]>"),
    "long instruction": move(b"<?a </message>" + b"?" * 3000 + b"?>"),
    "many small elements": move(b"<!--</message>-->" + b"<a/>" * 800),
    "many nested messages": move(b"<message></message>" * 100 + b"<message a='" + b">" * 1000 + b"'/>"),
    "many almost end tags": move(b"<!--</message>-->" + b"</messag" * 400),
}


@pytest.mark.parametrize("raw", LONG.values(), ids=LONG)
def test_work_is_linear_however_small_the_pieces(raw: bytes) -> None:
    """Each step begins where the last one could not go on, at most nine bytes back: that bounds the total work."""
    scanner = Scanner()
    buffer = bytearray()
    places: list[int] = []
    for byte in raw:
        buffer.append(byte)
        while (end := scanner.next_end(buffer, len(buffer))) is not None:
            places.append(end)
        if len(raw) not in places:
            assert len(buffer) - scanner.position <= 9
    assert places[-1] == len(raw)
    assert len(places) <= 2
