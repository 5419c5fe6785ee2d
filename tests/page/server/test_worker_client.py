"""The worker process, seen from the server."""

import resource
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
import trio
from structlog.testing import capture_logs

from tests.why.records import over
from ugs.journal.importing import store
from ugs.page.contract import Busy, PageAnswer, Question, SiteSettings, TooDear
from ugs.page.played import LiveBoard
from ugs.page.server import too_expensive, worker_client, worker_process
from ugs.page.server.code_on_disk import CodeBelow
from ugs.page.server.worker_client import WorkerClient
from ugs.page.server.worker_duties import FRONT, PICTURES, REPLAYS, WORKERS, subject_of, worker_of
from ugs.page.worker.answers import ANSWERS
from ugs.page.worker.process import limited

BOUND_S = 120.0
SCRIPT = """
import os, pickle, signal, sys, time
from ugs.page.contract import PageAnswer
from ugs.page.pipe import HEAD, NO_MEMORY, Failure
def read():
    head = sys.stdin.buffer.read(8)
    if len(head) < 8: sys.exit()
    return pickle.loads(sys.stdin.buffer.read(HEAD.unpack(head)[0]))
read()
number = 0
while True:
    name, asked, facts = read()
    number += 1
    if name == "die": os._exit(1)
    if name == "spin": os.kill(os.getpid(), signal.SIGXCPU)  # what the system does at the limit
    if name == "hang": time.sleep(1000)
    if name == "game file": os._exit(NO_MEMORY)  # what a worker does when it has no more
    if name == "grown" and number > 1: os._exit(NO_MEMORY)
    if name == "own game" and "plain" not in facts: os.kill(os.getpid(), signal.SIGXCPU)
    if name == "own game": name += " without pictures: " + facts["plain"]
    if name == "hand" and not os.path.exists(asked["gate"]):
        open(asked["seen"], "w").close()
        while not os.path.exists(asked["gate"]): time.sleep(0.02)
    if name == "bug": what = Failure("ZeroDivisionError")
    elif name == "later": what = PageAnswer(b"%d" % number, later=number < 3)
    elif name == "value": what = asked
    else: what = PageAnswer(b"%s %d" % (name.encode(), number))
    data = pickle.dumps(what)
    sys.stdout.buffer.write(HEAD.pack(len(data)) + data)
    sys.stdout.buffer.flush()
"""
GAME = {"page": "game", "query": {"id": "g"}}
RUNNING = LiveBoard("g", "chess", 1, [], [], [], "", "", [], 0)
SCRIPTED = (sys.executable, "-c", SCRIPT)
"""A worker that counts what it is asked."""


async def test_the_real_worker_answers_from_the_journal(tmp_path: Path) -> None:
    assert store(tmp_path, over())
    async with trio.open_nursery() as nursery:
        rooms = WorkerClient(SiteSettings(str(tmp_path)))
        nursery.start_soon(rooms.run)
        with trio.fail_after(BOUND_S):
            answer = await rooms.ask(Question("standings.json"), "a", BOUND_S)
            assert (answer.status, answer.kind, b'"ann"' in answer.body) == (200, "application/json", True)
            page = await rooms.ask(Question("view", {"page": "overview", "form": "html", "query": {}}), "a")
            assert b"<h2" in page.body
        nursery.cancel_scope.cancel()


async def test_who_asks_the_same_at_the_same_time_gets_one_answer() -> None:
    async with trio.open_nursery() as nursery:
        rooms = WorkerClient(SiteSettings(), command=SCRIPTED)
        nursery.start_soon(rooms.run)
        bodies = []

        async def ask() -> None:
            bodies.append((await rooms.ask(Question("one"), "a")).body)

        with trio.fail_after(BOUND_S):
            async with trio.open_nursery() as many:
                for _ in range(20):
                    many.start_soon(ask)
        assert bodies == [b"one 1"] * 20
        nursery.cancel_scope.cancel()


async def test_facts_of_the_running_server_do_not_make_a_question_another_one() -> None:
    async with trio.open_nursery() as nursery:
        rooms = WorkerClient(SiteSettings(), command=SCRIPTED)
        nursery.start_soon(rooms.run)
        with trio.fail_after(BOUND_S):
            for facts in ({"a": 1}, {"a": 2}):
                assert (await rooms.ask(Question("one", facts=facts), "a")).body == b"one 1"
        nursery.cancel_scope.cancel()


async def test_an_answer_for_the_time_being_is_asked_for_again() -> None:
    async with trio.open_nursery() as nursery:
        rooms = WorkerClient(SiteSettings(), command=SCRIPTED)
        nursery.start_soon(rooms.run)
        with trio.fail_after(BOUND_S):
            assert (await rooms.ask(Question("later"), "a")).body == b"1"
            assert (await rooms.ask(Question("later"), "a", BOUND_S)).body == b"3"
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize(
    ("name", "event", "said"),
    [("die", "the page's worker is lost", "its log"), ("bug", "bug in the page", "a bug in the server")],
)
async def test_what_goes_wrong_costs_one_answer(name: str, event: str, said: str) -> None:
    async with trio.open_nursery() as nursery:
        rooms = WorkerClient(SiteSettings(), command=SCRIPTED)
        nursery.start_soon(rooms.run)
        with trio.fail_after(BOUND_S):
            with capture_logs() as log, pytest.raises(Busy):
                await rooms.ask(Question(name), "a")
            assert [line["event"] for line in log] == [event]
            assert (await rooms.ask(Question("one"), "a")).body.startswith(b"one ")
            assert await rooms.call(Question("value", {"x": b"1"})) == {"x": b"1"}
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize("name", ["die", "bug"])
async def test_a_worker_that_fails_since_the_code_was_replaced_is_told_as_such_once(name: str, tmp_path: Path) -> None:
    """After an upgrade in place each request was "a bug", and nobody knew what to do."""
    module = tmp_path / "module.py"
    module.write_text("1")
    told: list[str] = []
    async with trio.open_nursery() as nursery:
        code = CodeBelow(tmp_path)
        rooms = WorkerClient(SiteSettings(), command=SCRIPTED, code=code, replaced=lambda: told.append("replaced"))
        nursery.start_soon(rooms.run)
        module.write_text("22")
        with trio.fail_after(BOUND_S), capture_logs() as log:
            for _ in range(2):
                with pytest.raises(Busy, match="the page works again when the server is restarted"):
                    await rooms.ask(Question(name), "a")
            assert (await rooms.ask(Question("one"), "a")).body.startswith(b"one "), "what still works does"
        nursery.cancel_scope.cancel()
    event = "the code was replaced while the server runs; the page needs a restart"
    assert [line["event"] for line in log].count(event) == len(told) == 1


def test_what_lies_in_a_directory_of_code_is_remembered(tmp_path: Path) -> None:
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "module.py").write_text("1")
    code = CodeBelow(tmp_path)
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "module.pyc").write_text("compiled")
    assert not code.is_replaced()
    (tmp_path / "package" / "module.py").unlink()
    assert code.is_replaced()
    assert not CodeBelow(tmp_path / "nowhere").is_replaced()


async def test_a_worker_that_does_not_answer_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_process, "PATIENCE_S", 0.3)
    async with trio.open_nursery() as nursery:
        rooms = WorkerClient(SiteSettings(), command=SCRIPTED)
        nursery.start_soon(rooms.run)
        with trio.fail_after(BOUND_S):
            with capture_logs() as log, pytest.raises(Busy):
                await rooms.ask(Question("hang"), "a")
            assert log[0]["reason"] == "no answer within 0.3 s"
            monkeypatch.setattr(worker_process, "PATIENCE_S", BOUND_S)
            assert (await rooms.ask(Question("one"), "a")).body == b"one 1"
        nursery.cancel_scope.cancel()


async def test_a_worker_that_takes_too_much_processor_time_is_replaced() -> None:
    async with trio.open_nursery() as nursery:
        rooms = WorkerClient(SiteSettings(), command=SCRIPTED)
        nursery.start_soon(rooms.run)
        with trio.fail_after(BOUND_S):
            with capture_logs() as log, pytest.raises(Busy):
                await rooms.ask(Question("spin"), "a")
            assert log[0]["reason"] == "it takes more than 30 s of processor time"
            assert (await rooms.ask(Question("one"), "a")).body == b"one 1"
        nursery.cancel_scope.cancel()


async def test_a_game_that_is_too_dear_is_asked_for_without_pictures_and_from_then_on_at_once() -> None:
    async with trio.open_nursery() as nursery:
        rooms = WorkerClient(SiteSettings(), command=SCRIPTED)
        nursery.start_soon(rooms.run)
        with trio.fail_after(BOUND_S):
            with capture_logs() as log:
                for at in (1, 2):
                    body = (await rooms.ask(Question("own game", {"id": "g1", "at": at}), "a")).body
                    told = f"own game without pictures: it takes more than 30 s of processor time {at}"
                    assert body == told.encode()
            assert [line["event"] for line in log] == ["the page's worker is lost"]
        nursery.cancel_scope.cancel()


async def test_what_is_too_dear_in_any_way_is_refused_for_some_time(monkeypatch: pytest.MonkeyPatch) -> None:
    async with trio.open_nursery() as nursery:
        rooms = WorkerClient(SiteSettings(), 400 * 1024 * 1024, SCRIPTED)
        nursery.start_soon(rooms.run)
        with trio.fail_after(BOUND_S), capture_logs() as log:
            for _ in range(3):
                with pytest.raises(TooDear, match="more than 400 MB of memory"):
                    await rooms.ask(Question("game file", {"id": "g1"}), "a")
            assert len(log) == 1
            with pytest.raises(TooDear):
                await rooms.ask(Question("game file", {"id": "g2"}), "a")
            assert len(log) == 2
            monkeypatch.setattr(too_expensive, "REFUSED_S", 0.0)
            rooms._dear = too_expensive.Dear()
            for number in (3, 4):
                with pytest.raises(TooDear):
                    await rooms.ask(Question("game file", {"id": "g1"}), "a")
                assert len(log) == number
        nursery.cancel_scope.cancel()


async def test_a_worker_that_has_grown_is_replaced_before_a_question_is_blamed() -> None:
    async with trio.open_nursery() as nursery:
        rooms = WorkerClient(SiteSettings(), command=SCRIPTED)
        nursery.start_soon(rooms.run)
        with trio.fail_after(BOUND_S):
            assert (await rooms.ask(Question("one"), "a")).body == b"one 1"
            with capture_logs() as log:
                assert (await rooms.ask(Question("grown"), "a")).body == b"grown 1"
            assert len(log) == 1
        nursery.cancel_scope.cancel()


def until_exists(path: Path) -> None:
    while not path.exists():
        time.sleep(0.02)


async def test_who_asks_for_something_else_does_not_wait_for_what_is_dear(tmp_path: Path) -> None:
    gate, seen = tmp_path / "gate", tmp_path / "seen"
    async with trio.open_nursery() as nursery:
        rooms = WorkerClient(SiteSettings(), command=SCRIPTED)
        nursery.start_soon(rooms.run)
        with trio.fail_after(BOUND_S):
            asked = {"game": "g1", "gate": str(gate), "seen": str(seen)}
            nursery.start_soon(rooms.ask, Question("hand", asked), "a")
            await trio.to_thread.run_sync(until_exists, seen)
            assert (await rooms.ask(Question("one"), "a")).body == b"one 1"
            assert (await rooms.ask(Question("own file", {"id": "g1"}), "a")).body == b"own file 1"
            gate.touch()
        nursery.cancel_scope.cancel()


def test_what_is_remembered_as_dear_is_bounded() -> None:
    async def run() -> None:
        known = too_expensive.Dear()
        for number in range(too_expensive.MAX_REMEMBERED + 50):
            assert known.learn(Question("own game", {"id": str(number)}), "why")
        assert len(known._known) == too_expensive.MAX_REMEMBERED
        assert known.asked(Question("own game", {"id": "0"})).facts == {}
        assert known.asked(Question("own game", {"id": "1000"})).facts == {"plain": "why"}
        assert not known.learn(Question("openapi"), "why")

    trio.run(run)


@pytest.mark.parametrize(
    ("question", "worker", "subject"),
    [
        (Question("view", {"page": "overview", "query": {}}), FRONT, ""),
        (Question("view", GAME), REPLAYS, "pictures g"),
        (Question("view", {"page": "positions", "query": {"id": "g"}}), REPLAYS, "pictures g"),
        (Question("view", {"page": "game", "query": {"id": "g"}}, {"board": RUNNING}), FRONT, ""),
        (
            Question("view", {"page": "game", "query": {"id": "g"}}, {"board": replace(RUNNING, over=True)}),
            REPLAYS,
            "pictures g",
        ),
        (Question("hand", {"game": "g"}), PICTURES, "pictures g"),
        (Question("boards", {"told": []}), PICTURES, ""),
        (Question("own file", {"id": "g"}), REPLAYS, "record g"),
    ],
)
def test_each_question_has_a_worker_and_a_subject(question: Question, worker: str, subject: str) -> None:
    assert (worker_of(question), subject_of(question)) == (worker, subject)


def test_every_answer_of_a_worker_has_a_desk() -> None:
    assert all(worker_of(Question(name)) in WORKERS for name in ANSWERS)


async def test_a_real_worker_without_memory_ends_and_says_so() -> None:
    async with trio.open_nursery() as nursery:
        rooms = WorkerClient(SiteSettings(), 128 * 1024 * 1024)
        nursery.start_soon(rooms.run)
        with trio.fail_after(BOUND_S):
            with capture_logs() as log, pytest.raises(TooDear, match="more than 128 MB of memory"):
                await rooms.call(Question("boards", {"told": [], "padding": bytes(128 * 1024 * 1024)}))
            assert [line["reason"] for line in log] == ["it takes more than 128 MB of memory"]
            assert await rooms.call(Question("boards", {"told": []})) == []
        nursery.cancel_scope.cancel()


def test_memory_is_limited_from_then_on() -> None:
    script = (
        "from ugs.page.pipe import WorkerLimits; from ugs.page.worker.process import confine\n"
        "confine(WorkerLimits(1, 256 * 1024 * 1024))\n"
        "kept = bytearray(64 * 1024 * 1024)\n"
        "try: bytearray(256 * 1024 * 1024)\n"
        "except MemoryError: print('no more')\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "no more\n"


def test_processor_time_is_limited_as_long_as_an_answer_is_made() -> None:
    usual, most = resource.getrlimit(resource.RLIMIT_CPU)
    with limited(100):
        limit, _ = resource.getrlimit(resource.RLIMIT_CPU)
        assert limit != usual
        assert 99 <= limit - time.process_time() <= 102 or limit == most
    assert resource.getrlimit(resource.RLIMIT_CPU) == (usual, most)


async def test_addresses_are_served_by_turns_and_none_may_fill_the_queue() -> None:
    """Without :meth:`WorkerClient.run`, so that all of them wait."""
    rooms = WorkerClient(SiteSettings(), command=SCRIPTED)
    async with trio.open_nursery() as nursery:
        for number in range(worker_client.MAX_WAITING_PER_ADDRESS):
            nursery.start_soon(rooms.ask, Question(f"greedy {number}"), "greedy")
            await trio.testing.wait_all_tasks_blocked()
        nursery.start_soon(rooms.ask, Question("modest"), "modest")
        await trio.testing.wait_all_tasks_blocked()
        with pytest.raises(Busy, match="too much"):
            await rooms.ask(Question("one more"), "greedy")
        names = [(await rooms._workers[FRONT].next()).question.name for _ in range(3)]
        assert names == ["greedy 0", "modest", "greedy 1"]
        nursery.cancel_scope.cancel()


def test_what_is_kept_is_bounded() -> None:
    async def run() -> None:
        rooms = WorkerClient(SiteSettings(), command=SCRIPTED)
        for number in range(worker_client.MAX_KEPT + 50):
            rooms._keep(str(number), PageAnswer(b"x" * 200_000))
        assert len(rooms._kept) <= worker_client.MAX_KEPT
        assert sum(len(answer.body) for answer, _ in rooms._kept.values()) <= worker_client.MAX_KEPT_BYTES

    trio.run(run)
