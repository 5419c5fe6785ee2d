"""Sites: server, master and bots that play batch after batch of a match, and end when they are not needed."""

import sys
from pathlib import Path
from typing import Any

import pytest

from tests.match.test_runner import BOARD, BROKEN
from tests.profile import ONLY_DEEP
from ugs import __version__
from ugs.match import batch_site
from ugs.match.batch_player import BatchSites
from ugs.match.batch_site import BatchStopped
from ugs.match.batches import BatchJob, MatchBatch, PlayedBatch
from ugs.match.match_settings import parse_wanted
from ugs.match.planner import GivenGame, PlannedGame


def job(bots: dict[str, str], **more: Any) -> BatchJob:
    settings = {"game": "tic-tac-toe", "bots": bots, "option": BOARD, "concurrency": 2, **more}
    return BatchJob(__version__, parse_wanted(settings, "test"), packets=True)


def batch(number: int, *games: int, bots: tuple[str, str] = ("a", "b")) -> MatchBatch:
    return MatchBatch(number, tuple(GivenGame(PlannedGame(game, bots, game), "") for game in games))


def play(sites: BatchSites, of: BatchJob, one: MatchBatch) -> PlayedBatch:
    return sites.play(of, one, "w0", lambda: False)


@ONLY_DEEP
def test_a_site_stays_for_the_next_batch_and_a_game_is_the_same_in_whatever_batch() -> None:
    sites, of = BatchSites(), job({"a": "builtin:threats", "b": "builtin:random"})
    first = play(sites, of, batch(1, 1, 2, 3))
    second = play(sites, of, batch(2, 3, 1))
    assert [sorted(one.planned.number for one in found.results) for found in (first, second)] == [[1, 2, 3], [1, 3]]
    moves = [{one.planned.number: one.moves for one in found.results} for found in (first, second)]
    assert moves[1].items() <= moves[0].items()
    assert len(sites.idle) == 1
    assert sites.idle[0].played == 5
    assert set(second.packets) == {(1, "b"), (3, "b")}


@ONLY_DEEP
def test_what_bots_at_fault_write_comes_with_their_batch() -> None:
    bots = {"a": "builtin:threats", "b": f"{BROKEN} crash {{host}} {{port}} {{nick}}"}
    found = play(BatchSites(), job(bots), batch(1, 1, 2))
    assert [dict(one.faults) for one in found.results] == [{"b": "crashes"}] * 2
    assert set(found.wrote) == {(1, "b"), (2, "b")}
    assert all(b"is going to crash" in text for text in found.wrote.values())
    assert found.use.programs["b"][0] == 2


@ONLY_DEEP
def test_a_batch_that_is_not_wanted_any_more_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch_site, "LOOK_S", 0.1)
    sites, of = BatchSites(), job({"a": "builtin:threats", "b": "builtin:random"})
    with pytest.raises(BatchStopped):
        sites.play(of, batch(1, *range(1, 500)), "w0", lambda: True)
    assert len(play(sites, of, batch(2, 1)).results) == 1


@ONLY_DEEP
def test_an_idle_site_ends_and_another_one_takes_the_next_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch_site, "LOOK_S", 0.05)
    monkeypatch.setattr(batch_site, "IDLE_S", 0.3)
    sites, of = BatchSites(), job({"a": "builtin:random", "b": "builtin:random"})
    for number in (1, 2):
        assert len(play(sites, of, batch(number, 1)).results) == 1
        (site,) = sites.idle
        site.join()
        assert site.ended


@ONLY_DEEP
def test_a_bot_that_does_not_start_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ugs.match.copies.AGAIN_S", 0.001)
    bots = {"a": "builtin:random", "b": f"{sys.executable} -c \"raise SystemExit('no brain')\" {{address}} {{nick}}"}
    found = play(BatchSites(), job(bots), batch(1, 1))
    assert found.results == ()
    assert "no brain" in found.failed


def test_a_game_that_is_not_installed_is_named(tmp_path: Path) -> None:
    of = job({"a": "builtin:threats", "b": "builtin:random"})
    wrong = BatchJob(__version__, of.wanted.but(game="no-such"), packets=False)
    assert "no-such" in play(BatchSites(), wrong, batch(1, 1)).unfit
