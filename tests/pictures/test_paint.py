"""The colours of pictures."""

import re

import pytest
from defusedxml.ElementTree import fromstring

from ugs.pictures.paint import PAINTS, Paint, standalone, style_sheet
from ugs.pictures.sketched.pieces import ON_LIGHT, put
from ugs.pictures.svg import Svg
from ugs.sketch.model import Look
from ugs.sketch.vocabulary import COLOURS


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2 defines it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, from 1 to 21."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_texts_and_marks_can_be_read_in_light_and_dark() -> None:
    for theme in range(len(Paint._fields)):
        for ground in ("ground", "field"):
            for text in ("ink", "faint", "mark"):
                assert contrast(PAINTS[text][theme], PAINTS[ground][theme]) >= 4.5, (text, ground, theme)
            for line in ("red-line", "blue-line", "yellow-line", "green-line", "violet-line", "black-line"):
                assert contrast(PAINTS[line][theme], PAINTS[ground][theme]) >= 3, (line, ground, theme)


def test_dark_pieces_are_seen_on_dark_boards() -> None:
    """By their rims; rings and crosses by their lines."""
    for board in (*COLOURS[COLOURS.index("field") :], "ground"):
        assert contrast(PAINTS["rim"].dark, PAINTS[board].dark) >= 3, board
    for line in ("violet-line", "black-line"):
        assert contrast(PAINTS[line].dark, PAINTS["sand"].dark) >= 3, line
    for colour in COLOURS:
        rim = "line" if colour in ON_LIGHT else "rim"
        drawn = Svg("p", 1, 1, "t", "w")
        put(drawn, Look(colour, "disc", ""), [(0, 0)], 9)
        assert f's-{rim}"' in str(drawn)
        shade = PAINTS[colour].dark if rim == "line" else PAINTS[rim].dark
        assert contrast(shade, PAINTS["field"].dark) >= 3, colour


@pytest.mark.parametrize("shape", ["ring", "cross"])
@pytest.mark.parametrize("colour", COLOURS)
def test_rings_and_crosses_of_each_colour_are_seen_on_each_page(colour: str, shape: str) -> None:
    """A white ring beside the nick of its player was white on white."""
    drawn = Svg("p", 1, 1, "t", "w")
    put(drawn, Look(colour, shape, ""), [(0, 0)], 9)
    paints = re.findall(r'class="s-([a-z-]+)"', str(drawn))
    for theme in range(len(Paint._fields)):
        for ground in ("ground", "field"):
            seen = [contrast(PAINTS[paint][theme], PAINTS[ground][theme]) for paint in paints]
            assert max(seen) >= 3, (ground, theme)


def test_numbers_can_be_read_on_the_colours_of_seats() -> None:
    for seat, text in {"red": "black", "yellow": "black", "green": "white", "blue": "white"}.items():
        assert contrast(PAINTS[seat].light, PAINTS[text].light) >= 4.5, seat


def test_the_style_sheet_knows_every_paint_twice() -> None:
    sheet = style_sheet()
    light, dark = sheet.split("@media (prefers-color-scheme:dark){")
    for name, paint in PAINTS.items():
        assert f".f-{name}{{fill:var(--ugs-{name},{paint.light})}}" in light
        assert (f".s-{name}{{stroke:var(--ugs-{name},{paint.dark})}}" in dark) == (paint.light != paint.dark)


def test_a_file_of_its_own_has_its_style_and_stays_sound() -> None:
    root = fromstring(standalone(str(Svg("p", 1, 1, "t", "w"))))
    assert root[0].tag.endswith("style")
    assert root[0].text == style_sheet()
