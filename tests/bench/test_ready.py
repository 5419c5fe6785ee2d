"""The ready file: written whole, read back."""

import json
from pathlib import Path

import pytest

from ugs.bench.ready import Ready, parse_ready, write_ready


def test_what_is_written_is_read_back_and_nothing_else_is_left_behind(tmp_path: Path) -> None:
    ready = Ready("127.0.0.1", 4747, 123)
    write_ready(tmp_path / "ready.json", ready)
    assert parse_ready((tmp_path / "ready.json").read_text()) == ready
    assert [path.name for path in tmp_path.iterdir()] == ["ready.json"]


def test_it_has_the_form_that_the_server_writes(tmp_path: Path) -> None:
    write_ready(tmp_path / "ready.json", Ready("127.0.0.1", 4747, 123))
    written = json.loads((tmp_path / "ready.json").read_text())
    assert written == {"game": "127.0.0.1:4747", "http": None, "pid": 123}


def test_an_address_may_hold_colons_and_brackets() -> None:
    assert parse_ready('{"game": "[::1]:80", "pid": 1}') == Ready("::1", 80, 1)


def test_anything_else_is_refused() -> None:
    with pytest.raises(ValueError, match="Expecting value"):
        parse_ready("")
