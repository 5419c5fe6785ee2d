"""Options read as words, and come with what they are for."""

import pytest

from ugs.page.option_names import in_words, purpose


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("board_size", "board size"),
        ("shuffle-players", "shuffle players"),
        ("balancedTowers", "balanced towers"),
        ("noFirstTurnT2TTeleport", "no first turn T2T teleport"),
        ("komi2", "komi2"),
        ("N7C", "N7C"),
        ("_SC_FOG", "SC FOG"),
        ("row", "row"),
        ("a\x1bb", r"a\u{1b}b"),
    ],
)
def test_names_are_words(name: str, words: str) -> None:
    assert in_words(name) == words


def test_an_installed_game_explains_its_options() -> None:
    assert purpose("size", "go") == "lines of the board"
    assert purpose("size", "no-such-game") == ""
    assert purpose("no-such-option", "go") == ""
