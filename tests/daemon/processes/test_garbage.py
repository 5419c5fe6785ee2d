"""Garbage: when old one is collected, and that peers and games leave none."""

import gc
import socket
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

import pytest
import trio
from trio.testing import MockClock

from tests.daemon.shell import GO, Shell, move, over, turn
from ugs.daemon.network.transport import SocketTransport
from ugs.daemon.processes.garbage import AT_MIN_S, LOOK_S, MUCH_BYTES, QUIET_S, collect_in_quiet_moments
from ugs.wire.codec import encode
from ugs.wire.extensions import Hello, Watch
from ugs.wire.messages import GameMasterLogin, Logout, Message, PlayerLogin, ThankYou

BOUND_S = 120.0
"""Seconds of real time after which a test that hangs is ended."""


async def test_old_garbage_is_collected_while_nobody_plays_and_now_and_then(
    nursery: trio.Nursery, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    collected: list[float] = []
    plays = [False]
    monkeypatch.setattr("ugs.daemon.processes.garbage.gc.collect", lambda: collected.append(trio.current_time()))
    begun = trio.current_time()
    size = [100_000_000]
    nursery.start_soon(collect_in_quiet_moments, lambda: plays[0], lambda: size[0])
    await trio.sleep(QUIET_S * 3 + 1)
    assert [round(moment - begun) for moment in collected] == [60, 120, 180]
    plays[0] = True
    await trio.sleep(AT_MIN_S - 2)
    assert len(collected) == 3
    await trio.sleep(LOOK_S)
    assert len(collected) == 4
    size[0] += MUCH_BYTES
    await trio.sleep(LOOK_S)
    assert len(collected) == 4
    size[0] += 1
    await trio.sleep(LOOK_S * 3)
    assert len(collected) == 5, "once: it is as large as it has to be"


# Peers on real sockets, one after the other.


class Street:
    """A server, and peers that come and go."""

    def __init__(self, shell: Shell, listener: socket.socket) -> None:
        self.shell = shell
        self._listener = listener
        self._count = 0
        self._lines: list[socket.socket] = []

    async def comes(self, *said: Message | bytes) -> socket.socket:
        self._count += 1
        far = socket.create_connection(self._listener.getsockname())
        near, _ = self._listener.accept()
        self.shell.attaches(SocketTransport(near, f"127.0.0.1:{self._count}"))
        await self.says(far, *said)
        self._lines.append(far)
        return far

    async def says(self, far: socket.socket, *said: Message | bytes) -> None:
        far.sendall(b"".join(one if isinstance(one, bytes) else encode(one) for one in said))
        await trio.sleep(0.01)

    async def all_go(self) -> None:
        for far in self._lines:
            far.close()
        self._lines.clear()
        await trio.sleep(0.05)

    def stays(self, far: socket.socket) -> None:
        self._lines.remove(far)

    def nick(self) -> str:
        return f"p{self._count}"


async def logs_in(street: Street) -> None:
    await street.comes(PlayerLogin(street.nick(), GO))


async def says_good_bye(street: Street) -> None:
    await street.comes(Hello(("session", "lobby", "chat", "clock")), PlayerLogin(street.nick(), GO), Logout())


async def is_cut(street: Street) -> None:
    await street.comes(Hello(("session", "lobby", "chat", "clock")), PlayerLogin(street.nick(), GO))


async def says_no_xml(street: Street) -> None:
    await street.comes(b"no xml")


async def says_half(street: Street) -> None:
    await street.comes(PlayerLogin(street.nick(), GO), b"<message type='x'>" + b"<a/>" * 100)


async def says_what_is_ill_formed(street: Street) -> None:
    await street.comes(PlayerLogin(street.nick(), GO), b"<message type='x'/>", b"<message><a></message>")


async def watches(street: Street) -> None:
    await street.comes(Hello(("watch",)), Watch(game_type=GO))


async def plays(street: Street) -> None:
    master = await street.comes(GameMasterLogin(street.nick(), "y", "2", "2"))
    players = [await street.comes(PlayerLogin(street.nick(), "y")) for _ in range(2)]
    ((game_id, game),) = street.shell.broker.server.games.items()
    seats = game.seats
    del game
    await street.says(master, turn(seats[0], game_id))
    await street.says(players[0], move(game_id))
    await street.says(master, over(*seats, game_id=game_id))
    for player in players:
        await street.says(player, ThankYou(game_id))


@contextmanager
def saved_garbage() -> Iterator[list[object]]:
    """All that only the collector of cycles could free is kept, and shown."""
    gc.collect()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        yield gc.garbage
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()


@pytest.mark.parametrize(
    "life", [logs_in, says_good_bye, is_cut, says_no_xml, says_half, says_what_is_ill_formed, watches, plays]
)
async def test_a_peer_leaves_no_garbage(nursery: trio.Nursery, life: Callable[[Street], Awaitable[None]]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener, trio.fail_after(BOUND_S):
        street = Street(Shell(nursery, session_grace_s=0.01), listener)
        keeper = await street.comes(PlayerLogin("keeper", GO))  # so that the game type is not forgotten each time
        with keeper:
            street.stays(keeper)
            await life(street)
            await street.all_go()
            with saved_garbage() as garbage:
                for _ in range(5):
                    await life(street)
                    await street.all_go()
                gc.collect()
                left = Counter(type(one).__qualname__ for one in garbage)
    assert not left
