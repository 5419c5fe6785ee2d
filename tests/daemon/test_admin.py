"""The admin socket on a real Unix socket. The broker is stood in for by a driver that keeps what it is asked."""

import json
import os
import pwd
import socket
import stat
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
import trio
from structlog.testing import capture_logs
from trio.testing import wait_all_tasks_blocked

from tests.answering import Answering
from ugs import __version__, admin
from ugs.broker.values.questions import Act, ActKind, EditAsked, Order, OrderKind, PlanAsked, Question, WhyAsked
from ugs.championship.plan import parse_plan
from ugs.daemon.admin import MAX_CLIENTS, MAX_LINE_BYTES, AdminDesk, serve_admin

BOUND_S = 120.0

Asks = Callable[[Mapping[str, object]], Awaitable[dict[str, Any]]]
PLAN: dict[str, Any] = {"name": "spring", "game_type": "go", "first": 4}
ACT: dict[str, Any] = {"ask": "act", "kind": "ban", "subject": "ann", "why": "x"}
WITHDRAW: dict[str, Any] = {
    "ask": "order",
    "kind": "withdraw",
    "championship": "spring",
    "subject": "ann",
    "who": "eve",
    "why": "ill",
}


class Driver:
    """Stands in for a driver: answers every question with the same, and keeps it."""

    def __init__(self) -> None:
        self.asked: list[Question] = []
        self.reply: Mapping[str, object] = {"ok": True}

    def ask(self, question: Question) -> Mapping[str, object]:
        self.asked.append(question)
        return self.reply

    def answer(self) -> Mapping[str, object]:
        return {"ok": True, "figures": []}

    def round_trip_us(self, conn: int) -> int:
        return 100 * conn


class Broken(Driver):
    """A driver with a bug."""

    def ask(self, question: Question) -> Mapping[str, object]:
        raise KeyError("bug")


@pytest.fixture
def driver() -> Driver:
    return Driver()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / admin.SOCKET_NAME


@asynccontextmanager
async def listening(driver: Driver, path: Path) -> AsyncIterator[Asks]:
    """A server; asks what a client of this machine asks, and is cancelled at the end."""
    with trio.fail_after(BOUND_S):
        async with trio.open_nursery() as nursery:
            await nursery.start(serve_admin, path, driver, driver)
            yield lambda request: trio.to_thread.run_sync(admin.ask, path.parent, request)
            nursery.cancel_scope.cancel()


async def connected(path: Path) -> trio.SocketStream:
    """A client that speaks for itself."""
    with admin.short_address(path) as address:
        return await trio.open_unix_socket(address)


async def line(stream: trio.SocketStream) -> dict[str, Any] | None:
    """The next answer; None at the end of the stream."""
    received = b""
    while not received.endswith(b"\n"):
        data = bytes(await stream.receive_some(1))  # not into the next answer
        if not data:
            assert not received
            return None
        received += data
    answer: dict[str, Any] = json.loads(received)
    return answer


def answered(driver: Driver, request: object) -> dict[str, Any]:
    """The answer to one request."""
    answer: dict[str, Any] = json.loads(AdminDesk(driver, driver).answer(json.dumps(request).encode()))
    return answer


# What is asked for.


def test_a_ping_tells_version_and_process(driver: Driver) -> None:
    assert answered(driver, {"ask": "ping"}) == {"ok": True, "version": __version__, "pid": os.getpid()}


def test_an_act_with_all_that_may_be_said(driver: Driver) -> None:
    answered(driver, {**ACT, "seconds": 60, "everybody": True, "results": {"": "won"}, "game_type": "go"})
    answered(driver, {"ask": "act", "kind": "drain", "why": "x"})
    assert driver.asked == [
        Act(ActKind.BAN, "ann", "", "x", "go", 60.0, {"": "won"}, True),
        Act(ActKind.DRAIN, "", "", "x"),
    ]


def test_an_organiser_has_a_name_before_the_user(driver: Driver) -> None:
    answered(driver, {**ACT, "who": "Olga"})
    assert driver.asked == [Act(ActKind.BAN, "ann", "Olga", "x")]
    given = json.loads(AdminDesk(driver, driver).answer(json.dumps({**ACT, "who": "Olga"}).encode(), "root"))
    assert given["ok"]
    assert driver.asked[-1] == Act(ActKind.BAN, "ann", "Olga (root)", "x")


def test_why_is_the_brokers_answer_with_the_way_to_each_peer(driver: Driver) -> None:
    driver.reply = {"ok": True, "found": [{"kind": "game", "peers": [{"name": "ann", "conn": 7}]}, {"kind": "x"}]}
    found = answered(driver, {"ask": "why", "name": "ann"})["found"]
    assert driver.asked == [WhyAsked("ann")]
    assert found[0]["peers"] == [{"name": "ann", "conn": 7, "round_trip_us": 700}]


def test_an_order_reaches_the_broker_with_who_and_why(driver: Driver) -> None:
    assert answered(driver, WITHDRAW) == {"ok": True}
    assert driver.asked == [Order(OrderKind.WITHDRAW, "spring", "eve", "ill", "ann")]


def test_to_resume_needs_no_reason_and_to_pause_no_subject(driver: Driver) -> None:
    answered(driver, {"ask": "order", "kind": "resume", "championship": "spring", "who": "eve"})
    answered(driver, {"ask": "order", "kind": "pause", "championship": "spring", "who": "eve", "why": "lunch"})
    assert driver.asked == [
        Order(OrderKind.RESUME, "spring", "eve", ""),
        Order(OrderKind.PAUSE, "spring", "eve", "lunch"),
    ]


def test_a_correction_needs_results_by_nick(driver: Driver) -> None:
    correct = {**WITHDRAW, "kind": "correct", "subject": "g1"}
    wrong: object
    for wrong in (None, [], {"ann": 1}):
        answer = answered(driver, {**correct, "results": wrong})
        assert "a table of nicks is wanted, each with won, lost or drawn" in str(answer["error"])
    assert answered(driver, {**correct, "results": {"ann": "won"}}) == {"ok": True}
    assert driver.asked == [Order(OrderKind.CORRECT, "spring", "eve", "ill", "g1", {"ann": "won"})]


def test_a_bye_needs_a_round(driver: Driver) -> None:
    bye = {**WITHDRAW, "kind": "bye"}
    assert "round = None: a whole number is wanted" in str(answered(driver, bye)["error"])
    assert answered(driver, {**bye, "round": 3}) == {"ok": True}
    assert driver.asked == [Order(OrderKind.BYE, "spring", "eve", "ill", "ann", round=3)]


def test_an_edited_plan_may_keep_an_hour_that_has_passed(driver: Driver) -> None:
    plan = {**PLAN, "begins_at": "1999-01-01T20:00", "round_dates": ["1999-01-02T20:00"]}
    assert answered(driver, {"ask": "edit", "plan": plan, "who": "eve", "why": "late"}) == {"ok": True}
    (asked,) = driver.asked
    assert isinstance(asked, EditAsked)
    assert (asked.plan, asked.who, asked.why, asked.begins_in_s) == (parse_plan(plan, "test"), "eve", "late", None)
    assert asked.date_s is not None
    assert "plan is missing" in str(answered(driver, {"ask": "edit"})["error"])


def test_what_the_server_is_doing_is_told_by_its_status(driver: Driver) -> None:
    assert answered(driver, {"ask": "server"}) == {"ok": True, "figures": []}


async def test_the_user_at_the_socket_stands_with_an_act_whatever_the_client_says(driver: Driver, path: Path) -> None:
    act = {"ask": "act", "kind": "forget", "subject": "ann", "why": "burnt", "who": "eve"}
    async with listening(driver, path) as asks:
        assert await asks(act) == {"ok": True}
        assert await asks({**act, "game_type": "go"}) == {"ok": True}
    user = pwd.getpwuid(os.getuid()).pw_name
    assert driver.asked == [
        Act(ActKind.FORGET, "ann", f"eve ({user})", "burnt"),
        Act(ActKind.FORGET, "ann", f"eve ({user})", "burnt", "go"),
    ]


async def test_a_user_without_a_name_is_a_number(driver: Driver, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody(user: int) -> None:
        raise KeyError(user)

    monkeypatch.setattr(pwd, "getpwuid", nobody)
    async with listening(driver, path) as asks:
        await asks({"ask": "act", "kind": "forget", "subject": "ann", "why": "burnt"})
    assert driver.asked == [Act(ActKind.FORGET, "ann", f"user {os.getuid()}", "burnt")]


def test_a_plan_without_an_hour_is_announced_as_it_is(driver: Driver) -> None:
    plan = parse_plan(PLAN, "test")
    assert answered(driver, {"ask": "plan", "plan": plan.plain(), "who": "eve"}) == {"ok": True}
    assert driver.asked == [PlanAsked(plan, "eve", None)]


@pytest.mark.parametrize("zone", [None, timezone(timedelta(hours=-7))])
def test_an_hour_to_come_is_told_in_seconds_from_now(driver: Driver, zone: timezone | None) -> None:
    hour = datetime.now(zone) + timedelta(days=1)
    answered(driver, {"ask": "plan", "plan": {**PLAN, "begins_at": hour.isoformat()}, "who": "eve"})
    (asked,) = driver.asked
    assert isinstance(asked, PlanAsked)
    assert asked.begins_in_s is not None
    assert 0 < asked.begins_in_s <= 25 * 3600, "a day, give or take the change of a clock to summer time"


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        ("not an object", "a request is a JSON object"),
        ({}, "ask is missing"),
        ({"ask": "joke"}, "ask = 'joke': allowed: ping, server, why, order, plan, edit, act"),
        ({"ask": 3}, "ask = 3: a text is wanted"),
        ({"ask": "why"}, "name is missing"),
        ({"ask": "why", "name": ""}, "name is empty"),
        ({"ask": "act", "kind": "bann", "subject": "ann", "why": "x"}, "kind = 'bann': allowed: pause, resume, "),
        ({**ACT, "seconds": -1}, "seconds = -1: a number from 0 to 315360000 is wanted, or none"),
        ({**ACT, "seconds": True}, "seconds = True: a number"),
        ({**ACT, "seconds": float("nan")}, "seconds = nan: a number"),
        (
            {**ACT, "for": "2h"},
            "unknown key 'for'; allowed with ask = 'act': everybody, force, game_type, kind, options, results, seats",
        ),
        ({"ask": "ping", "name": "ann"}, "unknown key 'name'; allowed with ask = 'ping': none"),
        ({**ACT, "everybody": "yes"}, "everybody = 'yes': true or false is wanted"),
        ({**ACT, "results": ["ann"]}, "results = ['ann']: a table of nicks is wanted"),
        ({**ACT, "options": 7}, "act: options = 7: allowed: a table, at most 128 keys"),
        ({**ACT, "options": {"size": "a\0"}}, "act: options.size = 'a\\x00': allowed: one line of printable"),
        ({**ACT, "seats": "ann"}, "seats = 'ann': a list of at most 64 nicks is wanted"),
        ({**ACT, "results": {"ann": 1}}, "results = {'ann': 1}: a table of nicks is wanted"),
        ({"ask": "act", "kind": "forget", "subject": "", "why": "x"}, "subject is empty"),
        ({"ask": "act", "kind": "forget", "subject": "ann"}, "why is missing"),
        (
            {**WITHDRAW, "kind": "stop"},
            "kind = 'stop': allowed: pause, resume, withdraw, replay, correct, adjudicate, disqualify, enter, bye, "
            "cancel",
        ),
        ({**WITHDRAW, "subject": ""}, "subject is empty"),
        ({**WITHDRAW, "why": ""}, "why is empty"),
        ({**WITHDRAW, "who": None}, "who is missing"),
        ({"ask": "plan", "who": "eve"}, "plan is missing"),
        ({"ask": "plan", "plan": [], "who": "eve"}, "plan = []: a table of keys is wanted"),
        ({"ask": "plan", "plan": {**PLAN, "seats": 1}, "who": "eve"}, "plan: seats = 1: a game has at least 2"),
        ({"ask": "plan", "plan": {**PLAN, "frist": 1}, "who": "eve"}, "plan: unknown key frist"),
        ({"ask": "plan", "plan": PLAN}, "who is missing"),
        ({"ask": "plan", "plan": {**PLAN, "begins_at": "2001-01-01T20:00"}, "who": "eve"}, "this hour is over"),
        ({"ask": "plan", "plan": {**PLAN, "begins_at": "0001-01-01T00:00"}, "who": "eve"}, "hour"),
    ],
)
def test_a_request_that_means_nothing_is_refused_in_one_line(driver: Driver, request_: object, words: str) -> None:
    answer = answered(driver, request_)
    assert answer["ok"] is False
    assert words in answer["error"]
    assert "\n" not in answer["error"]
    assert not driver.asked


@pytest.mark.parametrize("raw", [b"{", b"\xff\xfe", b"[" * 100_000])
def test_what_is_no_json_is_refused(driver: Driver, raw: bytes) -> None:
    assert b'"ok": false, "error": "a request is one line of JSON' in AdminDesk(driver, driver).answer(raw)


def test_a_bug_costs_one_answer_and_is_in_the_log() -> None:
    with capture_logs() as log:
        answer = answered(Broken(), {"ask": "why", "name": "ann"})
    assert answer == {"ok": False, "error": "a bug in the server; see its log"}
    assert log[0]["event"] == "bug in the server"


# The socket.


async def test_a_client_of_this_machine_is_answered(driver: Driver, path: Path) -> None:
    async with listening(driver, path) as asks:
        assert (await asks({"ask": "ping"}))["pid"] == os.getpid()
        assert (await asks({"ask": "why", "name": "ann"})) == {"ok": True}


async def test_several_requests_of_one_connection_are_answered_in_order(driver: Driver, path: Path) -> None:
    async with listening(driver, path), await connected(path) as stream:
        await stream.send_all(b'{"ask":"ping"}\n\n{"ask":"joke"}\n{"ask":')
        assert (await line(stream) or {})["ok"] is True
        assert (await line(stream) or {})["ok"] is False
        await stream.send_all(b'"ping"}')
        await stream.send_eof()
        assert (await line(stream) or {})["ok"] is True, "the end of the stream ends a line"
        assert await line(stream) is None


async def test_only_the_user_of_the_server_may_ask(driver: Driver, path: Path) -> None:
    async with listening(driver, path):
        assert stat.S_IMODE((await trio.Path(path).stat()).st_mode) == 0o600


async def test_the_socket_is_gone_when_the_server_is(driver: Driver, path: Path) -> None:
    async with listening(driver, path):
        assert await trio.Path(path).is_socket()
    assert not await trio.Path(path).exists()


async def test_a_file_of_another_process_is_not_removed_at_the_end(driver: Driver, path: Path) -> None:
    async with listening(driver, path):
        await trio.Path(path).unlink()
        await trio.Path(path).write_text("mine")
    assert await trio.Path(path).read_text() == "mine"


async def test_the_socket_of_a_killed_server_is_replaced(driver: Driver, path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as left_behind, admin.short_address(path) as address:
        left_behind.bind(address)
    async with listening(driver, path) as asks:
        assert (await asks({"ask": "ping"}))["ok"]


async def test_a_server_that_runs_keeps_its_socket(driver: Driver, path: Path) -> None:
    async with listening(driver, path) as asks:
        with pytest.raises(OSError, match=r"cannot listen at .*admin\.sock: another server listens there"):
            await serve_admin(path, driver, driver)
        assert (await asks({"ask": "ping"}))["ok"]


async def test_a_file_that_is_no_socket_is_not_touched(driver: Driver, path: Path) -> None:
    await trio.Path(path).write_text("mine")
    with pytest.raises(OSError, match="no socket"):
        await serve_admin(path, driver, driver)
    assert await trio.Path(path).read_text() == "mine"


async def test_a_directory_that_is_not_there_is_one_clear_error(driver: Driver, tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"cannot listen at .*nowhere.*: No such file"):
        await serve_admin(tmp_path / "nowhere" / admin.SOCKET_NAME, driver, driver)


async def test_a_path_longer_than_a_socket_address_works(driver: Driver, tmp_path: Path) -> None:
    path = tmp_path / ("d" * 200) / admin.SOCKET_NAME
    path.parent.mkdir()
    async with listening(driver, path) as asks:
        assert (await asks({"ask": "ping"}))["ok"]
    assert not await trio.Path(path).exists()


# Rude clients.


async def test_a_request_without_end_is_refused_and_its_client_dropped(driver: Driver, path: Path) -> None:
    async with listening(driver, path) as asks, await connected(path) as stream:
        await stream.send_all(b"x" * (2 * MAX_LINE_BYTES))
        answer = await line(stream)
        assert answer is not None
        assert answer["error"] == f"a request has at most {MAX_LINE_BYTES} bytes"
        assert (await asks({"ask": "ping"}))["ok"]


async def test_a_client_that_breaks_off_disturbs_nobody(driver: Driver, path: Path) -> None:
    async with listening(driver, path) as asks:
        stream = await connected(path)
        await stream.send_all(b'{"ask":"ping"}\n' * 1000)
        await stream.aclose()  # with answers unread
        await wait_all_tasks_blocked()
        assert (await asks({"ask": "ping"}))["ok"]


async def test_clients_that_say_and_read_nothing_disturb_nobody(driver: Driver, path: Path) -> None:
    driver.reply = {"ok": True, "text": "x" * 10_000_000}
    async with listening(driver, path) as asks, await connected(path) as silent, await connected(path) as deaf:
        await deaf.send_all(b'{"ask":"why","name":"ann"}\n')
        await wait_all_tasks_blocked()
        assert (await asks({"ask": "ping"}))["ok"]
        del silent


async def test_one_client_too_many_is_turned_away_until_another_has_gone(driver: Driver, path: Path) -> None:
    async with AsyncExitStack() as at_end, listening(driver, path) as asks:
        clients = [await at_end.enter_async_context(await connected(path)) for _ in range(MAX_CLIENTS)]
        await wait_all_tasks_blocked()
        assert "others are asking" in (await asks({"ask": "ping"}))["error"]
        await clients[0].aclose()
        await wait_all_tasks_blocked()
        assert (await asks({"ask": "ping"}))["ok"]


async def test_a_client_that_says_nothing_for_long_is_dropped(driver: Driver, path: Path) -> None:
    near, far = socket.socketpair()
    with near, far:
        stream = trio.SocketStream(trio.socket.from_stdlib_socket(near))
        with trio.fail_after(BOUND_S):
            await AdminDesk(driver, driver, patience_s=0).serve(stream)
        assert far.recv(1) == b""


def test_what_organisers_have_changed_is_read_again_and_a_mistake_told() -> None:
    driver = Answering({"ok": True})
    for wrong, answer in (
        ("", {"ok": True}),
        ("access.toml: not TOML", {"ok": False, "error": "access.toml: not TOML"}),
    ):
        desk = AdminDesk(driver, driver, lambda wrong=wrong: wrong)  # type: ignore[misc]
        assert json.loads(desk.answer(b'{"ask": "reread"}')) == answer
