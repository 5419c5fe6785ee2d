"""What is handed on goes out byte for byte as the codec writes it, whatever declarations the peers use."""

from collections.abc import Callable

import pytest
from trio.testing import MockClock

from tests.daemon.shell import GO, Far, Shell, over, turn
from ugs.wire.codec import DECLARATION, encode
from ugs.wire.messages import GameMasterLogin, Message, Move, PlayerLogin

Opens = Callable[..., Shell]

STATES = (b"<gameState/>", b"<gameState><a b='1'/>x</gameState>", b"<gameState>%b</gameState>" % (b"<long/>" * 100))


async def hears_as(far: Far, message: Message) -> None:
    """The next document is this message, with a declaration if the peer sends one."""
    assert await far.document() == (DECLARATION if far.declares else b"") + encode(message)


@pytest.mark.parametrize("payload", STATES, ids=["short", "with attributes", "long"])
@pytest.mark.parametrize("master_declares", [True, False])
async def test_each_peer_hears_what_was_said_in_its_own_way(
    opens: Opens, autojump_clock: MockClock, master_declares: bool, payload: bytes
) -> None:
    shell = opens()
    master, ann, bob = [shell.connects(declares=one) for one in (master_declares, True, False)]
    await master.says(GameMasterLogin("m", GO, "2", "2"))
    await ann.says(PlayerLogin("ann", GO))
    await ann.hears()
    await bob.says(PlayerLogin("bob", GO))
    for far in (master, master, bob):
        await far.hears()
    await bob.document()  # the table
    await ann.document()
    for _ in range(2):  # what was said before is read without a parser
        for mover, nick in ((ann, "ann"), (bob, "bob")):
            state, move = turn(nick, payload=payload), Move("g1", b"<move><x/></move>")
            await master.says(state)
            await hears_as(ann, state)
            await hears_as(bob, state)
            await mover.says(move)
            await hears_as(master, move)


async def test_what_the_server_changes_is_written_anew(opens: Opens, autojump_clock: MockClock) -> None:
    """A blank more in the envelope, and entities: the players get what the message means."""
    master, ann, bob = await opens().table()
    await ann.says(b'<message type="move"> <gameId id="&#103;1"/><move/></message>')
    assert await master.document() == DECLARATION + encode(Move("g1", b"<move/>"))
    await master.says(over("ann", "bob"))
    for far in (ann, bob):
        assert await far.document() == DECLARATION + encode(over("ann", "bob"))
