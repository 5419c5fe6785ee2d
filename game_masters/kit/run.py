"""The Trio loop that every master and every bot runs in: connect, log in, receive, answer, begin again.

The client decides (:mod:`game_masters.kit.client`), and this module acts: it opens connections, performs effects in
order, waits between attempts and turns signals into a clean end.
"""

import random
import signal
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import TypeAlias

import trio
from structlog.typing import FilteringBoundLogger

from game_masters.kit.client import Client, Effect, Finish, Note, Pause, Reconnect, Send
from ugs.peer import Peer
from ugs.wire.codec import WrongMessage
from ugs.wire.framing import WireError
from ugs.wire.messages import Message

FIRST_DELAY_S = 0.5
LONGEST_DELAY_S = 30.0
SEND_LIMIT_S = 10.0
"""Seconds for the server to take a message of ours; then the connection is given up."""

Dial: TypeAlias = Callable[[], Awaitable[Peer]]
"""Opens a connection; raises OSError."""


def delays(rng: random.Random) -> Iterator[float]:
    """Yield the seconds to wait before the next attempt: doubling from half a second to half a minute.

    Each delay is shortened at random by up to a half, so that the bots of a restarted server do not come back all at
    once.
    """
    longest = FIRST_DELAY_S
    while True:
        yield longest * rng.uniform(0.5, 1.0)
        longest = min(2 * longest, LONGEST_DELAY_S)


async def run(client: Client, dial: Dial, *, once: bool, rng: random.Random, log: FilteringBoundLogger) -> int:
    """Keep the client connected until it finishes; return the exit code.

    With ``once`` there is only one connection: if it ends unexpectedly, the exit code is 1.
    """
    waits = delays(rng)
    while True:
        try:
            peer = await dial()
        except OSError as error:
            log.warning("cannot connect", reason=str(error))
        else:
            log.debug("connected")
            exit_code = await _converse(client, peer, log)
            if exit_code is not None:
                return exit_code
            if client.accepted:
                waits = delays(rng)
            if once and client.satisfied:
                return 0
        if once:
            return 1
        pause = next(waits)
        log.info("trying again", after_s=round(pause, 1))
        await trio.sleep(pause)


async def run_until_signal(
    client: Client, dial: Dial, *, once: bool, rng: random.Random, log: FilteringBoundLogger
) -> int:
    """Run as :func:`run`; SIGTERM and SIGINT end it cleanly with exit code 0. Main thread only."""
    exit_code = 0
    with trio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        async with trio.open_nursery() as nursery:

            @nursery.start_soon
            async def stop_on_signal() -> None:
                async for number in signals:
                    log.debug("signal", name=signal.Signals(number).name)
                    nursery.cancel_scope.cancel()

            exit_code = await run(client, dial, once=once, rng=rng, log=log)
            nursery.cancel_scope.cancel()
    return exit_code


async def _converse(client: Client, peer: Peer, log: FilteringBoundLogger) -> int | None:
    """Run one connection from login to end. Return the exit code, or None if another connection may follow."""
    async with peer:
        try:
            step = await _perform(client.connected(), peer, log)
            while step is None:
                message = await _receive(peer, log)
                if message is None:
                    log.info("connection closed by the server")
                    return None
                step = await _perform(client.received(message), peer, log)
        except trio.Cancelled:
            # The last messages are few and have their own deadline, so that the end is neither without them nor late.
            with trio.CancelScope(shield=True):
                await _say_goodbye(client, peer, log)
            raise
        except (trio.BrokenResourceError, trio.TooSlowError) as error:
            log.warning("connection lost", reason=str(error) or type(error).__name__)
            return None
        except WireError as error:
            log.error("the server sent bytes that are no messages", reason=str(error))
            return None
        if isinstance(step, Reconnect):
            return None
        await _linger(peer, step.linger_s)
        return step.exit_code


async def _receive(peer: Peer, log: FilteringBoundLogger) -> Message | None:
    """Return the next message that can be understood. Newer servers may send others, which are skipped."""
    while True:
        try:
            return await peer.receive()
        except WrongMessage as error:
            log.warning("message not understood", reason=str(error))


async def _perform(effects: Sequence[Effect], peer: Peer, log: FilteringBoundLogger) -> Reconnect | Finish | None:
    """Perform ``effects`` in order. Return the effect that ends the connection, if there was one."""
    unsent: list[Message] = []
    for effect in effects:
        if isinstance(effect, Send):
            unsent.append(effect.message)
        elif isinstance(effect, Note):
            traceback = {"exc_info": effect.bug} if effect.bug is not None else {}
            getattr(log, effect.level.value)(effect.event, **effect.fields, **traceback)
        elif isinstance(effect, Pause):
            await _flush(unsent, peer)
            await trio.sleep(effect.seconds)
        else:
            await _flush(unsent, peer)
            return effect
    await _flush(unsent, peer)
    return None


async def _flush(unsent: list[Message], peer: Peer) -> None:
    """Send all messages in one write, whole even if a signal arrives: half a document would spoil the good-bye."""
    if unsent:
        with trio.fail_after(SEND_LIMIT_S, shield=True):
            await peer.send(*unsent)
        unsent.clear()


async def _say_goodbye(client: Client, peer: Peer, log: FilteringBoundLogger) -> None:
    try:
        step = await _perform(client.interrupted(), peer, log)
    except (trio.BrokenResourceError, trio.ClosedResourceError, trio.TooSlowError):
        return
    if isinstance(step, Finish):
        await _linger(peer, step.linger_s)


async def _linger(peer: Peer, seconds: float) -> None:
    """Read and drop input until the other side closes, for at most ``seconds``."""
    with trio.move_on_after(seconds):
        try:
            while await peer.receive() is not None:
                pass
        except (WrongMessage, WireError, trio.BrokenResourceError):
            return
