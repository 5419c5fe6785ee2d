"""docs/bang.md: every example is what it claims to be, and nothing of the protocol is missing."""

import re
from pathlib import Path
from xml.etree.ElementTree import Element, canonicalize, tostring

import pytest
from defusedxml.ElementTree import fromstring

from game_masters.bang import GAME
from game_masters.bang.cards.characters import CHARACTERS
from game_masters.bang.cards.playing_cards import NAMES
from game_masters.bang.messages.moves import ACTION_NAMES
from game_masters.bang.messages.words import Phase, Reaction, Reason, Type
from game_masters.bang.notation import read_move, write_move
from game_masters.bang.parser.reading import read_event, read_view
from game_masters.bang.parser.writing import event_text, write_view
from game_masters.kit.fixture import read_fixture
from ugs.wire.schema import PayloadSchema

PAGE = (Path(__file__).parents[3] / "docs" / "bang.md").read_text(encoding="utf-8")
SCHEMA = PayloadSchema(GAME.schema)
SERVER_EVENTS = (
    "enter-game", "exit-game", "create-player", "remove-player", "chat-message", "game-update", "player-update",
    "action-rejected",
)  # fmt: skip


def examples(tag: str) -> list[Element]:
    """All examples of this element that stand alone."""
    blocks = re.findall(r"^```xml\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    elements = [element for block in blocks for element in fromstring(f"<all>{block}</all>")]
    assert {element.tag for element in elements} == {"move", "gameState", "server-event", "game-event"}
    return [element for element in elements if element.tag == tag]


def plain(element: Element) -> str:
    """An element in one spelling, without blanks between elements."""
    return canonicalize(tostring(element, encoding="unicode"), strip_text=True)


def test_every_example_of_a_move_is_one() -> None:
    moves = [read_move(tostring(element)) for element in examples("move")]
    for element, move in zip(examples("move"), moves, strict=True):
        SCHEMA.check(tostring(element))
        assert read_move(write_move(move)) == move
    assert {type(move) for move in moves} == set(ACTION_NAMES)


def test_every_example_of_an_event_is_written_so() -> None:
    for element in examples("game-event"):
        SCHEMA.check(f"<gameState>{tostring(element, encoding='unicode')}</gameState>".encode())
        assert canonicalize(event_text(read_event(element), "Zr7kQ2mXw9")) == plain(element)
    assert {element.get("type") for element in examples("game-event")} == {str(type) for type in Type}


def test_every_example_of_a_server_event_is_written_so() -> None:
    seen: set[str] = set()
    (snapshot,) = [one for one in examples("server-event") if one.find(".//private-player") is not None]
    for element in examples("server-event"):
        seen.add(element[0].tag)
        state = "" if element[0].tag == "enter-game" else tostring(snapshot, encoding="unicode")
        payload = f"<gameState>{state}{tostring(element, encoding='unicode')}</gameState>".encode()
        SCHEMA.check(payload)
        written = fromstring(write_view(read_view(payload)))
        assert plain(written[-1]) == plain(element)
    assert seen == set(SERVER_EVENTS)


def test_the_example_of_a_state_is_one() -> None:
    (state,) = examples("gameState")
    SCHEMA.check(tostring(state))
    view = read_view(tostring(state))
    assert len(view.legal) == 2
    assert canonicalize(write_view(view).decode()) == plain(state)


@pytest.mark.parametrize(
    "word",
    [*Type, *Reason, *Reaction, *Phase, *ACTION_NAMES.values(), *SERVER_EVENTS, *NAMES, *CHARACTERS,
     *(option.name for option in GAME.options), *(bot.name for bot in GAME.bots)],
)  # fmt: skip
def test_nothing_of_the_protocol_is_missing(word: str) -> None:
    assert word in PAGE


def test_the_fixture_can_be_played() -> None:
    (text,) = re.findall(r"^```toml\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    start = read_fixture(GAME, text).start(GAME, GAME.choose_options({}))
    assert start.begins == 1
