"""Options read as words."""

import pytest

from ugs.option_names import in_words, is_puzzle, options_text, true_options


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


def test_a_puzzle_has_options_of_its_own() -> None:
    """A replay said that puzzle 9 of five in a row has a board of 20 x 20; it has 11 x 11."""
    chosen = {"width": "20", "row": "5", "puzzle": "9"}
    assert (is_puzzle(chosen), true_options(chosen)) == (True, {"puzzle": "9"})
    none = {**chosen, "puzzle": "0"}
    assert (is_puzzle(none), true_options(none)) == (False, {"width": "20", "row": "5"})
    assert (is_puzzle({}), true_options({"row": "5"})) == (False, {"row": "5"})
