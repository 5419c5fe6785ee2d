"""Marks of players over pictures of any game."""

from xml.etree import ElementTree

import pytest

from game_masters.tic_tac_toe.pictures import BoardFollower
from ugs.pictures import tree
from ugs.pictures.album import Album
from ugs.pictures.contract import Picture, PlacingPicture, Scene, Seat, Shown
from ugs.pictures.remark_marks import MAX_DRAWN, RemarkedPicture, remark_line
from ugs.pictures.svg import DrawnParts
from ugs.wire.extensions import BoardMark, Remark

SCENE = Scene((Seat("ann"), Seat("ben")))
SKETCH = b'<sketch><grid columns="3" rows="3"/></sketch>'


def drawn(picture: Picture, *marks: BoardMark) -> str:
    """The marks as they are drawn, without the picture."""
    plain, svg = picture.svg("g"), RemarkedPicture(picture, [Remark("g1", marks=marks)]).svg("g")
    ElementTree.fromstring(svg)
    assert svg.startswith(plain.removesuffix("</svg>"))
    return svg.removeprefix(plain.removesuffix("</svg>")).removesuffix("</svg>")


def board() -> Picture:
    """Five in line, from its own renderer."""
    return BoardFollower(SCENE)(Shown(b'<gameState><tac x="9" y="10"/></gameState>', (0,)))


def sketched() -> Picture:
    """A sketch of a master."""
    return Album("strange", SCENE, {}).show(Shown(b"<gameState/>", sketch=SKETCH))


@pytest.mark.parametrize("picture", [board(), sketched(), tree.follow(SCENE)(Shown(b"<gameState/>"))])
def test_points_stand_on_any_picture(picture: Picture) -> None:
    marks = drawn(picture, BoardMark("25%,50%"), BoardMark("0%,0%", "100%,100%", "1 & 2"))
    assert (marks.count("<circle"), marks.count("<path"), marks.count(">1 &amp; 2</text>")) == (1, 2, 1)


@pytest.mark.parametrize("picture", [board(), sketched()])
def test_cells_stand_where_the_picture_has_them(picture: Picture) -> None:
    assert isinstance(picture, PlacingPicture)
    first, second = picture.place("0,0"), picture.place("1,2")
    assert first is not None
    assert second is not None
    assert second[0] - first[0] == pytest.approx(first[2])
    assert second[1] - first[1] == pytest.approx(2 * first[2])
    assert drawn(picture, BoardMark("1,1", "2,2")).count("<path") == 2


@pytest.mark.parametrize("name", ["", "x", "1", "99,99", "-1,0", "1,1,1", "²,1", "101%,5%", "1e2%,1%", "9" * 32])
def test_what_is_no_cell_is_left_out(name: str) -> None:
    assert [drawn(picture, BoardMark(name)) for picture in (board(), sketched())] == [
        '<g pointer-events="none"></g>'
    ] * 2


def test_texts_of_others_are_only_texts() -> None:
    text = '<script>"\x1b\u202e'
    marks = drawn(board(), BoardMark("1,1", text=text))
    assert "<script" not in marks
    assert "\u202e" not in marks
    assert "\u202e" not in remark_line("ann", Remark("g1", plan=text))


def test_marks_have_a_limit() -> None:
    marks = [BoardMark("1,1")] * 32
    svg = RemarkedPicture(board(), [Remark("g1", marks=tuple(marks))] * 3).svg("g")
    assert svg.partition("pointer-events")[2].count("<circle") == MAX_DRAWN


@pytest.mark.parametrize(
    ("remark", "line"),
    [
        (Remark("g1", 0.35, "left", "9,10"), "ann: 0.35 · left · expects 9,10"),
        (Remark("g1", -120), "ann: -120"),
        (Remark("g1", marks=(BoardMark("1,1", "2,2", "x"), BoardMark("3,3"))), "ann: 1,1 to 2,2 x 3,3"),
    ],
)
def test_a_remark_in_a_line(remark: Remark, line: str) -> None:
    assert remark_line("ann", remark) == line


def test_marks_are_one_more_part() -> None:
    picture = board()
    marked = RemarkedPicture(picture, [Remark("g1", marks=(BoardMark("1,1"),))])
    parts, plain = marked.drawn("g"), picture.svg("g")
    assert isinstance(parts, DrawnParts)
    assert isinstance(plain, DrawnParts)
    assert (type(marked.svg("g")), marked.svg("g")) == (str, "".join(parts.parts))
    assert [*parts.parts[:-2], parts.parts[-1]] == list(plain.parts)
