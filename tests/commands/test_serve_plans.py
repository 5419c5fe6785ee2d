"""The plan files of a server: those of championships that go on keep no server from starting."""

from pathlib import Path

import pytest

from ugs.broker.effects import RecordChampionship
from ugs.championship.ledger import LedgerEntry, What
from ugs.championship.plan import Plan, PlanError
from ugs.commands.serve_plans import plans_of
from ugs.journal.journal import Journal

SPRING = 'name = "spring"\ngame_type = "go"\nformat = "swiss"\nentrants = ["ann", "ben"]\n'


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data directory with the championship spring, whose plan has a value that was not refused then."""
    plan = Plan.unchecked(name="spring", game_type="go", format="swiss", entrants=("ann", "ben"), best_of=3)
    journal = Journal(tmp_path, version="0.1.0", kept=lambda _: None, lost=lambda _: None, back=lambda: None)
    journal.record(RecordChampionship("spring", "go", LedgerEntry(What.PLANNED, {"plan": plan.plain()})), 1, 0)
    journal.flush()
    journal.close()
    return tmp_path


def file_of(directory: Path, text: str) -> Path:
    file = directory / "plan.toml"
    file.write_text(text)
    return file


def test_a_value_that_is_refused_by_now_is_a_warning_where_the_championship_goes_on(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert [*plans_of([file_of(data, f"{SPRING}best_of = 3\n")], str(data))] == []
    assert capsys.readouterr().err == (
        f"ugs serve: warning: {data}/plan.toml: best_of = 3: only for format = 'knock-out'; "
        "spring goes on with the plan in the journal\n"
    )


def test_a_plan_without_a_mistake_is_taken(data: Path) -> None:
    assert [plan.name for plan in plans_of([file_of(data, SPRING)], str(data))] == ["spring"]


@pytest.mark.parametrize("text", [f"{SPRING}best_of = 3\n".replace("spring", "autumn"), "name = 3", "name ="])
def test_all_others_are_refused(data: Path, text: str) -> None:
    with pytest.raises(PlanError):
        [*plans_of([file_of(data, text)], str(data))]


@pytest.mark.parametrize("kept_at", ["", "empty"])
def test_without_a_journal_nothing_goes_on(data: Path, kept_at: str) -> None:
    with pytest.raises(PlanError, match="only for format"):
        [*plans_of([file_of(data, f"{SPRING}best_of = 3\n")], kept_at and str(data / kept_at))]


def test_options_that_an_installed_game_refuses_are_warned_of(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = file_of(data, f"{SPRING}options = {{ bord = 9 }}\n")
    assert [plan.options for plan in plans_of([file], str(data))] == [{"bord": "9"}]
    assert capsys.readouterr().err.startswith(
        f"ugs serve: warning: {file}: the installed game of type go refuses its options: option bord: go has no such"
    )
