"""The dialogue of a spectator with the server, from ``x-hello`` to the last event."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final, TypeAlias

import trio

from ugs import __version__
from ugs.peer import Peer
from ugs.wire.codec import WrongMessage
from ugs.wire.extensions import EventKind, Failed, Family, GameEvent, Hello, Ok, Unwatch, Watch, WatchFrom, Watching
from ugs.wire.framing import WireError
from ugs.wire.messages import Error, Message, ServerShutdown

PATIENCE_S = 15.0
"""Seconds within which the server must have answered."""

_ENOUGH: Final = "enough"


class WatchFailed(Exception):
    """Watching is not possible, or ended before the game did. The text says why."""


Tell: TypeAlias = Callable[[Watching | GameEvent], None]
Past: TypeAlias = Callable[[Watching | GameEvent, bool], None]
"""Takes what was before now; the second argument says whether it is the last of it."""


async def follow(peer: Peer, watch: Watch, tell: Tell, past: Past | None = None) -> None:
    """Watch, and call ``tell`` with everything that there is to see.

    For a single game it returns after the last event, for a game type when the server stops. Raises WatchFailed when
    watching is refused, when the connection ends before the game, and when a message cannot be read.

    Pictures of some games need all states. So with ``past``, a single game that is watched from now is told from its
    begin: what was before now goes to ``past``.
    """
    try:
        await _greet(peer)
        if past is not None and watch.game_id and watch.begin is WatchFrom.NOW:
            number = await _now(peer, watch)
            watch, tell = replace(watch, begin=WatchFrom.BEGIN), _Since(number, past, tell)
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


class _Since:
    """Tells the past and the present apart."""

    def __init__(self, number: int, past: Past, tell: Tell) -> None:
        self._number = number
        self._past = past
        self._tell = tell

    def __call__(self, message: Watching | GameEvent) -> None:
        if message.number > self._number:
            self._tell(message)
        else:
            self._past(message, message.number == self._number)


async def _now(peer: Peer, watch: Watch) -> int:
    """Return the number of the last event of a game. What happens meanwhile will be told with the rest."""
    await _ask(peer, watch)
    while not isinstance(shown := await _next(peer), Watching):
        if isinstance(shown, Failed | ServerShutdown):
            _handle(shown, watch, lambda _: None)
    await peer.send(Unwatch(watch.game_id, ref=_ENOUGH))
    while not (isinstance(answer := await _next(peer), Ok) and answer.ref == _ENOUGH):
        pass
    return shown.number


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


def _handle(message: Message, watch: Watch, tell: Tell) -> bool:
    """Tell one message. Returns whether it was the last one."""
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
