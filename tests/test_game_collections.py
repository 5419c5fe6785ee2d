"""Games that are made on demand."""

from collections.abc import Sequence
from importlib.metadata import EntryPoint

import pytest

from game_masters.registry import NoSuchGame, find_collected, find_game, find_games
from tests.game_masters.high_card import HIGH_CARD
from ugs import game_collections
from ugs.commands import game_names
from ugs.game_collections import NotInCollection, collected, collected_names, collection_of, find_collections
from ugs.match.games import find_game as find_for_match
from ugs.match.match_settings import WrongMatch
from ugs.pictures import installed_renderers


class Shelf:
    """A collection of one game."""

    def names(self) -> Sequence[str]:
        return ("high-card",)

    def game(self, rest: str) -> object:
        if rest == "broken":
            raise RuntimeError("cards are sold out")
        if rest not in ("high-card", "odd"):
            raise NotInCollection(f"there is no game shelf:{rest}")
        return HIGH_CARD if rest == "high-card" else self

    def missing(self) -> str:
        return ""

    def pictures(self, rest: str) -> object:
        if rest == "broken":
            raise RuntimeError("no paint")
        return find_game if rest == "high-card" else None


SHELF = Shelf()


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch) -> None:
    points = [
        EntryPoint("shelf", f"{__name__}:SHELF", game_collections.GROUP),
        EntryPoint("gone", "no_such_package:SHELF", game_collections.GROUP),
    ]
    monkeypatch.setattr(game_collections, "entry_points", lambda group: points)


def test_a_game_is_made_from_the_rest_of_its_name() -> None:
    assert list(find_collections()) == ["shelf", "gone"]
    assert collected("shelf:high-card") is HIGH_CARD
    assert find_game("shelf:high-card") is find_games([]).game("shelf:high-card") is HIGH_CARD
    assert find_for_match("shelf:high-card").name == "high-card"


def test_a_name_of_no_collection_is_none() -> None:
    assert collected("other:high-card") is collection_of("high-card") is None
    with pytest.raises(NoSuchGame, match=r"no game 'shelv:high-card' \(did you mean 'shelf:high-card'"):
        find_game("shelv:high-card")
    with pytest.raises(WrongMatch, match="shelf:high-card"):
        find_for_match("other:high-card")


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("shelf:chess", "there is no game shelf:chess"),
        ("shelf:broken", "shelf:broken: RuntimeError: cards are sold out"),
        ("gone:chess", "gone:chess: no_such_package:SHELF failed: ModuleNotFoundError"),
    ],
)
def test_what_cannot_be_made_says_why(name: str, why: str) -> None:
    for find in (find_game, find_for_match):
        with pytest.raises((NoSuchGame, WrongMatch), match=why):
            find(name)


def test_what_is_no_game_is_refused() -> None:
    with pytest.raises(NoSuchGame, match=r"shelf:odd is a Shelf, not a game_masters\.kit\.rules\.Game"):
        find_game("shelf:odd")


def test_all_games_are_listed_when_asked_for() -> None:
    assert collected_names() == ["shelf:high-card"]
    (only,) = find_collected(find_games([])).installed
    assert (only.game, only.package) == (HIGH_CARD, "shelf")


def test_pictures_come_from_the_collection() -> None:
    found: object = installed_renderers.of_collection("shelf:high-card")
    assert found is find_game
    assert dict[str, object](installed_renderers.of_game("shelf:high-card")) == {"shelf:high-card": find_game}
    for name in ("shelf:other", "shelf:broken", "gone:chess", "high-card", "other:high-card"):
        assert installed_renderers.of_collection(name) is None
        assert not installed_renderers.is_drawn(name)
    assert installed_renderers.of_game("shelf:other") == {}
    assert installed_renderers.is_drawn("shelf:high-card"), "people may play it on the page"


def test_a_shell_completes_prefixes_and_then_names() -> None:
    assert "shelf:" in game_names.games("sh")
    assert game_names.games("shelf:") == ["shelf:high-card"]
    assert game_names.bots("shelf:high-card", "") == sorted(bot.name for bot in HIGH_CARD.bots)
    assert game_names.bots("shelf:chess", "") == game_names.bots("other:chess", "") == []
