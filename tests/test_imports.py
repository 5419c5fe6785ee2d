"""The sizes, names and places of modules. Which may import which stands in ``pyproject.toml``, and is checked by
``make lint``; so is that imports say from where, and that every module says what it is for."""

from pathlib import Path

from tests.sources import SOURCES, TOP, module_name

MAX_MODULE_LINES = 500


def within(name: str, *packages: str) -> bool:
    """Whether a module is one of these packages or lies in one."""
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def test_no_module_is_longer_than_a_reader_can_hold() -> None:
    lines = {name: len(path.read_text(encoding="utf-8").splitlines()) for name, path in SOURCES.items()}
    assert {name: number for name, number in lines.items() if number > MAX_MODULE_LINES} == {}


def test_no_module_is_private() -> None:
    """Ruff asks private modules for no docstring."""
    assert [name for name in SOURCES if "._" in name.removesuffix(".__main__")] == []


def folder_of_tests(package: str) -> Path:
    """The folder with the tests of a package."""
    return TOP / "tests" / Path(*package.split(".")[1:] if within(package, "ugs") else package.split("."))


def test_every_package_has_its_tests() -> None:
    packages = [name for name, path in SOURCES.items() if path.name == "__init__.py"]
    assert {"ugs", "game_masters"} < set(packages)
    assert [package for package in packages if not list(folder_of_tests(package).glob("test_*.py"))] == []


ELSEWHERE = {"ugs.__main__", "ugs.value"}
"""The entry is run end to end; values are what all tests of the wire and broker compare."""


def test_every_module_at_the_top_has_its_tests() -> None:
    at_the_top = [path for path in sorted((TOP / "ugs").glob("*.py")) if module_name(path) not in {"ugs", *ELSEWHERE}]
    assert at_the_top
    assert [path.stem for path in at_the_top if not (TOP / "tests" / f"test_{path.stem}.py").is_file()] == []


COMMANDS = ("ugs.commands", "game_masters.commands")


def test_every_module_of_the_command_line_has_its_tests() -> None:
    commands = [name for name in SOURCES if within(name, *COMMANDS) and name not in COMMANDS]
    assert commands
    assert [name for name in commands if not file_of_tests(name).is_file()] == []


def file_of_tests(name: str) -> Path:
    """The tests of one module of the command line."""
    *package, stem = name.removeprefix("ugs.").split(".")
    return TOP.joinpath("tests", *package, f"test_{stem}.py")
