"""The XSDs say the same as the codec, about every document."""

from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given, settings
from xmlschema import XMLSchema11

from tests.wire.samples import LENIENT, MESSAGES, WRONG
from tests.wire.strategies import STEADY, dressed
from ugs.wire import schema as schema_module
from ugs.wire.codec import WrongMessage, decode
from ugs.wire.errors import WireError
from ugs.wire.messages import Message
from ugs.wire.schema import MessageSchemas, PayloadSchema, schemas_directory

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


@pytest.fixture(scope="module")
def schemas() -> MessageSchemas:
    return MessageSchemas()


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
    assert schemas.types == {kind.TYPE for kind in get_args(Message)}
    names = {path.stem for path in (schemas_directory() / "messages").iterdir()}
    assert names == {kind.replace(" ", "-") for kind in schemas.types}


@pytest.mark.parametrize("raw", [raw for raw, _ in (MESSAGES | LENIENT).values()], ids=[*MESSAGES, *LENIENT])
def test_messages_pass(schemas: MessageSchemas, raw: bytes) -> None:
    schemas.check(raw)


@pytest.mark.parametrize("raw", [raw for raw, _ in WRONG.values()], ids=WRONG)
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


@settings(STEADY, max_examples=600)
@given(raw=dressed())
def test_schemas_and_codec_accept_the_same_documents(schemas: MessageSchemas, raw: bytes) -> None:
    assert accepts(schemas, raw) == decodes(raw)


def test_the_wild_documents_are_of_both_kinds() -> None:
    """Otherwise the property above would prove little."""
    verdicts: list[bool] = []

    @STEADY
    @given(raw=dressed())
    def collect(raw: bytes) -> None:
        verdicts.append(decodes(raw))

    collect()
    assert 0.2 < sum(verdicts) / len(verdicts) < 0.8


@pytest.mark.parametrize("raw", [raw for raw, _ in MESSAGES.values()], ids=MESSAGES)
def test_the_files_alone_judge_messages_for_everybody(raw: bytes) -> None:
    """Any validator for XML Schema 1.1 can use the files, with payload and all."""
    kind = decode(raw).TYPE.replace(" ", "-")
    XMLSchema11(str(schemas_directory() / "messages" / f"{kind}.xsd")).validate(raw.decode())


def test_a_payload_is_not_looked_at(schemas: MessageSchemas) -> None:
    schemas.check(b'<message type="move"><gameId id="g"/><move a:b="c" xmlns="d"><e:f/>g<move/></move></message>')


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


def test_message_schemas_may_come_from_elsewhere() -> None:
    assert MessageSchemas(schemas_directory()).types == MessageSchemas().types
