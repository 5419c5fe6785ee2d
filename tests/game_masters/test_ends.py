"""How games end, as pictures: for each golden game that ends, and each kind of end of each game of this project, what
everybody and each seat sees of it stays as it is.

``python -m tests.game_masters.test_ends`` writes the files anew.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from game_masters.kit.gallery import ends, plain, played
from game_masters.kit.golden import Script, read_script
from game_masters.registry import find_games

GOLDEN = Path(__file__).parents[1] / "golden"
ENDS = GOLDEN / "ends"
REGISTRY = find_games()
WIDTH = 80


def sources() -> Iterator[tuple[str, Path]]:
    """Games that end, by the name of their picture: golden ones, and those recorded for their ends."""
    for path in sorted(GOLDEN.glob("games/*/*.txt")):
        if "\nover: " in path.read_text(encoding="utf-8"):
            yield f"{path.parent.name}-{path.stem}", path
    for path in sorted(ENDS.glob("*.moves")):
        yield path.stem, path


SOURCES = dict(sources())


def script_of(name: str) -> Script:
    return read_script(SOURCES[name].read_text(encoding="utf-8"))


def seen(name: str) -> str:
    """The end of a game; who sees the same is named together."""
    script = script_of(name)
    game = REGISTRY.game(script.game)
    assert game.pictures is not None
    viewers: dict[str, list[str]] = {}
    for who, picture in ends(game, game.pictures, script):
        viewers.setdefault(plain(picture, WIDTH), []).append(who)
    return "".join(f"=== {', '.join(who)}\n{picture}" for picture, who in viewers.items())


def termination(name: str) -> tuple[str, str]:
    """The game, and why it ended."""
    script = script_of(name)
    *_, (state, _) = played(REGISTRY.game(script.game), script)
    assert state.outcome is not None, f"{name} does not end"
    return script.game, str(state.outcome.termination)


@pytest.mark.parametrize("name", SOURCES)
def test_an_end_looks_as_recorded(name: str) -> None:
    assert seen(name) == (ENDS / f"{name}.txt").read_text(encoding="utf-8")


def test_each_game_of_this_project_ends_in_a_picture() -> None:
    drawn = {termination(name)[0] for name in SOURCES}
    own = {one.game.name for one in REGISTRY.installed if one.package == "ugs" and one.game.pictures is not None}
    assert drawn == own


def main() -> None:
    """Write all files anew."""
    ENDS.mkdir(exist_ok=True)
    for name in SOURCES:
        (ENDS / f"{name}.txt").write_text(seen(name), encoding="utf-8")
        sys.stdout.write(f"{name}: {': '.join(termination(name))}\n")


if __name__ == "__main__":
    main()
