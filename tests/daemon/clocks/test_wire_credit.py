"""A clock stands still as long as a player takes bytes: a slow line costs nobody a game, and who does not read does not
think for nothing."""

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st
from trio.testing import MockClock

from tests.daemon.shell import Pipe, Shell, move, over, turn
from tests.daemon.test_driver import Opens, to_move
from ugs.daemon.clocks.wire_credit import FREE_S, MAX_CREDIT_S, MAX_STALL_S, MAX_WAIT_S, MIN_BYTES_PER_S, Credit
from ugs.wire.messages import Move, PlayerLeftGame

THINKS_S = 1.0
BUDGET_S = 10.0


def state_of(size: int) -> bytes:
    return b"<gameState>%b</gameState>" % (b"x" * size)


def left_s(shell: Shell) -> float:
    """What ann has left of her budget."""
    (game,) = shell.broker.games
    assert game.turn.budgets is not None
    return game.turn.budgets.left["ann"]


async def takes(pipe: Pipe, bytes_per_s: int) -> None:
    """A line that takes bytes at this rate, for ever."""
    while True:
        await trio.sleep(0.1)
        pipe.blocks()
        pipe.makes_room(bytes_per_s // 10)


@pytest.mark.parametrize(
    ("rate", "size", "moves"), [(2_000, 60_000, 20), (1_200, 60_000, 10), (5_000, 200_000, 10), (50_000, 60_000, 40)]
)
async def test_a_slow_line_costs_nothing_of_the_budget(
    rate: int, size: int, moves: int, opens: Opens, autojump_clock: MockClock
) -> None:
    """A modem of 2 KB a second takes half a minute for each state, and its player thinks for a second."""
    shell = opens(time_s=2 * moves * THINKS_S, move_timeout_s=1000, master_timeout_s=1e6)
    pipe = Pipe(room=100)
    master, bob = await to_move(shell, pipe)
    (outbox,) = [one.outbox for one in shell.peers._roster.connections.values() if one.transport is pipe]
    state = turn("ann", payload=state_of(size))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(takes, pipe, rate)
        for _ in range(moves):
            while not outbox.empty:  # noqa: ASYNC110 - the clock jumps
                await trio.sleep(0.1)
            await trio.sleep(THINKS_S)
            pipe.says(move())
            assert await master.hears() == move()
            await master.says(state)
            assert await bob.hears() == state
        nursery.cancel_scope.cancel()
    assert left_s(shell) == pytest.approx(moves * THINKS_S, abs=0.15 * moves)


async def test_who_does_not_read_thinks_no_longer_than_a_line_may_stand_still(
    opens: Opens, autojump_clock: MockClock
) -> None:
    """Before, each of five moves gave it as long as a peer may take for a byte."""
    shell = opens(time_s=BUDGET_S, move_timeout_s=1000, write_timeout_s=30)
    pipe = Pipe(room=100)
    master, _ = await to_move(shell, pipe)
    thought = 0.0
    said = None
    for _ in range(5):
        began = trio.current_time()
        with trio.move_on_after(20):
            said = await master.hears(20)
        thought += trio.current_time() - began
        if isinstance(said, PlayerLeftGame):
            break
        pipe.makes_room(1_000)
        pipe.blocks()
        pipe.says(move())
        assert isinstance(await master.hears(), Move)
        await master.says(turn("ann", payload=state_of(2_000)))
    assert said == PlayerLeftGame("ann", "g1")
    assert thought <= BUDGET_S + MAX_STALL_S + 5 * FREE_S + 1


async def test_what_comes_behind_the_state_does_not_stop_the_clock(opens: Opens, autojump_clock: MockClock) -> None:
    """Who asks for more than it reads has been handed the state all the same."""
    shell = opens(time_s=BUDGET_S, move_timeout_s=1000)
    pipe = Pipe()
    master, _ = await to_move(shell, pipe)
    pipe.blocks()
    began = trio.current_time()
    for _ in range(5):
        await trio.sleep(1)
        pipe.says(b'<message type="ping"/>')
    assert await master.hears(within=10) == PlayerLeftGame("ann", "g1")
    assert trio.current_time() - began == pytest.approx(BUDGET_S, abs=0.1)


async def test_a_state_is_waited_for_and_not_what_follows_in_the_same_batch(
    opens: Opens, autojump_clock: MockClock
) -> None:
    shell = opens(time_s=BUDGET_S, move_timeout_s=1000)
    pipe = Pipe(room=100)
    master, _ = await to_move(shell, pipe)
    began = trio.current_time()
    waits = shell.peers._roster.connections[2].outbox.backlog_bytes
    pipe.says(b'<message type="ping"/>' * 3)
    await trio.sleep(5)
    pipe.makes_room(waits)
    assert await master.hears(within=20) == PlayerLeftGame("ann", "g1")
    assert trio.current_time() - began == pytest.approx(5 + BUDGET_S, abs=0.1)


async def test_credits_end_with_their_game(opens: Opens, autojump_clock: MockClock) -> None:
    shell = opens(move_timeout_s=5)
    pipe = Pipe(room=100)
    master, _ = await to_move(shell, pipe)
    await trio.sleep(2)
    assert await master.hears(within=20) == PlayerLeftGame("ann", "g1")
    await master.says(over("bob", "ann"))
    await trio.sleep(0.1)
    assert not shell.broker.games
    clocks = shell.peers.handed.__self__  # type: ignore[attr-defined]
    assert not clocks._credits
    assert not clocks._waiting


WAITS = st.lists(st.tuples(st.floats(0, 100), st.integers(0, 200_000)), max_size=60)


@given(WAITS)
def test_credit_is_bounded_and_never_below_zero(waits: list[tuple[float, int]]) -> None:
    credit, uncounted, stalled = Credit(), 0.0, 0.0
    for wanted_s, taken in waits:
        worth_s = credit.worth_s(taken)
        assert FREE_S <= worth_s <= MAX_WAIT_S + FREE_S
        waited_s = min(wanted_s, worth_s)
        credit.spend(waited_s, taken)
        uncounted += waited_s
        stalled += max(0.0, waited_s - taken / MIN_BYTES_PER_S)
    assert uncounted <= MAX_CREDIT_S + len(waits) * FREE_S + 1e-6
    assert stalled <= MAX_STALL_S + len(waits) * FREE_S + 1e-6


@given(st.integers(1, 200))
def test_who_takes_twice_the_least_rate_never_uses_up_what_may_stand_still(moves: int) -> None:
    credit = Credit()
    for _ in range(min(moves, int(MAX_CREDIT_S / 30))):
        assert credit.worth_s(60_000) >= 30
        credit.spend(30, 60_000)
    assert credit.worth_s(0) == pytest.approx(MAX_STALL_S + FREE_S) or moves >= MAX_CREDIT_S / 30 - 1
