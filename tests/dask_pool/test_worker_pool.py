"""A match on real Dask clusters; one of them within this process, whose workers play made-up games."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest
import trio
from distributed import Client, LocalCluster

from tests.match.test_batch_runner import outcome_of
from tests.match.test_runner import as_played
from tests.profile import ONLY_DEEP
from ugs.dask_pool.opening import connect, open_pool, quiet
from ugs.dask_pool.packed_batches import pack
from ugs.dask_pool.worker_pool import DaskPool
from ugs.match.batch_runner import BatchRunner
from ugs.match.batches import BatchJob, BatchUse, MatchBatch, PlayedBatch
from ugs.match.bookkeeping import MatchBooks
from ugs.match.match_settings import parse_wanted
from ugs.match.programs import MatchFailed
from ugs.match.runner import Match

pytestmark = pytest.mark.filterwarnings("ignore:Creating scratch directories")  # Dask's word on a busy machine
BOTS = {"a": "builtin:threats", "b": "builtin:random"}
BOARD = {"width": "9", "height": "9"}


def settings(cluster: str, **more: Any) -> dict[str, Any]:
    return {"game": "tic-tac-toe", "bots": BOTS, "option": BOARD, "games": 40, "cluster": cluster, **more}


def played(_job: BatchJob, batch: MatchBatch, _key: str) -> PlayedBatch:
    """What a worker would do."""
    return PlayedBatch(batch.number, "w0", tuple(map(outcome_of, batch.games)), use=BatchUse(1, 1, 1, 1, 1))


@contextmanager
def in_process() -> Iterator[LocalCluster]:
    with quiet(), LocalCluster(
        n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None, silence_logs=50
    ) as cluster:  # fmt: skip
        yield cluster


@ONLY_DEEP
async def test_batches_are_played_and_each_game_counts_once(tmp_path: Path) -> None:
    notes: list[str] = []
    with in_process() as cluster:
        match = MatchBooks(parse_wanted(settings("tcp://here:1"), "test"), tmp_path)
        job = BatchJob("", match.wanted, packets=False)
        pool = DaskPool("here", lambda: Client(cluster, set_as_default=False), played, job, notes.append, "m")
        async with trio.open_nursery() as nursery:
            await nursery.start(pool.run)
            assert pool.room == 2
            with trio.fail_after(60):
                await BatchRunner(match, pool).play()
            nursery.cancel_scope.cancel()
        match.kept.close()
    assert len(match.score.counted) == 40
    assert notes == []


async def test_a_scheduler_that_is_not_there_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ugs.dask_pool.opening.CONNECT_S", 0.1)
    job = BatchJob("", parse_wanted(settings("tcp://127.0.0.1:1"), "test"), packets=False)
    with pytest.RaisesGroup(
        pytest.RaisesExc(MatchFailed, match="no scheduler at tcp://127.0.0.1:1: "), allow_unwrapped=True
    ):
        async with open_pool("tcp://127.0.0.1:1", job, print):
            pass


async def test_a_local_cluster_has_a_number(tmp_path: Path) -> None:
    job = BatchJob("", parse_wanted(settings("local:0"), "test"), packets=False)
    with pytest.raises(MatchFailed, match="local:N, with N from 1 to 256"):
        async with open_pool("local:0", job, print):
            pass


class Task:
    """A future of :class:`Clients`."""

    def __init__(self, key: str) -> None:
        self.key, self.status = key, "pending"


class Clients:
    """A client of Dask whose workers send results as news, or keep them to be fetched."""

    status = "running"

    def __init__(self) -> None:
        self.tasks: list[Task] = []
        self.calls = 0
        self.on_map: Any = lambda: None
        self.hear: Any = None

    def subscribe_topic(self, _topic: str, hear: Any) -> None:
        self.hear = hear

    def nthreads(self) -> dict[str, int]:
        return {"w": 3}

    def map(self, *_: Any, key: list[str], **more: Any) -> list[Task]:
        self.calls += 1
        tasks = [Task(one) for one in key]
        self.tasks += tasks
        self.on_map()
        return tasks

    def gather(self, tasks: dict[int, Task], errors: str) -> dict[int, bytes]:
        return {number: pack(PlayedBatch(number, "fetched")) for number in tasks}

    def cancel(self, *_: Any, **more: Any) -> None:
        pass

    def close(self, timeout: float) -> None:
        pass

    def news(self, number: int) -> None:
        """A worker has played this batch."""
        key = next(task.key for task in self.tasks if f"-{number}-" in task.key)
        self.hear((0.0, (key, pack(PlayedBatch(number, "news")))))


async def test_results_come_as_news_even_before_submitting_has_ended_and_large_ones_are_fetched() -> None:
    client = Clients()
    client.on_map = lambda: client.news(1)
    job = BatchJob("", parse_wanted(settings("tcp://here:1"), "test"), packets=False)
    connects: list[Any] = [client]
    pool = DaskPool("here", connects.pop, played, job, print, "m")
    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            await nursery.start(pool.run)
            await pool.submit([MatchBatch(1, ())])
            await pool.submit([MatchBatch(2, ()), MatchBatch(3, ())])
            first = await pool.next_end()
            assert client.calls == 1, "they go together"
            client.news(2)
            client.news(2)
            second = await pool.next_end()
            client.tasks[2].status = "finished"
            third = await pool.next_end()
            nursery.cancel_scope.cancel()
    ends = [first, second, third]
    assert [(end.number, getattr(end, "worker", "lost")) for end in ends] == [(1, "news"), (2, "news"), (3, "fetched")]


# With processes.


def table_of(output: str) -> Any:
    found = json.loads(output)
    return found["bots"], found["counts"], [(one["number"], one["outcomes"], one["moves"]) for one in found["games"]]


def ugs(*words: str) -> list[str]:
    options = [f"--option={key}={value}" for key, value in BOARD.items()]
    bots = [f"--bot={bot}={how}" for bot, how in BOTS.items()]
    return [sys.executable, "-m", "ugs", "match", "tic-tac-toe", *bots, *options, "--output=json", *words]


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(ugs(*words), capture_output=True, text=True, timeout=600)


@ONLY_DEEP
def test_the_table_is_that_of_one_machine_though_workers_are_killed(tmp_path: Path) -> None:
    here = run("--games=60", "--concurrency=2")
    process = subprocess.Popen(
        ugs("--games=60", "--concurrency=2", "--cluster=local:2", f"--data-dir={tmp_path / 'm'}"),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    killed = 0
    while killed < 2 and process.poll() is None:
        if len(as_played_so_far(tmp_path / "m")) > 8 * killed + 4 and (worker := a_worker(process.pid)) is not None:
            os.kill(worker, signal.SIGKILL)
            killed += 1
        trio.run(trio.sleep, 0.2)
    output, errors = process.communicate(timeout=600)
    assert process.returncode == 0, errors
    assert killed == 2
    assert table_of(output) == table_of(here.stdout)
    assert len(as_played(tmp_path / "m")) == 60


def as_played_so_far(directory: Path) -> dict[int, Any]:
    try:
        return dict(as_played(directory))
    except (OSError, ValueError):
        return {}


def a_worker(match: int) -> int | None:
    """A process of Dask that has started games."""
    for process in psutil.Process(match).children(recursive=True):
        try:
            if any("ugs.match.tied_process" in " ".join(child.cmdline()) for child in process.children()):
                return process.pid if "multiprocessing" in " ".join(process.cmdline()) else None
        except psutil.Error:
            continue
    return None


@ONLY_DEEP
def test_a_match_that_is_stopped_leaves_nothing_and_goes_on_on_one_machine(tmp_path: Path) -> None:
    whole = run("--games=40")
    data = tmp_path / "m"
    process = subprocess.Popen(
        ugs("--games=40", "--cluster=local:2", f"--data-dir={data}"),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    while len(as_played_so_far(data)) < 4 and process.poll() is None:
        trio.run(trio.sleep, 0.2)
    children = psutil.Process(process.pid).children(recursive=True)
    os.killpg(process.pid, signal.SIGINT)  # as Ctrl-C does
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 130, errors
    assert errors.splitlines()[-1] == "stopped; go on with --resume"
    assert "Traceback" not in errors
    gone, alive = psutil.wait_procs(children, timeout=30)
    assert alive == []
    assert gone
    rest = run("--resume", f"--data-dir={data}", "--games=40", "--cluster=")
    assert rest.returncode == 0, rest.stderr
    assert table_of(rest.stdout) == table_of(whole.stdout)


@ONLY_DEEP
def test_a_program_that_workers_lack_is_named_with_the_worker(tmp_path: Path) -> None:
    done = run("--bot=c=./no-such-bot {address} {nick}", "--cluster=local:2", "--games=4")
    assert done.returncode == 1
    assert "no worker is left that can play this match; worker " in done.stderr
    assert "it has no program ./no-such-bot (bot c), seen from the folder " in done.stderr


@ONLY_DEEP
async def test_a_scheduler_that_is_lost_and_comes_back_costs_no_game(tmp_path: Path) -> None:
    with trio.socket.socket() as free:
        await free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"

    def program(*words: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-m", "distributed.cli.dask_" + words[0], *words[1:]],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=tmp_path, start_new_session=True,
        )  # fmt: skip

    def scheduler() -> subprocess.Popen[bytes]:
        return program("scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard")

    def worker() -> subprocess.Popen[bytes]:
        return program("worker", address, "--nthreads", "1", "--no-dashboard")

    running = [scheduler(), worker(), worker()]
    (tmp_path / "m").mkdir()
    match = Match(parse_wanted(settings(address, games=400, concurrency=2), "test"), tmp_path / "m")
    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(match.play)
            with trio.fail_after(120):
                while match.progress.played < 4:  # noqa: ASYNC110  (a match sets no event)
                    await trio.sleep(0.1)
            os.killpg(running[0].pid, signal.SIGKILL)
            await trio.sleep(5)
            assert not match.over
            running += [scheduler(), worker(), worker()]
    finally:
        for one in reversed(running):
            if one.poll() is None:
                os.killpg(one.pid, signal.SIGKILL)
            one.wait()
    assert len(match.score.counted) == 400
    assert sorted(as_played(tmp_path / "m")) == list(range(1, 401))
    assert [note.split(" ")[-1] for note in match.progress.notes if note.startswith("the scheduler")] == [
        "away",
        "back",
    ]


@ONLY_DEEP
def test_a_scheduler_that_has_another_ugs_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ugs.dask_pool.opening.__version__", "9.9")
    with in_process() as cluster, pytest.raises(Exception, match=r"install ugs 9\.9 there, as on all workers"):
        connect(cluster.scheduler_address, print)
