"""The other side of a replay, without a process: a peer that sends what a test tells it to send."""

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
    """Run a replay and a peer against each other until the replay has its result; when the peer ends, its side is
    closed."""
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
    """The next message; there must be one."""
    message = await peer.receive()
    assert message is not None
    return message


async def hears_all(peer: Peer) -> list[Message]:
    """All messages until the other side closes."""
    messages: list[Message] = []
    while (message := await peer.receive()) is not None:
        messages.append(message)
    return messages
