"""The directions of imports, and the sizes and places of modules, read from the source."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

TOP = Path(__file__).parents[1]
OURS = ("ugs", "game_masters")
LONGEST_MODULE = 500
SHELL = frozenset({"trio", "structlog", "socket", "select", "signal", "subprocess", "threading", "asyncio"})
CLOCK_AND_CHANCE = frozenset({"time", "datetime", "random", "secrets", "uuid"})
XML = frozenset({"xml", "defusedxml", "xmlschema", "pyexpat", "lxml"})


def module_name(path: Path) -> str:
    """``ugs/wire/codec.py`` is ``ugs.wire.codec``; a package is its folder."""
    parts = path.relative_to(TOP).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


SOURCES = {module_name(path): path for top in OURS for path in sorted((TOP / top).rglob("*.py"))}


def imported(name: str) -> Iterator[str]:
    """Every module that a module imports, wherever in it; of ``from x import y`` both x and x.y."""
    for node in ast.walk(ast.parse(SOURCES[name].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name} imports relatively: readers should see from where"
            assert node.module is not None
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def within(name: str, *packages: str) -> bool:
    """Whether a module is one of these packages or lies in one."""
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def modules(*packages: str) -> list[str]:
    """Our modules in these packages."""
    found = [name for name in SOURCES if within(name, *packages)]
    assert found, f"no module in {packages}: has it moved?"
    return found


def of_ours(name: str) -> set[str]:
    """Those of our modules that a module imports."""
    return {target for target in imported(name) if target in SOURCES}


def outside(name: str) -> set[str]:
    """The top-level packages of others (the standard library among them) that a module imports."""
    return {target.partition(".")[0] for target in imported(name)} - set(OURS)


MET_BY_THE_BROKER = (
    *("ugs.broker", "ugs.championship", "ugs.config", "ugs.value"),
    *("ugs.wire.messages", "ugs.wire.extensions"),
)


@pytest.mark.parametrize("name", modules("ugs.broker"))
def test_the_broker_knows_no_io_no_clock_and_no_chance(name: str) -> None:
    assert not outside(name) & (SHELL | CLOCK_AND_CHANCE | XML)
    assert not {target for target in of_ours(name) if not within(target, *MET_BY_THE_BROKER) and target != "ugs.wire"}


ON_PAPER = modules("ugs.championship")


@pytest.mark.parametrize("name", ON_PAPER)
def test_a_championship_on_paper_knows_no_io_no_clock_and_no_chance(name: str) -> None:
    assert not outside(name) & (SHELL | (CLOCK_AND_CHANCE - {"datetime"}) | XML), "a plan has an hour"
    assert of_ours(name) <= {*ON_PAPER, "ugs", "ugs.config"}


@pytest.mark.parametrize("name", modules("ugs.record", "ugs.journal"))
def test_what_is_kept_knows_nothing_of_who_runs(name: str) -> None:
    assert not {target for target in of_ours(name) if within(target, "ugs.daemon", "ugs.peer", "ugs.replay")}


@pytest.mark.parametrize("name", modules("ugs.wire"))
def test_the_wire_knows_no_io_and_nothing_but_itself(name: str) -> None:
    assert not outside(name) & (SHELL | CLOCK_AND_CHANCE)
    assert not {target for target in of_ours(name) if not within(target, "ugs.wire", "ugs.value") and target != "ugs"}


@pytest.mark.parametrize("name", modules("ugs"))
def test_the_server_does_not_know_the_games(name: str) -> None:
    assert not {target for target in of_ours(name) if within(target, "game_masters")}


def test_the_settings_know_nothing_of_what_is_set() -> None:
    assert not of_ours("ugs.config")


@pytest.mark.parametrize("name", [name for name in modules("ugs") if not within(name, "ugs.daemon", "ugs.commands")])
def test_only_the_command_line_starts_the_shell(name: str) -> None:
    assert not {target for target in of_ours(name) if within(target, "ugs.daemon")}


ENTRIES = ("ugs.__main__", "ugs.commands", "game_masters.commands")
"""What belongs to the command line."""


@pytest.mark.parametrize("name", [name for name in sorted(SOURCES) if not within(name, *ENTRIES)])
def test_nothing_stands_on_the_command_line(name: str) -> None:
    assert not {target for target in of_ours(name) if within(target, "ugs.commands", "game_masters.commands")}


KNOWN_TO_TYPER = (*ENTRIES, "ugs.address", "ugs.daemon.serve")
"""An address that cannot be read is told by typer's own error, which `ugs serve` makes one of the settings of."""


@pytest.mark.parametrize("name", [name for name in sorted(SOURCES) if not within(name, *KNOWN_TO_TYPER)])
def test_only_the_command_line_knows_typer(name: str) -> None:
    assert not outside(name) & {"typer", "click"}


LOOKS = (*ENTRIES, "ugs.terminal", "ugs.bench.report", "ugs.lobby.showing", "ugs.standings.terminal")
"""Where grids are made, of which rich is told."""


@pytest.mark.parametrize("name", [name for name in sorted(SOURCES) if not within(name, *LOOKS)])
def test_only_what_is_shown_on_a_terminal_knows_rich(name: str) -> None:
    assert "rich" not in outside(name)


GAMES = sorted(path.parent.name for path in (TOP / "game_masters").glob("*/rules.py") if path.parent.name != "kit")


@pytest.mark.parametrize("game", GAMES)
def test_no_game_knows_another_one(game: str) -> None:
    others = [f"game_masters.{other}" for other in GAMES if other != game]
    for name in modules(f"game_masters.{game}"):
        assert not {target for target in of_ours(name) if within(target, *others)}


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_of_a_game_know_neither_wire_nor_io(game: str) -> None:
    name = f"game_masters.{game}.rules"
    assert not outside(name) & (SHELL | XML)
    assert not {target for target in of_ours(name) if within(target, "ugs")}


@pytest.mark.parametrize("name", sorted(SOURCES))
def test_no_module_is_longer_than_a_reader_can_hold(name: str) -> None:
    assert len(SOURCES[name].read_text(encoding="utf-8").splitlines()) <= LONGEST_MODULE


@pytest.mark.parametrize("name", sorted(SOURCES))
def test_every_module_says_what_it_is_for(name: str) -> None:
    assert ast.get_docstring(ast.parse(SOURCES[name].read_text(encoding="utf-8")))


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


@pytest.mark.parametrize("name", [name for name in modules(*COMMANDS) if name not in COMMANDS])
def test_every_module_of_the_command_line_has_its_tests(name: str) -> None:
    *package, stem = name.removeprefix("ugs.").split(".")
    assert TOP.joinpath("tests", *package, f"test_{stem}.py").is_file()
