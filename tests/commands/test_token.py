"""The command line of ``ugs token``."""

import json
from pathlib import Path

import pytest

from tests.commands.line import ugs
from ugs.state_files import default_path

SERVER = "games.example.org:4747"


def kept(path: Path, **changes: object) -> Path:
    """The file of a bot."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"server": SERVER, "nick": "ann", "token": "t-0", **changes}) + "\n")
    return path


def test_the_token_of_a_bot_on_this_machine(tmp_path: Path) -> None:
    environment = {"XDG_STATE_HOME": str(tmp_path), "HOME": str(tmp_path)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path))
        kept(default_path(SERVER, "ann"))
    result = ugs("token", "--connect", SERVER, "--nick", "ann", environment=environment)
    assert (result.exit_code, result.stdout) == (0, "http://games.example.org:8080/mine#t-0\n")


def test_a_file_says_by_itself_whose_it_is(tmp_path: Path) -> None:
    state = kept(tmp_path / "ann.jsonl")
    assert ugs("token", "--state", state).stdout == "http://games.example.org:8080/mine#t-0\n"
    result = ugs("token", "--state", state, "--page", "https://games.example.org/")
    assert result.stdout == "https://games.example.org/mine#t-0\n"


def test_a_token_that_is_given_needs_nothing_else(tmp_path: Path) -> None:
    result = ugs("token", "--connect", "[::1]:4747", "--token", "a/b c")
    assert result.stderr == "ugs token: port 8080 is assumed for the page; --page URL names another\n"
    assert result.stdout == "http://[::1]:8080/mine#a%2Fb%20c\n"
    result = ugs("token", "--page", "http://127.0.0.1:81", environment={"UGS_TOKEN": "t"})
    assert (result.stdout, result.stderr) == ("http://127.0.0.1:81/mine#t\n", "")


def test_the_token_of_a_session_is_in_the_file_where_a_bot_keeps_it(tmp_path: Path) -> None:
    (tmp_path / "ann.session").write_text("t-1\n")
    page = ("--page", "http://127.0.0.1:81")
    result = ugs("token", *page, "--session-file", tmp_path / "ann.session", environment={"UGS_TOKEN": "nick"})
    assert (result.stdout, result.stderr) == ("http://127.0.0.1:81/mine#t-1\n", "")
    result = ugs("token", *page, "--session-file", tmp_path / "none")
    assert (result.exit_code, "none: cannot be read" in result.stderr) == (2, True)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "give --state FILE, or --connect HOST:PORT with --nick, --session-file or --token"),
        (("--connect", SERVER), "give --state FILE"),
        (("--token", "t"), "a token needs --connect HOST:PORT, or --page URL"),
        (("--token", "t", "--page", "games.example.org"), "expected http://HOST:PORT"),
        (("--state", "nowhere.jsonl"), "no token in nowhere.jsonl: No such file or directory"),
        (("--connect", SERVER, "--nick", "ann"), "no token of ann for games.example.org:4747"),
        (("--connect", SERVER, "--nick", "ann"), "/ugs/sessions/ann-games-example-org-4747-"),
        (("--connect", SERVER, "--nick", "ann"), "jsonl: No such file or directory; `ugs bot` keeps one there"),
        (("--connect", SERVER, "--nick", "ann"), "keep it with --session-file): give that file with --session-file"),
    ],
)
def test_what_is_missing_is_said(words: tuple[str, ...], told: str, tmp_path: Path) -> None:
    result = ugs("token", *words, environment={"XDG_STATE_HOME": str(tmp_path), "HOME": str(tmp_path)})
    assert result.exit_code == 2
    assert told in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("changes", "told"),
    [({"token": ""}, "holds no token of ann"), ({"token": 5}, "no file of a bot"), ({"server": None}, "no file of")],
)
def test_files_without_a_token(changes: dict[str, object], told: str, tmp_path: Path) -> None:
    result = ugs("token", "--state", kept(tmp_path / "ann.jsonl", **changes))
    assert result.exit_code == 2
    assert told in result.stderr


def test_the_file_of_another_bot(tmp_path: Path) -> None:
    state = kept(tmp_path / "ann.jsonl")
    result = ugs("token", "--state", state, "--connect", SERVER, "--nick", "bob")
    assert "holds no token of bob" in result.stderr
