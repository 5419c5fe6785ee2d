"""Golden pictures: each game of this project has one, and it stays as it is.

The first line of a file is the command line of ``python -m game_masters.kit.gallery`` that writes the rest.
"""

import shlex
from pathlib import Path

import pytest

from game_masters.kit.gallery import main
from game_masters.registry import find_games
from ugs.pictures.paint import style_sheet

DIRECTORY = Path(__file__).parents[1] / "golden" / "pictures"
PICTURES = sorted(DIRECTORY.glob("*.txt"))
REGISTRY = find_games()


@pytest.mark.parametrize("path", PICTURES, ids=lambda path: path.stem)
def test_a_golden_picture_comes_out_as_recorded(path: Path) -> None:
    command, _, picture = path.read_text(encoding="utf-8").partition("\n")
    assert main(shlex.split(command), REGISTRY) == picture


def test_every_game_of_this_project_with_pictures_has_a_golden_one() -> None:
    drawn = {path.read_text(encoding="utf-8").split()[0] for path in PICTURES}
    own = {
        entry.game.name for entry in REGISTRY.installed if entry.package == "ugs" and entry.game.pictures is not None
    }
    assert drawn == own


def test_a_picture_is_written_as_a_file_for_a_browser(tmp_path: Path) -> None:
    main(["apologies-adult", "--moves", "9", "--viewer", "1", "--svg", str(tmp_path / "p.svg")], REGISTRY)
    svg = (tmp_path / "p.svg").read_text(encoding="utf-8")
    assert svg.startswith('<?xml version="1.0" encoding="UTF-8"?>\n<svg ')
    assert style_sheet() in svg
