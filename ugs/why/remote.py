"""Asks a server why, from far away: with the token of a bot, about a game of that bot or what it waits for."""

import ssl
from typing import Final

import trio

from ugs import __version__, peer
from ugs.peer import Peer
from ugs.wire.codec import WrongMessage
from ugs.wire.extensions import Account, Failed, Family, Hello, RefusalReason, Why
from ugs.wire.framing import WireError
from ugs.wire.messages import Error, Message, ServerShutdown

PATIENCE_S: Final = 15.0
"""The server must answer within this many seconds."""
EARLIER: Final = """
What your bot waits for, and its last game: leave the id out.
A game of before this login, such as of an earlier start of the bot:
  with the token of its nick: --token-file FILE (a session's token has the games of one login)
  on the page of the server: its own page has why it ended; My games lists all of a nick that has a token
With --connect NAME is the id of a game of your bot, or its beginning."""
"""Behind the refusal of a game that is not of this login: a program that was started again has another token, and the
name of another bot is no game."""


class NoAccount(Exception):
    """The server has not sent the account. The text is the server's reason, as it was written."""


async def ask(host: str, port: int, question: Why, tls: ssl.SSLContext | None = None) -> str:
    """The account, in lines; ``tls`` encrypts the line. Raises :class:`NoAccount`."""
    try:
        with trio.fail_after(PATIENCE_S):
            async with await peer.connect(host, port, tls=tls) as server:
                return await account(server, question)
    except trio.TooSlowError:
        raise NoAccount(f"{host} port {port}: no answer within {PATIENCE_S:g} s") from None
    except OSError as error:
        raise NoAccount(str(error)) from error


async def account(server: Peer, question: Why) -> str:
    """The same over an open connection. Raises :class:`NoAccount`."""
    try:
        # In one write: the question need not wait for the answer to the greeting.
        await server.send(Hello((Family.REASON.value,), "ugs why", __version__), question)
    except ValueError as error:
        raise NoAccount(f"this cannot be asked: {error}") from error
    except trio.BrokenResourceError as error:
        raise NoAccount("the connection is lost") from error
    try:
        while True:
            message = await _receive(server)
            if isinstance(message, Account):
                return message.text
            _check(message)
    except (trio.BrokenResourceError, WireError) as error:
        raise NoAccount(f"the conversation with the server broke off: {error}") from error


def _check(message: Message | None) -> None:
    """Raise :class:`NoAccount` if no answer can follow this message."""
    match message:
        case None:
            raise NoAccount("the server has closed the connection")
        case Error():
            raise NoAccount(f"the server answers with an error, perhaps it has no extensions: {message.text}")
        case Hello() if Family.REASON.value not in message.families:
            raise NoAccount("the server does not grant the extension reason")
        case Failed(RefusalReason.INVALID_GAME):
            raise NoAccount(message.text + EARLIER)
        case Failed():
            raise NoAccount(message.text)
        case ServerShutdown():
            raise NoAccount("the server stops")


async def _receive(server: Peer) -> Message | None:
    """The next message that can be decoded; newer servers may send unknown ones. None at the end of the connection."""
    while True:
        try:
            return await server.receive()
        except WrongMessage:
            continue
