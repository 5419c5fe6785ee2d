"""Golden pictures: each game of this project has one, and it stays as it is.

The first line of a file is the command line of ``python -m game_masters.kit.gallery`` that writes the rest. Where bots
have moved, it names a file of moves beside it, for bots become better and the picture has to stay.
"""

import re
import shlex
from pathlib import Path

import pytest

from game_masters.kit.gallery import main
from game_masters.kit.golden import read_script
from game_masters.registry import find_games
from ugs.pictures.paint import style_sheet

ROOT = Path(__file__).parents[2]
DIRECTORY = ROOT / "tests" / "golden" / "pictures"
PICTURES = sorted(DIRECTORY.glob("*.txt"))
REGISTRY = find_games()


@pytest.mark.parametrize("path", PICTURES, ids=lambda path: path.stem)
def test_a_golden_picture_comes_out_as_recorded(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    command, _, picture = path.read_text(encoding="utf-8").partition("\n")
    assert main(shlex.split(command), REGISTRY) == picture


@pytest.mark.parametrize("path", [one for one in PICTURES if one.stem != "bang"], ids=lambda path: path.stem)
def test_a_picture_names_its_pieces_so_that_pages_let_them_glide(
    path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """At a price of a few bytes in a hundred. Bang! has cards and no pieces."""
    monkeypatch.chdir(ROOT)
    main([*shlex.split(path.read_text(encoding="utf-8").splitlines()[0]), "--svg", str(tmp_path / "p.svg")], REGISTRY)
    svg = (tmp_path / "p.svg").read_text(encoding="utf-8")
    without = re.sub(r' data-pieces?="[^"]*"', "", svg)
    assert 0 < len(svg) - len(without) < 0.03 * len(svg)


def test_every_game_of_this_project_with_pictures_has_a_golden_one() -> None:
    drawn = {_game_of(path.read_text(encoding="utf-8").split()[0]) for path in PICTURES}
    own = {
        entry.game.name for entry in REGISTRY.installed if entry.package == "ugs" and entry.game.pictures is not None
    }
    assert drawn == own


def test_no_golden_picture_depends_on_how_a_bot_plays() -> None:
    assert not [path.name for path in PICTURES if "--bot" in path.read_text(encoding="utf-8").splitlines()[0]]


def test_a_game_is_kept_and_drawn_again(tmp_path: Path) -> None:
    moves = tmp_path / "bang.moves"
    drawn = main(["bang", "--bot", "deputy", "--seats", "4", "--moves", "12", "--keep", str(moves)], REGISTRY)
    assert main([str(moves)], REGISTRY) == drawn
    assert main([str(moves), "--moves", "5"], REGISTRY) != drawn


def _game_of(source: str) -> str:
    """The game that the first word of a command line names, or the file it names."""
    path = ROOT / source
    return read_script(path.read_text(encoding="utf-8")).game if path.is_file() else source


def test_a_picture_is_written_as_a_file_for_a_browser(tmp_path: Path) -> None:
    main(["apologies-adult", "--moves", "9", "--viewer", "1", "--svg", str(tmp_path / "p.svg")], REGISTRY)
    svg = (tmp_path / "p.svg").read_text(encoding="utf-8")
    assert svg.startswith('<?xml version="1.0" encoding="UTF-8"?>\n<svg ')
    assert style_sheet() in svg
