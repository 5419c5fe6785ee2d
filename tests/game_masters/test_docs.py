"""The examples in the pages for writers of bots and of masters are messages, and every family is mentioned there."""

import ast
import re
from pathlib import Path

import pytest

from ugs.wire.codec import decode, encode
from ugs.wire.extensions import Family
from ugs.wire.framing import Framer

DOCS = Path(__file__).parents[2] / "docs"
PAGES = {
    "bot-writer.md": {
        Family.SESSION,
        Family.STATE,
        Family.LOBBY,
        Family.CHAT,
        Family.CLOCK,
        Family.WATCH,
        Family.REJOIN,
        Family.REMARK,
        Family.REASON,
    },
    "master-writer.md": {
        Family.VIEWS,
        Family.MOVERS,
        Family.TABLE,
        Family.RESTORE,
        Family.REJOIN,
        Family.REASON,
        Family.SKETCH,
    },
}


def blocks(page: str, language: str) -> list[str]:
    text = (DOCS / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("page", sorted(PAGES))
def test_every_xml_example_is_messages(page: str) -> None:
    examples = blocks(page, "xml")
    assert examples
    for example in examples:
        messages = [decode(document.raw) for document in Framer().feed(example.encode())]
        assert messages, example
        for message in messages:
            assert encode(message)


@pytest.mark.parametrize("page", sorted(PAGES))
def test_every_family_has_its_section(page: str) -> None:
    text = (DOCS / page).read_text(encoding="utf-8")
    headings = set(re.findall(r"^### (\w+):", text, re.MULTILINE))
    assert headings == {family.value for family in PAGES[page]}


def test_the_snippets_for_bots_are_python() -> None:
    for snippet in blocks("bot-writer.md", "python"):
        ast.parse(snippet)
