"""What ``ugs championship plan`` tells of a plan beforehand."""

from pathlib import Path

import pytest
from typer.testing import Result

from tests.commands.line import ugs


def run(*arguments: str | Path) -> Result:
    return ugs("championship", *arguments)


@pytest.fixture
def plan_file(tmp_path: Path) -> Path:
    file = tmp_path / "plan.toml"
    file.write_text('name = "spring"\ngame_type = "go"\nentrants = ["ann", "bob", "cem"]\nreturn_s = 5\n')
    return file


def test_a_plan_is_tried_out_without_a_server(plan_file: Path) -> None:
    result = run("plan", plan_file, "--dry-run", "--game-s", "10")
    assert result.exit_code == 0
    assert "3 entrants, 2 seats" in result.stdout


@pytest.mark.parametrize(
    ("text", "arguments", "words"),
    [
        ("", ("--dry-run", "--entrants", "5"), "the plan names its 3 entrants"),
        ("", (), "give --data-dir"),
        ("frist = 3\n", ("--dry-run",), "unknown key frist"),
        ("", ("--dry-run", "--seats", "1"), "--seats"),
    ],
)
def test_a_plan_that_cannot_be_is_exit_code_2(
    plan_file: Path, text: str, arguments: tuple[str, ...], words: str
) -> None:
    plan_file.write_text(plan_file.read_text() + text)
    result = run("plan", plan_file, *arguments)
    assert result.exit_code == 2
    assert words in result.stderr


def test_a_plan_for_those_who_are_there_needs_a_number_to_be_tried_out(tmp_path: Path) -> None:
    file = tmp_path / "plan.toml"
    file.write_text('name = "spring"\ngame_type = "go"\nbegins_at = "2030-05-01T20:00"\n')
    result = run("plan", file, "--dry-run")
    assert result.exit_code == 2
    assert "give --entrants" in result.stderr
    assert run("plan", file, "--dry-run", "--entrants", "4").exit_code == 0


def test_options_that_an_installed_game_refuses_are_warned_of(plan_file: Path) -> None:
    plan_file.write_text(plan_file.read_text() + "[options]\nsize = 1\n")
    result = run("plan", plan_file, "--dry-run")
    assert result.exit_code == 0
    assert "\n  options   size: 1\n" in result.stdout
    assert result.stderr.startswith(
        "ugs championship: warning: the installed game of type go refuses its options: option size: '1' is not allowed"
    )
