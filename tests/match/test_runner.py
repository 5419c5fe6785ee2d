"""Whole matches: a real server, a real game master, and bots of each kind."""

import json
import os
import signal
import sys
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest
import trio

from tests.profile import sized
from ugs.journal.reader import Reader
from ugs.match import copies
from ugs.match.match_file import NAME, bot_of
from ugs.match.match_settings import WrongMatch, parse_wanted
from ugs.match.programs import MatchFailed
from ugs.match.runner import Match

GAME = "tic-tac-toe"
BOARD = {"width": "9", "height": "9"}
GAMES = sized(quick=10, deep=24)
BROKEN = f"{sys.executable} -m tests.match.crashing"


def of(bots: Mapping[str, str], **more: object) -> dict[str, Any]:
    """The settings of a small match."""
    return {"game": GAME, "bots": dict(bots), "option": BOARD, "concurrency": 2, **more}


def match(directory: Path, bots: Mapping[str, str], *, resume: bool = False, **more: object) -> Match:
    return Match(parse_wanted(of(bots, **more), "test"), directory, resume=resume)


def as_played(directory: Path) -> dict[int, tuple[Any, int]]:
    """By number, how each game went."""
    lines = map(json.loads, (directory / NAME).read_text(encoding="utf-8").splitlines())
    results = [line["result"] for line in lines if "result" in line]
    return {one["planned"]["number"]: (one["outcomes"], one["moves"]) for one in results}


async def test_bots_of_each_kind_play_and_faults_are_counted_with_what_the_bot_wrote(tmp_path: Path) -> None:
    bots = {
        "good": "builtin:threats",
        "crash": f"{BROKEN} crash {{host}} {{port}} {{nick}}",
        "illegal": f"{BROKEN} illegal {{host}} {{port}} {{nick}}",
        "slow": f"{BROKEN} sleep {{host}} {{port}} {{nick}}",
        "raises": "python:tests.match.test_runner:raises",
    }
    one = match(tmp_path, bots, format="gauntlet", games=8, move_timeout_s=1)
    await one.play()
    assert len(one.score.counted) == 8
    assert one.score.lines["good"].won == 8
    faults = {bot: dict(line.faults) for bot, line in one.score.lines.items()}
    assert faults == {
        "good": {},
        "crash": {"crashes": 2},
        "illegal": {"illegal moves": 2},
        "slow": {"time-outs": 2},
        "raises": {"crashes": 2},
    }
    wrote = {next(iter(result.faults)): path.read_text() for result, path in one.faults if path.exists()}
    assert "is going to crash" in wrote["crash"]
    assert "ZeroDivisionError" in wrote["raises"]
    assert one.cost is not None
    assert one.cost.games == 8
    assert 0 < one.cost.share < 1
    assert 0 < one.cost.busiest_s <= one.cost.bots_s + one.cost.master_s
    # Nothing is to be kept, so no game waits until a journal is written.
    assert os.listdir(tmp_path / "server") == []


def raises(_view: object, _rng: Random) -> object:
    """A bot that does not work."""
    return 1 // 0


async def test_a_killed_match_goes_on_and_ends_like_one_that_was_not(tmp_path: Path) -> None:
    bots = {"a": "builtin:threats", "b": "builtin:random"}
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    whole.mkdir()
    await match(whole, bots, games=GAMES).play()
    options = [f"--option={key}={value}" for key, value in BOARD.items()]
    options += [f"--bot={bot}={how}" for bot, how in bots.items()]
    line = [sys.executable, "-m", "ugs", "match", GAME, *options, f"--games={GAMES}", "--concurrency=2"]
    with (tmp_path / "output").open("wb") as output:
        process = await trio.lowlevel.open_process(
            [*line, f"--data-dir={killed}"], stdout=output, stderr=output, start_new_session=True
        )
    with trio.fail_after(180):
        while not (killed / NAME).exists() or len(as_played(killed)) < 3:  # noqa: ASYNC110  (a file sets no event)
            await trio.sleep(0.05)
    os.killpg(process.pid, signal.SIGKILL)
    await process.wait()
    one = match(killed, bots, games=GAMES, resume=True)
    assert len(one.kept.results) >= 3
    await one.play()
    assert as_played(killed) == as_played(whole)
    assert len(one.score.counted) == GAMES


async def test_a_match_that_is_over_is_not_played_again(tmp_path: Path) -> None:
    bots = {"a": "builtin:random", "b": "builtin:random"}
    first = match(tmp_path, bots, games=2)
    await first.play()
    again = match(tmp_path, bots, games=2, resume=True)
    await again.play()
    assert again.score.counted == first.score.counted
    assert again.cost is None


async def test_the_test_ends_a_match(tmp_path: Path) -> None:
    bots = {"a": "builtin:threats", "b": "builtin:random"}
    one = match(tmp_path, bots, games=1000, sprt={"elo0": 0, "elo1": 150}, concurrency=3)
    await one.play()
    assert one.score.stopped == "H1 accepted"
    assert len(one.score.counted) < 200


ONCE = r"^b ends again and again before it has played a game, 8 times; the last time it has written\nno brain$"


async def test_a_bot_that_does_not_start_ends_the_match_with_its_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copies, "AGAIN_S", 0.001)
    bots = {"a": "builtin:random", "b": f"{sys.executable} -c \"raise SystemExit('no brain')\" {{address}} {{nick}}"}
    with pytest.RaisesGroup(pytest.RaisesExc(MatchFailed, match=ONCE), allow_unwrapped=True, flatten_subgroups=True):
        await match(tmp_path, bots, games=2, concurrency=1).play()


async def test_a_bot_of_another_game_type_ends_the_match_at_once(tmp_path: Path) -> None:
    """It was waited for, a minute long, and then its nick was not free."""
    other = f"{sys.executable} -m ugs bot apologies --connect {{address}} --nick {{nick}}"
    words = "b logs in for apologies; this match plays 5-in-line-tic-tac-toe"
    with pytest.RaisesGroup(pytest.RaisesExc(MatchFailed, match=words), allow_unwrapped=True, flatten_subgroups=True):
        await match(tmp_path, {"a": "builtin:random", "b": other}, games=2, concurrency=1).play()


async def test_a_match_whose_master_cannot_begin_an_opening_ends_with_its_words(tmp_path: Path) -> None:
    book = tmp_path / "book.toml"
    book.write_text('[[opening]]\nmoves = ["4,4"]\n', encoding="utf-8")
    one = match(tmp_path / "d", {"a": "builtin:threats", "b": "builtin:random"}, openings=str(book), concurrency=1)
    with pytest.RaisesGroup(
        pytest.RaisesExc(MatchFailed, match=r"game 1 cannot begin from opening 1: .*moves: .* does not exist"),
        flatten_subgroups=True,
        allow_unwrapped=True,
    ):
        await one.play()
    assert not one.score.counted


async def test_a_program_that_has_to_connect_has_some_time_for_it(tmp_path: Path, autojump_clock: object) -> None:
    one = match(tmp_path, {"a": "connect", "b": "connect"}, connect_timeout_s=50)
    one.kept.close()
    async with trio.open_nursery() as nursery:
        await nursery.start(one.copies.run, ("127.0.0.1", 7))
        with trio.move_on_after(40) as early:
            await one.copies.take("a")
        assert early.cancelled_caught
        assert one.copies.awaited == ["a"]
        one.copies.came("a", one.game.game_type)
        copy = await one.copies.take("a")
        one.copies.give_back(copy)
        one.copies.went("a")
        went = trio.current_time()
        with pytest.raises(
            MatchFailed, match=r"a has not connected for 50 s: .* 127\.0\.0\.1:7 and logs in as 'a' for "
        ):
            await one.copies.take("a")
        assert trio.current_time() - went == pytest.approx(50)
        nursery.cancel_scope.cancel()


async def test_a_program_that_has_connected_before_it_was_wanted_plays_if_it_is_here_for_this_game(
    tmp_path: Path, autojump_clock: object
) -> None:
    one = match(tmp_path, {"a": "connect", "b": "connect"}, connect_timeout_s=50)
    one.kept.close()
    one.copies.came("a", one.game.game_type)
    one.copies.came("b", "apologies")
    async with trio.open_nursery() as nursery:
        await nursery.start(one.copies.run, ("127.0.0.1", 7))
        copy = await one.copies.take("a")
        assert (copy.nick, trio.current_time() - copy.away_since) == ("a", 0)
        with pytest.raises(MatchFailed, match="who logged in as b is here for apologies; this match plays 5-in-line-"):
            await one.copies.take("b")
        nursery.cancel_scope.cancel()


def test_what_cannot_be_played_is_refused_before_anything_starts(tmp_path: Path) -> None:
    for wrong, words in (
        ({"a": "builtin:threats", "b": "builtin:thraets"}, "did you mean 'threats'"),
        ({"a": "builtin:threats", "b": "./bot {address}"}, r"missing here: \{nick\}"),
        ({"a": "builtin:threats", "b": "python:no.such:thing"}, "python:MODULE:OBJECT"),
        ({"a": "builtin:threats", "b": "python:tests.match.test_runner:BOARD"}, "it is no function"),
        ({"a": "builtin:threats", "b": "'./bot {address} {nick}"}, "No closing quotation"),
    ):
        with pytest.raises(WrongMatch, match=words):
            match(tmp_path, wrong)


def test_a_nick_says_whose_copy_it_is() -> None:
    assert [bot_of(nick) for nick in ("a", "a~2", "b-1~13")] == ["a", "a", "b-1"]


async def test_a_master_of_ones_own_leads_a_game_that_is_not_installed(tmp_path: Path) -> None:
    ugs = f"{sys.executable} -m ugs"
    settings = {
        "game": "5-in-line-tic-tac-toe",  # no installed game is called so
        "master": f"{ugs} master tic-tac-toe --connect {{address}} --once --option width=5 --option height=5",
        "bots": dict.fromkeys("ab", f"{ugs} bot tic-tac-toe --connect {{host}}:{{port}} --nick {{nick}}"),
        "games": 2,
    }
    one = Match(parse_wanted(settings, "test"), tmp_path)
    await one.play()
    assert [len(one.score.counted), one.players] == [2, 2]


@pytest.mark.parametrize("height", [5, 2])
async def test_a_master_of_ones_own_gets_the_options_that_it_offers(tmp_path: Path, height: int) -> None:
    ugs = f"{sys.executable} -m ugs"
    settings = {
        "game": "5-in-line-tic-tac-toe",
        "master": f"{ugs} master tic-tac-toe --connect {{address}} --once --option width=5",
        "option": {"height": height},
        "bots": dict.fromkeys("ab", f"{ugs} bot tic-tac-toe --connect {{host}}:{{port}} --nick {{nick}}"),
        "games": 2,
        "data_dir": str(tmp_path),
    }
    one = Match(parse_wanted(settings, "test"), tmp_path)
    if height == 2:
        with pytest.RaisesGroup(MatchFailed, flatten_subgroups=True) as refused:
            await one.play()
        assert "no game master here offers them: option value '2' for 'height': allowed are 3 to 100" in str(
            refused.value.exceptions
        )
        return
    await one.play()
    with Reader(tmp_path / "server") as reader:
        games = [reader.record(result.game_id).options for result in reader.results()]
    assert games == [{"width": "5", "height": "5", "row": "5", "puzzle": "0"}] * 2


def test_what_a_master_of_ones_own_cannot_have_is_refused(tmp_path: Path) -> None:
    bots = {"a": "./a {address} {nick}", "b": "connect"}
    settings = {"game": "sea-battle", "bots": bots, "master": "./m {address}"}
    for more, words in (
        ({"cluster": "local:2"}, "on this machine only"),
        ({"bots": {"a": "builtin:x", "b": "connect"}}, "bots.a: with master a bot is a command or connect"),
        ({"master": "./m"}, "allowed: a command with {address}, or {host} and {port}, in it"),
        ({"master": "'./m {address}"}, "No closing quotation"),
        ({"openings": "book"}, "it takes no fixtures"),
    ):
        with pytest.raises(WrongMatch) as refused:
            Match(parse_wanted({**settings, **more}, "test"), tmp_path)
        assert words in str(refused.value)


def test_an_unknown_game_may_be_led_by_a_program_of_ones_own(tmp_path: Path) -> None:
    with pytest.raises(WrongMatch) as refused:
        match(tmp_path, {"a": "connect", "b": "connect"}, game="sea-battle")
    assert str(refused.value).endswith('a game led by a program of yours: add --master "CMD {address}"')
