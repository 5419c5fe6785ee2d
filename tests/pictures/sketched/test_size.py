"""Whatever passes the door can be drawn: no picture is larger than was expected of its sketch."""

from collections.abc import Callable
from itertools import pairwise
from random import Random

import pytest

from tests.profile import sized
from ugs.pictures.contract import MAX_OFFER, Scene, Seat, Shown
from ugs.pictures.sketched.picture import Sketched
from ugs.sketch.decoding import MAX_LINES, MAX_POINTS, read
from ugs.sketch.elements import Unfit
from ugs.sketch.size import MAX_PICTURE_BYTES, sizes_of
from ugs.sketch.vocabulary import COLOURS, SHAPES

NICKS = ("ann", "&" * 60, "e" + "\u0301" * 60, "\U0001f600" * 60, "bob", "cy", "dee", "eve", "fay")
SEATED = ("ann", "bob", "cy", "dee", "eve")
TEXTS = ("a", "&amp;" * 24, "e" + "\u0301" * 23, "\U0001f600" * 24, "&#1;" * 24, "plain")
LETTERS = ("", "A", "&amp;&lt;&gt;", "\U0001f600" * 3, "&#1;&#2;&#3;")
TIMES = sized(quick=120, deep=300)


def drawn_bytes(payload: bytes, seat: int | None) -> int:
    """Bytes of the picture, those aside that offers may add."""
    scene = Scene(tuple(Seat(nick) for nick in NICKS))
    picture = Sketched(scene, Shown(b"<gameState/>", tuple(range(len(NICKS))), sketch=payload))
    offers = picture.offers(seat) if seat is not None else ()
    return len(picture.svg("p" * 40, seat).encode()) - MAX_OFFER * len(offers)


def made_up(random: Random) -> bytes:
    """A sketch with a few kinds of elements, each as often as may be."""
    ground, cells = random.choice(
        [
            *(_grid(random, side) for side in (2, 9, 20, 50)),
            *(_hexes(random, side) for side in (2, 9, 30)),
            *(_points(random, count) for count in (1, 30, MAX_POINTS)),
            _drawing(random),
        ]
    )
    own = "svg" in ground
    parts = []
    for tag in random.sample(sorted(PARTS), random.randint(0, 4)):
        if own and tag in ("cells", "pieces", "line", "mark", "label"):
            continue
        count = random.choice((1, 7, 60))
        parts += [PARTS[tag](random, cells) for _ in range(count)]
    return f"<sketch>{ground}{''.join(parts)}</sketch>".encode()


def _grid(random: Random, side: int) -> tuple[str, list[str]]:
    look = random.choice(("fields", "checkered", "crossings", "open"))
    return _with_holes(random, f'<grid columns="{side}" rows="{side}" look="{look}" numbers="yes"/>', side)


def _hexes(random: Random, side: int) -> tuple[str, list[str]]:
    return _with_holes(random, f'<hexes columns="{side}" rows="{side}"/>', side)


def _with_holes(random: Random, ground: str, side: int) -> tuple[str, list[str]]:
    places = _places(side)
    holes = random.sample(places, random.choice((0, 0, side // 2, side * side // 3)))
    left_out = f'<cells at="{" ".join(holes)}" colour="none"/>' if holes else ""
    return ground + left_out, [place for place in places if place not in holes]


def _places(side: int) -> list[str]:
    return [f"{column},{row}" for column in range(side) for row in range(side)]


def _points(random: Random, count: int) -> tuple[str, list[str]]:
    size = random.choice(("0", "0.5", "10000"))
    places = "".join(f'<point id="{one}" x="{random.random() * 99:.3f}" y="{one / 9:.2f}"/>' for one in range(count))
    return f'<points width="100" height="100" size="{size}">{places}</points>', list(map(str, range(count)))


def _drawing(random: Random) -> tuple[str, list[str]]:
    look = f'fill="{random.choice(COLOURS)}" stroke="{random.choice(COLOURS)}"'
    parts = "".join(f'<rect x="{one}" width="9" height="9" {look} cell="c{one % 9}"/>' for one in range(200))
    return f'<svg viewBox="0 0 99 99"><title>{TEXTS[1]}</title>{parts}</svg>', [f"c{one}" for one in range(9)]


def _look(random: Random) -> str:
    return f'colour="{random.choice(COLOURS)}" shape="{random.choice(SHAPES)}" letter="{random.choice(LETTERS)}" '


def _some(random: Random, cells: list[str]) -> str:
    return " ".join(random.choices(cells, k=random.choice((1, 1, 1, 20))))


PARTS: dict[str, Callable[[Random, list[str]], str]] = {
    "cells": lambda random, cells: f'<cells at="{_some(random, cells)}" colour="{random.choice(COLOURS)}"/>',
    "pieces": lambda random, cells: f'<pieces at="{_some(random, cells)}" {_look(random)} name="{TEXTS[1]}"/>',
    "line": lambda random, cells: (
        f'<line from="{random.choice(cells)}" to="{random.choice(cells)}" colour="{random.choice(COLOURS)}"/>'
    ),
    "mark": lambda random, cells: f'<mark at="{_some(random, cells)}"/>',
    "label": lambda random, cells: f'<label at="{random.choice(cells)}">{random.choice(TEXTS)}</label>',
    "seat": lambda random, _: f'<seat nick="{random.choice(SEATED)}" {_look(random)}/>',
    "counter": lambda random, _: (
        f'<counter nick="{random.choice(("", *SEATED))}" name="{random.choice(TEXTS)}" value="{random.choice(TEXTS)}"/>'
    ),
    "hand": lambda random, _: f'<hand name="{random.choice(TEXTS)}"><held {_look(random)} count="999"/></hand>',
    "words": lambda random, _: f"<words>{random.choice(TEXTS) * 80}</words>",
    "offer": lambda random, cells: (
        f'<offer label="{random.random()}" at="{_some(random, cells)}" nick="{random.choice(("", "bob"))}">'
        "<move/></offer>"
    ),
}


@pytest.mark.parametrize("seed", range(6))
def test_no_picture_is_larger_than_expected(seed: int) -> None:
    random = Random(seed)
    passed = 0
    for _ in range(TIMES // 6):
        payload = made_up(random)
        try:
            expected = sum(sizes_of(read(payload)).values())
        except Unfit:
            continue
        passed += 1
        for seat in (None, 0, 4):
            assert drawn_bytes(payload, seat) <= expected <= MAX_PICTURE_BYTES, payload[:300]
    assert passed >= TIMES // 12


def test_many_points_with_many_lines_can_be_drawn() -> None:
    places = "".join(f'<point id="{one}" x="{one % 20}" y="{one // 20}"/>' for one in range(MAX_POINTS))
    lines = "".join(f'<line from="{one}" to="{one + 1}"/>' for one in range(MAX_LINES - 10))
    payload = f'<sketch><points width="20" height="20">{places}</points>{lines}</sketch>'.encode()
    assert sum(sizes_of(read(payload)).values()) <= MAX_PICTURE_BYTES
    assert drawn_bytes(payload, None) < 40_000


def test_labels_and_lines_of_points_with_long_names_are_no_larger_than_expected() -> None:
    names = [f"{one:060}" for one in range(60)]
    places = "".join(f'<point id="{name}" x="{one % 8}" y="{one // 8}"/>' for one, name in enumerate(names))
    ways = [(one, other, colour) for colour in COLOURS for one, other in pairwise(names[:11])]
    lines = "".join(f'<line from="{one}" to="{other}" colour="{colour}"/>' for one, other, colour in ways[:MAX_LINES])
    labels = "".join(f'<label at="{name}">{TEXTS[1]}</label>' for name in names)
    payload = f'<sketch><points width="8" height="8">{places}</points>{lines}{labels}</sketch>'.encode()
    assert drawn_bytes(payload, None) <= sum(sizes_of(read(payload)).values())


@pytest.mark.parametrize("look", ["fields", "checkered", "crossings", "open"])
@pytest.mark.parametrize("columns", [1, 2, 20, 50])
@pytest.mark.parametrize("every", [1, 2, 3])
def test_grids_with_many_holes_are_no_larger_than_expected(look: str, columns: int, every: int) -> None:
    """Each hole parts the lines around it; most of them do so where they stand apart."""
    for rows in (1, 2, 19, 50):
        places = [(column, row) for row in range(rows) for column in range(columns)]
        holes = [f"{column},{row}" for column, row in places if (column + row) % (every + 1) == 0][:1000]
        ground = f'<grid columns="{columns}" rows="{rows}" look="{look}" numbers="yes"/>'
        payload = f'<sketch>{ground}<cells at="{" ".join(holes)}" colour="none"/></sketch>'.encode()
        try:
            expected = sizes_of(read(payload))
        except Unfit as too_large:
            assert "grid: too much to draw" in str(too_large)  # noqa: PT017
            continue
        assert drawn_bytes(payload, None) <= sum(expected.values())


def test_hexes_that_are_all_marked_and_clicked_are_no_larger_than_expected() -> None:
    places = " ".join(_places(19))
    offers = "".join(f'<offer label="{one}" at="{one}"><move/></offer>' for one in _places(19))
    payload = f'<sketch><hexes columns="19" rows="19"/><mark at="{places}"/>{offers}</sketch>'.encode()
    assert drawn_bytes(payload, 0) <= sum(sizes_of(read(payload)).values())
    for clicks in ("", 'clicks="in-turn"'):
        shared = "".join(
            f'<offer label="{one}" at="{" ".join(_places(15))}" {clicks}><move/></offer>' for one in range(2)
        )
        payload = f'<sketch><hexes columns="15" rows="15"/>{shared}</sketch>'.encode()
        assert drawn_bytes(payload, 0) <= sum(sizes_of(read(payload)).values())


@pytest.mark.parametrize(
    ("inside", "named"),
    [
        ('<hexes columns="50" rows="50"/>', "hexes: too much to draw: 180170 bytes of a picture of"),
        (
            '<grid columns="50" rows="50"/>'
            + "".join(f'<pieces at="{one % 50},0" colour="red" shape="star" letter="W"/>' for one in range(400)),
            "pieces: too much to draw",
        ),
        (
            '<svg viewBox="0 0 9 9">'
            + '<rect cell="a"/>' * 300
            + "</svg>"
            + '<offer label="x" at="a"><move/></offer>' * 100,
            "offer: too much to draw",
        ),
        (
            '<grid columns="30" rows="30"/><offer label="x" at="'
            + " ".join(f"{one % 30},{one // 30}" for one in range(800))
            + '"><move/></offer>',
            "offer: too much to draw",
        ),
    ],
)  # fmt: skip
def test_what_is_too_large_to_draw_is_refused_and_the_element_named(inside: str, named: str) -> None:
    with pytest.raises(Unfit, match=f"{named}.*allowed: at most {MAX_PICTURE_BYTES} in all"):
        read(f"<sketch>{inside}</sketch>".encode())
