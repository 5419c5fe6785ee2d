"""Names for the completion of a shell."""

from ugs.commands.game_names import bots, games


def test_games_are_those_that_are_installed() -> None:
    assert "tic-tac-toe" in games()
    assert games("tic") == ["tic-tac-toe"]
    assert games("zz") == []


def test_bots_are_those_of_the_game() -> None:
    assert bots("tic-tac-toe", "thr") == ["threats"]
    assert bots("no-such-game") == []
