"""Sketches are read as they are meant, and what is wrong in one is named."""

import re
from pathlib import Path

import pytest

from ugs.pictures.paint import PAINTS
from ugs.sketch.decoding import MAX_OFFERS, MAX_SHOWN, cells_of, read
from ugs.sketch.elements import MAX_BYTES, MAX_DEPTH, MAX_ELEMENTS, MAX_TAGS, Unfit
from ugs.sketch.model import Counter, Grid, Hand, Hexes, Line, Look, Offer, Pieces, Points
from ugs.sketch.vocabulary import COLOURS, WORDS
from ugs.wire.codec import decode
from ugs.wire.extensions import GameEvent, Sketch
from ugs.wire.framing import Framer

README = (Path(__file__).parents[2] / "schemas" / "README.md").read_text(encoding="utf-8")
SECTION = README[README.index("\n### sketch\n") : README.index("\n### Settings of the extensions\n")]
RED = Look("red", "disc", "")
ONE_OFFER = '<offer label="a" at="1,1"><move><put/></move></offer>'


def sketched(inside: str, ground: str = '<grid columns="3" rows="2"/>') -> bytes:
    """A sketch on a small board."""
    return f"<sketch>{ground}{inside}</sketch>".encode()


def examples(page: str = SECTION) -> list[bytes]:
    """The sketches of a page, such as the description of the protocol."""
    blocks = re.findall(r"^```xml\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    messages = [decode(one.raw) for block in blocks for one in Framer().feed(block.encode())]
    return [one.sketch for one in messages if isinstance(one, Sketch | GameEvent) and one.sketch]


def test_the_examples_of_the_description_are_sketches() -> None:
    grounds = [type(read(example).ground).__name__ for example in examples()]
    assert grounds == ["Grid", "Grid", "Points", "Hexes", "Hexes", "Drawing"]


def test_the_examples_for_who_writes_a_master_are_sketches_with_chains_that_may_end_earlier() -> None:
    page = (Path(__file__).parents[2] / "docs" / "master-writer.md").read_text(encoding="utf-8")
    drops, goes = map(read, examples(page))
    assert not any(one.in_turn for one in drops.offers)
    shorter, longer = goes.offers
    assert shorter.in_turn
    assert longer.in_turn
    assert longer.at[:2] == shorter.at
    assert {one.colour for one in goes.lines} == {""}


def test_the_example_of_a_drawing_has_an_offer_on_one_of_its_cells() -> None:
    drawn = read(examples()[-1])
    (offer,) = drawn.offers
    assert set(offer.at) < set(cells_of(drawn)) == {"left", "right"}


def test_all_words_and_colours_are_described() -> None:
    named = set(re.findall(r"`([\w-]+)`", SECTION))
    assert set(COLOURS) | set(WORDS) <= named
    assert {attribute for word in WORDS.values() for attribute in word.attributes} <= named
    assert set(COLOURS) <= PAINTS.keys()


def test_everything_is_read_as_it_is_meant() -> None:
    sketch = read(
        sketched(
            '<cells at="0,0" colour="wood"/>\n<pieces at="1,0  2,1" colour="red" letter="K" name="king &amp; queen"/>'
            '<line from="0,0" to="2,1" colour="green"/><mark at="1,1"/><mark at="2,1"/><label at="0,1">up &#60;</label>'
            "<seat nick='ann' colour='red'/><counter name='score' value='7' nick='ann'/>"
            '<counter name="round" value="1"/>'
            '<hand nick="ann" name="cards"><held colour="red" count="2"/></hand><news>one</news><news>two</news>'
            '<words>all of it</words><offer label="go &quot;up&quot;" at="1,1 2,1" clicks="in-turn" nick="ann">'
            '\n<move a=">:"><b/></move> </offer>'
        )
    )  # fmt: skip
    assert sketch.ground == Grid(3, 2, "fields", numbers=False)
    assert sketch.cells == (("wood", ("0,0",)),)
    assert sketch.pieces == (Pieces(("1,0", "2,1"), Look("red", "disc", "K", "king & queen")),)
    assert sketch.lines == (Line("0,0", "2,1", "green"),)
    assert (sketch.marks, sketch.labels) == (("1,1", "2,1"), (("0,1", "up <"),))
    assert sketch.seats == (("ann", RED),)
    assert sketch.counters == (Counter("score", "7", "ann"), Counter("round", "1", ""))
    assert sketch.hands == (Hand("ann", "cards", ((RED, 2),)),)
    assert (sketch.news, sketch.words) == (("one", "two"), "all of it")
    assert sketch.offers == (Offer('go "up"', b'<move a=">:"><b/></move>', ("1,1", "2,1"), "ann", in_turn=True),)
    assert sketch.nicks() == (("seat", "ann"), ("counter", "ann"), ("hand", "ann"), ("offer", "ann"))


HOLES = '<cells at="0,0 2,1" colour="none"/><cells at="0,0" colour="none"/>'


@pytest.mark.parametrize("ground", ["grid", "hexes"])
def test_cells_without_a_colour_are_left_out(ground: str) -> None:
    sketch = read(sketched(f'{HOLES}<cells at="1,1" colour="wood"/>', f'<{ground} columns="3" rows="2"/>'))
    assert (sketch.holes, sketch.cells) == (("0,0", "2,1"), (("wood", ("1,1",)),))
    assert set(cells_of(sketch)) == {"1,0", "2,0", "0,1", "1,1"}


@pytest.mark.parametrize(
    ("inside", "where"),
    [
        ('<cells at="1,0 0,0" colour="wood"/>', "cells at"),
        ('<pieces at="1,0 0,0" colour="red"/>', "pieces at"),
        ('<line from="1,0" to="0,0"/>', "line from or to"),
        ('<mark at="0,0"/>', "mark at"),
        ('<label at="0,0">here</label>', "label at"),
        ('<offer label="a" at="1,0 0,0"><move/></offer>', "offer at"),
    ],
)
def test_nothing_lies_on_a_cell_that_is_left_out(inside: str, where: str) -> None:
    with pytest.raises(Unfit, match=f"{where} '0,0': is left out, by cells of the colour none"):
        read(sketched(inside + HOLES))


def test_no_more_cells_are_left_out_than_drawn() -> None:
    cells = [f"{number % 50},{number // 50}" for number in range(1001)]
    for count in (1000, 1001):
        payload = sketched(f'<cells at="{" ".join(cells[:count])}" colour="none"/>', '<hexes columns="50" rows="30"/>')
        if count == 1000:
            assert len(read(payload).holes) == count
        else:
            with pytest.raises(Unfit, match="cells, pieces, letters, marks and labels: 1001; allowed: at most 1000"):
                read(payload)


def test_the_other_grounds() -> None:
    assert read(b'<sketch><hexes columns="2" rows="3"/></sketch>').ground == Hexes(2, 3)
    assert read(b'<sketch><hexes columns="2" rows="3" turns="yes"/></sketch>').ground == Hexes(2, 3, turns=True)
    points = b'<points width="10" height="5.5"><point id="a" x="1" y="2"/></points>'
    assert read(b"<sketch>%b</sketch>" % points).ground == Points(10, 5.5, 0, {"a": (1, 2)})


@pytest.mark.parametrize(
    ("ground", "named"),
    [
        ("", "0 grounds; expected exactly one of grid, hexes, points, svg"),
        ('<grid columns="2" rows="2"/><hexes columns="2" rows="2"/>', "2 grounds"),
        ('<grid columns="100" rows="100"/>', "grid columns '100': expected a whole number from 1 to 50"),
        ('<grid columns="3" rows="0"/>', "grid rows '0'"),
        ('<grid columns="3"/>', "grid rows: missing"),
        ('<grid columns="3" rows="3" look="gold"/>', "grid look 'gold': expected one of fields, checkered"),
        ('<grid columns="3" rows="3" style="x"/>', "grid style: there is no such attribute"),
        ('<grid columns="3" rows="3">text</grid>', "grid: text 'text': expected no text"),
        ('<grid columns="3" rows="3"><point/></grid>', "grid: point in it; expected no element"),
        ('<points width="0" height="5"/>', "points: width 0 and height 5"),
        ('<points width="x" height="5"/>', "points width 'x'"),
        ('<points width="9" height="9"><point id="a" x="10" y="1"/></points>', "point id 'a': outside of 9 by 9"),
        ('<points width="9" height="9"><point id="a b" x="1" y="1"/></points>', "point id 'a b': expected a name"),
        (f'<points width="9" height="9">{"<point/>" * 401}</points>', "points: 401 points"),
        (
            '<points width="9" height="9"><point id="a" x="1" y="1"/></points><cells at="a" colour="none"/>',
            "cells colour 'none': for cells of grid and hexes; what shall not be there is no point",
        ),
        ('<svg viewBox="0 0 9 9"><rect cell="a"/></svg><cells at="a" colour="none"/>', "svg: cells, pieces"),
    ],
)  # fmt: skip
def test_a_wrong_ground_is_named(ground: str, named: str) -> None:
    with pytest.raises(Unfit, match=re.escape(named)):
        read(sketched("", ground))


@pytest.mark.parametrize(
    ("inside", "named"),
    [
        ("<script>alert(1)</script>", "script: there is no such element"),
        ('<mark at="3,0"/>', "mark at '3,0': there is no such cell"),
        ('<mark at="00,0"/>', "mark at '00,0'"),
        ('<cells at="3,0" colour="none"/>', "cells at '3,0': there is no such cell"),
        ('<pieces at="0,0" colour="none"/>', "pieces colour 'none': expected one of red"),
        ('<pieces at="0,0" colour="#fff"/>', "pieces colour '#fff': expected one of red"),
        ('<pieces at="0,0" colour="red" letter="King"/>', "pieces letter 'King': expected at most 3 characters"),
        ('<line from="0,0" to="9,9"/>', "line from or to '9,9'"),
        (f'<label at="0,0">{"x" * 25}</label>', "label: text"),
        ('<held colour="red"/>', "held: there is no such element"),
        ('<offer label="a" at="1,1"><script/></offer>', "offer label 'a': expected exactly one move"),
        ('<offer label="a"><move/><move/></offer>', "offer label 'a': expected exactly one move"),
        ('<offer label="a"><move/><x/></offer>', "offer label 'a': expected exactly one move"),
        ('<offer label="a"><move></move><x></x></offer>', "offer label 'a': expected exactly one move"),
        ('<offer label="a">text<move/></offer>', "offer label 'a': expected exactly one move"),
        ('<offer label="a"/>', "offer: expected a move in it"),
        ('<offer label="a"/><offer label="b"><move/></offer>', "expected exactly one move"),
        ("<offer><move/></offer>", "offer label: missing"),
        ('<offer label="a" clicks="all"><move/></offer>', "offer clicks 'all': expected one of in-turn"),
        ('<offers label="a"><move/></offer>', "offers: there is no such element"),
        ('<offer label="a" at="7,7"><move/></offer>', "offer at '7,7': there is no such cell"),
        ('<offer label="a"><move x:y="1"/></offer>', "offer label 'a': its move has a prefix"),
        ('<offer label="a"><move><x:y/></move></offer>', "offer label 'a': its move has a prefix"),
        ('<offer label="a"><move><!-- --></move></offer>', "a comment, a section or an instruction"),
        (f'<offer label="a"><move>{"x" * 1100}</move></offer>', "allowed: at most 1024"),
        ("<!-- a comment -->", "allowed are plain elements, attributes and text"),
        ("<![CDATA[x]]>", "allowed are plain elements"),
        ("<?php ?>", "allowed are plain elements"),
        ("<mark:x/>", "allowed are plain elements"),
        ('<mark at="0,0" x:y="1"/>', "mark x:y: there is no such attribute"),
        ("</mark>", "mark: its end tag has no beginning"),
        ("<hand>" * (MAX_DEPTH + 1) + "</hand>" * (MAX_DEPTH + 1), "elements within each other"),
        ('<mark at="0,0"/>' * MAX_ELEMENTS, "elements beside the offers"),
        ("<mark/>" * MAX_TAGS, "tags; allowed: at most"),
        ("&lt;" * 4_001, "4001 references to characters; allowed: at most 4000"),
        (" " * MAX_BYTES, "bytes; allowed: at most"),
        (f'<mark at="{"0,0 " * (MAX_SHOWN + 1)}"/>', f"{MAX_SHOWN + 1}; allowed: at most {MAX_SHOWN}"),
        (f'<pieces colour="red" letter="A" at="{"0,0 " * (MAX_SHOWN // 2 + 1)}"/>', "allowed: at most"),
        (ONE_OFFER * (MAX_OFFERS + 1), f"offer: {MAX_OFFERS + 1}; allowed: at most {MAX_OFFERS}"),
        (f'<offer label="a" at="{"0,0 " * 900}"><move/></offer>', "offer at: 900; allowed: at most 800"),
        ('<line from="0,0" to="1,1"/>' * 201, "line: 201"),
        ("<news>x</news>" * 21, "news: 21"),
        ('<counter name="a" value="b"/>' * 61, "counter: 61"),
        ('<hand name="a"/>' * 121, "held: 121"),
    ],
)
def test_what_is_wrong_is_named(inside: str, named: str) -> None:
    with pytest.raises(Unfit, match=re.escape(named)):
        read(sketched(inside))


@pytest.mark.parametrize(
    "payload",
    [b"", b"text", b"<sketch>", b"<board/>", b'<sketch a="b"/>', b"<sketch>text</sketch>", b"<sketch/><a/>", b"\xff"],
)  # fmt: skip
def test_what_is_no_sketch_is_refused(payload: bytes) -> None:
    with pytest.raises(Unfit):
        read(payload)


def test_references_that_nobody_knows_stay_as_they_are() -> None:
    assert read(sketched("<news>&nope; &#x41; &#9999999;</news>")).news == ("&nope; A &#9999999;",)
