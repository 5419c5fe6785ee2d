"""Reading the ready file of a server."""

import os
from pathlib import Path

import pytest

from ugs.bench.ready import Ready, parse_ready
from ugs.ready import ready_file


def test_what_a_server_writes_is_read_back(tmp_path: Path) -> None:
    with ready_file(tmp_path / "ready.json", "127.0.0.1:4747", None):
        assert parse_ready((tmp_path / "ready.json").read_text()) == Ready("127.0.0.1", 4747, os.getpid())


def test_an_address_may_hold_colons_and_brackets() -> None:
    assert parse_ready('{"game": "[::1]:80", "pid": 1}') == Ready("::1", 80, 1)


def test_anything_else_is_refused() -> None:
    with pytest.raises(ValueError, match="Expecting value"):
        parse_ready("")
