"""docs/apologies.md: every payload of the page is one, and each element that a state can have is shown."""

import re
from pathlib import Path
from xml.etree.ElementTree import tostring

from defusedxml.ElementTree import fromstring

from game_masters.apologies import STANDARD
from game_masters.apologies.board import CIRCLE, COLOURS, SLIDES, TURN
from game_masters.apologies.cards import Kind
from game_masters.apologies.notation import follow, read_move
from ugs.wire.schema import PayloadSchema

PAGE = (Path(__file__).parents[3] / "docs" / "apologies.md").read_text(encoding="utf-8")
EXAMPLES = [
    element
    for block in re.findall(r"^```xml\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    for element in fromstring(f"<all>{block}</all>")
]
SCHEMA = PayloadSchema(STANDARD.schema)


def test_every_example_is_a_payload_of_the_game() -> None:
    for element in EXAMPLES:
        payload = re.sub(rb">\s+<", b"><", tostring(element)).strip()
        SCHEMA.check(payload)
        if element.tag == "move":
            read_move(payload)
        else:
            follow(STANDARD.choose_options({}))(payload)
    assert [element.tag for element in EXAMPLES].count("gameState") == 2


def test_every_element_of_a_state_is_shown_or_explained() -> None:
    text = STANDARD.schema.read_text(encoding="utf-8")
    names = set(re.findall(r'element name="(\w+)"', text)) - {"move", "gameState", "apologies"}
    shown = {element.tag for example in EXAMPLES for element in example.iter()}
    assert names - shown == {"forfeit"}
    assert "| `forfeit` |" in PAGE


def test_the_table_of_the_board_is_that_of_the_game() -> None:
    for seat, colour in enumerate(COLOURS):
        slides = ", ".join(f"{first}–{last}" for first, last in SLIDES[seat])
        assert f"| {seat + 1} | `{colour}` | {TURN[seat]} | {CIRCLE[seat]} | {slides} |" in PAGE


def test_every_card_is_told() -> None:
    assert all(f"`{kind}`" in PAGE for kind in Kind)
