"""What a bot may send at any time, and what the server around it does about that."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from ugs.check import as_server
from ugs.check.bot_game import BotOnTrial
from ugs.check.xml_spelling import element
from ugs.wire import extensions as x
from ugs.wire.extensions import Family
from ugs.wire.messages import Error, Extension, LeaveGame, Logout, Message, Move, PlayerLogin, ThankYou

SENT: Final = (PlayerLogin, Move, ThankYou, LeaveGame, Logout, Error)
"""What a player sends in v4."""
BOTH_WAYS: Final = frozenset({x.Hello, x.Ping, x.Pong, x.Why, x.Because})
NEEDED: Final[Mapping[type[Extension], str]] = {
    x.Resend: Family.STATE,
    x.ListStates: Family.STATE,
    x.ListPlayers: Family.LOBBY,
    x.ListGameTypes: Family.LOBBY,
    x.ListTables: Family.LOBBY,
    x.Wait: Family.LOBBY,
    x.Advertise: Family.LOBBY,
    x.Join: Family.LOBBY,
    x.Start: Family.LOBBY,
    x.Cancel: Family.LOBBY,
    x.Quit: Family.LOBBY,
    x.Say: Family.CHAT,
    x.ShowClock: Family.CLOCK,
    x.Rejoin: Family.REJOIN,
    x.Why: Family.REASON,
}
"""The family that a request belongs to."""


async def _ignores(_bot: BotOnTrial, _message: Message) -> None:
    """It needs no answer."""


async def _pings(bot: BotOnTrial, message: Message) -> None:
    assert isinstance(message, x.Ping)
    await bot.send(as_server.pong(message.ref))


async def _grants(bot: BotOnTrial, message: Message) -> None:
    await bot.send(as_server.ok(getattr(message, "ref", "")))


async def _refuses(bot: BotOnTrial, message: Message) -> None:
    await bot.send(as_server.failed("INVALID_GAME", f"{message.TYPE}: no such game", getattr(message, "ref", "")))


async def _resends(bot: BotOnTrial, message: Message) -> None:
    if bot.game is None or bot.game.position.results is not None:
        await _refuses(bot, message)
    else:
        await bot.send(bot.game.state())


async def _lists_states(bot: BotOnTrial, message: Message) -> None:
    if bot.game is None or bot.game.position.results is not None:
        await _refuses(bot, message)
    else:
        await bot.send(as_server.states(bot.game.id, bot.game.earlier, getattr(message, "ref", "")), bot.game.state())


async def _shows_clock(bot: BotOnTrial, message: Message) -> None:
    if bot.game is None:
        await _refuses(bot, message)
    else:
        await bot.send(as_server.clock(bot.game.id, bot.game.nicks, getattr(message, "ref", "")))


async def _accounts(bot: BotOnTrial, message: Message) -> None:
    account = element("account", "it waits for a game")
    ref = getattr(message, "ref", "")
    await bot.send(as_server.message("x-account", account, **({"ref": ref} if ref else {})))


LISTS: Final = {"x-listPlayers": "x-players", "x-listGameTypes": "x-gameTypes", "x-listTables": "x-tables"}


async def _lists(bot: BotOnTrial, message: Message) -> None:
    ref = getattr(message, "ref", "")
    await bot.send(as_server.message(LISTS[message.TYPE], **({"ref": ref} if ref else {})))


ANSWERS: Final[Mapping[type, Callable[[BotOnTrial, Message], Awaitable[None]]]] = {
    Error: _ignores,
    x.Ping: _pings,
    x.Wait: _grants,
    x.Quit: _grants,
    x.Say: _grants,
    x.Start: _grants,
    x.Cancel: _grants,
    x.Join: _refuses,
    x.Advertise: _refuses,
    x.Rejoin: _refuses,
    x.Resend: _resends,
    x.ListStates: _lists_states,
    x.ShowClock: _shows_clock,
    x.Why: _accounts,
    x.ListPlayers: _lists,
    x.ListGameTypes: _lists,
    x.ListTables: _lists,
}
"""What a server does about the messages that may come at any time."""
