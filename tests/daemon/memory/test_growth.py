"""What peers say makes the server hold less than the bound by which it is decided when to look."""

from collections.abc import Callable

import trio
from trio.testing import MockClock

from tests.daemon.shell import Far, Shell, turn
from ugs.daemon.memory.growth import MAX_BYTES_PER_S, Growth
from ugs.daemon.memory.memory_account import TO_SHED
from ugs.wire.codec import encode

MIN_MOVE = b'<message type="move"><gameId id="g1"/><move/></message>'


async def held(shell: Shell) -> int:
    """What a look finds that could be given back."""
    await shell.memory.account.look()
    return sum(shell.memory.account.latest.bytes[place] for place in TO_SHED)


async def test_the_shortest_moves_and_states_make_a_game_grow_less_than_the_bound(
    opens: Callable[..., Shell], autojump_clock: MockClock
) -> None:
    shell = opens()
    master, ann, bob = await shell.table()
    growth = Growth(lambda: shell.status.parts.intake.bytes, lambda: shell.peers.unsent.bytes, lambda: 0, lambda: False)
    then = await held(shell)
    growth.begin()
    for _ in range(50):
        await ann.says(MIN_MOVE)
        await master.hears()
        await master.says(encode(turn("ann")))
        await bob.hears()
    grown = await held(shell) - then
    assert 50 * 256 < grown <= growth.most_bytes()


async def test_what_a_peer_leaves_unread_is_below_the_bound(
    opens: Callable[..., Shell], autojump_clock: MockClock
) -> None:
    shell = opens()
    _master, _ann, _bob = await shell.table()
    slow: Far = shell.connects_without_buffers()
    growth = Growth(lambda: shell.status.parts.intake.bytes, lambda: shell.peers.unsent.bytes, lambda: 0, lambda: False)
    then = await held(shell)
    growth.begin()
    for _ in range(20):
        await slow.says(b"<message type='nothing'/>")
    grown = await held(shell) - then
    assert 0 < grown <= growth.most_bytes()


async def test_peers_that_nobody_counts_may_take_up_all_that_the_machine_can(autojump_clock: MockClock) -> None:
    growth = Growth(lambda: 0, lambda: 0, lambda: 0, lambda: True)
    growth.begin()
    await trio.sleep(0.25)
    assert growth.most_bytes() == MAX_BYTES_PER_S // 4


def test_connections_count_as_many_as_there_are_more() -> None:
    lines = [10]
    growth = Growth(lambda: 0, lambda: 0, lambda: lines[0], lambda: False)

    async def counted() -> list[int]:
        growth.begin()
        return [growth.most_bytes() for lines[0] in (10, 5, 17)]

    assert trio.run(counted) == [0, 0, 7]
