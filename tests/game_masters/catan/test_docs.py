"""The examples in the page for players and writers of bots are payloads of the game, and every message has one."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path

from game_masters.catan import FOUR
from game_masters.catan.coding import from_xml, to_xml
from game_masters.catan.events import from_attributes, to_attribute
from game_masters.catan.messages import CLIENT_MESSAGES, MESSAGES
from game_masters.catan.notation import read_move, read_view, write_view
from game_masters.catan.options import OPTIONS
from ugs.wire.schema import PayloadSchema

PAGE = (Path(__file__).parents[3] / "docs" / "catan.md").read_text(encoding="utf-8")
EXAMPLES = [
    line for block in re.findall(r"^```xml\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE) for line in block.splitlines()
]


def test_every_move_of_the_page_is_one_and_there_is_one_of_each() -> None:
    schema = PayloadSchema(FOUR.schema)
    moves = [line.encode() for line in EXAMPLES if line.startswith("<move>")]
    for move in moves:
        schema.check(move)
    assert {type(read_move(move)) for move in moves} == set(CLIENT_MESSAGES)


def test_every_event_of_the_page_is_one_and_there_is_one_of_each_message_of_the_server() -> None:
    names = set()
    for line in EXAMPLES:
        if line.startswith("<event"):
            event = ET.fromstring(line)
            message = from_xml(event[0])
            assert to_xml(message) in line
            assert to_attribute(from_attributes(event.get("from"), event.get("to"))) in line
            names.add(event[0].tag)
    assert names == {name for name, kind in MESSAGES.items() if kind not in CLIENT_MESSAGES}


def test_the_state_of_the_page_is_read_and_written_as_it_stands() -> None:
    (state,) = [line.encode() for line in EXAMPLES if line.startswith("<gameState>")]
    PayloadSchema(FOUR.schema).check(state)
    assert write_view(read_view(state)) == state


def test_every_option_is_explained() -> None:
    for option in OPTIONS:
        assert f"`{option.name}`" in PAGE
