"""Options read as words."""

import pytest

from ugs.option_names import in_words, options_text


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


def test_options_with_their_values_are_one_line() -> None:
    assert options_text({"board_size": "7", "mode": "a\nb"}) == r"board size: 7, mode: a\nb"
    assert options_text({}) == ""
