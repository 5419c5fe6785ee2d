"""What a failure of each task of the server costs: nothing where nothing is at stake, and never a spin."""

import ast
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest
import trio
from structlog.testing import capture_logs
from trio.testing import MockClock

from tests.daemon.shell import GO, Far, turn
from tests.sources import SOURCES, tree_of
from ugs.broker.values.record import EntryKind
from ugs.config import parse
from ugs.daemon import serve as module
from ugs.daemon.memory.growth import Growth, GrowthRoom
from ugs.daemon.memory.memory_account import MemoryAccount, MemoryLook
from ugs.daemon.processes.supervision import (
    MAX_AGAIN_S,
    MIN_AGAIN_S,
    PEER,
    TASKS,
    Spared,
    Stake,
    Supervisor,
    TaskFailed,
)
from ugs.daemon.serve import plain_errors, serve
from ugs.journal.reader import Reader
from ugs.wire.messages import BeginGame, GameMasterLogin, LoginResponse, PlayerLogin

SPARED = [name for name, stake in TASKS.items() if stake is Stake.NOTHING]
AT_STAKE = [name for name, stake in TASKS.items() if stake is Stake.GAMES]
OWN_NURSERIES = {
    # A process and its two pipes; what one of them raises, the drawing raises, which is tried again.
    "ugs.daemon.processes.pairing_draws": {"_read"},
    # Their client's run holds the nursery, and catches what they raise.
    "ugs.daemon.gateways.websocket": {"self._read", "self._write", "self._ping"},
    # Waits to be cancelled, and closes sockets then.
    "ugs.daemon.http.page_nursery": {"front.run"},
    # Signals before the journal is open, and after the end has begun: there is nothing to lose.
    # And one that waits to end the server: another one may have its journal.
    "ugs.daemon.serve": {"show_life", "stop", "cut_short", "bridge.watch"},
}
"""What is started in nurseries that are neither the supervisor's nor those of peers."""


class Bug(Exception):
    """What nobody has expected."""


@pytest.mark.parametrize("name", SPARED)
async def test_where_nothing_is_at_stake_a_task_begins_again_and_does_not_spin(
    name: str, autojump_clock: MockClock
) -> None:
    supervisor, began = Supervisor(), list[float]()

    async def fails() -> None:
        began.append(trio.current_time())
        raise Bug

    with capture_logs() as log, trio.move_on_after(10 * MAX_AGAIN_S):
        await supervisor.run(name, fails)
    waits = [after - before for before, after in pairwise(began)]
    assert waits[:3] == [MIN_AGAIN_S, 2 * MIN_AGAIN_S, 4 * MIN_AGAIN_S]
    assert waits[-1] == MAX_AGAIN_S
    assert supervisor.failures[name] == len(began) == len(log) == 15
    assert {(line["event"], line["during"]) for line in log} == {("bug in the server", name)}


async def test_who_has_run_for_long_begins_again_soon(autojump_clock: MockClock) -> None:
    supervisor, began = Supervisor(), list[float]()

    async def fails() -> None:
        began.append(trio.current_time())
        await trio.sleep(MAX_AGAIN_S)
        raise Bug

    with capture_logs(), trio.move_on_after(5 * MAX_AGAIN_S):
        await supervisor.run("account", fails)
    assert [after - before for before, after in pairwise(began)] == [MAX_AGAIN_S + MIN_AGAIN_S] * 4


@pytest.mark.parametrize("name", AT_STAKE)
async def test_where_games_are_at_stake_the_failure_goes_on(name: str) -> None:
    supervisor = Supervisor()

    async def fails() -> None:
        raise Bug("of ours")

    with capture_logs() as log, pytest.raises(TaskFailed, match=f"a bug in the server, in its task '{name}': Bug"):
        await supervisor.run(name, fails)
    assert [line["log_level"] for line in log] == ["critical"]
    assert supervisor.failures[name] == 1


async def test_a_task_that_ends_has_not_failed() -> None:
    supervisor = Supervisor()
    await supervisor.run("page", trio.lowlevel.checkpoint)
    assert not supervisor.failures.total()


async def test_a_task_of_one_peer_fails_alone() -> None:
    supervisor, done = Supervisor(), list[int]()

    async def serves(number: int) -> None:
        await trio.lowlevel.checkpoint()
        if number == 1:
            raise Bug
        done.append(number)

    with capture_logs() as log:
        async with trio.open_nursery() as nursery:
            tasks = Spared(supervisor, nursery)
            for number in range(3):
                tasks.start_soon(serves, number)
    assert sorted(done) == [0, 2]
    assert supervisor.failures[PEER] == 1
    (line,) = log
    assert (line["event"], line["during"].rpartition(".")[2]) == ("bug in the server", "serves")


def started_in(name: str) -> Iterator[tuple[str, str]]:
    """In a module: where tasks are started, and what, as they are written."""
    for node in ast.walk(tree_of(name)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "start_soon":
            yield ast.unparse(node.func.value), ast.unparse(node.args[0])


@pytest.mark.parametrize("name", [name for name in SOURCES if name.startswith("ugs.daemon")])
def test_every_task_is_supervised(name: str) -> None:
    if name == "ugs.daemon.processes.supervision":
        return
    nurseries = {"self._tasks", "self.tasks", "self._host.tasks", "shell.tasks"}
    found = {what for nursery, what in started_in(name) if nursery not in nurseries}
    supervised = {what for what in found if what.endswith("supervisor.run")}
    assert found - supervised == OWN_NURSERIES.get(name, set())


# A clock that goes on while it is looked at.


class Restless(trio.abc.Clock):
    """Every look at it takes so many seconds."""

    def __init__(self, step_s: float) -> None:
        self._step_s = step_s
        self._now = 0.0

    def start_clock(self) -> None:
        pass

    def current_time(self) -> float:
        self._now += self._step_s
        return self._now

    def deadline_to_sleep_time(self, deadline: float) -> float:
        return 0.0


@pytest.mark.parametrize("step_s", [0.1, 1.1])
def test_the_account_goes_on_when_the_machine_stands_still_between_two_looks_at_the_clock(step_s: float) -> None:
    looks = 0

    async def main() -> None:
        nonlocal looks
        growth = Growth(lambda: 0, lambda: 0, lambda: 0, lambda: False)
        with trio.CancelScope() as scope:

            def judge(_look: MemoryLook) -> int:
                nonlocal looks
                looks += 1
                if looks == 50:
                    scope.cancel()
                return 1 << 40

            await MemoryAccount([], judge, growth, GrowthRoom()).run()

    trio.run(main, clock=Restless(step_s))
    assert looks == 50


# A whole server.


@pytest.fixture(autouse=True)
def _process_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "spare_the_collector", lambda: None)
    monkeypatch.setattr(module, "share_the_interpreter", lambda: None)
    monkeypatch.setattr(module, "allow_many_connections", lambda: None)


class Faulty(Supervisor):
    """Lets one task fail when it is told to, as if a bug had shown there."""

    def __init__(self, name: str, times: int) -> None:
        super().__init__()
        self.now = trio.Event()
        self.failed = trio.Event()
        self._name = name
        self._times = times

    async def run(self, name: str, run: Callable[[], Awaitable[object]]) -> None:
        await super().run(name, partial(self._fails, run) if name == self._name else run)

    async def _fails(self, run: Callable[[], Awaitable[object]]) -> None:
        if not self._times:
            self.failed.set()
            await run()
            return
        async with trio.open_nursery() as nursery:
            nursery.start_soon(run)
            await self.now.wait()
            self._times -= 1
            raise Bug


@asynccontextmanager
async def in_a_game(ready: Path) -> AsyncIterator[tuple[Far, Far, str]]:
    """A master and ann, in a game with bob, at the server of this ready file; the game's id."""
    with trio.fail_after(60):
        while not await trio.Path(ready).exists():  # noqa: ASYNC110 - of a task that sets no event
            await trio.sleep(0.01)
    host, _, port = json.loads(await trio.Path(ready).read_text())["game"].rpartition(":")
    master, ann, bob = [Far(await trio.open_tcp_stream(host, int(port))) for _ in range(3)]
    async with master.stream, ann.stream, bob.stream:
        for far, login in (
            (master, GameMasterLogin("m", GO, "2", "2")),
            (ann, PlayerLogin("ann", GO)),
            (bob, PlayerLogin("bob", GO)),
        ):
            await far.says(login)
            assert await far.hears(60) == LoginResponse()
        begun = await master.hears(60)
        assert isinstance(begun, BeginGame)
        yield master, ann, begun.game_id


@pytest.mark.parametrize("name", ["account", "garbage", "wall clock", "signals", "listener", "admin", "page"])
async def test_the_server_goes_on(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    faulty = Faulty(name, 1)
    monkeypatch.setattr(module, "Supervisor", lambda: faulty)
    ready = tmp_path / "ready"
    config = parse({"port": 0, "http_port": 0, "data_dir": str(tmp_path / "data")}, "the test")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(serve, config, ready)
        async with in_a_game(ready) as (master, ann, game):
            faulty.now.set()
            with trio.fail_after(60):
                await faulty.failed.wait()
            state = turn("ann", game)
            await master.says(state)
            assert await ann.hears(60) == state
        nursery.cancel_scope.cancel()
    assert faulty.failures[name] == 1


@pytest.mark.parametrize("name", AT_STAKE)
async def test_the_server_ends_and_everything_is_written_down(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    faulty = Faulty(name, 1)
    monkeypatch.setattr(module, "Supervisor", lambda: faulty)
    ready, data = tmp_path / "ready", tmp_path / "data"
    config = parse({"port": 0, "http_port": 0, "data_dir": str(data)}, "the test")

    async def plays() -> None:
        with plain_errors():
            async with trio.open_nursery() as nursery:
                nursery.start_soon(serve, config, ready)
                async with in_a_game(ready) as (master, ann, game):
                    await master.says(turn("ann", game))
                    assert await ann.hears(60) == turn("ann", game)
                    faulty.now.set()
                    await trio.sleep_forever()

    with pytest.raises(TaskFailed):
        await plays()
    with Reader(data) as reader:
        assert [run.in_order for run in reader.runs()] == [True]
        (game,) = reader.games()
        assert game.verdict is None, "cut lines of a server that fails are no one's fault"
        assert [entry.kind for entry in reader.record(game.game_id).entries] == [EntryKind.BEGIN, EntryKind.STATE]
