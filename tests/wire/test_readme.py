"""The examples of schemas/README.md are messages, and the page covers the protocol."""

import re

import pytest

from ugs.config import Config
from ugs.wire.codec import decode, encode
from ugs.wire.document_limits import MAX_NAMESPACE_BYTES, MAX_SPACES_IN_TAG
from ugs.wire.extensions import EXTENSIONS, Family, RefusalReason
from ugs.wire.framing import Framer, Limits
from ugs.wire.messages import LoginError
from ugs.wire.schema import MessageSchemas
from ugs.wire.schema_files import schemas_directory
from ugs.wire.shapes import SHAPES

pytestmark = pytest.mark.no_cover  # much work on lines that others cover: at full speed

README = (schemas_directory() / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```xml\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
TYPES = list(SHAPES)
CHAPTERS = ["Negotiation", *Family]


def messages(text: str) -> list[bytes]:
    """Return the documents of an example, which must end where the example ends."""
    framer = Framer()
    documents = [document.raw for document in framer.feed(text.encode())]
    assert framer.pending == 0
    return documents


def section(title: str) -> str:
    """Return the text under a heading, up to the next one."""
    match = re.search(rf"^#+ {re.escape(title)}\n(.*?)(?=^#)", README, re.DOTALL | re.MULTILINE)
    assert match is not None, title
    return match[1]


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
    assert f"| `max_markup` | {limits.max_markup:,} |".replace(",", " ") in table
    assert f"| bytes of white space in a row inside a tag, values left aside | – | {MAX_SPACES_IN_TAG} |" in table
    assert f"| bytes of the name of a namespace that has a prefix, as written | – | {MAX_NAMESPACE_BYTES} |" in table


def types_with_an_example(chapter: str) -> set[str]:
    blocks = re.findall(r"^```xml\n(.*?)^```$", section(chapter), re.DOTALL | re.MULTILINE)
    return {decode(raw).TYPE for block in blocks for raw in messages(block)}


def types_with_a_row(chapter: str) -> set[str]:
    table = section(chapter).partition("| message | from | to | when |")[2].partition("\n\n")[0]
    return set(re.findall(r"^\| `([^`]*)` \|", table, re.MULTILINE))


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_extension_says_who_sends_what_and_shows_it(chapter: str) -> None:
    assert types_with_a_row(chapter) <= types_with_an_example(chapter)


def test_every_message_of_the_extensions_has_a_row_and_an_example() -> None:
    for found in (types_with_a_row, types_with_an_example):
        assert set().union(*(found(chapter) for chapter in CHAPTERS)) - set(SHAPES) == set(EXTENSIONS)


def test_every_reason_code_is_explained() -> None:
    codes = re.findall(r"^\| `([A-Z_]+)` \|", section("Reason codes"), re.MULTILINE)
    assert codes == [reason.value for reason in RefusalReason]


def test_the_settings_of_the_extensions_have_the_defaults_of_the_code() -> None:
    rows = re.findall(r"\| `(\w+)` \| (\d+) \|", section("Settings of the extensions"))
    assert len(rows) == section("Settings of the extensions").count("\n|") - 2
    defaults = Config.read({})
    assert {name: float(default) for name, default in rows} == {name: getattr(defaults, name) for name, _ in rows}


def test_every_login_error_is_explained() -> None:
    rows = re.findall(r"^\| (\d) \|", section("Login errors"), re.MULTILINE)
    assert rows == [str(error.value) for error in LoginError]


def test_links_inside_the_page_lead_somewhere() -> None:
    headings = re.findall(r"^#+ (.*)$", README, re.MULTILINE)
    anchors = {re.sub(r"[^a-z0-9 -]", "", heading.lower()).replace(" ", "-") for heading in headings}
    targets = set(re.findall(r"\]\(#([^)]*)\)", README))
    assert targets <= anchors
