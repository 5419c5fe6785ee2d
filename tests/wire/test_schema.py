"""The XSDs and the codec agree about every document."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xmlschema import XMLSchema11
from xmlschema.validators import XsdElement

from tests.profile import sized
from tests.wire import samples
from tests.wire.extension_samples import EXTENSION_MESSAGES, LENIENT_EXTENSIONS, WRONG_EXTENSIONS
from tests.wire.extension_strategies import changed, single_changes, strange
from tests.wire.strategies import STEADY, dressed
from ugs.wire import schema_files as schema_module
from ugs.wire.codec import WrongMessage, decode
from ugs.wire.errors import WireError
from ugs.wire.extension_codec import SHAPES_OF_EXTENSIONS
from ugs.wire.extensions import EXTENSIONS
from ugs.wire.schema import MessageSchemas, PayloadSchema
from ugs.wire.schema_files import schemas_directory
from ugs.wire.shapes import SHAPES, Shape


def _raw(v4: Mapping[str, tuple[bytes, object]], extensions: Mapping[str, tuple[bytes, object]]) -> dict[str, bytes]:
    """The documents of samples by name."""
    return {name: raw for name, (raw, _) in v4.items()} | {f"x: {name}": raw for name, (raw, _) in extensions.items()}


MESSAGES = _raw(samples.MESSAGES, EXTENSION_MESSAGES)
LENIENT = _raw(samples.LENIENT, LENIENT_EXTENSIONS)
WRONG = _raw(samples.WRONG, WRONG_EXTENSIONS)

GAME = """<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
  <xs:element name="move">
    <xs:complexType>
      <xs:sequence><xs:element name="tic" maxOccurs="2"/></xs:sequence>
      <xs:attribute name="n" type="xs:int"/>
      <xs:assert test="not(@n = 13)"/>
    </xs:complexType>
  </xs:element>
</xs:schema>
"""


@pytest.fixture
def game(tmp_path: Path) -> PayloadSchema:
    path = tmp_path / "game.xsd"
    path.write_text(GAME, encoding="utf-8")
    return PayloadSchema(path)


def accepts(schemas: MessageSchemas, raw: bytes) -> bool:
    try:
        schemas.check(raw)
    except WrongMessage:
        return False
    return True


def decodes(raw: bytes) -> bool:
    try:
        decode(raw)
    except WrongMessage:
        return False
    return True


def test_there_is_a_schema_for_every_message(schemas: MessageSchemas) -> None:
    assert schemas.types == {*SHAPES, *EXTENSIONS}
    names = {path.stem for path in (schemas_directory() / "messages").iterdir()}
    assert names == {kind.replace(" ", "-") for kind in schemas.types}


def names(shape: Shape) -> set[tuple[str, str]]:
    """Return the names of a shape and of all shapes in it, each with the names of its attributes, and with none."""
    inner = {name for child in shape.children.values() for name in names(child)}
    return {(shape.name, ""), *((shape.name, attribute) for attribute in shape.attributes), *inner}


@pytest.mark.parametrize("kind", EXTENSIONS)
def test_what_the_codec_reads_is_named_in_the_schema(schemas: MessageSchemas, kind: str) -> None:
    """Since unknown elements are allowed here, no document could show a name that is spelt in two ways."""
    elements = [
        element for element in schemas._schemas[kind].elements["message"].iter() if isinstance(element, XsdElement)
    ]
    named = {(str(element.name), attribute or "") for element in elements for attribute in (*element.attributes, "")}
    assert named == names(SHAPES_OF_EXTENSIONS[kind])


@pytest.mark.parametrize("raw", [*MESSAGES.values(), *LENIENT.values()], ids=[*MESSAGES, *LENIENT])
def test_messages_pass(schemas: MessageSchemas, raw: bytes) -> None:
    schemas.check(raw)


@pytest.mark.parametrize("raw", WRONG.values(), ids=list(WRONG))
def test_wrong_messages_are_named(schemas: MessageSchemas, raw: bytes) -> None:
    with pytest.raises(WrongMessage) as caught:
        schemas.check(raw)
    said = str(caught.value)
    assert said.partition(":")[0] in {*schemas.types, "message"}
    assert "\n" not in said
    assert len(said) < 400


def test_the_error_that_says_most_is_reported(schemas: MessageSchemas) -> None:
    with pytest.raises(WrongMessage, match=r"count.nextPlayer. . count.gameOver. eq 1"):
        schemas.check(b'<message type="gameState"><gameId id="g"/><gameState/></message>')
    with pytest.raises(WrongMessage, match="'x'"):
        schemas.check(b'<message type="gameState"><gameId id="g"/><x/><gameState/></message>')
    with pytest.raises(WrongMessage, match=r"exists.nextPlayer. ne exists.gameOver."):
        schemas.check(b'<message type="x-views"><gameId id="g"/></message>')
    with pytest.raises(WrongMessage, match="'first'"):
        schemas.check(b'<message type="x-watch"><watch from="first"/></message>')


@settings(STEADY, max_examples=sized(quick=80, deep=1500))
@given(raw=dressed())
def test_schemas_and_codec_accept_the_same_documents(schemas: MessageSchemas, raw: bytes) -> None:
    assert accepts(schemas, raw) == decodes(raw)


@settings(STEADY, max_examples=sized(quick=80, deep=1500))
@given(raw=changed())
def test_schemas_and_codec_accept_the_same_extensions(schemas: MessageSchemas, raw: bytes) -> None:
    assert accepts(schemas, raw) == decodes(raw)


@pytest.mark.parametrize("raw", [raw for raw, _ in EXTENSION_MESSAGES.values()], ids=list(EXTENSION_MESSAGES))
def test_schemas_and_codec_judge_every_single_change_alike(schemas: MessageSchemas, raw: bytes) -> None:
    differing = [other for other in single_changes(raw) if accepts(schemas, other) != decodes(other)]
    assert not differing


@STEADY
@given(documents=strange())
def test_schemas_ignore_what_is_strange_in_an_extension(
    schemas: MessageSchemas, documents: tuple[bytes, bytes]
) -> None:
    for raw in documents:
        schemas.check(raw)


@pytest.mark.no_cover
@pytest.mark.parametrize("documents", [dressed(), changed()], ids=["v4", "extensions"])
def test_the_wild_documents_are_of_both_kinds(documents: st.SearchStrategy[bytes]) -> None:
    """Otherwise the properties above would prove little."""
    verdicts: list[bool] = []

    @settings(STEADY, max_examples=sized(quick=120, deep=300))  # so many that the shares mean something
    @given(raw=documents)
    def collect(raw: bytes) -> None:
        verdicts.append(decodes(raw))

    collect()
    assert 0.2 < sum(verdicts) / len(verdicts) < 0.8


@cache
def schema_alone(kind: str) -> XMLSchema11:
    return XMLSchema11(str(schemas_directory() / "messages" / f"{kind}.xsd"))


@pytest.mark.parametrize("raw", MESSAGES.values(), ids=list(MESSAGES))
def test_the_files_alone_judge_messages_for_everybody(raw: bytes) -> None:
    """Any validator for XML Schema 1.1 can use the files, including payloads."""
    schema_alone(decode(raw).TYPE.replace(" ", "-")).validate(raw.decode())


def test_a_payload_is_not_looked_at(schemas: MessageSchemas) -> None:
    schemas.check(b'<message type="move"><gameId id="g"/><move a:b="c" xmlns="d"><e:f/>g<move/></move></message>')
    schemas.check(
        b'<message type="x-restore"><gameId id="g"/><moved nick="a"><move a:b="c"><moved/><move><e:f/></move></move>'
        b'</moved><moved nick="b"><move>g</move></moved></message>'
    )
    schemas.check(
        b'<message type="x-views"><gameId id="g"/><nextPlayer nick="a"/><view><gameState a:b="c"><view/>'
        b"<gameState/><e:f/></gameState></view></message>"
    )


def test_what_no_framer_has_cut_is_no_message(schemas: MessageSchemas) -> None:
    for raw in (b'<message type="logout">', b"<message type=logout/>", b"<!DOCTYPE a><message/>"):
        with pytest.raises(WireError):
            schemas.check(raw)
    with pytest.raises(WrongMessage):
        schemas.check(b'<other type="logout"/>')


def test_a_game_may_check_its_payloads(game: PayloadSchema) -> None:
    game.check(b"<move n='1'><tic/><tic/></move>")


@pytest.mark.parametrize(
    ("payload", "word"),
    [
        (b"<move/>", "tic"),
        (b"<move n='x'><tic/></move>", "n='x'"),
        (b"<move n='13'><tic/></move>", "not(@n = 13)"),
        (b"<gameState/>", "gameState"),
        (b"<move><tic>", "not finished"),
        (b"<move><tic></move>", "mismatched"),
        (b"<move><a:tic/></move>", "prefix"),
        (b"<!DOCTYPE move><move><tic/></move>", "document type"),
        (b'<!DOCTYPE move [<!ENTITY a "b">]><move><tic/>&a;</move>', "document type"),
        (b"<move " + b"x" * 1000 + b"=''><tic/></move>", "..."),
    ],
)
def test_a_payload_that_its_game_does_not_allow_is_named(game: PayloadSchema, payload: bytes, word: str) -> None:
    with pytest.raises(WrongMessage) as caught:
        game.check(payload)
    assert str(caught.value).startswith("payload: ")
    assert word in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_payload_cannot_make_the_server_fetch_a_schema(game: PayloadSchema) -> None:
    hint = b'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="http://localhost:9/x.xsd"'
    game.check(b"<move " + hint + b"><tic/></move>")


def test_a_schema_that_is_none_is_refused_with_its_name(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"nowhere\.xsd"):
        PayloadSchema(tmp_path / "nowhere.xsd")
    for text in ("not XML", "<other/>"):
        path = tmp_path / "bad.xsd"
        path.write_text(text, encoding="utf-8")
        with pytest.raises(ValueError, match=r"bad\.xsd is no XML schema"):
            PayloadSchema(path)


def test_the_directory_is_found_in_a_checkout_and_in_a_wheel(tmp_path: Path) -> None:
    package = tmp_path / "ugs"
    with pytest.raises(FileNotFoundError, match="_data"):
        schema_module._find_schemas(package)
    (tmp_path / "schemas" / "messages").mkdir(parents=True)
    assert schema_module._find_schemas(package) == tmp_path / "schemas"
    (package / "_data" / "schemas" / "messages").mkdir(parents=True)
    assert schema_module._find_schemas(package) == package / "_data" / "schemas"
    assert (schemas_directory() / "common.xsd").is_file()


def test_message_schemas_may_come_from_elsewhere(schemas: MessageSchemas, tmp_path: Path) -> None:
    assert MessageSchemas(schemas_directory(), at_once=False).types == schemas.types
    (tmp_path / "messages").mkdir()
    for name in ("common.xsd", "messages/logout.xsd"):
        (tmp_path / name).write_bytes((schemas_directory() / name).read_bytes())
    elsewhere = MessageSchemas(tmp_path)
    assert elsewhere.types == {"logout"}
    elsewhere.check(b'<message type="logout"/>')
    with pytest.raises(WrongMessage, match="unknown type 'move'"):
        elsewhere.check(b'<message type="move"/>')


def test_schemas_may_be_read_when_they_are_needed() -> None:
    lazy = MessageSchemas(at_once=False)
    for _ in range(2):
        lazy.check(b'<message type="logout"/>')
        with pytest.raises(WrongMessage, match="x-join"):
            lazy.check(b'<message type="x-join"/>')


def test_every_schema_is_for_the_type_in_its_name(schemas: MessageSchemas) -> None:
    fixed = {kind: schemas._schemas[kind].elements["message"].attributes["type"].fixed for kind in schemas.types}
    assert fixed == {kind: kind for kind in schemas.types}
