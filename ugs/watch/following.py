"""The dialogue of a spectator with the server, from ``x-hello`` to the last event."""

from collections.abc import Callable

import trio

from ugs import __version__
from ugs.peer import Peer
from ugs.wire.codec import WrongMessage
from ugs.wire.extensions import EventKind, Failed, Family, GameEvent, Hello, Ok, Watch, Watching
from ugs.wire.framing import WireError
from ugs.wire.messages import Error, Message, ServerShutdown

PATIENCE_S = 15.0
"""Seconds within which the server must have answered."""


class WatchFailed(Exception):
    """Watching is not possible, or ended before the game did. The text says why."""


async def follow(peer: Peer, watch: Watch, tell: Callable[[Watching | GameEvent], None]) -> None:
    """Watch, and call ``tell`` with everything that there is to see.

    For a single game it returns after the last event, for a game type when the server stops. Raises WatchFailed when
    watching is refused, when the connection ends before the game, and when a message cannot be read.
    """
    try:
        await _greet(peer)
        await _ask(peer, watch)
        while not _handle(await _next(peer), watch, tell):
            pass
    except (WrongMessage, WireError) as error:
        raise WatchFailed(f"the server sent something that cannot be read: {error}") from error
    except trio.BrokenResourceError as error:
        raise WatchFailed("the connection is lost") from error


async def _greet(peer: Peer) -> None:
    with trio.move_on_after(PATIENCE_S) as patience:
        await peer.send(Hello((Family.WATCH.value,), "ugs watch", __version__))
        answer = await _next(peer)
    if patience.cancelled_caught:
        raise WatchFailed(f"the server does not answer within {PATIENCE_S:g} s")
    if not isinstance(answer, Hello) or Family.WATCH.value not in answer.families:
        raise WatchFailed("the server does not grant the extension watch")


async def _ask(peer: Peer, watch: Watch) -> None:
    try:
        await peer.send(watch)
    except ValueError as error:
        raise WatchFailed(f"the request cannot be sent: {error}") from error


async def _next(peer: Peer) -> Message:
    message = await peer.receive()
    if message is None:
        raise WatchFailed("the server has closed the connection")
    if isinstance(message, Error):
        raise WatchFailed(f"the server says: {message.text}")
    return message


def _handle(message: Message, watch: Watch, tell: Callable[[Watching | GameEvent], None]) -> bool:
    """Handle one message. Returns whether it was the last one."""
    match message:
        case Watching() | GameEvent():
            tell(message)
            return isinstance(message, GameEvent) and message.what is EventKind.ENDED and bool(watch.game_id)
        case Failed(text=text):
            raise WatchFailed(text)
        case ServerShutdown():
            if watch.game_id:
                raise WatchFailed("the server stops")
            return True
        case Ok():
            return False
        case _:
            raise WatchFailed(f"the server sent {message.TYPE}, which is not a message for a spectator")
