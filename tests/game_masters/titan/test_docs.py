"""docs/titan.md: every example is what it claims to be, and no request, message or option is missing."""

import re
from pathlib import Path
from xml.etree.ElementTree import Element, tostring

from defusedxml.ElementTree import fromstring

from game_masters.kit.fixture import read_fixture
from game_masters.titan import GAME
from game_masters.titan.creatures import CHAINS
from game_masters.titan.messages import MESSAGES
from game_masters.titan.notation import message_text, read_message, read_move, read_state, write_move
from game_masters.titan.position import Awaiting
from game_masters.titan.referee import RULES
from game_masters.titan.requests import REQUESTS
from ugs.wire.schema import PayloadSchema

PAGE = (Path(__file__).parents[3] / "docs" / "titan.md").read_text(encoding="utf-8")
SCHEMA = PayloadSchema(GAME.schema)


def examples() -> list[Element]:
    """All examples in XML that stand alone."""
    blocks = re.findall(r"^```xml\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    return [element for block in blocks for element in fromstring(f"<all>{block}</all>")]


def written(element: Element) -> str:
    element.tail = None
    return tostring(element, encoding="unicode").replace(" />", "/>")


def test_every_example_of_a_move_is_one_and_no_request_is_missing() -> None:
    seen: set[str] = set()
    for element in examples():
        if element.tag == "move" and "legion" not in element.attrib:
            payload = written(element).encode()
            SCHEMA.check(payload)
            move = read_move(payload)
            assert write_move(move) == payload
            seen |= {request.TAG for request in move}
    assert seen == set(REQUESTS)


def test_every_example_of_a_message_is_one_and_none_is_missing() -> None:
    status = next(element.find("status") for element in examples() if element.tag == "gameState")
    assert status is not None
    seen: set[str] = set()
    for element in examples():
        if element.tag == "gameState":
            SCHEMA.check(written(element).encode())
            news, *_ = read_state(written(element).encode())
            seen |= {message.TAG for message in news}
        elif element.tag != "move" or "legion" in element.attrib:
            message = read_message(element)
            assert message_text(message) == written(element)
            SCHEMA.check(f"<gameState>{written(element)}{written(status)}</gameState>".encode())
            seen.add(message.TAG)
    assert seen == set(MESSAGES)


def test_the_table_of_requests_says_what_is_accepted() -> None:
    for asked in Awaiting:
        (row,) = re.findall(rf"^\| `{asked}` \| (.*) \|$", PAGE, re.MULTILINE)
        assert set(re.findall(r"`(\w+)`", row)) >= {kind.TAG for kind in RULES[asked]}


def test_the_table_of_terrains_is_that_of_the_rules() -> None:
    for terrain, chain in CHAINS.items():
        first, *others = chain
        row = ", ".join([first.creature, *(f"{link.needed}: {link.creature}" for link in others)])
        assert f"| {terrain} | {row} |" in PAGE


def test_every_option_and_bot_is_named() -> None:
    for option in GAME.options:
        assert f"`{option.name}`" in PAGE
    for bot in GAME.bots:
        assert f"| `{bot.name}` |" in PAGE


def test_the_fixture_begins_a_game() -> None:
    (text,) = re.findall(r"^```toml\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    assert read_fixture(GAME, text).start(GAME, GAME.choose_options({})).turn == 3
