"""The option ``--token-file``."""

from pathlib import Path

import pytest
import typer

from ugs.commands.token_option import VARIABLE, token_in


def test_the_token_is_that_of_the_file_or_of_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    assert token_in(None) == ""
    monkeypatch.setenv(VARIABLE, " from there \n")
    assert token_in(None) == "from there"
    file = tmp_path / "token"
    file.write_text("s3cret\n")
    file.chmod(0o600)
    assert token_in(file) == "s3cret"


def test_a_file_that_others_can_read_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "token"
    file.write_text("s3cret\n")
    file.chmod(0o644)
    token_in(file)
    assert capsys.readouterr().err == f"{file}: others can read this token: chmod 600 {file}\n"


def test_what_is_no_token_is_refused_without_showing_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(typer.BadParameter, match="cannot be read"):
        token_in(tmp_path / "none")
    monkeypatch.setenv(VARIABLE, "s" * 129)
    with pytest.raises(typer.BadParameter, match="a token has at most 128 characters"):
        token_in(None)
