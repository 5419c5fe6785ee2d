"""``ugs doctor``: what it prints, and its exit code."""

import json
import socket
from pathlib import Path

import pytest

from tests.commands.line import ugs


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    """Settings with nothing wrong, on ports that no other test has."""
    file = tmp_path / "my.toml"
    file.write_text(f'[server]\nport = 0\n[http]\nhttp_port = 0\n[journal]\ndata_dir = "{tmp_path}/data"\n')
    return file


def test_where_nothing_is_bad_the_exit_code_is_zero(settings: Path) -> None:
    said = ugs("doctor", "--config", settings)
    assert said.exit_code == 0, said.output
    assert "\n0 bad, " in said.stdout


def test_a_port_in_use_is_bad_and_says_what_to_do(settings: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        settings.write_text(f"[server]\nport = {taken.getsockname()[1]}\n")
        said = ugs("doctor", "--config", settings)
    assert said.exit_code == 1
    assert "Address already in use" in said.stdout
    assert "-> stop what has it" in said.stdout


def test_settings_that_cannot_be_read_are_one_line_each(settings: Path) -> None:
    settings.write_text("[server]\nprt = 1\nhots = 2\n")
    found = json.loads(ugs("doctor", "--config", settings, "--json").stdout)
    assert [one["text"].partition(": ")[2].partition(";")[0] for one in found if one["subject"] == "settings"] == [
        "unknown key server.prt (did you mean 'port'?)",
        "unknown key server.hots (did you mean 'host'?)",
    ]


def test_settings_outside_of_tables_are_named_with_their_tables(settings: Path) -> None:
    settings.write_text("port = 0\nauth = 'none'\n")
    said = ugs("doctor", "--config", settings).stdout
    assert "2 stand above all tables" in said
    assert "port -> [server]" in said
    assert "auth -> [access]" in said
