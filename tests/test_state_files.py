"""Where bots keep their state, and the token in such a file."""

import json
import os
from pathlib import Path

import pytest

from ugs.state_files import KEPT_S, default_path, forget_old, token_in

SERVER = "127.0.0.1:4747"


def test_each_nick_at_each_server_has_a_file_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    nicks = ("ann", "../ann", "a" * 64, "\u00e4", "\u00f6")
    paths = {default_path(server, nick) for server in ("a:1", "b:1") for nick in nicks}
    assert len(paths) == 10
    assert {path.parent for path in paths} == {tmp_path / "ugs" / "sessions"}
    assert all(len(path.name) < 64 and path.name.isascii() for path in paths)


@pytest.mark.parametrize("state", ["", "not/absolute"])
def test_usually_it_is_below_the_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, state: str) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", state)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert default_path("a:1", "ann").is_relative_to(tmp_path / ".local" / "state" / "ugs")


def test_the_token_is_that_of_the_same_bot(tmp_path: Path) -> None:
    path = tmp_path / "state.jsonl"
    path.write_text(json.dumps({"server": SERVER, "nick": "ann", "token": "t"}) + "\n{}\n")
    assert token_in(path, SERVER, "ann") == "t"
    assert token_in(path, SERVER, "bob") == ""
    assert token_in(path, "a:1", "ann") == ""


@pytest.mark.parametrize("text", ["", "nonsense", "[]", '{"server": "127.0.0.1:4747", "nick": "ann", "token": 5}'])
def test_other_files_have_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "file").write_text(text)
    assert token_in(tmp_path / "file", SERVER, "ann") == ""


def test_files_of_bots_that_are_gone_for_long_are_removed(tmp_path: Path) -> None:
    mine, old, young = (tmp_path / f"{name}.jsonl" for name in ("mine", "old", "young"))
    for file in (mine, old, young):
        file.write_text("x")
        file.with_name(f"{file.name}.lock").write_text("")
    (tmp_path / "other.txt").write_text("x")
    for file in (mine, old, tmp_path / "other.txt"):
        os.utime(file, (1000, 1000))
    os.utime(young, (2000, 2000))
    forget_old(mine, 1500 + KEPT_S)
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        *("mine.jsonl", "mine.jsonl.lock", "other.txt", "young.jsonl", "young.jsonl.lock")
    ]
    forget_old(tmp_path / "missing" / "x.jsonl", 0.0)
