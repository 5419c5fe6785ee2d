"""The worker process, seen from the server."""

import resource
import sys
import time
from pathlib import Path

import pytest
import trio
from structlog.testing import capture_logs

from tests.why.records import over
from ugs.journal.importing import store
from ugs.page import office
from ugs.page.contract import Answer, Busy, Question, SiteSettings
from ugs.page.office import Office
from ugs.page.worker import limited

BOUND_S = 120.0
SCRIPT = """
import os, pickle, signal, sys, time
from ugs.page.contract import Answer
from ugs.page.pipe import HEAD, Failure
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
    if name == "bug": what = Failure("ZeroDivisionError")
    elif name == "later": what = Answer(b"%d" % number, later=number < 3)
    elif name == "value": what = asked
    else: what = Answer(b"%s %d" % (name.encode(), number))
    data = pickle.dumps(what)
    sys.stdout.buffer.write(HEAD.pack(len(data)) + data)
    sys.stdout.buffer.flush()
"""
SCRIPTED = (sys.executable, "-c", SCRIPT)
"""A worker that counts what it is asked."""


async def test_the_real_worker_answers_from_the_journal(tmp_path: Path) -> None:
    assert store(tmp_path, over())
    async with trio.open_nursery() as nursery:
        rooms = Office(SiteSettings(str(tmp_path)))
        nursery.start_soon(rooms.run)
        with trio.fail_after(BOUND_S):
            answer = await rooms.ask(Question("standings.json"), "a", BOUND_S)
            assert (answer.status, answer.kind, b'"ann"' in answer.body) == (200, "application/json", True)
            page = await rooms.ask(Question("view", {"page": "overview", "form": "html", "query": {}}), "a")
            assert b"<h2" in page.body
        nursery.cancel_scope.cancel()


async def test_who_asks_the_same_at_the_same_time_gets_one_answer() -> None:
    async with trio.open_nursery() as nursery:
        rooms = Office(SiteSettings(), SCRIPTED)
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
        rooms = Office(SiteSettings(), SCRIPTED)
        nursery.start_soon(rooms.run)
        with trio.fail_after(BOUND_S):
            for facts in ({"a": 1}, {"a": 2}):
                assert (await rooms.ask(Question("one", facts=facts), "a")).body == b"one 1"
        nursery.cancel_scope.cancel()


async def test_an_answer_for_the_time_being_is_asked_for_again() -> None:
    async with trio.open_nursery() as nursery:
        rooms = Office(SiteSettings(), SCRIPTED)
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
        rooms = Office(SiteSettings(), SCRIPTED)
        nursery.start_soon(rooms.run)
        with trio.fail_after(BOUND_S):
            with capture_logs() as log, pytest.raises(Busy):
                await rooms.ask(Question(name), "a")
            assert [line["event"] for line in log] == [event]
            assert (await rooms.ask(Question("one"), "a")).body.startswith(b"one ")
            assert await rooms.call(Question("value", {"x": b"1"})) == {"x": b"1"}
        nursery.cancel_scope.cancel()


async def test_a_worker_that_does_not_answer_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(office, "PATIENCE_S", 0.3)
    async with trio.open_nursery() as nursery:
        rooms = Office(SiteSettings(), SCRIPTED)
        nursery.start_soon(rooms.run)
        with trio.fail_after(BOUND_S):
            with capture_logs() as log, pytest.raises(Busy):
                await rooms.ask(Question("hang"), "a")
            assert log[0]["reason"] == "no answer within 0.3 s"
            monkeypatch.setattr(office, "PATIENCE_S", BOUND_S)
            assert (await rooms.ask(Question("one"), "a")).body == b"one 1"
        nursery.cancel_scope.cancel()


async def test_a_worker_that_takes_too_much_processor_time_is_replaced() -> None:
    async with trio.open_nursery() as nursery:
        rooms = Office(SiteSettings(), SCRIPTED)
        nursery.start_soon(rooms.run)
        with trio.fail_after(BOUND_S):
            with capture_logs() as log, pytest.raises(Busy):
                await rooms.ask(Question("spin"), "a")
            assert log[0]["reason"] == "an answer took more than 30 s of processor time"
            assert (await rooms.ask(Question("one"), "a")).body == b"one 1"
        nursery.cancel_scope.cancel()


def test_processor_time_is_limited_as_long_as_an_answer_is_made() -> None:
    usual, most = resource.getrlimit(resource.RLIMIT_CPU)
    with limited(100):
        limit, _ = resource.getrlimit(resource.RLIMIT_CPU)
        assert limit != usual
        assert 99 <= limit - time.process_time() <= 102 or limit == most
    assert resource.getrlimit(resource.RLIMIT_CPU) == (usual, most)


async def test_addresses_are_served_by_turns_and_none_may_fill_the_queue() -> None:
    """Without :meth:`Office.run`, so that all of them wait."""
    rooms = Office(SiteSettings(), SCRIPTED)
    async with trio.open_nursery() as nursery:
        for number in range(office.MAX_WAITING_PER_ADDRESS):
            nursery.start_soon(rooms.ask, Question(f"greedy {number}"), "greedy")
            await trio.testing.wait_all_tasks_blocked()
        nursery.start_soon(rooms.ask, Question("modest"), "modest")
        await trio.testing.wait_all_tasks_blocked()
        with pytest.raises(Busy, match="too much"):
            await rooms.ask(Question("one more"), "greedy")
        names = [rooms._next().question.name for _ in range(3)]
        assert names == ["greedy 0", "modest", "greedy 1"]
        nursery.cancel_scope.cancel()


def test_what_is_kept_is_bounded() -> None:
    async def run() -> None:
        rooms = Office(SiteSettings(), SCRIPTED)
        for number in range(office.MAX_KEPT + 50):
            rooms._keep(str(number), Answer(b"x" * 200_000))
        assert len(rooms._kept) <= office.MAX_KEPT
        assert sum(len(answer.body) for answer, _ in rooms._kept.values()) <= office.MAX_KEPT_BYTES

    trio.run(run)
