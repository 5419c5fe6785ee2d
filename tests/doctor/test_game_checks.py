"""Installed games, and those that the settings name."""

from importlib.metadata import EntryPoint

from ugs.config import load, parse
from ugs.doctor.diagnosis import Grade
from ugs.doctor.game_checks import examine_games, read_games


def test_the_installed_games_are_there() -> None:
    installed, broken = read_games()
    assert installed["tic-tac-toe"] == "5-in-line-tic-tac-toe"
    assert broken == {}
    assert [one.grade for one in examine_games(load(None), installed, broken)] == [Grade.GOOD]


def test_a_game_that_cannot_be_loaded_is_bad() -> None:
    installed, broken = read_games([EntryPoint("x", "no_such_module:GAME", "ugs.games")])
    assert [one.grade for one in examine_games(load(None), installed, broken)] == [Grade.BAD, Grade.WARNING]


def test_a_game_type_that_no_game_has_is_a_slip_or_a_game_of_ones_own() -> None:
    config = parse({"game_types": {"goo": {}}, "allowed_game_types": ["go"]}, "test")
    (found,) = examine_games(config, {"go": "go"}, {})
    assert (found.grade, "'goo' (did you mean 'go'?)" in found.text) == (Grade.WARNING, True)
