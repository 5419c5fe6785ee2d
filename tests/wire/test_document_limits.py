"""The cheap proof never passes a document that is too deep or too wide, and passes what games really send."""

from xml.parsers.expat import ExpatError

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.wire import reference
from tests.wire.samples import AWKWARD, HOSTILE, move
from tests.wire.strategies import STEADY, dressed
from ugs.wire.document_limits import MAX_SPACES_IN_TAG, Limits, surely_within
from ugs.wire.errors import WireError
from ugs.wire.framing import Framer
from ugs.wire.wellformed import check_document, mistake_in

FILLER = b"<!-- " + b"a" * 17_000 + b" -->"
"""Makes a document too large to be passed by counting alone."""


def cut(raw: bytes, limits: Limits = Limits()) -> bool:  # noqa: B008  (frozen)
    """Return whether a framer takes this for one document."""
    try:
        return [document.raw for document in Framer(limits).feed(raw)] == [raw]
    except WireError:
        return False


def nested(levels: int) -> bytes:
    return b"<a>" * levels + b"</a>" * levels


def wide(attributes: int) -> bytes:
    return b"<a" + b"".join(b' b%d="c"' % number for number in range(attributes)) + b"/>"


@pytest.mark.parametrize("filler", [b"", FILLER], ids=["small", "large"])
@pytest.mark.parametrize(
    ("inside", "within"),
    [
        (nested(62), True),
        (nested(63), False),
        (nested(61) + nested(62), True),
        (nested(61) + nested(63), False),
        (wide(64), True),
        (wide(65), False),
        (b"<a>" * 61 + b"<b/>" + b"</a>" * 61, True),
        (b"<a>" * 62 + b"<b/>" + b"</a>" * 62, False),
        (b"<a>" * 62 + b"<!-- </a></a> --><b/><![CDATA[</a>]]><?c </a>?>" + b"</a>" * 62, False),
        (b"<a>" * 62 + b"/>" * 9 + b"<b c='/>'/>" + b"</a>" * 62, False),
        (wide(64) * 30, True),
        (b"<row><cell a='b'/><cell>c</cell></row>" * 100, True),
    ],
)
def test_the_limits_are_exact(filler: bytes, inside: bytes, within: bool) -> None:
    raw = b"<?xml version='1.0'?>" + move(filler + inside)
    assert cut(raw) is within


@pytest.mark.parametrize(
    "inside",
    [
        b"<row><cell a='b'/><cell>c</cell><cell/></row>" * 300,
        b"<!-- </a> --><![CDATA[</a>]]><?a </a>?><a b=''/>" * 100,
        b"text " * 1000,
        b"so it goes  " * 2000,
        b"<c/>\n        " * 1500,
        wide(60) * 50,
        nested(60) * 20,
    ],
)
def test_ordinary_documents_need_no_walk(inside: bytes) -> None:
    for before in range(12):  # wherever the places are at which the proof looks
        assert surely_within(b'<?xml version="1.0"?>' + move(b"x" * before + inside), Limits())


@pytest.mark.parametrize("filler", [b"", FILLER], ids=["small", "large"])
@pytest.mark.parametrize("blank", [b" ", b"\t", b"\r", b"\n"])
@pytest.mark.parametrize(
    "place", ["<a{}b='c'/>", "<a b{}='c'/>", "<a b={}'c'/>", "<a b='c'{}/>", "<a></a{}>", "<a{}></a>"]
)
def test_the_limit_of_white_space_in_tags_is_exact(place: str, blank: bytes, filler: bytes) -> None:
    for before in range(0, 520, 40):  # wherever the places are at which the proof looks
        for count, within in ((MAX_SPACES_IN_TAG, True), (MAX_SPACES_IN_TAG + 1, False)):
            inside = place.encode().replace(b"{}", blank * count)
            assert cut(move(b"x" * before + inside + filler)) is within


def test_white_space_elsewhere_has_no_limit_of_its_own() -> None:
    for inside in (b"%b", b"<a b='%b'/>", b"<!--%b-->", b"<![CDATA[%b]]>", b"<?a %b?>"):
        assert cut(move(inside % (b" \n" * 5000)))


@pytest.mark.parametrize("raw", AWKWARD.values(), ids=AWKWARD)
def test_awkward_documents_have_no_hidden_depth(raw: bytes) -> None:
    depth, attributes = reference.extent(raw)
    assert cut(raw, Limits(max_depth=depth, max_attributes=attributes))
    assert not cut(raw, Limits(max_depth=depth - 1))
    assert not (attributes and cut(raw, Limits(max_attributes=attributes - 1)))


@STEADY
@given(dressed(), st.integers(1, 6), st.integers(0, 6), st.sampled_from([b"", FILLER]))
def test_no_document_beyond_the_limits_is_cleared(raw: bytes, depth: int, attributes: int, filler: bytes) -> None:
    raw = raw.replace(b"</message>", filler + b"</message>")
    limits = Limits(max_depth=depth, max_attributes=attributes)
    try:
        found_depth, found_attributes = reference.extent(raw)
    except ExpatError:
        assume(False)
    assume(reference.names_are_right(raw))
    if found_depth > depth or found_attributes > attributes:
        assert not surely_within(raw, limits)
        assert not cut(raw, limits)
    else:
        assert cut(raw, limits)


def test_a_document_type_is_refused_by_the_parser_too() -> None:
    """The scanner refuses document types first; the parser would refuse them too."""
    for name in ("DOCTYPE", "billion laughs", "external entity", "parameter entity", "attribute by DTD"):
        with pytest.raises(WireError, match="document type"):
            check_document(HOSTILE[name][0])


@pytest.mark.parametrize("raw", AWKWARD.values(), ids=AWKWARD)
def test_a_beginning_is_never_taken_for_a_mistake(raw: bytes) -> None:
    for size in range(len(raw)):
        assert mistake_in(raw[:size]) is None
        with pytest.raises(WireError, match="not finished"):
            check_document(raw[:size])


@pytest.mark.parametrize(
    "inside",
    [
        b"<!--" * 20_000,
        b"<![CDATA[" * 20_000,
        b"<?" * 20_000,
        b"<a b='" * 20_000,
        b"<a b=\"<a b='" * 20_000,
        b"<a " + b"b=''" * 20_000,
        b"<a " + b"b " * 20_000,
        b"<" + b"a" * 50_000,
        b"xmlns" * 20_000,
        b"xmlns:xmlns" * 10_000,
        b"xmlns " * 10_000,
        b"xmlns='" * 10_000,
        b"<a " * 20_000,
        b"=" * 20_000,
        b"<a>/>" * 20_000,
        b"<a xmlns:b='u'" + b" " * 100_000 + b"/>",
        b"<a xmlns:b='u' " + b"c" * 100_000 + b"/>",
        b"<a xmlns:b='u' " + b"c\n" * 50_000 + b"/>",
        b"<a xmlns:b='u'" + (b" " * 1024 + b"c") * 100 + b"/>",
        b"<a" + (b" " * 1024 + b"b=''") * 60 + b"/>",
        b"<a></a" + b" " * 100_000 + b">",
    ],
)
def test_counting_takes_linear_time(inside: bytes) -> None:
    """Whatever the bytes are: a search that begins again at each place would take minutes here."""
    raw = move(inside)
    assert surely_within(raw, Limits()) in (True, False)
    assert cut(raw) in (True, False)
