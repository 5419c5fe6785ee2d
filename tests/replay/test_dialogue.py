"""The server's side of one connection."""

import pytest
import trio
import trio.testing

from tests.replay.peers import TIMEOUT_S, between, hears, hears_all
from ugs.peer import Peer
from ugs.replay.dialogue import GOODBYE_S, Dialogue, NoMessage
from ugs.wire.codec import DECLARATION
from ugs.wire.extensions import Family, Hello, Ping, Pong
from ugs.wire.messages import Error, GameMasterLogin, LoginResponse, Logout, Message, PlayerLogin, ServerShutdown

LOGIN = PlayerLogin("ann", "go")


async def test_a_login_is_accepted_and_what_comes_before_it_is_not(autojump_clock: trio.testing.MockClock) -> None:
    async def login(dialogue: Dialogue) -> tuple[PlayerLogin | NoMessage, list[str]]:
        return await dialogue.login(PlayerLogin), list(dialogue.notes)

    async def player(peer: Peer) -> None:
        await peer.send(GameMasterLogin("m", "go", "2", "2"))
        assert await hears(peer) == Error("gameMasterLogin: playerLogin is expected")
        await peer.send(LOGIN)
        assert await hears(peer) == LoginResponse()

    assert await between(login, player) == (LOGIN, ["gameMasterLogin instead of playerLogin"])


async def test_families_are_granted_as_far_as_they_are_asked_for(autojump_clock: trio.testing.MockClock) -> None:
    async def login(dialogue: Dialogue) -> frozenset[str]:
        await dialogue.login(PlayerLogin, (Family.VIEWS, Family.MOVERS))
        return dialogue.families

    async def player(peer: Peer) -> None:
        await peer.send(Hello(("movers", "watch", "telepathy"), "bot", "1"))
        assert await hears(peer) == Hello(("movers",))
        await peer.send(LOGIN)
        assert await hears(peer) == LoginResponse()

    async def old_player(peer: Peer) -> None:
        await peer.send(LOGIN)

    assert await between(login, player) == {"movers"}
    assert await between(login, old_player) == frozenset()


async def test_a_ping_is_answered_and_not_heard(autojump_clock: trio.testing.MockClock) -> None:
    async def hear(dialogue: Dialogue) -> Message | NoMessage:
        return await dialogue.receive(dialogue.deadline())

    async def player(peer: Peer) -> None:
        await peer.send(Ping("7"))
        assert await hears(peer) == Pong("7")
        await peer.send(Logout())

    assert await between(hear, player) == Logout()


@pytest.mark.parametrize("declares", [True, False])
async def test_documents_are_declared_as_the_first_one_was(
    autojump_clock: trio.testing.MockClock, declares: bool
) -> None:
    ours, theirs = trio.testing.memory_stream_pair()
    dialogue = Dialogue(ours, TIMEOUT_S)
    await Peer(theirs, declarations=declares).send(LOGIN)
    await dialogue.receive(dialogue.deadline())
    await dialogue.send(ServerShutdown())
    assert (await theirs.receive_some()).startswith(DECLARATION) is declares


async def test_a_wrong_message_is_noted_and_answered_and_not_heard(autojump_clock: trio.testing.MockClock) -> None:
    ours, theirs = trio.testing.memory_stream_pair()
    dialogue = Dialogue(ours, TIMEOUT_S)
    await theirs.send_all(b'<message type="x-sneeze"/><message type="logout"/>')
    assert await dialogue.receive(dialogue.deadline()) == Logout()
    (note,) = dialogue.notes
    assert "x-sneeze" in note
    assert isinstance(await hears(Peer(theirs)), Error)


async def test_silence_and_the_end_and_nonsense_are_told_apart(autojump_clock: trio.testing.MockClock) -> None:
    ours, theirs = trio.testing.memory_stream_pair()
    dialogue = Dialogue(ours, TIMEOUT_S)
    began = trio.current_time()
    assert await dialogue.receive(dialogue.deadline()) is NoMessage.SILENT
    assert trio.current_time() - began == TIMEOUT_S
    await theirs.send_all(b"<message")
    await theirs.aclose()
    assert await dialogue.receive(dialogue.deadline()) is NoMessage.CLOSED
    await dialogue.send(ServerShutdown())  # to nobody: no error
    assert await dialogue.receive(dialogue.deadline()) is NoMessage.CLOSED
    ours, theirs = trio.testing.memory_stream_pair()
    dialogue = Dialogue(ours, TIMEOUT_S)
    await theirs.send_all(b"hello")
    assert await dialogue.receive(dialogue.deadline()) is NoMessage.GARBLED
    assert dialogue.notes


async def test_a_good_bye_is_as_short_as_the_other_side_makes_it(autojump_clock: trio.testing.MockClock) -> None:
    told: list[Message] = []

    async def goodbye(dialogue: Dialogue) -> tuple[list[Message], float]:
        began = trio.current_time()
        return await dialogue.goodbye(), trio.current_time() - began

    async def polite(peer: Peer) -> None:
        await peer.send(Logout())
        told.extend(await hears_all(peer))

    async def stubborn(peer: Peer) -> None:
        told.extend(await hears_all(peer))
        await trio.sleep(10 * GOODBYE_S)

    assert await between(goodbye, polite) == ([Logout()], 0)
    assert await between(goodbye, stubborn) == ([], GOODBYE_S)
    assert told == [ServerShutdown()] * 2
