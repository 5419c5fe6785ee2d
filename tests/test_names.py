"""The universal server knows no game: no file of ``ugs`` holds the name of an installed game or gateway."""

import re
from importlib.metadata import entry_points
from pathlib import Path

UGS = Path(__file__).parents[1] / "ugs"
EXAMPLE = "tic-tac-toe"
"""The one game that may stand in texts, as an example."""
COMMON = {"chess", "go"}
"""Words of the language as well: of tournaments, of packages, of verbs."""
NAMES = {entry.name for group in ("ugs.games", "ugs.gateways") for entry in entry_points(group=group)}
FORMS = sorted(
    {form for name in NAMES - {EXAMPLE} - COMMON for form in (name, name.replace("-", "_"), name.replace("-", " "))}
)
"""As they stand in texts, in Python and in sentences."""


def test_there_are_games_and_gateways_to_look_for() -> None:
    assert {"apologies", "apologies-adult", EXAMPLE} <= NAMES


FILES = sorted(path for path in UGS.rglob("*") if path.is_file() and "__pycache__" not in path.parts)


def test_no_file_names_a_game() -> None:
    assert len(FILES) > 100
    assert [(str(path.relative_to(UGS)), form) for path in FILES for form in named_in(text_of(path))] == []


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8").casefold()


def named_in(text: str) -> list[str]:
    """The forms that stand there at the beginning of a word."""
    within = [form.casefold() for form in FORMS if form.casefold() in text]  # quicker than the expression
    return [form for form in within if re.search(rf"(?<![a-z0-9]){re.escape(form)}", text)]


def test_the_example_is_a_text_and_no_python() -> None:
    assert [str(path) for path in FILES if EXAMPLE.replace("-", "_") in text_of(path)] == []
