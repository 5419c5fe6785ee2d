"""The sizes and places of modules, read from the source. Which may import which stands in ``pyproject.toml``, and is
checked by ``make lint``."""

import ast
from pathlib import Path

import pytest

from tests.sources import SOURCES, TOP, module_name, tree_of

MAX_MODULE_LINES = 500


def within(name: str, *packages: str) -> bool:
    """Whether a module is one of these packages or lies in one."""
    return any(name == package or name.startswith(f"{package}.") for package in packages)


@pytest.mark.parametrize("name", sorted(SOURCES))
def test_imports_say_from_where(name: str) -> None:
    relative = [node for node in ast.walk(tree_of(name)) if isinstance(node, ast.ImportFrom) and node.level]
    assert not relative, f"{name} imports relatively: readers should see from where"


@pytest.mark.parametrize("name", sorted(SOURCES))
def test_no_module_is_longer_than_a_reader_can_hold(name: str) -> None:
    assert len(SOURCES[name].read_text(encoding="utf-8").splitlines()) <= MAX_MODULE_LINES


@pytest.mark.parametrize("name", sorted(SOURCES))
def test_every_module_says_what_it_is_for(name: str) -> None:
    assert ast.get_docstring(tree_of(name))


@pytest.mark.parametrize("package", sorted({name for name in SOURCES if SOURCES[name].name == "__init__.py"}))
def test_every_package_has_its_tests(package: str) -> None:
    folder = TOP / "tests" / Path(*package.split(".")[1:] if within(package, "ugs") else package.split("."))
    assert list(folder.glob("test_*.py")), f"{folder} holds no test of {package}"


ELSEWHERE = {"ugs.__main__", "ugs.value"}
"""The entry is run end to end; values are what all tests of the wire and broker compare."""
AT_THE_TOP = [path.stem for path in sorted((TOP / "ugs").glob("*.py")) if module_name(path) not in {"ugs", *ELSEWHERE}]


@pytest.mark.parametrize("stem", AT_THE_TOP)
def test_every_module_at_the_top_has_its_tests(stem: str) -> None:
    assert (TOP / "tests" / f"test_{stem}.py").is_file()


COMMANDS = ("ugs.commands", "game_masters.commands")


@pytest.mark.parametrize("name", [name for name in SOURCES if within(name, *COMMANDS) and name not in COMMANDS])
def test_every_module_of_the_command_line_has_its_tests(name: str) -> None:
    *package, stem = name.removeprefix("ugs.").split(".")
    assert TOP.joinpath("tests", *package, f"test_{stem}.py").is_file()
