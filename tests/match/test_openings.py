"""From which positions games begin."""

import tomllib
from pathlib import Path

import pytest

from ugs.match.games import find_game
from ugs.match.match_settings import WrongMatch
from ugs.match.openings import Opening, read_openings, setup_of, written
from ugs.match.planner import PlannedGame

GAME = PlannedGame(3, ("a", "b"), 2, 1)


def test_a_file_holds_openings_with_names(tmp_path: Path) -> None:
    path = tmp_path / "book.toml"
    path.write_text('[[opening]]\nname = "corner"\nmoves = ["0,0"]\n[[opening]]\nmoves = ["9,9"]\n', encoding="utf-8")
    assert read_openings(path) == [Opening("corner", {"moves": ["0,0"]}), Opening("2", {"moves": ["9,9"]})]


def test_a_folder_holds_fixtures(tmp_path: Path) -> None:
    for name in ("b", "a"):
        (tmp_path / f"{name}.toml").write_text(f'begins = "{name}"\n', encoding="utf-8")
    assert [one.name for one in read_openings(tmp_path)] == ["a", "b"]


@pytest.mark.parametrize("text", ["", "opening = 1", "opening = [1]", "no toml"])
def test_other_files_are_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "book.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(WrongMatch, match=r"book\.toml"):
        read_openings(path)


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WrongMatch, match="0 openings; allowed: 1 to"):
        read_openings(tmp_path)


def test_games_without_chance_need_no_words_to_begin() -> None:
    assert setup_of(find_game("tic-tac-toe"), GAME, None, "s") == ""


def test_games_of_a_group_have_the_same_chance() -> None:
    setup = setup_of(find_game("apologies"), GAME, None, "s")
    assert tomllib.loads(setup) == {"players": 2, "seed": "s 2"}


def test_an_opening_may_have_its_own_number_of_players_and_seed() -> None:
    values = {"seed": 7, "pawns": {"RED": ["4", "S"]}, "begins": "RED", "x": 1.5, "flag": True}
    setup = setup_of(find_game("apologies"), GAME, Opening("one", values), "s")
    assert tomllib.loads(setup) == {"players": 2, **values}


def test_what_toml_cannot_hold_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WrongMatch, match="cannot be written"):
        written({"when": tomllib.loads("x = 2030-05-01")["x"]})
    with pytest.raises(WrongMatch, match="opening 1: "):
        setup_of(find_game("apologies"), GAME, Opening("long", {"x": "y" * 70_000}), "s")
