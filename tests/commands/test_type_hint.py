"""The game type of a package whose name was typed."""

from importlib.metadata import entry_points

import pytest

from tests.commands.line import ugs
from ugs.commands.type_hint import GROUP, type_hint

TYPES = {point.name: point.load().game_type for point in entry_points(group=GROUP) if "tic" in point.name}


@pytest.mark.parametrize("name", sorted(TYPES))
def test_a_name_that_is_no_type_is_told_apart(name: str) -> None:
    hint = type_hint(name)
    assert (repr(TYPES[name]) in hint) == (TYPES[name] != name)


@pytest.mark.parametrize("word", [None, "", "no-such-game", "../x"])
def test_other_words_have_no_hint(word: str | None) -> None:
    assert type_hint(word) == ""


def test_one_game_is_shown_by_its_name_or_its_type_and_all_in_short() -> None:
    name, game_type = next(iter(TYPES.items()))
    assert game_type in ugs("games", name, "--short").stdout
    assert name in ugs("games", game_type, "--short").stdout
    assert len(ugs("games", "--short").stdout.splitlines()) < 20
    wrong = ugs("games", "no-such-game")
    assert (wrong.exit_code, "unknown" in wrong.stderr) == (2, True)
