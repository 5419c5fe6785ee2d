"""Every golden game still gives the recorded text, and every game of this project has one."""

from pathlib import Path

import pytest

from game_masters.kit.golden import main, read_script, replay
from game_masters.registry import find_games

DIRECTORY = Path(__file__).parents[2] / "golden" / "games"
RECORDED = sorted(DIRECTORY.glob("*/*.txt"))


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_golden_game_comes_out_as_recorded(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    script = read_script(text)
    assert path.parent.name == script.game
    assert script.comments, "a golden game says what it shows"
    assert replay(script, find_games().game(script.game)).splitlines() == text.splitlines()


def test_every_game_of_this_project_has_a_golden_game() -> None:
    own = {entry.game.name for entry in find_games().installed if entry.package == "ugs"}
    assert own
    assert own - {path.parent.name for path in RECORDED} == set()


def test_bots_record_a_game_that_replays_itself(tmp_path: Path) -> None:
    registry = find_games()
    arguments = ["tic-tac-toe", "--bots", "random,threats", "--seed", "4", "--option", "width=7", "--comment", "Short."]
    text = main(arguments, registry)
    assert text.startswith("# Short.\ngame tic-tac-toe\nseed 4\noption width 7\nplayer random-1\nplayer threats-2\n\n")
    assert "over: row completed; won by threats-2" in text
    assert main(arguments, registry) == text
    path = tmp_path / "game.txt"
    path.write_text(text, encoding="utf-8")
    assert main([str(path)], registry) == text


def test_a_text_that_is_no_golden_game_is_refused() -> None:
    with pytest.raises(ValueError, match="begins with the lines game, seed"):
        read_script("game tic-tac-toe\n\n> ann leaves\n")
    with pytest.raises(ValueError, match="not a header line of a golden game: 'once upon a time'"):
        read_script("once upon a time\n")
