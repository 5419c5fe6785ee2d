"""Drawings are put together again from what does no harm, and nothing else passes."""

import re

import pytest

from ugs.sketch.decoding import read
from ugs.sketch.drawings import ATTRIBUTES, INSIDE
from ugs.sketch.elements import Unfit
from ugs.sketch.model import Drawing, DrawingPart


def drawing(inside: str, head: str = 'viewBox="0 0 100 50"') -> Drawing:
    """The drawing of a sketch."""
    ground = read(f"<sketch><svg {head}>{inside}</svg></sketch>".encode()).ground
    assert isinstance(ground, Drawing)
    return ground


def test_it_is_written_again() -> None:
    found = drawing(
        '<g transform="translate(1 2) scale(.5)"><rect x="1" width="2.50" fill="wood" stroke="#abc" cell="left"/>'
        '<text font-size="9">a &lt; b<title>&quot;c&quot;</title></text></g>'
    )
    assert (found.view_box, found.width, found.height) == ("0 0 100 50", 100.0, 50.0)
    assert found.cells == {"left"}
    assert found.parts == (
        DrawingPart('<g transform="translate(1 2) scale(.5)"', ">"),
        DrawingPart('<rect x="1" width="2.50"', "/>", "left", (("fill", "wood"), ("stroke", "#abc"))),
        DrawingPart('<text font-size="9"', ">a &lt; b"),
        DrawingPart("<title", '>"c"'),
        DrawingPart("</title", ">"),
        DrawingPart("</text", ">"),
        DrawingPart("</g", ">"),
    )


@pytest.mark.parametrize(
    ("inside", "named"),
    [
        ("<script>x</script>", "svg: script in it"),
        ("<style>x</style>", "svg: style in it"),
        ("<foreignObject/>", "svg: foreignObject in it"),
        ("<image/>", "svg: image in it"),
        ("<use/>", "svg: use in it"),
        ("<a/>", "svg: a in it"),
        ("<animate/>", "svg: animate in it"),
        ("<filter/>", "svg: filter in it"),
        ("<rect><rect/></rect>", "rect: rect in it; expected title"),
        ('<rect onclick="x"/>', "rect onclick: there is no such attribute"),
        ('<rect style="x"/>', "rect style"),
        ('<rect class="x"/>', "rect class"),
        ('<rect id="x"/>', "rect id"),
        ('<rect href="x"/>', "rect href"),
        ('<text font-family="x">a</text>', "text font-family"),
        ('<rect data-offer="1"/>', "rect data-offer"),
        ('<rect fill="url(#a)"/>', "rect fill 'url(#a)'"),
        ('<rect fill="expression(1)"/>', "rect fill"),
        ('<rect x="1e9"/>', "rect x '1e9': expected a number"),
        ('<rect x="999999"/>', "rect x"),
        ('<rect width="-5"/>', "rect width '-5': expected a number above 0"),
        ('<rect height="0"/>', "rect height '0': expected a number above 0"),
        ('<rect width="0.00"/>', "rect width '0.00': expected a number above 0"),
        ('<rect width="NaN"/>', "rect width 'NaN'"),
        ('<rect width="inf"/>', "rect width 'inf'"),
        ('<rect width="1e308"/>', "rect width '1e308'"),
        ('<circle r="-1"/>', "circle r '-1': expected a number above 0"),
        ('<ellipse rx="-1"/>', "ellipse rx '-1': expected a number, 0 or above"),
        ('<ellipse ry="-0.5"/>', "ellipse ry '-0.5': expected a number, 0 or above"),
        ('<line stroke-width="-2"/>', "line stroke-width '-2': expected a number, 0 or above"),
        ('<text font-size="0">a</text>', "text font-size '0': expected a number above 0"),
        ('<g transform="scale(100000)"/>', "g transform 'scale(100000)': expected at most six transformations"),
        ('<path d="M0 0L9999999 1"/>', "path d 'M0 0L9999999 1': expected"),
        ('<polygon points="0,0 -100000,1"/>', "polygon points"),
        ('<rect opacity="2"/>', "rect opacity"),
        ('<path d="M0 0&#10;url(x)"/>', "path d"),
        (f'<path d="{"M0 0" * 1001}"/>', "path d"),
        ('<g transform="translate(1);x"/>', "g transform"),
        ('<rect cell="a b"/>', "rect cell 'a b'"),
        ("<rect>text</rect>", "rect: text 'text': expected no text"),
        (f"<text>{'x' * 81}</text>", "text: text"),
        ('<path d="M0 0"/>' * 601, "elements beside the offers"),
        (f'<path d="{"M0 0" * 900}"/>' * 15, "svg: written out it has more than 49152 bytes"),
    ],
)
def test_what_might_do_harm_is_refused(inside: str, named: str) -> None:
    with pytest.raises(Unfit, match=re.escape(named)):
        drawing(inside)


def test_sizes_and_places_as_programs_write_them_are_taken() -> None:
    inside = (
        '<rect x="-5" width="0.001" height="99999.5" rx="0"/><circle r="12"/><path d="M0.12345678 -99999L.1234567 0"/>'
        '<rect cell="1234567" width="10"/>'
    )
    assert len(drawing(inside).parts) == 4


@pytest.mark.parametrize(
    "head",
    ["", 'viewBox="0 0 0 5"', 'viewBox="0 0 99999 5"', 'viewBox="0 0 5"', 'viewBox="0 0 9 9" onload="x"'],
)
def test_a_drawing_has_a_size_and_nothing_else(head: str) -> None:
    with pytest.raises(Unfit, match="svg"):
        drawing("", head)


def test_nothing_lies_on_a_drawing() -> None:
    with pytest.raises(Unfit, match="svg: cells, pieces"):
        read(b'<sketch><svg viewBox="0 0 9 9"><rect cell="a"/></svg><mark at="a"/></sketch>')


def test_nothing_in_the_tables_runs_loads_or_styles() -> None:
    assert not {"script", "style", "a", "use", "image", "foreignObject", "animate", "set", "filter"} & INSIDE.keys()
    assert not [name for name in ATTRIBUTES if name.startswith("on") or name in ("style", "href", "class", "id")]
