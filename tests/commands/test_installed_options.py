"""Options of a plan beside those of installed games."""

import pytest

from ugs.commands.installed_options import refused_options

TICTACTOE = "5-in-line-tic-tac-toe"


@pytest.mark.parametrize(
    ("game_type", "options", "words"),
    [
        (TICTACTOE, {"width": "7", "row": "4"}, ""),
        (TICTACTOE, {"width": "7", "puzzle": "2"}, ""),
        (TICTACTOE, {"puzzle": "2"}, ""),
        (TICTACTOE, {"width": "1"}, "option width: '1' is not allowed; allowed: 3 to 100"),
        (TICTACTOE, {"widht": "7"}, "has no such option (did you mean 'width'?); it has: width, height, row"),
        ("a-game-of-others", {"width": "1"}, ""),
        ("no-collection:chess", {"width": "1"}, ""),
        ("tic-tac-toe", {}, ""),
    ],
)
def test_what_an_installed_game_refuses_is_told(game_type: str, options: dict[str, str], words: str) -> None:
    refused = refused_options(game_type, options)
    assert refused.endswith(words)
    assert bool(refused) is bool(words)
