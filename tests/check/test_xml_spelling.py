"""Elements written in many ways mean the same, and cut documents are whole when their pieces are put together."""

from xml.etree import ElementTree

import pytest

from ugs.check import as_server
from ugs.check.xml_spelling import CUTS, PLAIN, STYLES, Cut, element, respelled, write
from ugs.wire.codec import decode
from ugs.wire.framing import Framer

STATE = as_server.state("a&\"b'", "<ann>", b'<gameState><x y="1"/></gameState>')


@pytest.mark.parametrize("name", STYLES)
def test_all_styles_mean_the_same(name: str) -> None:
    (document,) = Framer().feed(write(STATE, STYLES[name]))
    assert decode(document.raw) == decode(write(STATE))


def test_the_plain_style_is_what_the_server_writes() -> None:
    assert write(as_server.error("a<b"), PLAIN) == b'<message type="error">a&lt;b</message>'
    assert write(as_server.ping(), PLAIN, declared=True).startswith(b"<?xml version=")
    assert write(as_server.ping("'\"&")) == b'<message type="x-ping" ref="\'&quot;&amp;"/>'


@pytest.mark.parametrize("name", CUTS)
def test_pieces_are_the_document(name: str) -> None:
    data = write(as_server.champions([("Jürgen", 1, 2)]))
    pieces = CUTS[name].pieces(data)
    assert b"".join(pieces) == data
    assert len(pieces) > 1
    assert b"" not in pieces


def test_a_cut_that_has_no_place_leaves_the_document_whole() -> None:
    assert Cut(behind=(b"zz",)).pieces(b"abc") == [b"abc"]


def test_a_payload_is_respelled() -> None:
    payload = b'<move><go x="1" y="a&amp;b"/><say>hi</say></move>'
    written = respelled(payload, STYLES["references"])
    assert written != payload
    assert ElementTree.canonicalize(written.decode()) == ElementTree.canonicalize(payload.decode())


@pytest.mark.parametrize("payload", [b'<move xmlns="urn:x"/>', b"<move>a<b/></move>", b"<move><b/>tail</move>"])
def test_what_cannot_be_respelled_is_refused(payload: bytes) -> None:
    with pytest.raises(ValueError, match="it has"):
        respelled(payload, PLAIN)


def test_raw_bytes_stay() -> None:
    assert write(element("a", b"<b  c='1'/>"), STYLES["indented"]) == b"<a><b  c='1'/></a>".replace(
        b"><b", b">\n  <b"
    ).replace(b"/></a", b"/>\n  </a")
