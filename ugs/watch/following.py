"""The dialogue of a spectator with the server, from ``x-hello`` to the last event."""

import math
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

import trio

from ugs import __version__
from ugs.peer import Peer
from ugs.watch.joining import JoinedGames, OnMessage, Past, Since
from ugs.wire.codec import WrongMessage
from ugs.wire.extensions import (
    Account,
    EventKind,
    Failed,
    Family,
    GameEvent,
    Hello,
    ListGames,
    Ok,
    RefusalReason,
    RunningGames,
    Unwatch,
    Watch,
    WatchableGame,
    WatchFrom,
    Watching,
    Why,
)
from ugs.wire.framing import WireError
from ugs.wire.messages import Error, Message, ServerShutdown

PATIENCE_S = 15.0
"""The server must answer within this many seconds."""

FIRST_LOOK_S = 3.0
"""After this many seconds without a game the server is first asked what games of a type wait for."""
LOOK_S = 60.0
"""Seconds between two such questions."""

ANOTHER_PORT: Final = "this may be the port of another program, the one for HTTP, or one that speaks TLS (--tls)"
OVER: Final = "`ugs watch` without --game lists those that are, `ugs replay` shows one that is over"
"""What helps who asks for a game that is not running."""

_ENOUGH: Final = "enough"
_WAITING: Final = "waiting"
_LISTED: Final = "listed"


class WatchFailed(Exception):
    """Watching is not possible, or ended before the game did. The text gives the reason."""


class LineLost(WatchFailed):
    """The server was there and is gone, perhaps to come back."""


OnAccount: TypeAlias = Callable[[Account], None]
"""Takes what the server reports of a game besides its events."""
Ahead: TypeAlias = Callable[[Sequence[Message]], None]
"""Takes messages that have come together, before the first of them is reported."""


async def follow(
    peer: Peer,
    watch: Watch,
    report: OnMessage,
    past: Past | None = None,
    waits: Callable[[str], None] | None = None,
    token: str = "",
    ahead: Ahead = lambda _: None,
    master: OnAccount = lambda _: None,
) -> None:
    """Watch, and call ``report`` with each message.

    For a single game it returns after the last event, for a game type when the server stops. Raises WatchFailed when
    watching is refused, when the connection ends before the game, and when a message cannot be read.

    Pictures of some games need all states. So with ``past``, a game that is watched from now is sent from its
    beginning, of a type those that :class:`JoinedGames` chooses: what was before now goes to ``past``. ``waits``, while
    no game of a type is shown, gets what its games wait for, after :data:`FIRST_LOOK_S` seconds and every
    :data:`LOOK_S`, if the server can report it. ``token`` is that of the nick in ``watch``, if it has one. ``ahead``
    gets what has come at once, before ``report`` gets the first of it: who draws may pass over positions that are
    overtaken already. ``master`` gets that a game waits for its lost master, and that it goes on.
    """
    joining: JoinedGames | None = None
    try:
        may_ask = await _greet(peer, token, pictures=past is not None)
        if past is not None and watch.begin is WatchFrom.NOW:
            if watch.game_id:
                number = await _now(peer, watch)
                watch, report = replace(watch, begin=WatchFrom.BEGIN), Since(number, past, report)
            else:
                joining = JoinedGames(watch, past, report)
                report = joining.report
        await _ask(peer, watch)
        inbox = _Inbox(peer, ahead)
        if watch.game_type:
            await _follow_type(peer, inbox, watch, report, waits if may_ask else None, joining, master)
            return
        while not _handle(await inbox.next(), watch, report, master):
            pass
    except (WrongMessage, WireError) as error:
        raise WatchFailed(f"the server sent something that cannot be read: {error}") from error
    except trio.BrokenResourceError as error:
        raise LineLost("the connection is lost") from error


async def running(peer: Peer, token: str = "", game_type: str = "") -> tuple[WatchableGame, ...]:
    """The games that run and may be watched, of this type or of all. Raises WatchFailed."""
    try:
        await _greet(peer, token, pictures=False)
        with trio.move_on_after(PATIENCE_S):
            await peer.send(ListGames(game_type, ref=_LISTED))
            while True:
                match await _next(peer):
                    case RunningGames(games=games):
                        return games
                    case Failed(text=text):
                        raise WatchFailed(text)
    except (WrongMessage, WireError) as error:
        raise WatchFailed(f"the server sent something that cannot be read: {error}") from error
    except trio.BrokenResourceError as error:
        raise WatchFailed("the connection is lost") from error
    raise WatchFailed(f"the server does not answer within {PATIENCE_S:g} s")


async def waited_for(peer: Peer, game_type: str, token: str = "") -> str:
    """What the games of a type wait for, in the server's words; empty where it does not report that, and where it does
    not let the type be watched. Raises WatchFailed."""
    try:
        if not await _greet(peer, token, pictures=False):
            return ""
        with trio.move_on_after(PATIENCE_S):
            await _ask(peer, Watch(game_type=game_type))
            await peer.send(Why(game_type=game_type, ref=_WAITING))
            while True:
                match await _next(peer):
                    case Account(text=text):
                        return text
                    case Failed():
                        return ""
    except (WrongMessage, WireError) as error:
        raise WatchFailed(f"the server sent something that cannot be read: {error}") from error
    except trio.BrokenResourceError as error:
        raise WatchFailed("the connection is lost") from error
    raise WatchFailed(f"the server does not answer within {PATIENCE_S:g} s")


async def _follow_type(
    peer: Peer,
    inbox: "_Inbox",
    watch: Watch,
    report: OnMessage,
    waits: Callable[[str], None] | None,
    joining: JoinedGames | None,
    master: OnAccount,
) -> None:
    """Follow all games of a type until the server stops. With ``waits``, ask what they wait for while none is shown;
    with ``joining``, for the past of those that it wants."""
    shown: set[str] = set()
    look_at = trio.current_time() + FIRST_LOOK_S
    while True:
        with trio.move_on_at(math.inf if shown or waits is None else look_at) as pause:
            # Cancelled, it loses no message: what has come in part is kept.
            message = await inbox.next()
        if pause.cancelled_caught:
            look_at = trio.current_time() + LOOK_S
            await peer.send(Why(game_type=watch.game_type, ref=_WAITING))
            continue
        if getattr(message, "ref", "") == _WAITING:
            if isinstance(message, Account) and not shown and waits is not None:
                waits(message.text)
            continue
        if joining is not None and joining.takes(message):
            continue
        if isinstance(message, Watching):
            shown.add(message.game_id)
        elif isinstance(message, GameEvent) and message.what is EventKind.ENDED:
            shown.discard(message.game_id)
            look_at = trio.current_time() + LOOK_S
        if _handle(message, watch, report, master):
            return
        for wish in joining.wishes() if joining is not None else ():
            await peer.send(wish)


async def _greet(peer: Peer, token: str, *, pictures: bool) -> bool:
    """Greet the server; return whether it can report what games wait for. With ``pictures`` it is asked for
    sketches."""
    families = [Family.WATCH.value, Family.REASON.value, *([Family.SKETCH.value] if pictures else ())]
    with trio.move_on_after(PATIENCE_S) as patience:
        await peer.send(Hello(tuple(families), "ugs watch", __version__, token=token))
        try:
            answer = await _next(peer)
        except LineLost as error:
            raise LineLost(f"{error}, without a word: {ANOTHER_PORT}") from None
    if patience.cancelled_caught:
        raise WatchFailed(f"the server does not answer within {PATIENCE_S:g} s")
    if not isinstance(answer, Hello) or Family.WATCH.value not in answer.families:
        raise WatchFailed("the server does not grant the extension watch")
    return Family.REASON.value in answer.families


async def _now(peer: Peer, watch: Watch) -> int:
    """Return the number of the last event of a game. What happens meanwhile will be sent with the rest."""
    await _ask(peer, watch)
    while not isinstance(shown := await _next(peer), Watching):
        if isinstance(shown, Failed | ServerShutdown):
            _handle(shown, watch, lambda _: None, lambda _: None)
    await peer.send(Unwatch(watch.game_id, ref=_ENOUGH))
    while not (isinstance(answer := await _next(peer), Ok) and answer.ref == _ENOUGH):
        pass
    return shown.number


async def _ask(peer: Peer, watch: Watch) -> None:
    try:
        await peer.send(watch)
    except ValueError as error:
        raise WatchFailed(f"the request cannot be sent: {error}") from error


class _Inbox:
    """What the server has sent and is not read yet. Once it is there, nothing else receives from the peer."""

    def __init__(self, peer: Peer, ahead: Ahead) -> None:
        self._peer = peer
        self._ahead = ahead
        self._unread: deque[Message] = deque()

    async def next(self) -> Message:
        """The next message; raises as :func:`_next`."""
        if not self._unread:
            messages = await self._peer.receive_ready()
            self._ahead(messages)
            self._unread.extend(messages)
        return _checked(self._unread.popleft() if self._unread else None)


async def _next(peer: Peer) -> Message:
    """The next message. Raises LineLost when there is none, WatchFailed for an error."""
    return _checked(await peer.receive())


def _checked(message: Message | None) -> Message:
    if message is None:
        raise LineLost("the server has closed the connection")
    if isinstance(message, Error):
        raise WatchFailed(f"the server answers: {message.text}")
    return message


def _handle(message: Message, watch: Watch, report: OnMessage, master: OnAccount) -> bool:
    """Pass on one message. Returns whether it was the last one."""
    match message:
        case Watching() | GameEvent():
            report(message)
            return isinstance(message, GameEvent) and message.what is EventKind.ENDED and bool(watch.game_id)
        case Failed(RefusalReason.INVALID_GAME, text) if watch.game_id:
            raise WatchFailed(f"{text}; {OVER}")
        case Failed(text=text):
            raise WatchFailed(text)
        case ServerShutdown():
            if watch.game_id:
                raise WatchFailed("the server stops")
            return True
        case Account():
            master(message)
            return False
        case Ok():
            return False
        case _:
            raise WatchFailed(f"the server sent {message.TYPE}, which is not a message for a spectator")
