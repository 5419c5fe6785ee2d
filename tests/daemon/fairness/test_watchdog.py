"""The watchdog of the loop, on clocks that the test moves."""

from collections.abc import Callable

import pytest
from structlog.testing import capture_logs
from trio.testing import MockClock, wait_all_tasks_blocked

from tests.daemon.shell import GO, Pipe, Shell
from ugs.daemon import intake
from ugs.daemon.connections import reading
from ugs.daemon.fairness import service_turns, watchdog
from ugs.daemon.fairness.watchdog import FRESH_S, HOLD_S, REPORT_S, Watchdog
from ugs.wire.messages import LoginResponse, PlayerLogin

Opens = Callable[..., Shell]


class Clocks:
    """The clock on the wall and that of the thread's processor time."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.wall = self.processor = 1000.0
        for module in (watchdog, intake, reading, service_turns):
            monkeypatch.setattr(module, "perf_counter", lambda: self.wall)
        monkeypatch.setattr(watchdog, "thread_time", lambda: self.processor)

    def pass_by(self, wall_s: float, processor_s: float) -> None:
        self.wall += wall_s
        self.processor += processor_s


@pytest.fixture
def clocks(monkeypatch: pytest.MonkeyPatch) -> Clocks:
    return Clocks(monkeypatch)


def hold(dog: Watchdog, clocks: Clocks, wall_s: float, processor_s: float) -> None:
    """A pass with one document that takes so long."""
    dog.begin()
    clocks.pass_by(wall_s, processor_s)
    dog.held(7, "192.0.2.1:1", "move", wall_s)


def test_a_hold_is_counted_and_named(clocks: Clocks) -> None:
    dog = Watchdog({7: "ann"}.__getitem__)
    with capture_logs() as lines:
        hold(dog, clocks, 0.050, 0.040)
    assert (dog.holds, round(dog.longest_s, 6)) == (1, 0.040)
    (line,) = lines
    told = (line["conn"], line["name"], line["address"], line["message"], line["milliseconds"])
    assert told == (7, "ann", "192.0.2.1:1", "move", 40.0)


def test_time_in_which_the_machine_did_something_else_is_no_hold(clocks: Clocks) -> None:
    dog = Watchdog(lambda number: "")
    with capture_logs() as lines:
        hold(dog, clocks, 3.0, HOLD_S)
    assert (dog.holds, dog.longest_s, lines) == (0, 0.0, [])


def test_a_hold_is_no_longer_than_it_took_on_the_wall(clocks: Clocks) -> None:
    dog = Watchdog(lambda number: "")
    dog.begin()
    clocks.pass_by(0.004, 0.004)  # other documents of the pass
    clocks.pass_by(0.030, 0.030)
    dog.held(1, "", "move", 0.030)
    assert round(dog.longest_s, 6) == 0.030


def test_the_processor_time_is_taken_again_when_it_is_no_longer_fresh(clocks: Clocks) -> None:
    dog = Watchdog(lambda number: "")
    dog.pass_begins(clocks.wall)
    clocks.pass_by(FRESH_S / 2, FRESH_S / 2)
    dog.pass_begins(clocks.wall)
    assert dog.processor_s(1.0) == pytest.approx(FRESH_S / 2)
    clocks.pass_by(FRESH_S, 0)
    dog.pass_begins(clocks.wall)
    assert dog.processor_s(1.0) == 0


def test_many_holds_are_one_line_in_a_while_that_counts_them(clocks: Clocks) -> None:
    dog = Watchdog(lambda number: "")
    with capture_logs() as lines:
        for _ in range(20):
            hold(dog, clocks, 0.030, 0.030)
        clocks.pass_by(REPORT_S, 0)
        hold(dog, clocks, 0.030, 0.030)
    assert dog.holds == 21
    assert [line["holds"] for line in lines] == [1, 20]


async def test_a_message_that_takes_long_is_noticed(
    opens: Opens, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell = opens()
    pipe = Pipe()
    shell.attaches(pipe)
    clocks = Clocks(monkeypatch)
    handle = shell.broker.handle

    def slowly(event: object, now: float) -> object:
        clocks.pass_by(0.1, 0.1)
        return handle(event, now)  # type: ignore[arg-type]

    monkeypatch.setattr(shell.broker, "handle", slowly)
    with capture_logs() as lines:
        pipe.says(PlayerLogin("ann", GO), b'<message type="nonsense"/>')
        await wait_all_tasks_blocked()
    assert pipe.messages()[0] == LoginResponse()
    assert shell.fairness.watchdog.holds == 2
    (line,) = [line for line in lines if line["event"] == "a peer held the server up"]
    assert (line["conn"], line["name"], line["message"]) == (1, "ann", "playerLogin")
