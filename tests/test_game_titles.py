"""What people call games."""

from importlib.metadata import EntryPoint

import pytest

from ugs import game_titles
from ugs.game_titles import (
    by_title,
    called_hint,
    collected_hint,
    find_title,
    in_words,
    title_of,
    titles_apart,
)
from ugs.type_hint import GROUP


class Named:
    """A game with a title that would confuse a terminal."""

    game_type = "their-game"
    title = "Their\x1b[31m game"


class Plain:
    """A game without a title."""

    game_type = "plain-game"


def point(name: str, value: str) -> EntryPoint:
    return EntryPoint(name, f"{__name__}:{value}", GROUP)


def test_a_game_declares_its_title_and_one_without_has_its_type_in_words() -> None:
    points = [point("broken", "NoSuchThing"), point("theirs", "Named"), point("plain", "Plain")]
    assert find_title("their-game", points) == "Their\\u{1b}[31m game"
    assert find_title("plain-game", points) == "Plain game"
    assert find_title("no-such-game", points) is None


@pytest.mark.parametrize(
    ("game_type", "words"),
    [
        ("connect_four", "Connect four"),
        ("hex(board_size=5,players=2)", "Hex (board size 5, players 2)"),
        ("chess", "Chess"),
        ("-", "-"),
        ("", ""),
        ("a\x1bb", "A\\u{1b}b"),
    ],
)
def test_a_type_in_words(game_type: str, words: str) -> None:
    assert in_words(game_type) == words


def test_installed_games_have_titles_and_no_other_type_is_shown_under_one_of_them() -> None:
    assert title_of("settlers") == "Catan"
    assert title_of("5-in-line-tic-tac-toe") == "Five in a row"
    assert title_of("openspiel:connect_four") == "Connect four"
    assert title_of("openspiel:go") == "Go (openspiel)"
    assert title_of("Catan") == "Catan (type Catan)"
    assert by_title(["titan", "settlers", "5-in-line-tic-tac-toe"]) == ["settlers", "5-in-line-tic-tac-toe", "titan"]


def test_titles_that_read_alike_are_told_apart_by_their_types() -> None:
    assert titles_apart(["connect-four", "openspiel:connect_four", "titan"]) == {
        "connect-four": "Connect four (connect-four)",
        "openspiel:connect_four": "Connect four (openspiel:connect_four)",
        "titan": "Titan",
    }


def test_a_game_of_a_collection_is_known_by_its_title(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_titles, "collected_names", lambda: ["shelf:hex", "shelf:connect_four"])
    for word in ("Connect four", "connect-4", "connect_four"):
        assert collected_hint(word) == " ('Connect four' is the title of 'shelf:connect_four')"
    assert collected_hint("Connect five") == ""


@pytest.mark.parametrize(
    ("word", "games"),
    [
        ("gomoku", "'tic-tac-toe' and 'openspiel:gomoku'"),
        ("Four in a row", "'openspiel:connect_four'"),
        ("4-in-a-row", "'openspiel:connect_four'"),
        ("noughts and crosses", "'openspiel:tic_tac_toe'"),
        ("Reversi!", "'openspiel:othello'"),
        ("weiqi", "'go'"),
        ("connectfour", "'openspiel:connect_four'"),
    ],
)
def test_other_names_that_people_know_a_game_by_lead_to_it(word: str, games: str) -> None:
    assert called_hint(word) == f" ({word!r} is also a name of {games})"


def test_a_game_of_a_collection_without_its_library_is_found_by_its_bare_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its collection does not know it then."""
    monkeypatch.setattr("ugs.game_titles.collected_names", list)
    assert called_hint("connect_four") == " ('connect_four' is also a name of 'openspiel:connect_four')"


def test_a_word_that_no_game_is_called_has_no_hint() -> None:
    assert called_hint("no such game") == called_hint("") == called_hint("?") == ""
