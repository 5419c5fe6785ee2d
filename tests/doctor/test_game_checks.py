"""Installed games, and those that the settings name."""

import sys
from importlib.metadata import EntryPoint

import pytest

from ugs.config import load, parse
from ugs.doctor.diagnosis import Grade, note
from ugs.doctor.game_checks import examine_games, read_games


def test_the_installed_games_are_there() -> None:
    installed, broken, lacking = read_games()
    assert installed["tic-tac-toe"] == "5-in-line-tic-tac-toe"
    assert broken == lacking == {}
    assert [one.grade for one in examine_games(load(None), installed, broken, lacking)] == [Grade.GOOD]


def test_a_game_that_cannot_be_loaded_is_bad() -> None:
    found = read_games([EntryPoint("x", "no_such_module:GAME", "ugs.games")])
    assert [one.grade for one in examine_games(load(None), *found)] == [Grade.BAD, Grade.WARNING]


def test_a_game_type_that_no_game_has_is_a_slip_or_a_game_of_ones_own() -> None:
    config = parse({"game_types": {"goo": {}}, "allowed_game_types": ["go"]}, "test")
    (found,) = examine_games(config, {"go": "go"}, {}, {})
    assert (found.grade, "'goo' (did you mean 'go'?)" in found.text) == (Grade.WARNING, True)


def test_a_game_whose_library_is_an_extra_hinders_no_server(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [
        name for name in sys.modules if name == "game_masters.chess" or name.startswith("game_masters.chess.")
    ]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "chess", None)
    names = ("chess", "go")
    installed, broken, lacking = read_games(
        [EntryPoint(name, f"game_masters.{name}:GAME", "ugs.games") for name in names]
    )
    assert (list(installed), broken, list(lacking)) == (["go"], {}, ["chess"])
    found, lacks = examine_games(load(None), installed, broken, lacking)
    assert (found.grade, found.text) == (Grade.GOOD, "1 installed: ugs master NAME leads one")
    assert lacks == note("games", "1 more lacks a library", 'pip install "ugs[chess]"')


def test_many_games_without_their_libraries_are_counted_in_a_short_line() -> None:
    lacking = {f"game-{number}": 'its library is not installed: pip install "ugs[all]"' for number in range(7)}
    _, found = examine_games(load(None), {"go": "go"}, {}, lacking)
    assert found == note("games", "7 more lack a library", 'pip install "ugs[all]"')


def test_where_no_reason_names_a_command_ugs_games_tells_more() -> None:
    _, found = examine_games(load(None), {"go": "go"}, {}, {"x": "no libx"})
    assert found == note("games", "1 more lacks a library", "ugs games names what installs it")
