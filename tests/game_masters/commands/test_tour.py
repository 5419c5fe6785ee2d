"""The command ``ugs tour``: its steps are shown, and run as they are shown."""

import shlex
from pathlib import Path

import pytest
import typer

from game_masters.commands import tour
from tests.game_masters.commands.line import ugs
from tests.standings.journals import Kept
from tests.standings.results import LOST, WON, game
from ugs.commands.app import application
from ugs.commands.example import files


class Ran:
    """Remembers what would have been run."""

    def __init__(self, code: int = 0) -> None:
        self.steps: list[tour.Step] = []
        self.code = code

    def __call__(self, step: tour.Step, folder: Path) -> int:
        self.steps.append(step)
        return self.code


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> Ran:
    ran = Ran()
    monkeypatch.setattr(tour, "run", ran)
    return ran


def test_all_steps_are_run_in_order(app: typer.Typer, ran: Ran, tmp_path: Path) -> None:
    code, shown, _ = ugs(app, "tour", "--yes", "--folder", str(tmp_path / "tour"))
    assert code == 0
    assert ran.steps == list(tour.STEPS)
    assert "$ ugs new bot mybot" in shown
    assert f"The files are in {tmp_path / 'tour'}." in shown


def test_q_ends_it(app: typer.Typer, ran: Ran, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter(["", "q"])
    monkeypatch.setattr("builtins.input", lambda: next(answers))
    assert ugs(app, "tour", "--folder", str(tmp_path / "tour"))[0] == 0
    assert len(ran.steps) == 1


def test_a_step_that_fails_ends_it_with_its_code(app: typer.Typer, ran: Ran, tmp_path: Path) -> None:
    ran.code = 3
    code, _, error = ugs(app, "tour", "--yes", "--folder", str(tmp_path / "tour"))
    assert code == 3
    assert "has ended with 3" in error


def test_an_earlier_tour_is_not_touched(app: typer.Typer, ran: Ran, tmp_path: Path) -> None:
    (tmp_path / "match").mkdir()
    code, _, error = ugs(app, "tour", "--yes", "--folder", str(tmp_path))
    assert code == 1
    assert "holds an earlier tour" in error
    assert ran.steps == []


@pytest.mark.parametrize("step", tour.STEPS, ids=lambda step: step.title)
def test_each_step_names_a_command_that_is_there(step: tour.Step) -> None:
    words = shlex.split(tour.filled(step, Path("nowhere"), "python3"))
    known = {command.name for command in application(["tour"]).registered_commands} | {"games"}
    groups = {group.name for group in application(["tour"]).registered_groups}
    assert words[0] in known | groups
    if words[0] == "example":
        assert words[1] in files()


def test_the_last_game_of_the_match_is_explained(app: typer.Typer, ran: Ran, tmp_path: Path) -> None:
    kept = Kept(tmp_path / "tour" / "match" / "server")
    kept.results(game(("ann", WON), ("ben", LOST), game_id=one) for one in ("g1", "g2"))
    kept.close()
    (step,) = [step for step in tour.STEPS if "{game}" in step.command]
    words = tour.filled(step, tmp_path / "tour", "python3").split()
    assert words == ["why", "g2", "--data-dir", "match/server", "--last", "2"]


def test_what_is_run_is_what_is_shown(tmp_path: Path) -> None:
    step = tour.Step("x", "y", "new bot mybot")
    assert tour.run(step, tmp_path) == 0
    assert "def move" in (tmp_path / "mybot" / "bot.py").read_text()
