"""The colours of sketches: each is a paint, has a sign on terminals, and stands in the protocol with its looks."""

import re
from pathlib import Path

from tests.pictures.test_paint import contrast
from ugs.pictures.paint import PAINTS, Paint
from ugs.pictures.sketched.terminal import CELLS
from ugs.sketch.vocabulary import COLOURS

PAGE = (Path(__file__).parents[2] / "schemas" / "README.md").read_text(encoding="utf-8")


def test_each_colour_stands_in_the_protocol_with_two_words_on_its_looks() -> None:
    (sentence,) = re.findall(r"^Colours are, .*?\. ", PAGE, re.MULTILINE | re.DOTALL)
    assert tuple(re.findall(r"`(\w+)`\s\(\w+\s\w+\)", sentence)) == COLOURS


def test_each_colour_is_a_paint_with_a_sign_of_its_own() -> None:
    assert set(COLOURS) <= PAINTS.keys()
    assert len(set(CELLS)) == len(CELLS) == len(COLOURS)


def test_letters_can_be_read_on_brown_in_light_and_dark() -> None:
    for theme in range(len(Paint._fields)):
        assert contrast(PAINTS["brown"][theme], PAINTS["ink"][theme]) >= 4.5
