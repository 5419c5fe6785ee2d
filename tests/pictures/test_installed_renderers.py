"""The renderers of installed games."""

from importlib.metadata import EntryPoint

import pytest
import structlog

from game_masters.registry import find_games
from ugs.distributions import NotInstalled
from ugs.pictures import installed_renderers
from ugs.pictures.album import Album
from ugs.pictures.contract import Scene, Shown
from ugs.pictures.installed_renderers import GROUP, explained, find_explanations, find_renderers, installed, of_game


class Foreign:
    """A game of another package, whose master may be written in any language."""

    game_type = "their-game"

    @staticmethod
    def pictures(scene: Scene) -> None:
        """Draw nothing."""


class Without:
    """A game without pictures."""

    game_type = "plain"
    pictures = None


def point(name: str, value: str) -> EntryPoint:
    return EntryPoint(name, f"{__name__}:{value}", GROUP)


def test_the_games_of_this_repository_have_pictures() -> None:
    assert set(installed()) >= {"5-in-line-tic-tac-toe", "apologies", "apologies-adult"}
    games = [entry.game for entry in find_games().installed]
    assert {game.game_type: game.pictures for game in games if game.pictures} == dict(installed())


def test_the_renderer_of_one_game_is_found_without_the_others() -> None:
    assert set(of_game("tic-tac-toe")) == {"5-in-line-tic-tac-toe"}
    assert of_game("no-such-game") == {}


def test_whatever_names_a_game_type_and_pictures_is_found() -> None:
    found = dict[str, object](find_renderers([point("theirs", "Foreign"), point("plain", "Without")]))
    assert found == {"their-game": Foreign.pictures}


def test_what_options_are_for_is_found() -> None:
    for game in (entry.game for entry in find_games().installed):
        assert explained()[game.game_type] == {option.name: option.explanation for option in game.options}
    with structlog.testing.capture_logs() as logs:
        found = dict[str, object](find_explanations([point("plain", "Without"), point("broken", "NoSuchThing")]))
    assert found == {"plain": {}}
    assert [line["event"] for line in logs] == ["no explanations of a game"]


def test_a_game_that_lacks_a_library_is_told_to_who_is_shown_it_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    lacking = point("lacking", "NoSuchThing")

    def load(_point: EntryPoint) -> object:
        raise NotInstalled('its library is not installed: pip install "ugs[lacking]"')

    monkeypatch.setattr(EntryPoint, "load", load)
    monkeypatch.setattr(installed_renderers, "entry_points", lambda group, name: [lacking] if name == "lacking" else [])
    scene, state = Scene(()), Shown(b"<gameState/>")
    with structlog.testing.capture_logs() as logs:
        assert dict(find_renderers([lacking])) == {}
        Album("other", scene, {}).show(state)
        assert logs == []
        for _ in range(2):
            Album("lacking", scene, {}).show(state)
    assert [(line["event"], line["game"]) for line in logs] == [("no pictures of a game", "lacking")]
    assert "pip install" in logs[0]["why"]


def test_a_package_that_fails_is_logged_and_disturbs_no_other() -> None:
    with structlog.testing.capture_logs() as logs:
        found = find_renderers(
            [
                point("broken", "NoSuchThing"),
                point("odd", "test_a_package_that_fails_is_logged_and_disturbs_no_other"),
                point("theirs", "Foreign"),
            ]
        )
    assert set(found) == {"their-game"}
    assert [(line["event"], line["game"]) for line in logs] == [
        ("no pictures of a game", "broken"),
        ("no pictures of a game", "odd"),
    ]
