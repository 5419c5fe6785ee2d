"""The examples of schemas/README.md are messages, and the page covers the protocol."""

import re
from typing import get_args

import pytest

from ugs.wire.codec import decode, encode
from ugs.wire.framing import Framer, Limits
from ugs.wire.messages import LoginError, Message
from ugs.wire.schema import MessageSchemas, schemas_directory

README = (schemas_directory() / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```xml\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
TYPES = [kind.TYPE for kind in get_args(Message)]


def messages(text: str) -> list[bytes]:
    """The documents of an example, which must end where it ends."""
    framer = Framer()
    documents = [document.raw for document in framer.feed(text.encode())]
    assert framer.pending == 0
    return documents


def section(title: str) -> str:
    """What stands under a heading, up to the next one."""
    match = re.search(rf"^#+ {re.escape(title)}\n(.*?)(?=^#)", README, re.DOTALL | re.MULTILINE)
    assert match is not None, title
    return match[1]


@pytest.fixture(scope="module")
def schemas() -> MessageSchemas:
    return MessageSchemas()


@pytest.mark.parametrize("block", BLOCKS)
def test_every_example_is_a_message(block: str, schemas: MessageSchemas) -> None:
    documents = messages(block)
    assert documents
    for raw in documents:
        assert decode(encode(decode(raw))) == decode(raw)
        schemas.check(raw)


@pytest.mark.parametrize("kind", TYPES)
def test_every_type_has_a_section_with_an_example(kind: str) -> None:
    blocks = re.findall(r"^```xml\n(.*?)^```$", section(kind), re.DOTALL | re.MULTILINE)
    assert {decode(raw).TYPE for block in blocks for raw in messages(block)} == {kind}


def test_every_decision_has_a_section_with_its_reason() -> None:
    titles = re.findall(r"^### (D\d+) .*\n(?s:(.*?))(?=^#)", README, re.MULTILINE)
    assert [number for number, _ in titles] == [f"D{number}" for number in range(1, 20)]
    assert all("*Reason:*" in text for _, text in titles)


def test_the_dialogue_holds_a_whole_game() -> None:
    (block,) = re.findall(r"^```xml\n(.*?)^```$", section("A whole game"), re.DOTALL | re.MULTILINE)
    said = {decode(raw).TYPE for raw in messages(block)}
    assert set(TYPES) - said == {"leaveGame", "playerLeftGame"}


def test_the_limits_are_those_of_the_code() -> None:
    table = section("Limits")
    limits = Limits()
    assert limits.max_message_bytes == 1024 * 1024
    assert "| `max_message_bytes` | 1 MiB |" in table
    assert f"| `max_depth` | {limits.max_depth} |" in table
    assert f"| `max_attributes` | {limits.max_attributes} |" in table


def test_every_login_error_is_explained() -> None:
    rows = re.findall(r"^\| (\d) \|", section("Login errors"), re.MULTILINE)
    assert rows == [str(error.value) for error in LoginError]


def test_links_inside_the_page_lead_somewhere() -> None:
    headings = re.findall(r"^#+ (.*)$", README, re.MULTILINE)
    anchors = {re.sub(r"[^a-z0-9 -]", "", heading.lower()).replace(" ", "-") for heading in headings}
    targets = set(re.findall(r"\]\(#([^)]*)\)", README))
    assert targets <= anchors
