"""Formats of other programs: found by name, with the reason where one cannot be loaded."""

from importlib.metadata import EntryPoint

import pytest

from ugs import game_files
from ugs.game_files import GameFileError, find_format, format_names


def test_installed_formats_are_found_by_name() -> None:
    assert {"pgn", "sgf"} <= set(format_names())
    found = find_format("pgn")
    assert found is not None
    assert found.game_types == ("chess",)
    assert find_format("doc") is None


def test_a_format_whose_library_is_missing_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    points = [EntryPoint("odd", "nowhere_at_all:FORMAT", game_files.GROUP)]
    monkeypatch.setattr(game_files, "entry_points", lambda group: points)
    with pytest.raises(GameFileError, match="neither read nor written as odd: No module named 'nowhere_at_all'"):
        find_format("odd")
