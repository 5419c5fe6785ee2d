"""``ugs`` without a command says what to do next."""

from pathlib import Path

import pytest

from tests.commands.line import ugs
from ugs.commands import guide as subject
from ugs.commands.app import COMMANDS
from ugs.commands.guide import STEPS, guide
from ugs.commands.init_folder import PLAN, SETTINGS


def test_each_step_is_a_command_that_exists() -> None:
    known = {name for name, _ in COMMANDS} | {"tour"}
    assert {command.split()[1] for _, command, _ in STEPS} <= known


def test_it_is_printed_and_no_mistake() -> None:
    said = ugs()
    assert (said.exit_code, said.stdout) == (0, guide())
    assert "ugs --help" in said.stdout


def test_in_the_folder_of_a_contest_its_server_comes_first(tmp_path: Path) -> None:
    (tmp_path / SETTINGS).touch()
    assert guide(tmp_path).index("ugs doctor --config") < guide(tmp_path).index("ugs serve --config")
    assert "ugs init" not in guide(tmp_path)
    assert "--championship" not in guide(tmp_path)
    (tmp_path / PLAN).touch()
    assert f"ugs serve --config {SETTINGS} --championship {PLAN}" in guide(tmp_path)


def test_without_games_nothing_is_shown_that_needs_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subject, "games", list)
    assert 'pip install "ugs[games]"' in guide()
    assert "ugs demo" not in guide()
