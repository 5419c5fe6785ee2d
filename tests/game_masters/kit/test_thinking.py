"""A bot that takes long goes on to hear the server while it thinks."""

import random
import threading
from collections.abc import Awaitable, Callable

import structlog
import trio
import trio.testing
from structlog.testing import capture_logs

from game_masters.kit.player import Player
from game_masters.kit.rules import Bot
from game_masters.kit.run import run
from game_masters.tic_tac_toe import GAME
from game_masters.tic_tac_toe.rules import Cell, View
from ugs.peer import Peer
from ugs.wire.extensions import GameVerdict, Hello, Ping, Pong
from ugs.wire.messages import GameState, LeaveGame, LoginResponse, Logout, Message, Move, PlayerResult, Result, ThankYou

OVER = GameState("g1", None, (PlayerResult("ann", Result.WINNER), PlayerResult("bob", Result.LOSER)))


class Ponderer:
    """Thinks until it may answer, or is stopped."""

    def __init__(self) -> None:
        self.answers = [threading.Event() for _ in range(2)]
        """One for each view."""
        self.views: list[View] = []
        self.stops = 0
        self.thinks = trio.Event()

    def choose(self, view: View, rng: random.Random) -> Cell:
        self.views.append(view)
        trio.from_thread.run_sync(self.thinks.set)
        assert self.answers[len(self.views) - 1].wait(60)
        return Cell(len(self.views), 0)

    def stop(self) -> None:
        self.stops += 1
        self.answers[len(self.views) - 1].set()


async def heard(peer: Peer) -> Message:
    message = await peer.receive()
    assert message is not None
    return message


async def played(ponderer: Ponderer, script: Callable[[Peer], Awaitable[None]], *, games: int = 1) -> int:
    """One connection of a bot; after the login the server is asked for a move, and goes on as the script says."""
    here, there = trio.testing.memory_stream_pair()
    bot = Bot("ponderer", "thinks", ponderer.choose, stop=ponderer.stop)
    player = Player(GAME, GAME.choose_options({}), bot, nick="ann", rng=random.Random(1), games=games)

    async def dial() -> Peer:
        await trio.lowlevel.checkpoint()
        return Peer(here)

    async def serve() -> None:
        async with Peer(there) as peer:
            await peer.receive()
            await peer.receive()
            await peer.send(Hello(()), LoginResponse(), GameState("g1", "ann", None, b"<gameState/>"))
            await ponderer.thinks.wait()
            await script(peer)

    with trio.fail_after(60), capture_logs():
        async with trio.open_nursery() as nursery:
            nursery.start_soon(serve)
            return await run(player, dial, once=True, rng=random.Random(1), log=structlog.get_logger())


async def test_pings_are_answered_while_it_thinks_and_the_move_follows() -> None:
    ponderer = Ponderer()

    async def script(peer: Peer) -> None:
        await peer.send(Ping("a"))
        assert await heard(peer) == Pong("a")
        ponderer.answers[0].set()
        assert await heard(peer) == Move("g1", b'<move><tic x="1" y="0"/></move>')
        await peer.send(OVER)
        assert isinstance(await heard(peer), Logout)

    assert await played(ponderer, script) == 0
    assert ponderer.stops == 0


async def test_the_end_of_a_game_stops_it_and_its_answer_is_not_sent() -> None:
    ponderer = Ponderer()

    async def script(peer: Peer) -> None:
        await peer.send(OVER)
        assert await heard(peer) == ThankYou("g1")
        ponderer.thinks = trio.Event()
        await peer.send(GameState("g2", "ann", None, b"<gameState/>"))
        await ponderer.thinks.wait()
        ponderer.answers[1].set()
        assert await heard(peer) == Move("g2", b'<move><tic x="2" y="0"/></move>')
        await peer.send(Ping("b"))
        assert await heard(peer) == Pong("b")

    assert await played(ponderer, script, games=2) == 1
    assert (ponderer.stops, len(ponderer.views)) == (1, 2)


async def test_a_void_game_stops_it() -> None:
    ponderer = Ponderer()

    async def script(peer: Peer) -> None:
        await peer.send(GameVerdict("g1", "voided", "server", "an organiser has ended it", ()))
        await peer.send(Ping("a"))
        assert await heard(peer) == Pong("a")

    assert await played(ponderer, script) == 1
    assert ponderer.stops == 1


async def test_a_connection_that_is_lost_stops_it() -> None:
    ponderer = Ponderer()

    async def script(peer: Peer) -> None:
        return None

    assert await played(ponderer, script) == 1
    assert ponderer.stops == 1


async def test_what_it_raises_costs_one_game() -> None:
    ponderer = Ponderer()
    ponderer.choose = fails  # type: ignore[method-assign]
    ponderer.thinks.set()

    async def script(peer: Peer) -> None:
        assert isinstance(await heard(peer), LeaveGame)

    assert await played(ponderer, script, games=2) == 1


def fails(view: View, rng: random.Random) -> Cell:
    raise ZeroDivisionError("oops")
