"""Nobody is late before it has been heard out: first with an ear of the test's, then with a whole server."""

from collections.abc import Callable

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from tests.daemon.shell import GO, Pipe, Shell, move, over, turn
from ugs.broker.events import Timer, TimerKind
from ugs.daemon.clocks.timer_deferral import TimerDeferral
from ugs.wire.extensions import Hello, Resume, Session
from ugs.wire.messages import BeginGame, Error, GameMasterLogin, GameState, LoginResponse, PlayerLogin

Opens = Callable[..., Shell]
CLOCK = Timer(TimerKind.GAME, "g1")


class Ear:
    """Bytes that wait, and bytes that have been heard, by connection."""

    def __init__(self) -> None:
        self.sent: dict[int, int] = {}
        self.listened: dict[int, int] = {}

    def unheard(self, number: int) -> int:
        sent = self.sent.get(number, 0)
        return sent if sent > self.listened.get(number, 0) else 0

    def handled(self, number: int, size: int) -> bool:
        return self.listened.get(number, 0) >= size


def test_a_peer_that_has_said_nothing_is_late() -> None:
    assert not TimerDeferral(lambda timer: [1, 2], Ear()).puts_off(CLOCK)


def test_a_timer_waits_for_all_that_it_judges() -> None:
    ear = Ear()
    all_received = TimerDeferral(lambda timer: [1, 2], ear)
    ear.sent = {1: 10, 2: 20, 3: 30}
    assert all_received.puts_off(CLOCK)
    ear.listened = {1: 10}
    assert all_received.puts_off(CLOCK)
    ear.listened = {1: 10, 2: 20}
    assert not all_received.puts_off(CLOCK)


def test_what_comes_later_does_not_count() -> None:
    ear = Ear()
    all_received = TimerDeferral(lambda timer: [1], ear)
    ear.sent = {1: 10}
    assert all_received.puts_off(CLOCK)
    ear.sent, ear.listened = {1: 1000}, {1: 10}
    assert not all_received.puts_off(CLOCK)


def test_a_timer_that_is_started_anew_judges_anew() -> None:
    ear = Ear()
    all_received = TimerDeferral(lambda timer: [1], ear)
    ear.sent = {1: 10}
    assert all_received.puts_off(CLOCK)
    all_received.forget(CLOCK)
    ear.sent = {1: 20}
    assert all_received.puts_off(CLOCK)
    ear.listened = {1: 10}
    assert all_received.puts_off(CLOCK)


# With a server whose disk is slow: it reads nothing for a while.


def behind(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> Callable[[bool], None]:
    """Makes the disk slow, or fast again."""
    now = [False]
    monkeypatch.setattr(shell.keeping.recorder, "behind", lambda: now[0])
    return lambda slow: now.__setitem__(0, slow)


class Table:
    """A game of two whose peers are all on pipes; it is ann's turn."""

    def __init__(self, shell: Shell) -> None:
        self.master, self.ann, self.ben = Pipe(), Pipe(), Pipe()
        for pipe in (self.master, self.ann, self.ben):
            shell.attaches(pipe)

    async def sits_down(self) -> "Table":
        self.master.says(GameMasterLogin("m", GO, "2", "2"))
        self.ann.says(PlayerLogin("ann", GO))
        await wait_all_tasks_blocked()
        self.ben.says(PlayerLogin("ben", GO))
        await wait_all_tasks_blocked()
        assert self.master.messages() == [LoginResponse(), BeginGame("g1", ("ann", "ben"))]
        self.master.says(turn("ann"))
        await wait_all_tasks_blocked()
        return self


def errors(pipe: Pipe) -> list[str]:
    return [message.text for message in pipe.messages() if isinstance(message, Error)]


async def test_a_move_that_came_in_time_counts_however_late_it_is_heard(
    opens: Opens, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell = opens(move_timeout_s=5)
    table = await Table(shell).sits_down()
    slow = behind(shell, monkeypatch)
    slow(True)
    table.ann.says(move())  # taken before anybody looks at the disk
    await wait_all_tasks_blocked()
    table.master.says(turn("ann"))
    await wait_all_tasks_blocked()
    table.ann.says(move(payload=b"<move>late</move>"))
    await trio.sleep(60)
    assert errors(table.ann) == errors(table.ben) == []
    slow(False)
    await trio.sleep(1)
    assert move(payload=b"<move>late</move>") in table.master.messages()
    table.master.says(over("ann", "ben"))
    await trio.sleep(1)
    assert errors(table.ann) == errors(table.ben) == []


async def test_a_master_that_answered_in_time_is_not_silent(
    opens: Opens, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell = opens(master_timeout_s=5)
    table = await Table(shell).sits_down()
    slow = behind(shell, monkeypatch)
    table.ann.says(move())
    await wait_all_tasks_blocked()
    slow(True)
    table.master.says(b" ")  # taken before anybody looks at the disk
    await wait_all_tasks_blocked()
    table.master.says(turn("ben"))
    await trio.sleep(60)
    assert errors(table.ann) == []
    slow(False)
    await trio.sleep(1)
    assert [message for message in table.ben.messages() if isinstance(message, GameState)][-1] == turn("ben")


async def test_who_is_back_in_time_keeps_its_place_however_late_it_is_heard(
    opens: Opens, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell = opens(session_grace_s=5)
    slow = behind(shell, monkeypatch)
    first, back = Pipe(), Pipe()
    shell.attaches(first)
    first.says(Hello(("session",)), PlayerLogin("ann", GO))
    await wait_all_tasks_blocked()
    (token,) = [message.token for message in first.messages() if isinstance(message, Session)]
    first.half_closes()
    await trio.sleep(1)
    slow(True)
    shell.attaches(back)
    back.says(b" ")  # taken before anybody looks at the disk
    await wait_all_tasks_blocked()
    back.says(Hello(("session",)), Resume(token))
    await trio.sleep(7)
    assert back.messages() == []
    slow(False)
    await trio.sleep(1)
    (session,) = [message for message in back.messages() if isinstance(message, Session)]
    assert session.resumed


async def test_who_has_said_nothing_is_late_though_the_server_is_busy(
    opens: Opens, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell = opens(move_timeout_s=5)
    table = await Table(shell).sits_down()
    behind(shell, monkeypatch)(True)
    await trio.sleep(6)
    assert len(errors(table.ann)) == 1


async def test_a_player_that_never_stops_talking_is_late_all_the_same(
    opens: Opens, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell = opens(move_timeout_s=5, max_errors_per_minute=100_000)
    table = await Table(shell).sits_down()
    for _ in range(600):
        table.ann.says(b'<message type="error">x</message>' * 3)
        await trio.sleep(0.01)
    assert any("no move" in text for text in errors(table.ann))
