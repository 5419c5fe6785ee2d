"""The Trio loop that every master and every bot runs in: connect, log in, receive, answer, begin again.

The client decides (:mod:`game_masters.kit.client`), and this module acts: it opens connections, performs effects in
order, waits between attempts and turns signals into a clean end.
"""

import logging
import random
import signal
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import TypeAlias

import trio
from structlog.typing import FilteringBoundLogger

from game_masters.kit.client import Client, Effect, Finish, Keep, Note, Pause, Reconnect, Send, StopThinking, Think
from game_masters.kit.entry import ANSWER_LIMIT_S
from game_masters.kit.memory import News
from game_masters.kit.thinking import InThread, Thinking
from ugs.peer import NotTrusted, Peer
from ugs.wire.codec import WrongMessage
from ugs.wire.extensions import GameVerdict
from ugs.wire.framing import WireError
from ugs.wire.messages import Error, Message

INVITED = ": connect again"
"""The last words of an error from a server that cannot serve the peer for now, and closes the connection."""
FIRST_DELAY_S = 0.5
CEILING_S = 1.0
"""The longest delay in the first minute: a server that returns within it has its peers back a second later."""
PATIENCE_S = 60.0
"""The delays grow on after this number of seconds."""
MAX_DELAY_S = 30.0
DIAL_LIMIT_S = 8.0
"""Seconds for a connection to open. A machine that is away refuses nothing, and the system would wait for minutes."""
SEND_LIMIT_S = 10.0
"""Seconds for the server to take a message of ours; then the connection is given up."""

FIRST_NUDGE_S = 3.0
"""Seconds after the login until the client looks for the first time whether it waits."""
NUDGE_S = 60.0
"""Seconds between two such looks."""

WRONG_PORT = (
    "this may be the port of another program, another port of the server, such as the one for HTTP, or one that speaks "
    "TLS (--tls)"
)

MAX_UNANSWERED = 8
"""Connections in a row that the server may close without an answer to the login, before a client that was never let in
gives up. A server that restarts may close some."""

Dial: TypeAlias = Callable[[], Awaitable[Peer]]
"""Opens a connection; raises OSError, :class:`ugs.peer.NotTrusted` where trying again does not help."""


def delays(rng: random.Random) -> Iterator[float]:
    """Yield the seconds to wait before the next attempt: doubling from half a second to one second, and after a minute
    on to half a minute.

    Each delay is shortened at random to as little as a quarter, so that the bots of a restarted server do not come back
    all at once.
    """
    longest, waited = FIRST_DELAY_S, 0.0
    while True:
        delay = longest * rng.uniform(0.25, 1.0)
        yield delay
        waited += delay
        longest = min(2 * longest, CEILING_S if waited < PATIENCE_S else MAX_DELAY_S)


def forget(_news: News) -> None:
    """Keep nothing for a next start."""


async def run(
    client: Client,
    dial: Dial,
    *,
    once: bool,
    rng: random.Random,
    log: FilteringBoundLogger,
    keep: Callable[[News], None] = forget,
    in_thread: InThread = trio.to_thread.run_sync,
) -> int:
    """Keep the client connected until it finishes; return the exit code.

    With ``once`` there is only one connection: if it ends unexpectedly, the exit code is 1. A client that was never let
    in gives up with exit code 1 where trying again does not help: the server is not trusted, what listens there speaks
    something else, or closes one connection after the other. ``keep`` writes down what
    the client wants kept for its next start; ``in_thread`` calls what takes long.
    """
    waits = delays(rng)
    failure = ""
    was_let_in, unanswered = False, 0
    while True:
        again, reason = Reconnect(), ""
        try:
            with trio.fail_after(DIAL_LIMIT_S):
                peer = await dial()
        except (OSError, trio.TooSlowError) as error:
            unanswered = 0
            reason = str(error) or f"no answer within {DIAL_LIMIT_S:g} s: check address, network and firewall"
            if isinstance(error, NotTrusted) and not was_let_in:
                log.error("giving up", reason=reason)
                return 1
            log.log(logging.DEBUG if reason == failure else logging.WARNING, "cannot connect", reason=reason)
        else:
            log.debug("connected")
            step = await _converse(client, peer, log, keep, in_thread, was_let_in=was_let_in)
            if isinstance(step, int):
                return step
            again = step
            if client.accepted:
                # Only an accepted login starts the waits from the beginning: a server that refuses is not asked in a
                # hurry.
                waits, was_let_in = delays(rng), True
            # An invitation proves a server that means to answer later.
            unanswered = unanswered + 1 if client.awaiting and not again.is_invited else 0
            if unanswered >= MAX_UNANSWERED and not was_let_in:
                reason = f"the server has closed {unanswered} connections in a row without an answer to the login"
                log.error("giving up", reason=reason, advice=WRONG_PORT)
                return 1
            # The server has announced its end, so this was no failure.
            if once and client.satisfied:
                return 0
        if once and again.after_s != 0:
            log.error("giving up, since only one connection is allowed (--once)")
            return 1
        # Shortened by chance, so that those refused together do not come back together.
        pause = next(waits) if again.after_s is None else again.after_s * rng.uniform(0.8, 1.0)
        # While nothing changes, log one line, and not one per second.
        level = logging.DEBUG if reason and reason == failure else logging.INFO
        log.log(level, "trying again", after_s=round(pause, 1))
        failure = reason
        await trio.sleep(pause)


async def run_until_signal(
    client: Client,
    dial: Dial,
    *,
    once: bool,
    rng: random.Random,
    log: FilteringBoundLogger,
    keep: Callable[[News], None] = forget,
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

            exit_code = await run(client, dial, once=once, rng=rng, log=log, keep=keep)
            nursery.cancel_scope.cancel()
    return exit_code


async def _converse(
    client: Client,
    peer: Peer,
    log: FilteringBoundLogger,
    keep: Callable[[News], None],
    in_thread: InThread,
    *,
    was_let_in: bool,
) -> int | Reconnect:
    """Run one connection from login to end, and until the last work in a thread has ended. Return the exit code, or how
    another connection may follow. A client that ``was_let_in`` before has the right port."""
    async with trio.open_nursery() as nursery:
        line = _Line(client, peer, log, keep, Thinking(nursery, in_thread))
        try:
            return await line.converse(was_let_in=was_let_in)
        finally:
            line.thinking.stops()


class _Line:
    """One connection of a client."""

    def __init__(
        self,
        client: Client,
        peer: Peer,
        log: FilteringBoundLogger,
        keep: Callable[[News], None],
        thinking: Thinking,
    ) -> None:
        self._client = client
        self._peer = peer
        self._log = log
        self._keep = keep
        self.thinking = thinking

    async def converse(self, *, was_let_in: bool) -> int | Reconnect:
        """Run it to its end, as :func:`_converse`."""
        client, log = self._client, self._log
        async with self._peer:
            try:
                step = await self._talk()
            except trio.Cancelled:
                # The last messages are few and have their own deadline, so that the end is neither without them nor
                # late.
                with trio.CancelScope(shield=True):
                    await self._send_goodbye()
                raise
            except (trio.BrokenResourceError, trio.TooSlowError) as error:
                log.warning("connection lost", reason=str(error) or type(error).__name__)
                return Reconnect()
            except WireError as error:
                advice = {"advice": WRONG_PORT} if client.awaiting else {}
                log.error("the server sent bytes that are no messages", reason=str(error), **advice)
                return 1 if client.awaiting and not was_let_in else Reconnect()
            if isinstance(step, Reconnect):
                return step
            await self._linger(step.linger_s)
            return step.exit_code

    async def _talk(self) -> Reconnect | Finish:
        """Receive and answer until an effect ends the connection, or the server does."""
        client = self._client
        step = await self._perform(client.connected())
        # Set once: what comes in between is no answer to the login.
        answer_by = trio.current_time() + ANSWER_LIMIT_S
        nudge_at = trio.current_time() + FIRST_NUDGE_S
        last_words = ""
        while step is None:
            if self.thinking.is_done():
                step = await self._perform(self.thinking.take())
                continue
            message: Message | None = None
            with trio.move_on_at(answer_by if client.awaiting else nudge_at) as patience:
                # The end of a thread's work wakes the wait for a message.
                self.thinking.wake = patience.cancel
                message = await self._receive()
            # Woken by a thread: what it has found comes first.
            if patience.cancelled_caught and self.thinking.is_done():
                continue
            if patience.cancelled_caught and client.awaiting:
                step = await self._perform(client.overdue())
            elif patience.cancelled_caught:
                nudge_at = trio.current_time() + NUDGE_S
                step = await self._perform(client.nudged())
            elif message is None:
                is_invited = last_words.endswith(INVITED)
                reason = {"reason": last_words} if client.awaiting and last_words else {}
                advice = {"advice": WRONG_PORT} if client.awaiting and not is_invited else {}
                self._log.info("connection closed by the server", **reason, **advice)
                return Reconnect(is_invited=is_invited)
            else:
                # Last words only if nothing comes after them.
                last_words = message.text if isinstance(message, Error) else ""
                step = await self._perform(client.received(message))
        return step

    async def _receive(self) -> Message | None:
        """Return the next message that can be understood. Newer servers may send others, which are skipped."""
        while True:
            try:
                return await self._peer.receive()
            except WrongMessage as error:
                self._log.warning("message not understood", reason=str(error))

    async def _perform(self, effects: Sequence[Effect]) -> Reconnect | Finish | None:
        """Perform ``effects`` in order. Return the effect that ends the connection, if there was one."""
        unsent: list[Message] = []
        for effect in effects:
            match effect:
                case Send(message):
                    unsent.append(message)
                case Note():
                    _write(effect, self._log)
                case Keep(news):
                    self._keep(news)
                case Pause(seconds):
                    # What is sent before a pause must not wait for its end.
                    await self._flush(unsent)
                    await trio.sleep(seconds)
                case Think():
                    self.thinking.begins(effect)
                case StopThinking():
                    self.thinking.stops()
                case Reconnect() | Finish():
                    # The last words go out before the connection is closed.
                    await self._flush(unsent)
                    return effect
        await self._flush(unsent)
        return None

    async def _flush(self, unsent: list[Message]) -> None:
        """Send all messages in one write, whole even if a signal arrives: half a document would spoil the good-bye."""
        if unsent:
            with trio.fail_after(SEND_LIMIT_S, shield=True):
                await self._peer.send(*unsent)
            unsent.clear()

    async def _send_goodbye(self) -> None:
        try:
            step = await self._perform(self._client.interrupted())
        except (trio.BrokenResourceError, trio.ClosedResourceError, trio.TooSlowError):
            return
        if isinstance(step, Finish):
            await self._linger(step.linger_s)

    async def _linger(self, seconds: float) -> None:
        """Read input until the other side closes, for at most ``seconds``, and drop it, except for the verdict of the
        last game: it comes right behind the end of the game, when the good-bye is on its way already."""
        with trio.move_on_after(seconds):
            try:
                while (message := await self._peer.receive()) is not None:
                    if isinstance(message, GameVerdict):
                        for effect in self._client.received(message):
                            if isinstance(effect, Note):
                                _write(effect, self._log)
            except (WrongMessage, WireError, trio.BrokenResourceError):
                return


def _write(note: Note, log: FilteringBoundLogger) -> None:
    traceback = {"exc_info": note.bug} if note.bug is not None else {}
    getattr(log, note.level.value)(note.event, **note.fields, **traceback)
