"""Finding games through entry points."""

import subprocess
import sys
from importlib.metadata import EntryPoint, entry_points

import pytest

from game_masters.registry import GROUP, OWN_GAME, NoSuchGame, find_game, find_games


def point(name: str, value: str) -> EntryPoint:
    return EntryPoint(name, value, GROUP)


GOOD = point("high-card", "tests.game_masters.high_card:HIGH_CARD")


def test_the_first_game_is_installed_with_the_project() -> None:
    found = {entry.game.name: entry.package for entry in find_games().installed}
    assert found["tic-tac-toe"] == "ugs"


def test_a_game_is_found_by_its_name() -> None:
    registry = find_games([GOOD])
    assert registry.game("high-card").players.max == 4
    assert registry.broken == ()


def test_an_unknown_name_is_refused_with_those_there_are() -> None:
    with pytest.raises(NoSuchGame, match="there is no game 'no-such-game'; installed: high-card") as unknown:
        find_games([GOOD]).game("no-such-game")
    assert str(unknown.value).endswith(OWN_GAME)
    with pytest.raises(NoSuchGame, match="none is installed: pip install"):
        find_games([]).game("chess")


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        (point("gone", "no_such_package:GAME"), "loading no_such_package:GAME failed: ModuleNotFoundError"),
        (point("gone", "tests.game_masters.high_card:LOW_CARD"), "failed: AttributeError"),
        (point("gone", "tests.game_masters.fails_to_load:GAME"), "failed: RuntimeError: cards are sold out"),
        (point("gone", "tests.game_masters.high_card:Deal"), "is a ABCMeta, not a game_masters.kit.rules.Game"),
        (point("gone", "tests.game_masters.high_card:HIGH_CARD"), "calls itself 'high-card', its entry point 'gone'"),
    ],
)
def test_a_broken_package_is_named_and_does_not_hide_the_others(broken: EntryPoint, reason: str) -> None:
    registry = find_games([broken, GOOD])
    assert [entry.game.name for entry in registry.installed] == ["high-card"]
    (report,) = registry.broken
    assert str(report).startswith("game 'gone' of the package 'unknown' cannot be used: ")
    assert reason in str(report)
    with pytest.raises(NoSuchGame, match="game 'gone' of the package"):
        registry.game("gone")


def test_the_second_game_of_a_name_is_reported() -> None:
    twin = point("high-card", "tests.game_masters.high_card:HIGH_CARD ")
    registry = find_games([GOOD, twin])
    assert len(registry.installed) == 1
    assert "has a game of that name already" in str(registry.broken[0])


def test_one_game_is_found_without_loading_the_others() -> None:
    sys.modules.pop("tests.game_masters.fails_to_load", None)
    loads = point("loads", "tests.game_masters.fails_to_load:GAME")
    assert find_game("high-card", [loads, GOOD]).name == "high-card"
    assert "tests.game_masters.fails_to_load" not in sys.modules
    with pytest.raises(NoSuchGame, match="cards are sold out"):
        find_game("loads", [loads, GOOD])
    with pytest.raises(NoSuchGame, match=r"no game 'high-cart' \(did you mean 'high-card'"):
        find_game("high-cart", [loads, GOOD])


def test_a_game_without_its_library_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in [name for name in sys.modules if name == "chess" or name.startswith("game_masters.chess")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "chess", None)
    found = find_games(entry_points(group="ugs.games", name="chess"))
    assert found.installed == ()
    assert [one.lacks_library for one in found.broken] == [True]
    with pytest.raises(NoSuchGame, match=r'not installed: pip install "ugs\[chess\]"'):
        found.game("chess")


def test_the_core_and_its_commands_load_no_library_of_a_game() -> None:
    code = "import sys, ugs.__main__, ugs.commands.app, game_masters.commands.bot, game_masters.kit.player\n"
    code += "print(*({'chess', 'pyffish', 'sgfmill', 'numpy'} & set(sys.modules)))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == ""
