"""Sketches as pictures: what is in them is shown, within bounds, and nothing else can be."""

import re
from collections.abc import Sequence
from xml.etree.ElementTree import Element, fromstring

import pytest

from ugs.pictures.album import Album
from ugs.pictures.contract import Line, Offer, Picture, PlacingPicture, Scene, Seat, Shown
from ugs.pictures.sketched.pieces import disc
from ugs.sketch.decoding import MAX_SHOWN
from ugs.sketch.size import MAX_PICTURE_BYTES

SCENE = Scene((Seat("ann"), Seat("bob")))
HOSTILE = "&lt;script&gt;alert(1)&lt;/script&gt;&#34; onload=&#34;x"
GROUNDS = {
    "fields": '<grid columns="3" rows="2"/>',
    "checkered": '<grid columns="3" rows="2" look="checkered" numbers="yes"/>',
    "crossings": '<grid columns="3" rows="2" look="crossings"/>',
    "open": '<grid columns="3" rows="2" look="open"/>',
    "hexes": '<hexes columns="3" rows="2"/>',
    "points": '<points width="50" height="40"><point id="0,0" x="1" y="2"/><point id="1,1" x="30" y="20"/></points>',
}  # fmt: skip
HEXAGON = re.compile(r"M[\d. ]+l[\d.]+ ([\d.]+)v[\d.]+l-[\d.]+ \1l-[\d.]+-\1v-[\d.]+z")
SHAPES = ("disc", "ring", "cross", "square", "diamond", "triangle", "star", "bar")


def picture(inside: str, ground: str = GROUNDS["fields"], **shown: object) -> Picture:
    """A sketch as an album shows it."""
    movers = shown.pop("movers", (0,))
    payload = f"<sketch>{ground}{inside}</sketch>".encode()
    return Album("go", SCENE, {}).show(Shown(b"<gameState/>", movers, sketch=payload, **shown))  # type: ignore[arg-type]


def elements(svg: str) -> list[Element]:
    """All elements of a picture."""
    return list(fromstring(svg).iter())


def said(lines: Sequence[Line]) -> str:
    """Lines of a terminal as text."""
    return "\n".join("".join(span.text for span in line) for line in lines)


def letters(inside: str, ground: str = GROUNDS["fields"], columns: int = 80) -> list[str]:
    """The lines of a sketch on a terminal, without those of who plays."""
    return said(picture(inside, ground).text(columns)).splitlines()[3:]


@pytest.mark.parametrize("ground", GROUNDS.values(), ids=GROUNDS)
def test_each_ground_is_drawn_with_what_lies_on_it(ground: str) -> None:
    inside = (
        '<cells at="0,0" colour="wood"/><pieces at="1,1" colour="red" letter="K"/><line from="0,0" to="1,1"/>'
        '<mark at="0,0"/><label at="1,1">here</label><offer label="go" at="0,0"><move/></offer>'
    )
    found = picture(inside, ground)
    texts = [one.text for one in elements(found.svg("p"))]
    assert {"K", "here", "ann", "bob", "to move"} <= set(texts)
    assert "State of the game" not in texts
    (offer,) = [one for one in elements(found.svg("p", 0)) if one.get("data-offer") == "0"]
    if ground == GROUNDS["hexes"]:
        assert HEXAGON.fullmatch(offer.get("d", ""))
    else:
        assert float(offer.get("width", "0")) > 10
    assert "> ann" in said(found.text(80))


@pytest.mark.parametrize("shape", SHAPES)
def test_each_shape_is_a_path(shape: str) -> None:
    svg = picture(f'<pieces at="0,0 1,1" colour="blue" shape="{shape}"/>').svg("p")
    (path,) = [one.get("d", "") for one in elements(svg) if "blue" in one.get("class", "")]
    assert path.count("M") in (2, 4)


def test_counters_hands_and_the_winner_are_shown() -> None:
    inside = (
        '<seat nick="ann" colour="red"/><counter nick="ann" name="score" value="7"/><counter name="round" value="3"/>'
        '<hand nick="bob"><held colour="wheat" count="2" name="wheat"/></hand><hand name="bank"/>'
    )
    found = picture(inside, movers=(), winners=frozenset({0}))
    texts = {one.text for one in elements(found.svg("p"))}
    assert {"score 7", "round 3", "×2", "bob", "bank", "won"} <= texts
    assert found.words() == (
        "ann won. 3 columns and 2 rows, counted from 0. ann: score 7. round 3. bob: 2 × wheat. bank: nothing."
    )
    lines = said(found.text(60)).splitlines()
    assert [line.strip() for line in lines[:4]] == ["● ann won  score 7", "bob", "round 3", ""], "each counter once"
    assert lines[-2:] == ["bob: 2 × wheat", "bank: nothing"]


def test_words_and_news_are_those_of_the_master() -> None:
    found = picture("<words>Only a king is left.</words><news>ann waits</news>")
    assert (found.words(), found.news()) == ("ann to move. Only a king is left.", ("ann waits",))


def test_numbers_of_many_columns_stand_apart_on_a_terminal() -> None:
    shown = said(picture("", '<grid columns="12" rows="1"/>').text(80))
    assert " 8  9  10 11" in shown


def test_coloured_cells_have_a_sign_for_each_colour_on_a_terminal() -> None:
    cells = '<cells at="0,0 2,0" colour="sea"/><cells at="1,0" colour="wood"/><pieces at="2,0" colour="red"/>'
    lines = said(picture(cells, '<grid columns="4" rows="1"/>').text(80)).splitlines()
    assert "  0 ░ ▒ ● ·" in lines
    assert lines[-1] == "░ sea, ▒ wood"


@pytest.mark.parametrize(
    ("cells", "last"),
    [
        ('<cells at="0,0 1,0 2,0" colour="brown"/>', "  0 ░ ░ ░"),
        ('<cells at="0,0 1,0" colour="brown"/><cells at="2,0" colour="none"/>', "  0 ░ ░"),
        ('<cells at="0,0 1,0" colour="brown"/>', "░ brown"),
    ],
)
def test_where_all_cells_have_one_colour_a_terminal_does_not_name_it(cells: str, last: str) -> None:
    lines = said(picture(cells, '<grid columns="3" rows="1"/>').text(80)).splitlines()
    assert lines[-1].rstrip() == last


@pytest.mark.parametrize("text", ["", " ", "mill"])
def test_a_point_with_an_empty_label_is_a_point(text: str) -> None:
    """Its row had nothing in it, and the terminal showed the state in place of the board."""
    ground = '<points width="9" height="9"><point id="a" x="1" y="1"/></points>'
    album = Album("go", SCENE, {})
    sketch = f'<sketch>{ground}<label at="a">{text}</label></sketch>'.encode()
    shown = said(album.show(Shown(b"<gameState/>", (0,), sketch=sketch)).text(80))
    assert ("·" in shown, "mill" in shown) == (not text.strip(), bool(text.strip()))


def test_a_draw_and_nobody_to_move() -> None:
    assert picture("", movers=(), winners=frozenset()).words().startswith("The game is drawn.")
    assert "drawn" in said(picture("", movers=(), winners=frozenset()).text(60))
    lost = picture("", movers=(), winners=frozenset(), all_lost=True)
    assert lost.words().startswith("All players lost.")
    assert "all lost" in said(lost.text(60))
    assert picture("", GROUNDS["hexes"], movers=()).words() == "A position without pieces."
    plain = picture('<pieces at="0,0" colour="red"/><mark at="0,0"/><label at="0,1">x</label>', movers=())
    assert plain.words().endswith("Marked: 0,0. red disc on 0,0. On 0,1 stands x.")


def test_news_that_are_sent_again_with_the_result_are_old() -> None:
    """After a move against the rules the kits draw the last position once more: its move was in the list twice."""
    album = Album("go", SCENE, {})
    drawn = f"<sketch>{GROUNDS['fields']}<news>ann takes 1,1</news></sketch>".encode()
    assert album.show(Shown(b"<a/>", (1,), sketch=drawn)).news() == ("ann takes 1,1",)
    assert album.show(Shown(b"<b/>", (1,), sketch=drawn)).news() == ("ann takes 1,1",), "the same move once more"
    assert album.show(Shown(b"<c/>", (), frozenset({0}), sketch=drawn)).news() == ()
    alone = Album("go", SCENE, {}).show(Shown(b"<c/>", (), frozenset({0}), sketch=drawn))
    assert alone.news() == ("ann takes 1,1",)


class TestOffers:
    """What may be done."""

    INSIDE = (
        '<offer label="a" at="0,0 1,1"><move n="1"/></offer><offer label="b" at="0,0" nick="bob"><move n="2"/></offer>'
        '<offer label="c"><move n="3"/></offer>'
    )

    def test_they_belong_to_who_is_asked_or_named(self) -> None:
        found = picture(self.INSIDE)
        assert found.offers(0) == (Offer("a", b'<move n="1"/>'), Offer("c", b'<move n="3"/>'))
        assert found.offers(1) == (Offer("b", b'<move n="2"/>'),)
        assert found.offers(7) == ()
        numbers = [one.get("data-offer") for one in elements(found.svg("p", 0)) if one.get("data-offer")]
        assert numbers == ["0", "0"]

    def test_an_order_of_clicks_is_drawn_with_each_cell(self) -> None:
        inside = (
            '<offer label="a" at="0,0 1,1 0,0" clicks="in-turn"><move/></offer>'
            '<offer label="b" at="1,1 2,1"><move/></offer>'
        )
        svg = picture(inside).svg("p", 0)
        parts = [one for one in elements(svg) if one.get("data-offer")]
        assert [(one.get("data-offer"), one.get("data-steps")) for one in parts] == [
            ("0 0", "1 3"), ("0 1", "2 0"), ("1", None)
        ]  # fmt: skip
        assert [one.get("data-begins") for one in parts] == ["", "", None]
        assert 'data-clicks="in-turn"' not in svg, "the offers without an order share no two cells"
        drawing = '<svg viewBox="0 0 9 9"><rect cell="x" fill="red" width="3"/><circle cell="y" r="1"/></svg>'
        svg = picture('<offer label="a" at="x y" clicks="in-turn"><move/></offer>', drawing).svg("p", 0)
        assert [one.get("data-steps") for one in elements(svg) if one.get("data-offer")] == ["1", "2"]

    def test_none_after_the_end(self) -> None:
        assert picture(self.INSIDE, winners=frozenset({0})).offers(0) == ()

    def test_parts_of_a_drawing_stand_for_them(self) -> None:
        ground = '<svg viewBox="0 0 9 9"><rect cell="x" fill="red" stroke="#fff" width="3"/><g/></svg>'
        svg = picture('<offer label="a" at="x"><move/></offer>', ground).svg("p", 0)
        (part,) = [one for one in elements(svg) if one.get("data-offer")]
        assert (part.get("width"), part.get("class"), part.get("stroke")) == ("3", "f-red", "#fff")


def test_texts_of_others_stay_texts() -> None:
    inside = (
        f'<news>{HOSTILE}</news><words>{HOSTILE}</words><label at="0,0">&lt;b&gt;</label><hand name="{HOSTILE}"/>'
        f'<counter name="{HOSTILE}" value="&lt;b&gt;"/><pieces at="0,0" colour="red" letter="&lt;b&gt;"/>'
    )
    svg = picture(inside).svg("p")
    assert {re.sub(r"\{.*\}", "", one.tag) for one in elements(svg)} <= {
        *("svg", "title", "desc", "rect", "path", "text", "g", "line", "circle")
    }
    assert not [name for one in elements(svg) for name in one.attrib if name.startswith("on")]


FULL = " ".join(f"{n % 50},{n // 50}" for n in range(MAX_SHOWN // 2))
HALVES = [f"{n},{m}" for m in range(50) for n in range(50)]
FEW = range(400)
LARGEST = {
    "letters": f'<pieces colour="violet" shape="star" letter="WWW" at="{FULL}"/>',
    "pieces": f'<pieces colour="red" shape="star" at="{" ".join(HALVES[:1000])}"/>',
    "cells": f'<cells colour="wood" at="{" ".join(HALVES[:1000])}"/>',
    "offers": "".join(f'<offer label="{n}" at="{HALVES[2 * n]} {HALVES[2 * n + 1]}"><move/></offer>' for n in FEW),
}  # fmt: skip


@pytest.mark.parametrize("inside", LARGEST.values(), ids=LARGEST)
def test_the_largest_sketches_are_drawn_within_the_bounds_of_pictures(inside: str) -> None:
    found = picture(inside, '<grid columns="50" rows="50" look="checkered"/>')
    svg = found.svg("p", 0)
    assert "State of the game" not in svg
    assert len(svg) <= MAX_PICTURE_BYTES + 128 * len(found.offers(0))


def test_what_cannot_be_read_is_shown_as_a_tree() -> None:
    found = picture("<nonsense/>")
    assert "State of the game" in found.svg("p")
    assert found.offers(0) == ()


@pytest.mark.parametrize("ground", ["crossings", "points", "fields"])
def test_a_line_is_a_way_where_lines_are_and_a_band_between_cells(ground: str) -> None:
    inside = '<line from="0,0" to="1,1" colour="red"/><offer label="go" at="0,0"><move/></offer>'
    drawn = elements(picture(inside, GROUNDS[ground]).svg("p", 0))
    (line,) = [one for one in drawn if one.get("stroke-linecap") == "round"]
    (cell,) = [one for one in drawn if one.get("data-offer") == "0"]
    assert (float(line.get("stroke-width", "0")) > float(cell.get("width", "0")) / 2) == (ground == "fields")


@pytest.mark.parametrize("ground", ["crossings", "points"])
def test_a_line_without_a_colour_is_as_thin_as_those_of_the_board(ground: str) -> None:
    """It was thick and had the colour of writing, so that empty points were not seen on it."""
    drawn = elements(picture('<line from="0,0" to="1,1"/>', GROUNDS[ground]).svg("p"))
    (line,) = [one for one in drawn if one.get("stroke-linecap") == "round"]
    assert line.get("class") == "s-faint"
    assert float(line.get("stroke-width", "")) < 2


def test_dots_of_empty_points_lie_on_ways() -> None:
    drawn = elements(picture('<line from="0,0" to="1,1" colour="red"/>', GROUNDS["points"]).svg("p"))
    assert [one.get("class") for one in drawn if one.tag.endswith("path")] == ["s-red", "f-faint"]


@pytest.mark.parametrize("name", [name for name in GROUNDS if name != "open"])
def test_the_second_player_sees_a_board_that_turns_from_the_other_side(name: str) -> None:
    """All that lies on it, and what is clicked, is there; words, letters and pieces stand upright."""
    ground = re.sub("(grid|hexes|points) ", r'\1 turns="yes" ', GROUNDS[name], count=1)
    inside = (
        '<pieces at="1,1" colour="red" shape="triangle" letter="K"/><mark at="0,0"/><label at="1,1">far</label>'
        '<offer label="a" at="0,0"><move/></offer>'
    )
    sketch = f"<sketch>{ground}{inside}</sketch>".encode()

    def seen(viewer: int | None) -> Picture:
        return Album("go", Scene(SCENE.seats, viewer), {}).show(Shown(b"<gameState/>", (1,), sketch=sketch))

    own, other = seen(1), seen(0)
    assert isinstance(own, PlacingPicture)
    assert isinstance(other, PlacingPicture)
    assert other.svg("p", 1) == seen(None).svg("p", 1) == picture(inside, GROUNDS[name], movers=(1,)).svg("p", 1)
    here, there = ([one.place(cell) or (0.0, 0.0, 0.0) for cell in ("0,0", "1,1")] for one in (own, other))
    for axis in (0, 1):
        assert here[0][axis] - here[1][axis] == pytest.approx(there[1][axis] - there[0][axis])
    (part,) = [one for one in elements(own.svg("p", 1)) if one.get("data-offer")]
    x, y, cell = here[0]
    if name == "hexes":
        assert part.get("d", "").startswith(f"M{x:.1f}".removesuffix(".0"))
    else:
        assert [float(part.get("x", "")), float(part.get("y", ""))] == pytest.approx(
            [x - cell / 2, y - cell / 2], abs=0.01
        )
    (letter,) = [one for one in elements(own.svg("p")) if one.text == "K"]
    assert float(letter.get("x", "")) == pytest.approx(here[1][0], abs=0.01)
    assert "rotate" not in own.svg("p")


def test_a_board_that_is_turned_has_the_fields_numbers_and_gaps_of_the_board() -> None:
    """Three columns and two rows: the corner on the left above is light, and is seen on the right below."""
    ground = '<grid columns="3" rows="2" look="checkered" numbers="yes" turns="yes"/>'
    sketch = f'<sketch>{ground}<cells at="0,0" colour="none"/></sketch>'.encode()
    svg = Album("go", Scene(SCENE.seats, 1), {}).show(Shown(b"<gameState/>", (1,), sketch=sketch)).svg("p")
    numbers = [one for one in elements(svg) if one.text in ("0", "1", "2")]
    columns = sorted(numbers[:3], key=lambda one: float(one.get("x", "")))
    rows = sorted(numbers[3:], key=lambda one: float(one.get("y", "")))
    assert [one.text for one in columns + rows] == ["2", "1", "0", "1", "0"]
    fields, dark, *_ = [one for one in elements(svg) if one.tag.endswith("path")]
    assert re.findall("h([0-9]+)", fields.get("d", ""))[:2] == ["216", "144"], "the gap is at the end of the last row"
    begins = [re.split("[M h]", row)[1:3] for row in re.findall("M[^M]*", dark.get("d", ""))]
    assert float(begins[0][0]) == float(re.split("[M h]", fields.get("d", ""))[1]), "2,1, the corner, is dark"


def test_labels_of_points_lie_beside_what_is_there() -> None:
    """They were written across it."""
    inside = '<pieces at="b" colour="white"/><mark at="c"/>' + "".join(
        f'<label at="{name}">{name} is here</label>' for name in "abcd"
    )
    found = picture(inside, SQUARE)
    assert isinstance(found, PlacingPicture)
    texts = {(one.text or "")[0]: one for one in elements(found.svg("p")) if "is here" in (one.text or "")}
    for name, half in (("a", 0.14), ("b", 0.4), ("c", 0.5), ("d", 0.14)):
        x, y, cell = found.place(name) or (0.0, 0.0, 0.0)
        away = abs(float(texts[name].get("x", "")) - x), float(texts[name].get("y", "")) - y
        # Letters are at most as high as three quarters of the font.
        top = away[1] - 0.75 * float(texts[name].get("font-size", ""))
        assert (away[0] ** 2 + top**2) ** 0.5 > half * cell
        assert (texts[name].get("text-anchor") == "end") == (name in "bd"), "what would not fit stands on the left"


@pytest.mark.parametrize("ground", ["fields", "crossings", "hexes"])
def test_labels_of_cells_lie_beside_what_is_there(ground: str) -> None:
    """They were written across it."""
    inside = '<pieces at="0,0" colour="white" letter="K"/><label at="0,0">12</label><label at="1,0">far</label>'
    found = picture(inside, GROUNDS[ground])
    assert isinstance(found, PlacingPicture)
    texts = {one.text: one for one in elements(found.svg("p")) if one.text in ("12", "far")}
    places = {
        text: [float(one.get(name, "")) for name in ("x", "y", "font-size")] for text, one in texts.items() if text
    }
    x, y, cell = found.place("0,0") or (0.0, 0.0, 0.0)
    left, base, size = places["12"]
    # The edge that is nearest: its end, or, where it is in the middle below, what is above it.
    near = 0.0 if texts["12"].get("text-anchor") else left + 0.6 * size * 2 - x
    assert (near**2 + (base - 0.75 * size - y) ** 2) ** 0.5 > 0.4 * cell
    x, y, cell = found.place("1,0") or (0.0, 0.0, 0.0)
    assert places["far"][0] == pytest.approx(x, abs=0.01)
    assert places["far"][2] > size


def test_columns_and_rows_of_a_picture_that_are_left_out_have_no_number() -> None:
    ground = '<grid columns="3" rows="3" numbers="yes"/>'
    svg = picture('<cells at="0,0 0,1 0,2 1,1 2,1" colour="none"/>', ground, movers=()).svg("p")
    assert [text for one in elements(svg) if (text := one.text or "").isdigit()] == ["1", "2", "0", "2"]


SQUARE = """<points width="100" height="100" size="8"><point id="a" x="0" y="0"/><point id="b" x="100" y="0"/>
<point id="c" x="0" y="100"/><point id="d" x="100" y="100"/></points>"""


def test_points_are_a_board_on_a_terminal_too() -> None:
    """There were words only."""
    inside = (
        '<line from="a" to="b"/><line from="a" to="c"/><line from="b" to="c"/>'
        '<pieces at="a" colour="white" shape="disc"/><pieces at="d" colour="black" shape="disc" letter="K2"/>'
    )
    lines = letters(inside, SQUARE, 40)
    assert lines[0] == " ○" + "─" * 33 + "·"
    assert lines[9] == " │" + " " * 15 + "╱"
    assert lines[17:] == [" ·" + " " * 33 + "●K2", "○ white, ● black"]


@pytest.mark.parametrize(("width", "height"), [(1000, 1), (1, 1000), (50, 50)])
@pytest.mark.parametrize("columns", [40, 80, 200])
def test_boards_of_points_keep_within_a_terminal(width: int, height: int, columns: int) -> None:
    ends = f'<point id="a" x="0" y="0"/><point id="b" x="{width}" y="{height}"/>'
    ground = f'<points width="{width}" height="{height}">{ends}</points>'
    text = said(picture('<line from="a" to="b"/><label at="b">a very long label here</label>', ground).text(columns))
    assert max(map(len, text.splitlines())) <= columns
    assert text.count("\n") < 24


def test_lines_are_in_the_words() -> None:
    """In some games they are all of the position."""
    inside = '<line from="a" to="b" colour="red"/><line from="a" to="c" colour="red"/><line from="b" to="d"/>'
    assert "Lines in red: a–b, a–c. Lines: b–d." in picture(inside, SQUARE).words()


def test_words_name_marks_first_and_lines_last_and_count_them_where_they_are_the_board() -> None:
    """All 72 lines of a board were named in each position, before what was new."""
    board = "".join(f'<line from="0,{row}" to="{column},1"/>' for row in (0, 1) for column in range(10))
    inside = f'{board}<line from="0,0" to="1,1" colour="red"/><mark at="1,1"/><pieces at="1,1" colour="red"/>'
    found = picture(f'{inside}<label at="0,0">x</label>', '<hexes columns="10" rows="2"/>', movers=())
    assert found.words() == "Marked: 1,1. red disc on 1,1. On 0,0 stands x. 20 lines. Lines in red: 0,0–1,1."


def test_rows_of_hexes_stand_half_a_hex_aside() -> None:
    lines = said(picture("", '<hexes columns="3" rows="2"/>').text(80)).splitlines()[-2:]
    assert lines == ["  0 · · ·", "  1  · · ·"]


RHOMBUS = '<cells at="3,0 3,1 0,2" colour="none"/>'
FOUR_BY_THREE = '<hexes columns="4" rows="3"/>'


def test_hexes_are_left_out_of_a_rhombus() -> None:
    drawn = elements(picture(RHOMBUS, FOUR_BY_THREE).svg("p"))
    (path,) = [path for one in drawn if HEXAGON.match(path := one.get("d", ""))]
    assert len(HEXAGON.findall(path)) == path.count("M") == 9
    lines = said(picture(RHOMBUS, FOUR_BY_THREE).text(80)).splitlines()[-3:]
    assert lines == ["  0 · · ·", "  1  · · ·", "  2   · · ·"]


@pytest.mark.parametrize("ground", [FOUR_BY_THREE, '<grid columns="4" rows="3"/>'])
def test_a_cell_that_is_left_out_has_no_place(ground: str) -> None:
    found = picture(RHOMBUS, ground)
    assert ("counted from 0; 3 of the cells are left out." in found.words()) == ("grid" in ground)
    assert isinstance(found, PlacingPicture)
    assert [found.place(cell) is None for cell in ("3,0", "2,0", "0,2", "1,2")] == [True, False, True, False]


def test_marks_on_hexes_and_what_is_clicked_there_are_hexagons() -> None:
    inside = '<mark at="0,0 1,1"/><offer label="a" at="1,1 2,1"><move/></offer>'
    drawn = elements(picture(inside, FOUR_BY_THREE).svg("p", 0))
    (mark,) = [one.get("d", "") for one in drawn if "s-mark" in one.get("class", "")]
    clicked = [one.get("d", "") for one in drawn if one.get("data-offer") == "0"]
    assert [len(HEXAGON.findall(path)) for path in (mark, *clicked)] == [2, 1, 1]


def spots(svg: str, *kinds: str) -> set[tuple[float, float]]:
    """Where the lines of paths with these paints run, in cells of 72 from the corner of the board: the middle of each
    piece of a line that is as long as a cell."""
    found = set()
    for one in elements(svg):
        if one.get("class", "") not in kinds or one.get("fill") not in (None, "none"):
            continue
        for x, y, way, long in re.findall(r"M([\d.]+) ([\d.]+)([hv])([\d.]+)(?=M|$)", one.get("d", "")):
            for step in range(round(float(long) / 72)):
                along = 72 * step + 36
                right, down = (along, 0) if way == "h" else (0, along)
                found.add((float(x) + right, float(y) + down))
    left, top = min(x for x, _ in found), min(y for _, y in found)
    return {((x - left) / 72, (y - top) / 72) for x, y in found}


@pytest.mark.parametrize(
    ("look", "expected"),
    [
        # Without the cell in the middle of a board of 3 by 1: from left to right, and from above to below.
        ("fields", {(0.5, 0), (0.5, 1), (2.5, 0), (2.5, 1), (0, 0.5), (1, 0.5), (2, 0.5), (3, 0.5)}),
        ("checkered", {(0.5, 0), (0.5, 1), (2.5, 0), (2.5, 1), (0, 0.5), (1, 0.5), (2, 0.5), (3, 0.5)}),
    ],
)
def test_lines_of_a_grid_go_round_what_is_left_out(look: str, expected: set[tuple[float, float]]) -> None:
    svg = picture('<cells at="1,0" colour="none"/>', f'<grid columns="3" rows="1" look="{look}"/>').svg("p")
    found = spots(svg, "s-line")
    assert found == expected


def test_crossings_have_no_line_to_one_that_is_left_out() -> None:
    """Of 3 by 3 without the one in the middle, the eight around it are joined in a ring."""
    svg = picture('<cells at="1,1" colour="none"/>', '<grid columns="3" rows="3" look="crossings"/>').svg("p")
    assert spots(svg, "s-faint") == {(x, y) for x in (0.5, 1.5) for y in (0, 2)} | {
        (x, y) for x in (0, 2) for y in (0.5, 1.5)
    }


@pytest.mark.parametrize("look", ["fields", "checkered", "crossings", "open"])
def test_a_grid_of_which_nothing_is_left_is_drawn_as_nothing(look: str) -> None:
    ground = f'<grid columns="2" rows="1" look="{look}"/>'
    empty = picture('<cells at="0,0 1,0" colour="none"/>', ground).svg("p")
    paths = [one for one in elements(empty) if one.tag.endswith("path")]
    assert paths == []


def test_dark_fields_stay_where_they_are_beside_holes() -> None:
    """Of each row every second field is dark, as if nothing were left out."""
    whole = '<grid columns="4" rows="2" look="checkered"/>'

    def dark(inside: str) -> list[str]:
        drawn = elements(picture(inside, whole).svg("p"))
        (path,) = [one.get("d", "") for one in drawn if one.get("stroke-dasharray")]
        return re.findall(r"M[^M]+", path)

    first, second = dark("")
    assert dark('<cells at="0,0 0,1" colour="none"/>') == [
        first,
        second.replace("h288", "h144").replace("M16 ", "M160 "),
    ]


def test_an_empty_point_is_no_piece() -> None:
    """It was a disc as large and as light as a white piece."""
    circles = [one for one in elements(picture("", SQUARE).svg("p")) if "f-faint" in one.get("class", "")]
    (dots,) = [one for one in circles if one.tag.endswith("path")]
    (radius,) = {float(found) for found in re.findall(r"a([\d.]+) ", dots.get("d", ""))}
    assert radius < 10


def test_discs_are_round() -> None:
    """Where a radius was rounded up and twice of it down, they were eggs."""
    for size in range(40, 120):
        path = disc(0.0, 0.0, size / 7)
        radius, across = re.match(r"M\S+ 0a(\S+) \S+ 0 1 0 (\S+) 0", path).groups()  # type: ignore[union-attr]
        assert float(across) == pytest.approx(2 * float(radius))


def morris(step: int, inside: str = "") -> list[str]:
    """The board of Nine Men's Morris, whose points stand ``step`` apart, without the lines of who plays."""
    rings = [(ring, 3, 6 - ring) for ring in range(3)]
    cells = [(x, y) for levels in rings for x in levels for y in levels if (x, y) != (3, 3)]
    cells += [(x, 3) for x in (0, 1, 2, 4, 5, 6)]
    points = {f"{'abcdefg'[x]}{7 - y}": (x * step, y * step) for x, y in cells}
    places = "".join(f'<point id="{name}" x="{x}" y="{y}"/>' for name, (x, y) in points.items())
    return letters(inside, f'<points width="{7 * step}" height="{7 * step}">{places}</points>')


@pytest.mark.parametrize("step", [1, 14])
def test_a_board_of_points_is_as_high_as_it_needs_to_be_and_names_its_points_beside(step: int) -> None:
    """It was as high as it was drawn, and ended below the screen."""
    lines = morris(step)
    assert len(lines) == 13
    assert lines[::2] == [
        " ·           ·           ·   a7 d7 g7",
        "     ·       ·       ·       b6 d6 f6",
        "         ·   ·   ·           c5 d5 e5",
        " ·   ·   ·       ·   ·   ·   a4 b4 c4 e4 f4 g4",
        "         ·   ·   ·           c3 d3 e3",
        "     ·       ·       ·       b2 d2 f2",
        " ·           ·           ·   a1 d1 g1",
    ]
    assert not any(lines[1::2])


def test_a_board_without_points_has_no_lines_on_a_terminal() -> None:
    assert letters("", '<points width="7" height="7"/>') == []


def test_labels_of_points_stand_beside_them_or_below_the_board() -> None:
    inside = (
        '<pieces at="g7" colour="red"/><label at="g7">mill</label><label at="d7">new</label><label at="c3">ab</label>'
    )
    lines = morris(1, f'{inside}<label at="d3">too long</label><pieces at="a1" colour="red" letter="王"/>')
    assert lines[0] == " ·           new         ● mill   a7 d7 g7"
    assert lines[8] == "         ab  ·   ·                c3 d3 e3"
    assert lines[12].startswith(" 王          ·")
    assert lines[13:] == ["d3: too long"]


def test_marks_are_brackets_on_a_terminal_without_styles() -> None:
    """They were styles only, so nothing of them was left in a file, or in a pipe."""
    marks = '<mark at="0,0"/><mark at="1,0 2,1"/><pieces at="1,0" colour="red"/>'
    assert letters(marks) == ["    0 1 2 ", "  0[·|●]·", "  1 · ·[·]"]
    assert letters(marks, GROUNDS["hexes"]) == ["    0 1 2 ", "  0[·|●]·", "  1  · ·[·]"]
    labelled = letters(f'{marks}<label at="0,1">ab</label>')
    assert labelled == ["    0  1  2  ", "  0[·][●] ·", "  1 ab · [·]"]


def test_marked_points_have_brackets_or_are_named_below_the_board() -> None:
    inside = '<pieces at="a7 g7" colour="red"/><label at="g7">mill</label><label at="c4">ab</label>'
    lines = morris(1, f'{inside}<mark at="a7 g7 d5 c4"/><line from="a7" to="d7"/>')
    assert lines[0] == "[●]──────────·          [●] mill   a7 d7 g7"
    assert lines[4].startswith("         ·  [·]  ·")
    assert lines[6].startswith(" ·   ·  [ab]     ·   ·   ·")
    crowded = "".join(f'<point id="p{x}" x="{x}" y="0"/>' for x in range(70))
    lines = letters('<mark at="p3 p60"/>', f'<points width="70" height="1">{crowded}</points>', 60)
    assert lines[-1] == "marked: p3 p60"


def test_ways_on_a_terminal_differ_from_points() -> None:
    """Slanting ones were drawn with the sign of an empty point."""
    ways = "".join(f'<line from="{one}" to="{other}"/>' for one, other in ("ad", "bc", "cd"))
    lines = letters(ways, SQUARE, 40)
    assert [sum(line.count(sign) for line in lines) for sign in "·╲╱╳─"] == [4, 16, 16, 0, 33]
    cross = "".join(
        f'<point id="{name}" x="{x}" y="{y}"/>' for name, x, y in (("n", 5, 0), ("s", 5, 9), ("w", 0, 5), ("e", 10, 4))
    )
    inside = '<line from="n" to="s"/><line from="e" to="w" colour="red"/>'
    lines = letters(inside, f'<points width="10" height="10">{cross}</points>')
    assert ("".join(lines).count("┼"), "".join(lines).count("╱")) == (1, 1)


FOX_AND_GEESE = " ".join(f"{x},{y}" for x in range(7) for y in range(7) if not (1 < x < 5 or 1 < y < 5))


def test_lines_on_crossings_are_drawn_on_a_terminal_with_those_of_the_board() -> None:
    """They were in the words only."""
    ground = '<grid columns="7" rows="7" look="crossings"/>'
    slanting = "".join(
        f'<line from="{a}" to="{b}"/>' for a, b in (("2,0", "4,2"), ("4,0", "2,2"), ("0,2", "2,4"), ("6,2", "4,4"))
    )
    inside = f'<cells at="{FOX_AND_GEESE}" colour="none"/>{slanting}<pieces at="3,2" colour="white"/><mark at="3,2"/>'
    assert letters(inside, ground)[:7] == [
        "    0   1   2   3   4   5   6   ",
        "  0         ·───·───·",
        "            │ ╲ │ ╱ │",
        "  1         ·───·───·",
        "            │ ╱ │ ╲ │",
        "  2 ·───·───·──[○]──·───·───·",
        "    │ ╲ │   │   │   │   │ ╱ │",
    ]
    assert len(letters(inside, ground)) == 14
    crossed = '<line from="2,0" to="3,1"/><line from="3,0" to="2,1"/>'
    assert letters(crossed, ground)[2] == "    │   │   │ ╳ │   │   │   │"
    assert letters("", ground)[1] == "  0 · · · · · · ·", "without them a board is as small as it was"


@pytest.mark.parametrize("columns", [40, 80, 120])
def test_lines_on_wide_crossings_keep_within_a_terminal(columns: int) -> None:
    for side in (9, 19, 50):
        ground = f'<grid columns="{side}" rows="2" look="crossings"/>'
        lines = letters(f'<line from="0,0" to="{side - 1},1"/><line from="0,0" to="1,1"/>', ground, columns)
        assert max(map(len, lines)) <= columns


def test_columns_and_rows_that_are_left_out_have_no_number() -> None:
    ground = '<grid columns="3" rows="3" look="crossings"/>'
    lines = letters('<cells at="0,0 0,1 0,2 1,1 2,1" colour="none"/>', ground)
    assert [line.rstrip() for line in lines] == ["      1 2", "  0   · ·", "", "  2   · ·"]


def test_white_and_black_pieces_differ_without_their_colours() -> None:
    """In their own colour one of them is not seen on a dark terminal, the other one not on a light one."""
    inside = (
        '<pieces at="0,0" colour="white" shape="square"/><pieces at="1,0" colour="black" shape="square"/>'
        '<pieces at="2,0" colour="white" letter="K"/><pieces at="0,1" colour="black" letter="K"/>'
        '<pieces at="1,1" colour="red" letter="K"/>'
    )
    lines = letters(inside)
    assert lines[1:] == ["  0 □  ■  ○K", "  1 ●K K  ·", "□ white, ■ black, ○ white, ● black"]
    assert letters('<pieces at="0,0" colour="white" letter="K"/>')[1] == "  0 K · ·"


def test_long_names_of_hands_have_a_row_of_their_own() -> None:
    """They were cut after twelve letters."""
    look = '<held colour="red" shape="disc" name="man"/>'
    short, long = f'<hand name="bag">{look}</hand>', f'<hand nick="maximilian" name="captured pieces">{look}</hand>'
    one, other, empty = (
        elements(picture(inside).svg("p")) for inside in (short, long, '<hand name="pieces out of the game"/>')
    )
    assert "maximilian: captured pieces" in [each.text for each in other]
    heights = [float(each[0].get("viewBox", "").split()[3]) for each in (one, other, empty)]
    assert heights == [heights[0], heights[0] + 24, heights[0]]
    assert letters(long)[-1] == "maximilian: captured pieces: man"


def _counted(*counters: tuple[str, str, str]) -> str:
    return "".join(f'<counter nick="{nick}" name="{name}" value="{value}"/>' for nick, name, value in counters)


def test_counters_stand_beside_a_nick_where_they_fit_else_whole_below_it() -> None:
    """They were cut after 18 columns."""
    beside = _counted(("ann", "in hand", "9"), ("ann", "on board", "0"))
    below = beside + _counted(("ann", "mills", "2"), ("bob", "in hand", "8"), ("ann", "taken from the other", "3"))
    one, other, without = (elements(picture(inside).svg("p")) for inside in (beside, below, ""))
    assert "in hand 9, on board 0" in [each.text for each in one]
    texts = [each.text for each in other]
    assert {"in hand 9, on board 0, mills 2", "taken from the other 3", "in hand 8"} <= {*texts}
    rows = {each.text: float(each.get("y", "")) for each in other if each.tag.endswith("text")}
    assert rows["ann"] < rows["in hand 9, on board 0, mills 2"] < rows["taken from the other 3"] < rows["bob"]
    heights = [float(each[0].get("viewBox", "").split()[3]) for each in (without, one, other)]
    assert heights == [heights[0], heights[0], heights[0] + 2 * 17]


def test_what_calls_for_a_move_is_named_for_pages_which_hide_it_once_the_move_is_sent() -> None:
    turn, won = picture("", movers=(1,)), picture("", movers=(), winners=frozenset({1}))
    found = [one for one in elements(turn.svg("p")) if one.get("data-turn") is not None]
    assert [one.text for one in found] == [None, "to move"]
    assert "data-turn" not in won.svg("p")


def test_counters_of_the_game_have_two_lines_and_more_is_cut() -> None:
    counters = [("", f"resource number {number}", "12345") for number in range(5)]
    texts = [each.text for each in elements(picture(_counted(*counters)).svg("p"))]
    assert "resource number 0 12345" in texts
    assert "resource number 1 12345, resource number …" in texts


def test_a_long_nick_is_whole_where_there_is_room() -> None:
    nick = "maximiliane-the-second-of-austria"
    scene = Scene((Seat(nick), Seat("bob")))
    sketch = f'<sketch>{SQUARE}<counter name="coins" value="7" nick="{nick}"/></sketch>'.encode()
    shown = Album("go", scene, {}).show(Shown(b"<gameState/>", (), sketch=sketch))
    assert "".join(span.text for span in shown.text(80)[0]) == f"  {nick}  coins 7"
    assert "".join(span.text for span in shown.text(40)[0]) == "  maximiliane-the-second-o…  coins 7"
