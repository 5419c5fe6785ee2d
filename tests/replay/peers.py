"""The other side of a replay, without a process: a peer that says what a test tells it to say."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

import trio
import trio.testing

from ugs.peer import Peer
from ugs.replay.dialogue import Dialogue
from ugs.wire.messages import Message

TIMEOUT_S = 10.0
T = TypeVar("T")


async def between(
    replay: Callable[[Dialogue], Awaitable[T]], peer: Callable[[Peer], Awaitable[None]], *, declarations: bool = True
) -> T:
    """Let a replay and a peer talk to each other until the replay has its result; the peer's end closes its side."""
    ours, theirs = trio.testing.memory_stream_pair()
    result: T
    async with trio.open_nursery() as nursery:

        @nursery.start_soon
        async def talk() -> None:
            async with Peer(theirs, declarations=declarations) as other:
                await peer(other)

        result = await replay(Dialogue(ours, TIMEOUT_S))
        await ours.aclose()
    return result


async def hears(peer: Peer) -> Message:
    """The next message, which there has to be."""
    message = await peer.receive()
    assert message is not None
    return message


async def hears_all(peer: Peer) -> list[Message]:
    """Everything until the other side closes."""
    messages: list[Message] = []
    while (message := await peer.receive()) is not None:
        messages.append(message)
    return messages
