"""What each distribution says of itself."""

import re
from importlib.metadata import distribution

import pytest
from packaging.requirements import Requirement

from tests.locks import needed
from tests.wheels.parts import GAMES, MANUAL, PARTS, SERVER, TOOLS, TOP, contents, tracked
from tests.wheels.project import GROUPS, declared, project_of
from ugs import __version__
from ugs.distributions import EXTRA_OF, OURS

FILES = contents(tracked())
PROJECTS = {part: project_of(part, FILES[part]) for part in PARTS}
MAX_PACKAGES = 30
"""Packages of others that `pip install ugs` brings. For fewer the page (hypercorn, starlette) or the command line
(typer with rich) would have to go: docs/dependencies.md."""
MAX_BYTES = 30_000_000


def test_there_is_one_version() -> None:
    assert {project["version"] for project in PROJECTS.values()} == {__version__}
    assert (*PARTS, MANUAL) == OURS
    assert PROJECTS[GAMES]["dependencies"] == [f"ugs[schemas,gateways,tokens]=={__version__}"]
    assert PROJECTS[TOOLS]["dependencies"] == [f"ugs-games=={__version__}"]


@pytest.mark.parametrize("group", GROUPS)
def test_each_entry_point_is_in_one_of_them(group: str) -> None:
    found = [point for project in PROJECTS.values() for point in project["entry-points"].get(group, {}).items()]
    assert sorted(found) == sorted(declared()["entry-points"][group].items())


def test_nothing_that_a_checkout_needs_is_lost() -> None:
    server = PROJECTS[SERVER]
    with_games = [*server["dependencies"], *server["optional-dependencies"]["schemas"]]
    with_games += [*server["optional-dependencies"]["gateways"], *server["optional-dependencies"]["tokens"]]
    assert sorted(with_games) == sorted(declared()["dependencies"])


def test_extras_that_messages_name_are_there() -> None:
    assert set(EXTRA_OF.values()) <= set(PROJECTS[SERVER]["optional-dependencies"])
    assert set(PROJECTS[SERVER]["optional-dependencies"]) <= set(declared()["optional-dependencies"])


def size_of(part: str) -> int:
    """Bytes of our own files of a part."""
    return sum((TOP / source).stat().st_size for source in FILES[part].values())


def size_of_package(name: str) -> int:
    """Bytes of an installed package of others, without compiled files."""
    files = [file.locate() for file in distribution(name).files or () if file.suffix != ".pyc"]
    return sum(file.stat().st_size for file in files if file.is_file())  # type: ignore[attr-defined,unused-ignore]


def test_the_server_alone_is_small_and_sizes_are_as_the_manual_has_them() -> None:
    alone = needed(map(Requirement, PROJECTS[SERVER]["dependencies"]))
    with_games = needed(map(Requirement, declared()["dependencies"]))
    size = size_of(SERVER) + sum(map(size_of_package, alone))
    assert len(alone) <= MAX_PACKAGES, sorted(alone)
    assert size <= MAX_BYTES, size
    added = size_of(GAMES) + sum(map(size_of_package, with_games - alone))
    page = (TOP / "docs" / "dependencies.md").read_text(encoding="utf-8")
    server = re.search(r"^\| `pip install ugs` \| (\d+) \| (\d+) MB, of it ugs (\d+) \|", page, re.MULTILINE)
    games = re.search(r'^\| `pip install "ugs\[games\]"` \| (\d+) \| (\d+) MB \|', page, re.MULTILINE)
    assert server is not None
    assert games is not None
    assert (int(server[1]), int(games[1])) == (len(alone), len(with_games))
    sizes = (size, size_of(SERVER), size + added)
    for written, measured in zip((server[2], server[3], games[2]), sizes, strict=True):
        assert abs(int(written) - measured / 1e6) < 1, sizes
