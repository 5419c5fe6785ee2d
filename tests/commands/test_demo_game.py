"""Every installed game can be shown, by as many bots as it needs."""

from importlib.metadata import EntryPoint, entry_points

import pytest

from tests.commands.line import ugs
from ugs import game_collections, game_titles
from ugs.commands import demo_game as subject
from ugs.commands.demo_game import MIN_BOTS, NoDemo, demo_game
from ugs.commands.game_names import GROUP
from ugs.distributions import NotInstalled
from ugs.game_collections import NotInCollection


@pytest.mark.parametrize("name", sorted({point.name for point in entry_points(group=GROUP)}))
def test_a_game_is_shown_by_bots_of_its_own(name: str) -> None:
    game = demo_game(name)
    assert (game.name, len(game.bots)) == (name, len(game.explanations))
    assert game.number_of_bots(None) >= max(MIN_BOTS, game.min_players)


def test_a_game_of_a_collection_is_shown_or_the_reason_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    class Shelf:
        def game(self, rest: str) -> object:
            if rest != "catan":
                raise NotInCollection(f"shelf:{rest}: not on the shelf")
            (catan,) = entry_points(group=GROUP, name="catan")
            return catan.load()

    monkeypatch.setattr(game_collections, "collection_of", lambda name: (Shelf(), name.partition(":")[2]))
    assert demo_game("shelf:catan").game_type == "settlers"
    assert "shelf:x: not on the shelf" in ugs("demo", "--game", "shelf:x").stderr


def test_too_few_bots_are_refused_with_the_number_that_is_enough() -> None:
    assert "--bots 5" in ugs("demo", "--game", "catan-six", "--bots", "3").stderr


def test_a_game_that_is_not_there_is_answered_with_one_like_it() -> None:
    said = ugs("demo", "--game", "catn")
    assert (said.exit_code, "did you mean 'catan'" in said.stderr) == (2, True)


def test_a_game_that_cannot_be_loaded_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subject, "entry_points", lambda group: [EntryPoint("x", "no_such_module:GAME", group)])
    with pytest.raises(NoDemo, match="the game 'x' cannot be loaded: ModuleNotFoundError"):
        demo_game("x")


def test_a_game_without_its_library_comes_with_the_command_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    class Lacking:
        name = "x"

        def load(self) -> object:
            raise NotInstalled('its library is not installed: pip install "ugs[x]"')

    monkeypatch.setattr(subject, "entry_points", lambda group: [Lacking()])
    said = ugs("demo", "--game", "x").stderr
    assert said == "ugs demo: the game 'x' cannot be loaded: its library is not installed: pip install \"ugs[x]\"\n"


def test_who_names_no_game_reads_which_can_be_shown_here(monkeypatch: pytest.MonkeyPatch) -> None:
    class Lacking:
        name = "x"

        def load(self) -> object:
            raise NotInstalled('its library is not installed: pip install "ugs[x]"')

    (catan,) = entry_points(group=GROUP, name="catan")
    monkeypatch.setattr(subject, "entry_points", lambda group: [Lacking(), catan])
    assert ugs("demo", "--game", "nix").stderr == (
        "ugs demo: there is no game 'nix'; installed: catan; not installed: x: pip install \"ugs[x]\"\n"
    )


def test_without_games_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subject, "entry_points", lambda group: [])
    assert 'pip install "ugs[games]"' in ugs("demo").stderr


def test_a_title_of_a_collection_is_understood_by_all_that_take_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_titles, "collected_names", lambda: ["shelf:connect_four"])
    for line in ("demo --game", "match", "bot --nick me", "games", "init d --yes --game"):
        done = ugs(*line.split(), "Connect four")
        said = " ".join(done.stderr.replace("│", " ").split())
        assert (done.exit_code, "is the title of 'shelf:connect_four'" in said) == (2, True), said
