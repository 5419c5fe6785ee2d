"""From which moment on the time of a player is counted."""

import pytest
import trio
from trio.testing import MockClock

from tests.daemon.shell import GO, Far, Pipe, Shell, move, turn
from tests.daemon.test_driver import Opens, to_move
from ugs.daemon.clocks.wire_credit import MAX_STALL_S
from ugs.wire.extensions import Family, Hello, Restore
from ugs.wire.messages import Error, GameMasterLogin, GameState, LoginResponse, Move


def budget(shell: Shell, nick: str) -> float:
    """What a player of the one game has left."""
    (game,) = shell.broker.games
    assert game.turn.budgets is not None
    return game.turn.budgets.left[nick]


async def test_a_budget_is_used_from_when_the_state_has_gone_out(opens: Opens, autojump_clock: MockClock) -> None:
    shell = opens(time_s=60, move_timeout_s=1000, write_timeout_s=100)
    slow = Pipe(room=100)
    master, _ = await to_move(shell, slow)
    await trio.sleep(MAX_STALL_S)
    slow.makes_room()
    await trio.sleep(10)
    slow.says(move())
    assert isinstance(await master.hears(), Move)
    assert budget(shell, "ann") == pytest.approx(50)


async def test_who_reads_at_once_uses_its_budget_at_once(opens: Opens, autojump_clock: MockClock) -> None:
    shell = opens(time_s=60, move_timeout_s=1000)
    master, ann, _ = await shell.table()
    await trio.sleep(10)
    await ann.says(move())
    assert isinstance(await master.hears(), Move)
    assert budget(shell, "ann") == pytest.approx(50)


async def test_the_time_for_a_move_ends_with_the_budget(opens: Opens, autojump_clock: MockClock) -> None:
    shell = opens(time_s=60, move_timeout_s=1000, write_timeout_s=100)
    slow = Pipe(room=100)
    await to_move(shell, slow)
    await trio.sleep(MAX_STALL_S)
    slow.makes_room()
    await trio.sleep(59.9)
    assert isinstance(slow.messages()[-1], GameState)
    await trio.sleep(0.2)
    assert slow.messages()[-1] == Error("no time left: game g1 is lost")


async def restoring(shell: Shell, name: str) -> Far:
    """A master that can take games over."""
    far, hello = shell.connects(), Hello((Family.RESTORE.value,))
    await far.says(hello, GameMasterLogin(name, GO, "2", "2"))
    assert await far.hears() == hello
    assert await far.hears() == LoginResponse()
    return far


async def test_of_who_has_nothing_to_be_handed_the_time_is_counted_from_now(
    opens: Opens, autojump_clock: MockClock
) -> None:
    """After a takeover the player to move is told nothing, and has its time from that moment on."""
    shell = opens(move_timeout_s=10, master_grace_s=30, write_timeout_s=100)
    master = await restoring(shell, "m")
    ann, _ = await shell.player("ann"), await shell.player("bob")
    await master.hears()
    await master.says(turn("ann"))
    await ann.hears()
    await master.hangs_up()
    other = await restoring(shell, "n")
    assert isinstance(await other.hears(), Restore)
    await other.says(turn("ann"))
    await ann.hears_nothing_for(9.9)
    assert await ann.hears(within=0.2) == Error("no move within 10 s: game g1 is lost")
