"""A question from far away, and what servers answer."""

import re
from collections.abc import Awaitable, Callable

import pytest
import trio

from ugs.peer import Peer
from ugs.why.remote import EARLIER, PATIENCE_S, NoAccount, account, ask
from ugs.wire.extensions import Account, Failed, Family, Hello, RefusalReason, Why
from ugs.wire.messages import ChampionsList, Error, Message, ServerShutdown

GRANTED = Hello((Family.REASON.value,))
QUESTION = Why("g1", token="t")


async def answered(*answers: Message | bytes) -> str:
    """What is told when a server answers so and hangs up."""
    near, far = trio.testing.memory_stream_pair()
    heard: list[Message | None] = []

    async def serve() -> None:
        async with Peer(far) as server:
            heard.extend([await server.receive(), await server.receive()])
            for answer in answers:
                if isinstance(answer, bytes):
                    await far.send_all(answer)
                else:
                    await server.send(answer)

    told: str | NoAccount = ""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(serve)
        async with Peer(near) as peer:
            try:
                told = await account(peer, QUESTION)
            except NoAccount as error:
                told = error
    assert heard[1] == QUESTION
    if isinstance(told, NoAccount):
        raise told
    return told


async def test_the_account_is_told_whatever_comes_before_it() -> None:
    assert await answered(GRANTED, ChampionsList(()), b'<message type="x-later"/>', Account("ann won")) == "ann won"


@pytest.mark.parametrize(
    ("answers", "why"),
    [
        ((Error("x-hello: unknown"),), "perhaps it has no extensions: x-hello: unknown"),
        ((Hello(()),), "does not grant the extension reason"),
        ((GRANTED, Failed(RefusalReason.INVALID_GAME, "no game of yours")), re.escape(f"no game of yours{EARLIER}")),
        ((GRANTED, ServerShutdown()), "the server stops"),
        ((GRANTED,), "has closed the connection"),
        ((b"HTTP/1.1 400",), "broke off"),
    ],
)
async def test_why_there_is_none_is_told(answers: tuple[Message | bytes, ...], why: str) -> None:
    with pytest.raises(NoAccount, match=why):
        await answered(*answers)


async def test_what_xml_cannot_hold_is_not_asked() -> None:
    near, _far = trio.testing.memory_stream_pair()
    with pytest.raises(NoAccount, match="cannot be asked"):
        await account(Peer(near), Why("\x00"))


async def test_nobody_there(autojump_clock: trio.testing.MockClock, monkeypatch: pytest.MonkeyPatch) -> None:
    async def refuses(_host: str, _port: int, tls: None = None) -> Peer:
        raise OSError("nobody listens")

    async def waits(_host: str, _port: int, tls: None = None) -> Peer:
        await trio.sleep_forever()
        raise AssertionError

    cases: list[tuple[Callable[[str, int], Awaitable[Peer]], str]] = [
        (refuses, "nobody listens"),
        (waits, f"no answer within {PATIENCE_S:g} s"),
    ]
    for connect, why in cases:
        monkeypatch.setattr("ugs.peer.connect", connect)
        with pytest.raises(NoAccount, match=why):
            await ask("h", 1, QUESTION)
