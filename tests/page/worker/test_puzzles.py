"""The page of puzzles: what installed games bring, and what happens where one is damaged."""

from collections.abc import Sequence
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from tests.daemon.shell import Shell
from tests.page.asking import get, page_of
from ugs.page.contract import Question, SiteSettings
from ugs.page.server.worker_duties import REPLAYS, subject_of, worker_of
from ugs.page.worker import puzzles as view
from ugs.page.worker.public_journal import PublicJournal
from ugs.pictures.contract import Picture, PuzzleShown

TIC = "5-in-line-tic-tac-toe"


async def asked(**query: Any) -> Any:
    async with trio.open_nursery() as nursery:
        site, _ = page_of(Shell(nursery), None)
        got = await get(site, "/api/v1/puzzles", **query)
        nursery.cancel_scope.cancel()
    return got.json


async def test_each_puzzle_has_its_position_and_its_task(autojump_clock: MockClock) -> None:
    page = await asked(game_type=TIC)
    assert TIC in page["types"]
    first = page["puzzles"][0]
    assert (first["number"], first["title"], first["seats"]) == (1, "One is missing", 2)
    assert first["svg"].startswith("<svg")
    assert "5 in a row win" in first["words"]
    assert not page["led"], "no game master is here"


async def test_a_game_without_puzzles_is_named_and_others_are_suggested(autojump_clock: MockClock) -> None:
    assert "game type with puzzles" in (await asked(game_type="tic-tac"))["error"]


async def test_without_a_choice_the_first_game_is_shown(autojump_clock: MockClock) -> None:
    page = await asked()
    assert page["game_type"] == page["types"][0]


def test_a_package_that_fails_has_no_puzzles_and_a_puzzle_that_fails_no_picture(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken() -> Sequence[PuzzleShown]:
        raise RuntimeError("a bug")

    def undrawn() -> Picture | None:
        raise RuntimeError("a bug")

    def one() -> Sequence[PuzzleShown]:
        return [PuzzleShown(1, "title", "task", 2, undrawn)]

    monkeypatch.setattr(view, "puzzled", lambda: {"broken": broken, "half": one})
    assert view.puzzles_of("broken") == ()
    assert view.drawn("half", 1) == ("", "")
    assert view.tasks() == {"broken": [], "half": [{"title": "title", "task": "task", "seats": 2}]}
    view.puzzles_of.cache_clear()
    view.drawn.cache_clear()


def test_who_asks_for_standings_does_not_wait_for_pictures_of_puzzles() -> None:
    question = Question("view", {"page": "puzzles", "form": "html", "query": {}})
    assert worker_of(question) == REPLAYS
    assert subject_of(question) == ""


def test_without_a_choice_the_first_game_that_can_be_played_now_is_shown() -> None:
    facts = {"game_types": [{"game_type": name, "masters": [1] if name == TIC else []} for name in ("apologies", TIC)]}
    site = PublicJournal(SiteSettings())
    assert view.puzzles(site, {}, facts).game_type == TIC
    assert view.puzzles(site, {"game_type": "apologies"}, facts).game_type == "apologies"
