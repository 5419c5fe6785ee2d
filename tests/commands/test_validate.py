"""``ugs validate`` on the command line."""

from pathlib import Path

import pytest

from tests.commands.line import ugs
from ugs import validate as subject
from ugs.wire.schema_files import schemas_directory

LOGIN = '<message type="playerLogin"><playerLogin nick="ann" gameType="go"/></message>'


def test_validate_says_ok_with_exit_code_0(tmp_path: Path) -> None:
    file = tmp_path / "login.xml"
    file.write_text(LOGIN)
    result = ugs("validate", file)
    assert (result.exit_code, result.stdout) == (0, f"{file}: document 1: playerLogin: ok\n")


def test_validate_says_what_is_wrong_with_exit_code_1() -> None:
    result = ugs("validate", "-", stdin=LOGIN.replace("nick", "name"))
    assert result.exit_code == 1
    assert "name" in result.stdout


def test_validate_takes_the_schema_of_a_game_and_single_payloads() -> None:
    schema = schemas_directory() / "games" / "tic-tac-toe.xsd"
    arguments = ("validate", "--payload-schema", schema, "--payload", "move", "-")
    assert ugs(*arguments, stdin='<move><tic x="1" y="2"/></move>').exit_code == 0
    assert ugs(*arguments, stdin='<move><tic x="1"/></move>').exit_code == 1


@pytest.mark.parametrize("arguments", [("nowhere.xml",), ("--payload-schema", "nowhere.xsd", "-")])
def test_validate_of_what_is_not_there_is_exit_code_2(arguments: tuple[str, ...]) -> None:
    result = ugs("validate", *arguments, stdin=LOGIN)
    assert result.exit_code == 2
    assert "nowhere" in result.stderr


def test_a_schema_that_is_none_is_named(tmp_path: Path) -> None:
    (tmp_path / "x.xsd").write_text("no schema")
    result = ugs("validate", "--payload-schema", tmp_path / "x.xsd", "-", stdin=LOGIN)
    assert (result.exit_code, "x.xsd is no XML schema" in result.stderr) == (2, True)


def test_a_file_without_an_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subject, "MAX_RECORDED", 1000)
    result = ugs("validate", "/dev/zero")
    assert (result.exit_code, result.stderr) == (2, "ugs validate: /dev/zero: longer than 1000 bytes\n")
