"""The examples in the page for players and writers of bots are payloads of the game, and every message has one."""

import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

from game_masters.catan import FOUR
from game_masters.catan.game.may import May, Trades
from game_masters.catan.game.options import OPTIONS
from game_masters.catan.message.coding import from_xml, to_xml
from game_masters.catan.message.events import from_attributes, to_attribute
from game_masters.catan.message.messages import CLIENT_MESSAGES, MESSAGES
from game_masters.catan.message.standing import Standing
from game_masters.catan.notation import follow, read_move, read_view, write_view
from ugs.wire.schema import PayloadSchema

PAGE = (Path(__file__).parents[3] / "docs" / "catan.md").read_text(encoding="utf-8")
EXAMPLES = [
    line for block in re.findall(r"^```xml\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE) for line in block.splitlines()
]

STATES = [line.encode() for line in EXAMPLES if line.startswith("<gameState>")]


def test_every_move_of_the_page_is_one_and_there_is_one_of_each() -> None:
    schema = PayloadSchema(FOUR.schema)
    moves = [line.encode() for line in EXAMPLES if line.startswith("<move>")]
    for move in moves:
        schema.check(move)
    wants = [line.encode() for line in EXAMPLES if line.startswith("<move ")]
    assert len(wants) == 3
    for move in wants:
        schema.check(move)
        assert isinstance(read_move(move), Standing)
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
    state, _ = STATES
    PayloadSchema(FOUR.schema).check(state)
    assert write_view(read_view(state)) == state


def test_the_changes_of_the_page_are_put_into_a_state_that_is_known() -> None:
    state, changes = STATES
    PayloadSchema(FOUR.schema).check(changes)
    hear = follow(FOUR.choose_options({}))
    known = hear(state.replace(b' you="0">', b' you="0" number="139">'))
    view = hear(changes)
    assert (view.number, view.lost, view.no) == (141, False, ("offers",))
    assert view.table.seats[0] == replace(known.table.seats[0], resources=4, hand=(0, 3, 0, 0, 1))
    assert view.table.seats[1:] == known.table.seats[1:]
    assert view.may == (May(0, end=True, trades=Trades(bank=True)),)


def test_every_option_is_explained() -> None:
    for option in OPTIONS:
        assert f"`{option.name}`" in PAGE
