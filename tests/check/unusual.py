"""Programs that are right in an unusual way."""

from typing import Final
from xml.etree.ElementTree import Element

import trio

from tests.check.bots import Bot
from tests.check.masters import Master


def single_quoted(body: str) -> str:
    """The same with single quotes, where none stands inside a value."""
    return body if "'" in body else body.replace('"', "'")


class PlainBot(Bot):
    """Asks for no extension, and sends no declaration."""

    families = ()
    declares = False


class WideBot(Bot):
    """Writes with single quotes, white space and comments, and a line between documents."""

    async def send(self, *bodies: str) -> None:
        text = "\n<!-- from here -->".join(map(single_quoted, bodies)).replace("'/>", "' />")
        await self.stream.send_all(b"<?xml version='1.0' encoding='utf-8' ?>\n" + text.encode() + b" \r\n")


class ReversedBot(Bot):
    """Writes the move before the id of the game."""

    def move(self, number: int) -> str:
        text = super().move(number)
        start, end = text.index("<gameId"), text.index("/>") + 2
        return text[:start] + text[end:].replace("</message>", text[start:end] + "</message>")


class SlowBot(Bot):
    """Thinks for two seconds, and sends a few bytes at a time."""

    async def send(self, *bodies: str) -> None:
        await trio.sleep(2)
        data = "".join(bodies).encode()
        for start in range(0, len(data), 40):
            await self.stream.send_all(data[start : start + 40])
            await trio.sleep(0.001)


class OneGameBot(Bot):
    """Logs out when its game is over."""

    async def over(self, message: Element) -> None:
        await self.send('<message type="logout"/>')
        self.token = ""


class CuriousBot(Bot):
    """Asks whatever it may ask."""

    families: tuple[str, ...] = ("session", "lobby", "clock", "chat", "reason", "state", "teleport")
    asks: Final = {
        "lobby": '<message type="x-listPlayers" ref="1"/><message type="x-wait"/>',
        "clock": '<message type="x-showClock"/><message type="x-ping" ref="me"/>',
        "chat": '<message type="x-say"><to nick="bob"/><text>Hi</text></message>',
        "reason": '<message type="x-why" ref="2"/>',
    }

    asked = False

    async def on_error(self, message: Element) -> None:
        if (message.text or "").startswith("x-hello"):
            self.families = ()

    async def on_championsList(self, message: Element) -> None:
        asks = [text for family, text in self.asks.items() if family in self.families and not self.asked]
        self.asked = True
        if asks:
            await self.send(*asks)


class PlainMaster(Master):
    """Asks for no extension, and sends no declaration."""

    families = ()
    declares = False


class WideMaster(Master):
    """Writes with single quotes and lines between documents."""

    async def send(self, *bodies: str) -> None:
        text = "\n".join(map(single_quoted, bodies))
        await self.stream.send_all(b"<?xml version='1.0'?>" + text.encode() + b"\n")


class SlowMaster(Master):
    """Takes a second for each state."""

    async def states(self, game: str) -> None:
        await trio.sleep(1)
        await super().states(game)


class BanishingMaster(Master):
    """Takes who leaves out of the game itself, too."""

    async def on_playerLeftGame(self, message: Element, document: bytes) -> None:
        game, player = self.game_of(message), message.find("player")
        assert player is not None
        if game in self.games:
            await self.send(
                f'<message type="playerLeftGame"><player nick="{player.get("nick")}"/><gameId id="{game}"/></message>'
            )
        await super().on_playerLeftGame(message, document)


class MasterWithoutSeats(Master):
    """Says that it plays no seats, and would not know what to do with a game that has some."""

    async def offers(self) -> None:
        await self.send('<message type="x-offers"><seats own="no"/></message>')

    async def declines(self, game: str) -> None:
        pass


BOTS: Final = (PlainBot, WideBot, ReversedBot, SlowBot, OneGameBot, CuriousBot)
MASTERS: Final = (PlainMaster, WideMaster, SlowMaster, BanishingMaster, MasterWithoutSeats)
