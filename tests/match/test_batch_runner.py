"""A match in batches, on machines that are made up: each game counts once, whatever happens to them."""

import sys
from collections.abc import Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
import trio

from ugs import __version__
from ugs.broker.verdict import Cause, Outcome
from ugs.match import batch_runner
from ugs.match.batch_player import for_batch, what_lacks
from ugs.match.batch_runner import BatchRunner, check_bots, find_opener, play_in_batches
from ugs.match.batches import BatchJob, BatchUse, LostBatch, MatchBatch, PlayedBatch
from ugs.match.bookkeeping import MatchBooks
from ugs.match.match_file import fault_file
from ugs.match.match_settings import WrongMatch, parse_wanted
from ugs.match.packets import packet_file
from ugs.match.planner import GivenGame
from ugs.match.programs import MatchFailed
from ugs.match.score import ScoredGame

BOTS = {"a": "builtin:threats", "b": "builtin:random"}
CLUSTER = "tcp://127.0.0.1:1"


def books(directory: Path, *, resume: bool = False, **more: Any) -> MatchBooks:
    directory.mkdir(exist_ok=True)
    wanted = {"game": "tic-tac-toe", "bots": BOTS, "games": 60, "cluster": CLUSTER, **more}
    return MatchBooks(parse_wanted(wanted, "test"), directory, resume=resume)


def outcome_of(given: GivenGame) -> ScoredGame:
    """A game always ends the same."""
    planned = given.planned
    first = Random(planned.number).choice([Outcome.WON, Outcome.WON, Outcome.DRAWN, Outcome.LOST])
    second = {Outcome.WON: Outcome.LOST, Outcome.LOST: Outcome.WON}.get(first, Outcome.DRAWN)
    return ScoredGame(planned, f"g{planned.number}", {planned.bots[0]: first, planned.bots[1]: second})


class FakePool:
    """Two workers; what becomes of a batch is decided by a function of its number and try."""

    def __init__(self, becomes: Callable[[int, int], str] = lambda _number, _again: "") -> None:
        self.room = 2
        self.excluded: list[str] = []
        self.most_out = 0
        self._becomes = becomes
        self._tries: dict[int, int] = {}
        self._out: list[MatchBatch] = []
        self._chance = Random(1)

    async def submit(self, batches: Sequence[MatchBatch]) -> None:
        self._out.extend(batches)
        self.most_out = max(self.most_out, len(self._out))

    async def next_end(self) -> PlayedBatch | LostBatch:
        while not self._out:  # noqa: ASYNC110  (nothing wakes it)
            await trio.sleep(0.1)
        batch = self._out.pop(self._chance.randrange(len(self._out)))
        self._tries[batch.number] = again = self._tries.get(batch.number, 0) + 1
        fate = self._becomes(batch.number, again)
        if fate == "lost":
            return LostBatch(batch.number, "worker w1 is lost")
        if fate == "away":
            return LostBatch(batch.number, "", counts=False)
        if fate.startswith("unfit"):
            return PlayedBatch(batch.number, fate.split()[1], unfit="it has no program ./bot (bot a)")
        if fate == "half":
            results = tuple(map(outcome_of, batch.games[: len(batch.games) // 2]))
            return PlayedBatch(batch.number, "w1", results, failed="a ends again and again")
        results = tuple(map(outcome_of, batch.games))
        return PlayedBatch(batch.number, "w0", results, use=BatchUse(1, 1, 1, 1, 0.1 * len(results)))

    def exclude(self, worker: str) -> bool:
        self.excluded.append(worker)
        return set(self.excluded) != {"w0", "w1"}


async def play(match: MatchBooks, pool: FakePool) -> MatchBooks:
    match.take_up()
    try:
        await BatchRunner(match, pool).play()
    finally:
        match.kept.close()
    return match


def table(match: MatchBooks) -> list[tuple[int, Any]]:
    return [(one.planned.number, one.outcomes) for one in match.score.counted]


async def test_the_table_is_the_same_whatever_happens_to_batches(tmp_path: Path, autojump_clock: object) -> None:
    quiet = await play(books(tmp_path / "quiet"), FakePool())
    assert len(quiet.score.counted) == 60
    fates = ("lost", "away", "lost", "", "")
    rough = await play(books(tmp_path / "rough"), FakePool(lambda number, again: fates[(number + again) % 5]))
    assert table(rough) == table(quiet)
    assert rough.score.counts == quiet.score.counts
    assert any("lost and played again: worker w1 is lost" in note for note in rough.progress.notes)
    lines = (tmp_path / "rough" / "match.jsonl").read_text(encoding="utf-8").splitlines()
    assert sum('"result"' in line for line in lines) == 60


async def test_what_is_out_has_a_bound(tmp_path: Path, autojump_clock: object) -> None:
    pool = FakePool()
    await play(books(tmp_path / "m", games=500), pool)
    assert pool.most_out <= batch_runner.OUT_PER_WORKER * pool.room


async def test_a_test_ends_the_match_and_counts_nothing_more(tmp_path: Path, autojump_clock: object) -> None:
    test = {"elo0": 0, "elo1": 200}
    here = await play(books(tmp_path / "one", games=1000, sprt=test), FakePool())
    assert here.score.stopped
    assert len(here.score.counted) < 1000
    chance = await play(
        books(tmp_path / "two", games=1000, sprt=test, concurrency=7),
        FakePool(lambda number, again: "lost" if (number * again) % 3 == 1 else ""),
    )
    assert table(chance) == table(here)


async def test_a_match_goes_on_elsewhere(tmp_path: Path, autojump_clock: object) -> None:
    whole = await play(books(tmp_path / "whole"), FakePool())
    with pytest.raises(MatchFailed, match="lost again and again"):
        await play(books(tmp_path / "cut"), FakePool(lambda number, _again: "lost" if number == 3 else ""))
    rest = books(tmp_path / "cut", resume=True, cluster="local:2")
    assert 0 < len(rest.kept.results) < 60
    assert table(await play(rest, FakePool())) == table(whole)


async def test_a_worker_that_lacks_a_program_is_named_and_left_out(tmp_path: Path, autojump_clock: object) -> None:
    pool = FakePool(lambda number, again: "unfit w1" if number == 2 and again == 1 else "")
    match = await play(books(tmp_path / "m"), pool)
    assert len(match.score.counted) == 60
    assert list(match.progress.notes) == [
        "worker w1: it has no program ./bot (bot a); it is given no more games of this match"
    ]
    with pytest.raises(MatchFailed, match=r"no worker is left .* worker w[01]: it has no program \./bot"):
        await play(books(tmp_path / "none"), FakePool(lambda number, again: f"unfit w{(number + again) % 2}"))


async def test_games_that_a_failing_worker_has_played_count(tmp_path: Path, autojump_clock: object) -> None:
    pool = FakePool(lambda number, again: "half" if number == 1 and again == 1 else "")
    match = await play(books(tmp_path / "m"), pool)
    assert len(match.score.counted) == 60
    assert pool.excluded == ["w1"]


async def test_without_workers_the_match_waits_and_says_so(tmp_path: Path, autojump_clock: object) -> None:
    pool, match = FakePool(), books(tmp_path / "m")
    pool.room = 0
    async with trio.open_nursery() as nursery:
        nursery.start_soon(play, match, pool)
        await trio.sleep(100)
        assert 5 <= len(match.progress.notes) <= 9
        assert match.progress.notes[0] == f"no worker at {CLUSTER}; the match goes on when one comes"
        pool.room = 2
    assert len(match.score.counted) == 60


async def test_what_comes_with_games_is_kept_beside_the_match(tmp_path: Path, autojump_clock: object) -> None:
    class WithFaults(FakePool):
        async def next_end(self) -> PlayedBatch | LostBatch:
            batch = self._out.pop(0)
            faults = tuple(
                ScoredGame(
                    one.planned, f"g{one.planned.number}", {"a": Outcome.WON, "b": Outcome.LOST},
                    Cause.DISCONNECTED, "b", faults={"b": "crashes"},
                )
                for one in batch.games
            )  # fmt: skip
            first = batch.games[0].planned.number
            came = {(first, "b"): b"went wrong", (first, "../../x"): b"no bot", (9999, "b"): b"no game"}
            use = BatchUse(programs={"b": (len(faults), 1.0, 0.5)})
            return PlayedBatch(batch.number, "w0", faults, came, came, use)

    match = await play(books(tmp_path / "m", games=8, data_dir=str(tmp_path / "m")), WithFaults())
    assert fault_file(match.directory, 1, "b").read_bytes() == b"went wrong"
    assert packet_file(match.directory, 1, "b").read_bytes() == b"went wrong"
    assert sorted(path.name for path in match.directory.rglob("*x*")) == []
    assert not fault_file(match.directory, 9999, "b").exists()
    assert [(result.planned.number, path.exists()) for result, path in match.faults][:2] == [(1, True), (2, False)]
    assert {one.command for one in match.packets} <= {str(path) for path in (match.directory / "packets").iterdir()}
    assert match.times()["b"][0] == 8


def test_no_cluster_without_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    for name in [name for name in sys.modules if name.startswith("ugs.dask_pool.")]:
        monkeypatch.delitem(sys.modules, name)
    with pytest.raises(WrongMatch, match=r'--cluster tcp://h:1: .*pip install "ugs\[dask\]"'):
        find_opener("tcp://h:1")


@pytest.mark.parametrize("where", ["localhost", "ftp://h:1", ":", "tcp"])
def test_a_place_that_is_none_is_refused_with_those_there_are(where: str) -> None:
    with pytest.raises(WrongMatch, match=r"allowed: local:…, tcp:…, tls:…"):
        find_opener(where)


def test_bots_that_other_machines_cannot_have_are_refused() -> None:
    with pytest.raises(WrongMatch, match="connect: not with --cluster"):
        check_bots({"a": "connect"}, {})
    with pytest.raises(WrongMatch, match="a is an object of this process"):
        check_bots({"a": "-"}, {"a": len})


def test_a_worker_says_what_it_lacks() -> None:
    wanted = parse_wanted({"game": "tic-tac-toe", "bots": {**BOTS, "c": "./no-such {address} {nick}"}}, "test")
    assert what_lacks(BatchJob("0.0.0", wanted, packets=False)).startswith(
        f"it has ugs {__version__}; the match is one"
    )
    assert what_lacks(BatchJob(__version__, wanted, packets=False)).startswith("it has no program ./no-such (bot c)")
    here = wanted.but(bots={"a": f"{sys.executable} bot.py {{address}} {{nick}}", **BOTS})
    assert what_lacks(BatchJob(__version__, here, packets=False)) == ""


def test_which_games_and_when_it_is_over_is_decided_elsewhere() -> None:
    wanted = parse_wanted(
        {"game": "tic-tac-toe", "bots": BOTS, "sprt": {}, "data_dir": "x", "cluster": CLUSTER, "seed": "7"}, "test"
    )
    batch = for_batch(wanted)
    assert (batch.sprt, batch.until, batch.data_dir, batch.cluster, batch.seed) == (None, "", "", "", "7")


async def test_the_pool_is_left_when_the_match_is_over(tmp_path: Path, autojump_clock: object) -> None:
    seen: list[str] = []

    @asynccontextmanager
    async def opener(where: str, job: BatchJob, note: Callable[[str], None]) -> Any:
        seen.append(f"{where} {job.version} {job.packets}")
        yield FakePool()
        seen.append("left")

    match = books(tmp_path / "m")
    await play_in_batches(match, opener)
    match.kept.close()
    assert seen == [f"{CLUSTER} {__version__} False", "left"]
    assert match.cost is not None
    assert match.cost.games == 60
