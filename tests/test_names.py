"""The universal server knows no game: no file of ``ugs`` holds the name of an installed game or gateway."""

import re
from importlib.metadata import entry_points
from pathlib import Path

import pytest

UGS = Path(__file__).parents[1] / "ugs"
EXAMPLE = "tic-tac-toe"
"""The one game that may stand in texts, as an example."""
NAMES = {entry.name for group in ("ugs.games", "ugs.gateways") for entry in entry_points(group=group)}
FORMS = sorted({form for name in NAMES - {EXAMPLE} for form in (name, name.replace("-", "_"), name.replace("-", " "))})
"""As they stand in texts, in Python and in sentences."""


def test_there_are_games_and_gateways_to_look_for() -> None:
    assert {"apologies", "apologies-adult", EXAMPLE} <= NAMES


FILES = sorted(path for path in UGS.rglob("*") if path.is_file() and "__pycache__" not in path.parts)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(UGS)))
def test_no_file_names_a_game(path: Path) -> None:
    text = path.read_text(encoding="utf-8").casefold()
    named = [form for form in FORMS if re.search(rf"(?<![a-z0-9]){re.escape(form.casefold())}", text)]
    assert not named
    assert EXAMPLE.replace("-", "_") not in text, "an example is a text, not Python"
