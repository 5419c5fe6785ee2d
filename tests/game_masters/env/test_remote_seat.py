"""One seat at a server as a Gymnasium environment: a broker on a socket here, and a thread that learns."""

import random
import select
import socket
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any

import pytest
import structlog
import trio

from game_masters.env import RemoteSeatEnv, numbered_seat, remote_seat, seat_env, server_line
from game_masters.env.server_line import LineClosed, ServerLine
from game_masters.kit.master import Master
from game_masters.kit.player import Player
from game_masters.kit.run import run
from game_masters.registry import find_game
from tests.daemon.shell import Shell
from tests.daemon.stream_transport import StreamTransport
from ugs.peer import connect

LOG = structlog.get_logger("test")
SMALL = {"width": 3, "height": 3, "row": 3}


@asynccontextmanager
async def server(
    name: str, *, bots: int = 1, settings: Mapping[str, object] | None = None, **options: Any
) -> AsyncIterator[tuple[int, Shell]]:
    """A server with a master and bots of one game; its port."""
    game = find_game(name)
    chosen = game.choose_options(options)
    async with trio.open_nursery() as nursery:
        shell = Shell(nursery, **(settings or {}))
        (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
        port = listener.socket.getsockname()[1]

        async def serves() -> None:
            async with listener:
                while True:
                    shell.attaches(StreamTransport(await listener.accept(), "127.0.0.1:1"))

        async def runs(client: Any) -> None:
            await run(client, lambda: connect("127.0.0.1", port), once=True, rng=random.Random(1), log=LOG)

        nursery.start_soon(serves)
        nursery.start_soon(runs, Master(game, chosen, id="m", chance=random.Random))
        for number in range(bots):
            nursery.start_soon(
                runs, Player(game, chosen, game.bot("random"), nick=f"bot-{number}", rng=random.Random(1))
            )
        yield port, shell
        nursery.cancel_scope.cancel()


def plays(env: RemoteSeatEnv, rng: random.Random) -> tuple[float, int]:
    """Play a game at random; its reward, and how many actions it took."""
    seen, _ = env.reset()
    for actions in range(1, 1000):
        legal = [number for number, may in enumerate(seen["action_mask"]) if may]
        assert env.observation_space.contains(seen)
        assert set(legal) == set(env.moves())
        seen, reward, ended, cut, _ = env.step(rng.choice(legal))
        assert not cut
        if ended:
            assert not seen["action_mask"].any()
            return float(reward), actions
        assert reward == 0.0
    raise AssertionError("no end")


async def in_thread(work: Callable[[], Any]) -> Any:
    with trio.fail_after(60):
        return await trio.to_thread.run_sync(work)


@pytest.mark.parametrize(
    ("game", "options"),
    [("tic-tac-toe", SMALL), pytest.param("openspiel:leduc_poker", {}, id="leduc")],
)
async def test_a_learner_plays_one_game_after_another_at_a_server(game: str, options: dict[str, int]) -> None:
    if game.startswith("openspiel"):
        pytest.importorskip("pyspiel")
    texts: dict[str, Any] = {name: str(value) for name, value in options.items()}
    async with server(game, **texts) as (port, _):
        env = seat_env(game, address=f"127.0.0.1:{port}", nick="ada", options=options, timeout_s=30)
        rng = random.Random(1)
        rewards = await in_thread(lambda: [plays(env, rng)[0] for _ in range(3)])
        assert set(rewards) <= {-1.0, 0.0, 1.0}
        await in_thread(env.close)


async def test_an_action_outside_the_mask_is_a_bad_move_and_a_game_that_is_reset_is_left() -> None:
    async with server("tic-tac-toe", width="3", height="3", row="3") as (port, _):
        env = seat_env("tic-tac-toe", address=f"127.0.0.1:{port}", options=SMALL, timeout_s=30)

        def works() -> tuple[float, bool, str, str]:
            seen, _ = env.reset()
            wrong = next((number for number, may in enumerate(seen["action_mask"]) if not may), 99)
            _, reward, ended, _, _ = env.step(wrong)
            first = env.reset()[1]["game"]
            second = env.reset()[1]["game"]
            return float(reward), ended, first, second

        reward, ended, first, second = await in_thread(works)
        assert (reward, ended) == (-1.0, True)
        assert first != second
        await in_thread(env.close)


async def test_a_cut_line_truncates_a_game_and_the_next_reset_connects_again() -> None:
    async with server("tic-tac-toe", width="3", height="3", row="3") as (port, _):
        env = seat_env("tic-tac-toe", address=f"127.0.0.1:{port}", options=SMALL, timeout_s=30)

        def works() -> tuple[bool, bool, str]:
            seen, _ = env.reset()
            env._seat.line.socket.shutdown(2)
            _, _, ended, cut, info = env.step(int(seen["action_mask"].argmax()))
            env.reset()
            return ended, cut, info["why"]

        ended, cut, why = await in_thread(works)
        assert (ended, cut) == (False, True)
        assert "closed" in why or "cut" in why
        await in_thread(env.close)


async def test_who_takes_too_long_has_lost_and_learns_why() -> None:
    settings = {"move_timeout_s": 0.2}
    async with server("tic-tac-toe", settings=settings, width="3", height="3", row="3") as (port, _):
        env = seat_env("tic-tac-toe", address=f"127.0.0.1:{port}", options=SMALL, timeout_s=30)

        def works() -> tuple[float, bool, bool, str, bool]:
            seen, _ = env.reset()
            while not select.select([env._seat.line.socket], [], [])[0]:
                pass  # until the server has something to report
            _, reward, ended, cut, info = env.step(int(seen["action_mask"].argmax()))
            env.reset()
            return float(reward), ended, cut, info["why"], env._seat.plays

        reward, ended, cut, why, plays_again = await in_thread(works)
        assert (reward, ended, cut, plays_again) == (-1.0, True, False, True)
        assert "time" in why or "0.2" in why
        await in_thread(env.close)


async def test_a_state_that_cannot_be_read_ends_the_game_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    async with server("tic-tac-toe", width="3", height="3", row="3") as (port, _):
        env = seat_env("tic-tac-toe", address=f"127.0.0.1:{port}", options=SMALL, timeout_s=30)

        def works() -> tuple[bool, bool, str]:
            seen, _ = env.reset()
            assert env._seat.played is not None
            monkeypatch.setattr(env._seat.played._sitting, "receives", lambda state: 1 / 0)
            _, _, ended, cut, info = env.step(int(seen["action_mask"].argmax()))
            return ended, cut, info["why"]

        ended, cut, why = await in_thread(works)
        assert (ended, cut) == (False, True)
        assert why == "the state cannot be read: division by zero"
        await in_thread(env.close)


async def test_who_is_not_let_in_learns_why_and_no_game_in_time_is_an_error() -> None:
    async with server("tic-tac-toe", bots=0) as (port, _):
        waits = seat_env("tic-tac-toe", address=f"127.0.0.1:{port}", timeout_s=0.3)
        with pytest.raises(TimeoutError, match="no game in time"):
            await in_thread(waits.reset)
        other = seat_env("tic-tac-toe", address=f"127.0.0.1:{port}", timeout_s=5)
        with pytest.raises(ConnectionRefusedError, match="learner"):
            await in_thread(other.reset)
        await in_thread(waits.close)


def test_what_a_server_decides_is_not_asked_for_here() -> None:
    with pytest.raises(ValueError, match="leave them out"):
        seat_env("tic-tac-toe", address="127.0.0.1:1", against="random")
    nothing = seat_env("tic-tac-toe", address="127.0.0.1:1")
    with pytest.raises(OSError, match="refused"):
        nothing.reset()
    with pytest.raises(RuntimeError, match="call reset"):
        nothing.step(0)


def test_a_server_that_closes_each_connection_is_given_up_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now, pauses = [0.0], []

    def sleep(seconds: float) -> None:
        pauses.append(seconds)
        now[0] += seconds

    class Closing(ServerLine):
        """Is let in, and cut off before it can ask for a game."""

        def begin(self) -> None:
            raise LineClosed("the server has closed the connection")

    monkeypatch.setattr(remote_seat, "time", SimpleNamespace(monotonic=lambda: now[0], sleep=sleep))
    monkeypatch.setattr(numbered_seat, "ServerLine", Closing)
    env = seat_env("tic-tac-toe", address="127.0.0.1:1", options=SMALL, timeout_s=30.0)
    with pytest.raises(TimeoutError, match="no game in time"):
        env.reset()
    assert now[0] == pytest.approx(30.0)
    assert 3 < len(pauses) < 20
    assert max(pauses) <= remote_seat.MAX_PAUSE_S


def test_a_server_that_answers_no_login_is_named_and_the_line_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_line, "MAX_SECONDS", 1e-9)
    ours, theirs = socket.socketpair()
    line = ServerLine(lambda: ours, "ann", "tic-tac-toe", "")
    with theirs, pytest.raises(ConnectionError, match="does not answer the login of ann: nothing in 1e-09 s"):
        line.log_in()
    assert not line.is_open
