"""One question to the lobby of a server: greet it, log in, ask, log out."""

import ssl
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Final, TypeAlias

import trio

from ugs import __version__, peer
from ugs.peer import Peer
from ugs.printable import unknown
from ugs.type_hint import type_called, type_hint
from ugs.wire.codec import WrongMessage
from ugs.wire.extensions import (
    Failed,
    Family,
    GameTypes,
    Hello,
    ListGameTypes,
    ListPlayers,
    ListTables,
    Players,
    Tables,
)
from ugs.wire.framing import WireError
from ugs.wire.messages import Error, Extension, LoginError, LoginResponse, Logout, Message, PlayerLogin

PATIENCE_S: Final = 10.0
"""Seconds for the whole conversation."""
FAREWELL_S: Final = 2.0
"""Seconds the server has to close the connection after the logout."""
NOWHERE: Final = "lobby"
"""The game type of a visitor who names none. It is not played, and not shown."""


class List(StrEnum):
    """The lists that can be asked for."""

    PLAYERS = "players"
    TYPES = "types"
    TABLES = "tables"


Answer: TypeAlias = Players | GameTypes | Tables

QUESTIONS: Final[Mapping[List, Extension]] = {
    List.PLAYERS: ListPlayers(),
    List.TYPES: ListGameTypes(),
    List.TABLES: ListTables(),
}
REFUSALS: Final[Mapping[LoginError, str]] = {
    LoginError.WRONG_NICK: "nick {nick!r} is malformed or in use",
    LoginError.IMPROPER_GAME_TYPE: "game type {game_type!r} is not allowed here; name one that is with --type",
    LoginError.PLAYERS_POOL_OVERFLOW: "there is no room, or a championship of {game_type!r} has begun",
}


class NoLobby(Exception):
    """The lobby of this server cannot be looked into. The text gives the reason."""


class OtherType(NoLobby):
    """A game was named in the place of its type, so that the list is one of strangers; the text is the type."""


class LoginRefused(NoLobby):
    """The server did not let the visitor in."""


async def ask(
    servers: Sequence[tuple[str, int]],
    nick: str,
    game_type: str,
    what: List,
    tls: ssl.SSLContext | None = None,
    token: str = "",
) -> Answer:
    """The list of the first of these servers, host and port, that answers, as the player ``nick`` of this game type may
    see it; ``tls`` encrypts the line, ``token`` is that of the nick, where it has one. Raises :class:`NoLobby`."""
    try:
        with trio.fail_after(PATIENCE_S):
            while True:
                try:
                    async with await peer.connect_any(servers, tls=tls) as server:
                        return await visit(server, nick, game_type, what, token)
                except OtherType as meant:
                    game_type = str(meant)
    except trio.TooSlowError:
        raise NoLobby(f"{_named(servers)}: no answer within {PATIENCE_S:g} s") from None
    except OSError as error:
        raise NoLobby(f"cannot connect to {_named(servers)}: {error.strerror or error}") from error


def _named(servers: Sequence[tuple[str, int]]) -> str:
    return ", ".join(f"{host} port {port}" for host, port in servers)


async def visit(server: Peer, nick: str, game_type: str, what: List, token: str = "") -> Answer:
    """The same over an open connection, which must not be used afterwards. Players and game types of another type are
    left out, unless the visitor is :data:`NOWHERE`. Raises :class:`NoLobby`; :class:`OtherType` if another type is
    meant."""
    try:
        hello = Hello((Family.LOBBY.value,), "ugs lobby", __version__, token=token)
        await server.send(hello, PlayerLogin(nick, game_type))
        logged_in, empty = False, None
        while True:
            message = await _receive(server)
            _check(message, nick, game_type, logged_in=logged_in)
            if isinstance(message, LoginResponse):
                logged_in = True
                await server.send(QUESTIONS[what])
            elif isinstance(message, Players | Tables) and _is_empty(found := _chosen(message, nick, game_type)):
                empty = found  # perhaps the game type is called otherwise
                await server.send(ListGameTypes())
            elif isinstance(message, Players | GameTypes | Tables):
                await _leave(server)
                meant = _meant(message, game_type) if isinstance(message, GameTypes) else game_type
                if empty is not None and meant != game_type:
                    raise OtherType(meant)
                return empty if empty is not None else _chosen(message, nick, meant)
    except (trio.BrokenResourceError, WireError) as error:
        raise NoLobby(f"the conversation with the server broke off: {error}") from error


def _chosen(answer: Answer, nick: str, game_type: str) -> Answer:
    """What is of this game type, as far as one was named."""
    if game_type == NOWHERE:
        return answer
    if isinstance(answer, Players):
        return Players(tuple(one for one in answer.players if one.game_type == game_type))
    if isinstance(answer, GameTypes):
        return GameTypes(tuple(one for one in answer.games if one.game_type == game_type))
    return answer


def _is_empty(answer: Answer) -> bool:
    # The visitor is one of them itself.
    return not answer.tables if isinstance(answer, Tables) else isinstance(answer, Players) and len(answer.players) <= 1


def _meant(types: GameTypes, game_type: str) -> str:
    """The type that is meant. Raises :class:`NoLobby` where games of some types are played here, and none of this
    one."""
    # Not of all that are listed: the visitor's own is among them, whatever it is called.
    led = [one.game_type for one in types.games if one.master]
    game_type = type_called(game_type, led)
    if led and game_type not in (NOWHERE, *led):
        raise NoLobby(unknown("game type", game_type, led, type_hint(game_type)))
    return game_type


def _check(message: Message | None, nick: str, game_type: str, *, logged_in: bool) -> None:
    """Raises :class:`NoLobby` if no answer can follow this message."""
    match message:
        case None:
            raise NoLobby("the server has closed the connection")
        case Error():
            raise NoLobby(f"the server answers with an error, perhaps it has no extensions: {message.text}")
        case Hello() if Family.LOBBY.value not in message.families:
            raise NoLobby("the server does not grant the extension lobby")
        case LoginResponse(error=LoginError() as error):
            reason = REFUSALS.get(error, "the server gives reason {error}")
            raise LoginRefused("login refused: " + reason.format(nick=nick, game_type=game_type, error=int(error)))
        case Failed() if not logged_in:
            raise LoginRefused(f"login refused: {message.text}")
        case Failed():
            raise NoLobby(f"the server refuses: {message.text} ({message.code.value})")


async def _receive(server: Peer) -> Message | None:
    """The next message that can be decoded; newer servers may send unknown ones. None at the end of the connection."""
    while True:
        try:
            return await server.receive()
        except WrongMessage:
            continue


async def _leave(server: Peer) -> None:
    """Log out and wait until the server closes the connection, so that the nick is free when the command ends."""
    with trio.move_on_after(FAREWELL_S):
        try:
            await server.send(Logout())
            while await _receive(server) is not None:
                pass
        except (trio.BrokenResourceError, WireError):
            return
