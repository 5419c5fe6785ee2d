"""Drawings are put together again from what does no harm, and nothing else passes."""

import re

import pytest

from ugs.sketch.decoding import read
from ugs.sketch.drawings import ATTRIBUTES, INSIDE
from ugs.sketch.elements import Unfit
from ugs.sketch.model import Drawing, Part


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
        Part('<g transform="translate(1 2) scale(.5)"', ">"),
        Part('<rect x="1" width="2.50"', "/>", "left", (("fill", "wood"), ("stroke", "#abc"))),
        Part('<text font-size="9"', ">a &lt; b"),
        Part("<title", '>"c"'),
        Part("</title", ">"),
        Part("</text", ">"),
        Part("</g", ">"),
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
        ('<rect opacity="2"/>', "rect opacity"),
        ('<path d="M0 0&#10;url(x)"/>', "path d"),
        (f'<path d="{"M0 0" * 1001}"/>', "path d"),
        ('<g transform="translate(1);x"/>', "g transform"),
        ('<rect cell="a b"/>', "rect cell 'a b'"),
        ("<rect>text</rect>", "rect: text 'text': expected no text"),
        (f"<text>{'x' * 81}</text>", "text: text"),
        ('<path d="M0 0"/>' * 601, "elements beside the offers"),
        (f'<path d="{"M0 0" * 900}"/>' * 15, "svg: written out it has about"),
    ],
)
def test_what_might_do_harm_is_refused(inside: str, named: str) -> None:
    with pytest.raises(Unfit, match=re.escape(named)):
        drawing(inside)


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
