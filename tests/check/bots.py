"""A bot of the counting game that is right, written so that each of its parts can be replaced by a broken one."""

from collections.abc import Iterator
from xml.etree import ElementTree
from xml.sax.saxutils import quoteattr

import trio

from tests.check.counting import GAME_TYPE, take
from ugs.wire.framing import Framer, Limits

DECLARATION = b'<?xml version="1.0" encoding="UTF-8"?>'
LIMITS = Limits(max_message_bytes=8 * 1024 * 1024)


class Bot:
    """A player that asks for all that a player may ask for."""

    families: tuple[str, ...] = ("session", "lobby", "clock", "chat", "reason", "state")
    declares = True
    nick = "ann"

    def __init__(self, stream: trio.abc.Stream) -> None:
        self.stream = stream
        self.game = ""
        self.token = ""
        self.framer = Framer(LIMITS)

    # Bytes.

    def cut(self, data: bytes) -> Iterator[bytes]:
        """The documents that are whole now."""
        for document in self.framer.feed(data):
            yield document.raw

    async def send(self, *bodies: str) -> None:
        """Send documents in one piece."""
        await self.stream.send_all((DECLARATION if self.declares else b"") + "".join(bodies).encode())

    # The dialogue.

    def login(self) -> str:
        """The login."""
        return (
            '<message type="playerLogin">'
            f"<playerLogin nick={quoteattr(self.nick)} gameType={quoteattr(GAME_TYPE)}/></message>"
        )

    def hello(self) -> str:
        """Which families it knows."""
        return f'<message type="x-hello">{"".join(f"<ext name={quoteattr(one)}/>" for one in self.families)}</message>'

    def first_words(self) -> list[str]:
        """What it says first."""
        resume = f'<message type="x-resume"><session token={quoteattr(self.token)}/></message>'
        entry = resume if self.token else self.login()
        return [self.hello(), entry] if self.families else [entry]

    async def run(self) -> bool:
        """Play until the server closes; whether there is a session to come back to."""
        await self.send(*self.first_words())
        while data := bytes(await self.stream.receive_some()):
            for document in self.cut(data):
                await self.receives(document)
        return bool(self.token)

    async def receives(self, document: bytes) -> None:
        """Do what a message asks for."""
        message = ElementTree.fromstring(document)
        kind = message.get("type", "").replace(" ", "_").replace("-", "_")
        does = getattr(self, f"on_{kind}", None)
        if does is not None:
            await does(message)

    async def on_loginResponse(self, message: ElementTree.Element) -> None:
        response = message.find("response")
        if response is not None and response.get("accept") == "yes" and "lobby" in self.families and not self.token:
            await self.waits()

    async def waits(self) -> None:
        """Wait for open play."""

    async def on_x_hello(self, message: ElementTree.Element) -> None:
        self.families = tuple(one.get("name", "") for one in message.findall("ext"))

    async def on_x_session(self, message: ElementTree.Element) -> None:
        session = message.find("session")
        assert session is not None
        self.token = session.get("token", "")
        if session.get("resumed") == "yes" and session.get("turn") != "yes":
            self.answered = self.game

    async def on_x_failed(self, message: ElementTree.Element) -> None:
        reason = message.find("reason")
        if self.token and reason is not None and reason.get("code") == "INVALID_PLAYER":
            self.token = ""
            await self.send(self.login())

    async def on_x_ping(self, message: ElementTree.Element) -> None:
        ref = message.get("ref")
        await self.send(f'<message type="x-pong"{f" ref={quoteattr(ref)}" if ref else ""}/>')

    async def on_gameState(self, message: ElementTree.Element) -> None:
        game = message.find("gameId")
        assert game is not None
        self.game = game.get("id", "")
        if message.find("gameOver") is not None:
            await self.over(message)
            return
        next_player = message.find("nextPlayer")
        answered, self.answered = self.answered, ""
        if next_player is not None and next_player.get("nick") == self.nick and answered != self.game:
            await self.moves(message)

    answered = ""
    """The game whose last state is sent again after a cut, and is not to be answered: its move has arrived."""

    async def over(self, message: ElementTree.Element) -> None:
        """The game is over."""
        await self.send(self.thanks())

    def thanks(self) -> str:
        """The thank you."""
        return f'<message type="thank you"><gameId id={quoteattr(self.game)}/></message>'

    async def moves(self, message: ElementTree.Element) -> None:
        """Its turn."""
        await self.send(self.move(self.number(message)))

    def number(self, message: ElementTree.Element) -> int:
        """How many stones to take."""
        return 1

    def move(self, number: int) -> str:
        """The move."""
        return f'<message type="move"><gameId id={quoteattr(self.game)}/>{take(number).decode()}</message>'

    async def on_serverShutdown(self, message: ElementTree.Element) -> None:
        self.token = ""
