"""The games of lasting players have no winner, and go on where they were."""

import random
from collections.abc import Callable

import pytest
import trio
import trio.testing

from ugs.peer import Peer
from ugs.soak.cluster import lasting_player
from ugs.soak.cluster.lasting_player import BOARD, ROW, STONES, LastingPlayer, LastingTales
from ugs.wire.extensions import Hello, Resume, Session
from ugs.wire.messages import GameState, LoginResponse, Message, Move, PlayerLogin


def test_no_row_gets_long() -> None:
    for own in map(set, STONES):
        assert len(own) == BOARD * BOARD // 2
        for x, y in own:
            for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                assert not all((x + step * dx, y + step * dy) in own for step in range(3)), "two at most"
    assert ROW > 2


async def test_a_move_that_a_lost_server_got_is_made_again_unless_the_next_one_has_it(
    autojump_clock: trio.testing.MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialled: list[Peer] = []

    async def dial(_servers: object) -> Peer:
        near, far = trio.testing.memory_stream_pair()
        dialled.append(Peer(far))
        return Peer(near)

    monkeypatch.setattr(lasting_player, "connect_any", dial)
    tales = LastingTales()
    player = LastingPlayer("ann", "five", [("a", 1), ("b", 2)], tales, random.Random(1))
    state = GameState("g", "ann", None, b"<gameState/>")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(player.run)
        first = await answers(dialled, 0, LoginResponse(None), Session("t", "ann", False, 60), state)
        assert [type(one) for one in first[:2]] == [Hello, PlayerLogin]
        move = first[-1]
        assert isinstance(move, Move)
        again = await answers(dialled, 1, LoginResponse(None), Session("t", "ann", True, 60, turn=True), state)
        assert again[1:] == [Resume("t"), move]
        nursery.cancel_scope.cancel()
    assert (tales.back, tales.harm) == (1, [])


async def answers(dialled: list[Peer], number: int, *messages: Message) -> list[Message]:
    """Send these on the connection with that number; what the player has sent on it until its move. It is closed
    then."""
    await until(lambda: len(dialled) > number)
    peer = dialled[number]
    await peer.send(*messages)
    sent: list[Message] = []
    while not sent or not isinstance(sent[-1], Move):
        message = await peer.receive()
        assert message is not None
        sent.append(message)
    await peer.aclose()
    return sent


async def until(is_so: Callable[[], bool]) -> None:
    """Wait on the clock of the test."""
    while not is_so():  # noqa: ASYNC110  (what is awaited has no event)
        await trio.sleep(0.01)
