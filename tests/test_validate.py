"""``ugs validate``: what it says about documents, whole files of them, and single payloads."""

import io
from pathlib import Path

import pytest

from ugs.text_files import TextFileError
from ugs.validate import Finding, validate_files
from ugs.wire.codec import DECLARATION
from ugs.wire.schema_files import schemas_directory

GAME = schemas_directory() / "games" / "tic-tac-toe.xsd"
LOGIN = b'<message type="playerLogin"><playerLogin nick="ann" gameType="go"/></message>'
MOVE = b'<message type="move"><gameId id="1"/><move><tic x="3" y="4"/></move></message>'
STATE = b'<message type="gameState"><gameId id="1"/><nextPlayer nick="ann"/><gameState/></message>'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file to write documents into."""
    return tmp_path / "documents.xml"


def validated(file: Path, data: bytes, schema: Path | None = None) -> list[Finding]:
    """What is found in a file with that content."""
    file.write_bytes(data)
    findings = list(validate_files([str(file)], schema))
    assert [finding.file for finding in findings] == [str(file)] * len(findings)
    return findings


def test_every_document_of_a_file_has_its_line(file: Path) -> None:
    findings = validated(file, DECLARATION + LOGIN + b"\n" + MOVE + STATE)
    assert [str(finding) for finding in findings] == [
        f"{file}: document 1: playerLogin: ok",
        f"{file}: document 2: move: ok",
        f"{file}: document 3: gameState: ok",
    ]


def test_a_wrong_message_does_not_hide_the_next_one(file: Path) -> None:
    wrong, right = validated(file, b'<message type="nonsense"/>' + LOGIN)
    assert (wrong.ok, right.ok) == (False, True)
    assert "nonsense" in str(wrong)


@pytest.mark.parametrize(
    ("login", "words"),
    [
        (b'<playerLogin nick="" gameType="go"/>', "nick '' is empty"),
        (b'<playerLogin gameType="go"/>', "nick None is missing"),
        (b'<playerLogin nick="ann" gameType="%b"/>' % (b"x" * 65), "longer than 64"),
    ],
)
def test_a_login_that_would_be_refused_is_wrong(file: Path, login: bytes, words: str) -> None:
    (finding,) = validated(file, b'<message type="playerLogin">%b</message>' % login)
    assert words in str(finding)


@pytest.mark.parametrize("numbers", [b'playersMin="1" playersMax="2"', b'playersMin="3" playersMax="2"', b""])
def test_a_master_for_no_possible_number_of_players_is_wrong(file: Path, numbers: bytes) -> None:
    login = b'<message type="gameMasterLogin"><gameMasterLogin id="m" gameType="go" %b/></message>' % numbers
    (finding,) = validated(file, login)
    assert "2 <= playersMin <= playersMax" in str(finding)


def test_a_master_login_may_be_right(file: Path) -> None:
    login = b'<gameMasterLogin id="m" gameType="go" playersMin="2" playersMax="4"/>'
    (finding,) = validated(file, b'<message type="gameMasterLogin">%b</message>' % login)
    assert finding.ok


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "the file is empty"),
        (b"good-bye", "not a document"),
        (b'<!DOCTYPE message><message type="logout"/>', "not a document"),
        (
            LOGIN + b'<message type="log',
            f"document 2: not a document: the file ends {len(b'<message type=_log')} bytes",
        ),
    ],
)
def test_what_is_no_document(file: Path, data: bytes, words: str) -> None:
    assert words in str(validated(file, data)[-1])
    assert not validated(file, data)[-1].ok


def test_a_payload_inside_a_message_is_held_against_its_game(file: Path) -> None:
    wrong = MOVE.replace(b"tic", b"tac")
    findings = validated(file, LOGIN + MOVE + STATE + wrong, GAME)
    assert [finding.ok for finding in findings] == [True, True, True, False]
    assert "tac" in str(findings[-1])


@pytest.mark.parametrize(
    "message",
    [
        b'<message type="x-moved"><gameId id="1"/><player nick="a"/><move><tic x="3" y="4"/></move></message>',
        b'<message type="x-restore"><gameId id="1"/><left nick="b"/><moved nick="a"><move><tic x="3" y="4"/></move>'
        b"</moved></message>",
        b'<message type="x-views"><gameId id="1"/><nextPlayer nick="a"/><view nick="a"><gameState/></view>'
        b'<view><gameState><tac x="3" y="4"/></gameState></view></message>',
        b'<message type="x-watching"><gameId id="1"/><game gameType="t" number="1"/>'
        b'<gameState><tac x="3" y="4"/></gameState></message>',
        b'<message type="x-event"><gameId id="1"/><event number="1" afterSec="0" what="state"/>'
        b'<gameState><tac x="3" y="4"/></gameState></message>',
    ],
)
def test_a_payload_inside_an_extension_is_held_against_its_game_too(file: Path, message: bytes) -> None:
    wrong = message.replace(b'y="4"', b'y="four"')
    assert [finding.ok for finding in validated(file, message + wrong, GAME)] == [True, False]
    assert [finding.ok for finding in validated(file, message + wrong)] == [True, True]


def test_an_event_without_a_state_has_nothing_to_hold_against_the_game(file: Path) -> None:
    message = b'<message type="x-event"><gameId id="1"/><event number="1" afterSec="0" what="begin"/></message>'
    assert [finding.ok for finding in validated(file, message, GAME)] == [True]


def test_a_payload_on_its_own(file: Path) -> None:
    file.write_bytes(b'\n<move><tic x="3" y="4"/></move>\n')
    (finding,) = validate_files([str(file)], GAME, "move")
    assert str(finding) == f"{file}: document 1: move: ok"
    file.write_bytes(b'<gameState><tac x="3" y="4"/></gameState>')
    (finding,) = validate_files([str(file)], GAME, "gameState")
    assert finding.ok


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"<move>",
        b"<move/><move/>",
        b"<move/><!-- ",
        b"<move/></message><message type='logout'/><message type='move'>",
        b'<move><toc x="3"/></move>',
        b"<gameState/>",
    ],
)
def test_what_is_not_one_payload_of_the_game(file: Path, payload: bytes) -> None:
    file.write_bytes(payload)
    (finding,) = validate_files([str(file)], GAME, "move")
    assert not finding.ok


def test_several_payloads_in_a_file_are_too_many(file: Path) -> None:
    file.write_bytes(b"<move/>\n<move/>")
    (finding,) = validate_files([str(file)], None, "move")
    assert str(finding).endswith("a second <move> in <message>; with --payload a file holds one payload")


def test_standard_input_is_a_file_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(LOGIN)))
    (finding,) = validate_files(["-"])
    assert str(finding) == "-: document 1: playerLogin: ok"


def test_a_file_that_is_not_there_is_an_error_of_the_caller(tmp_path: Path) -> None:
    with pytest.raises(TextFileError):
        list(validate_files([str(tmp_path / "nowhere.xml")]))


@pytest.mark.parametrize(
    ("inside", "words"),
    [
        (b'<pieces at="0,0" colour="crimson"/>', "x-sketch: pieces colour 'crimson': expected one of"),
        (b'<mark at="9,9"/>', "x-sketch: mark at '9,9': there is no such cell"),
        (b'<seat nick="whoever" colour="red"/>', "x-sketch: ok"),
    ],
)
def test_a_sketch_is_judged_as_by_a_server(file: Path, inside: bytes, words: str) -> None:
    sketch = b'<sketch><grid columns="3" rows="3"/>%b</sketch>' % inside
    (finding,) = validated(file, b'<message type="x-sketch"><gameId id="1"/>%b</message>' % sketch)
    assert words in str(finding)
