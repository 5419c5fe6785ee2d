"""A game master of the counting game that is right; each of its parts can be replaced by a broken one."""

from collections.abc import Iterator
from xml.etree import ElementTree
from xml.sax.saxutils import quoteattr

import trio

from tests.check.counting import GAME_TYPE, Count, shown, take
from ugs.wire.framing import Framer, Limits

DECLARATION = b'<?xml version="1.0" encoding="UTF-8"?>'
LIMITS = Limits(max_message_bytes=8 * 1024 * 1024, max_depth=1000, max_attributes=10_000, max_markup=1_000_000)


class Master:
    """A master that asks for options, for seeds and for reasons."""

    families: tuple[str, ...] = ("table", "restore", "reason")
    declares = True
    least, most = "2", "2"

    def __init__(self, stream: trio.abc.Stream) -> None:
        self.stream = stream
        self.games: dict[str, Count] = {}
        self.granted: tuple[str, ...] = ()
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

    def first_words(self) -> list[str]:
        """What it says first."""
        hello = f'<message type="x-hello">{"".join(f"<ext name={quoteattr(one)}/>" for one in self.families)}</message>'
        login = (
            f'<message type="gameMasterLogin"><gameMasterLogin id="m7" gameType={quoteattr(GAME_TYPE)} '
            f"playersMin={quoteattr(self.least)} playersMax={quoteattr(self.most)}/></message>"
        )
        return [hello, login] if self.families else [login]

    async def run(self) -> None:
        """Lead until the server closes."""
        await self.send(*self.first_words())
        while data := bytes(await self.stream.receive_some()):
            for document in self.cut(data):
                await self.receives(document)

    async def receives(self, document: bytes) -> None:
        """Do what a message asks for."""
        message = ElementTree.fromstring(document)
        kind = message.get("type", "").replace(" ", "_").replace("-", "_")
        does = getattr(self, f"on_{kind}", None)
        if does is not None:
            await does(message, document)

    async def on_x_hello(self, message: ElementTree.Element, document: bytes) -> None:
        self.granted = tuple(one.get("name", "") for one in message.findall("ext"))

    async def on_loginResponse(self, message: ElementTree.Element, document: bytes) -> None:
        response = message.find("response")
        if response is not None and response.get("accept") == "yes" and "table" in self.granted:
            await self.offers()

    async def offers(self) -> None:
        """What it offers."""
        await self.send('<message type="x-offers"><option name="misere" value="no" values="no yes"/></message>')

    def game_of(self, message: ElementTree.Element) -> str:
        """The id that the message names."""
        game = message.find("gameId")
        assert game is not None
        return game.get("id", "")

    async def on_beginGame(self, message: ElementTree.Element, document: bytes) -> None:
        game = self.game_of(message)
        if game in self.games:
            await self.send('<message type="error">beginGame: this game runs already</message>')
            return
        if message.find("seats") is not None:
            await self.declines(game)
            return
        self.games[game] = Count([one.get("nick", "") for one in message.findall("player")])
        await self.states(game)

    async def declines(self, game: str) -> None:
        """It plays no seats."""
        reason = '<reason code="INVALID_REQUEST">I play no seats</reason>'
        await self.send(f'<message type="x-failed"><gameId id={quoteattr(game)}/>{reason}</message>')

    async def on_x_restore(self, message: ElementTree.Element, document: bytes) -> None:
        game = self.game_of(message)
        self.games[game] = Count([one.get("nick", "") for one in message.findall("player")])
        for past in message:
            if past.tag == "moved":
                (move,) = past
                self.games[game].moves(ElementTree.tostring(move))
            elif past.tag == "left":
                self.games[game].leaves(past.get("nick", ""))
        await self.states(game)

    async def on_move(self, message: ElementTree.Element, document: bytes) -> None:
        game, move = self.game_of(message), message.find("move")
        if game not in self.games or move is None:
            return
        self.judges(self.games[game], move)
        await self.states(game)

    def judges(self, count: Count, move: ElementTree.Element) -> None:
        """Let the rules look at a move."""
        count.moves(ElementTree.tostring(move))

    async def on_playerLeftGame(self, message: ElementTree.Element, document: bytes) -> None:
        game, player = self.game_of(message), message.find("player")
        if game in self.games and player is not None and player.get("nick") in self.games[game].nicks:
            self.games[game].leaves(player.get("nick", ""))
            await self.states(game)

    async def on_x_stop(self, message: ElementTree.Element, document: bytes) -> None:
        self.games.pop(self.game_of(message), None)

    async def states(self, game: str) -> None:
        """Send the state of a game."""
        await self.send(*self.because(game), self.state(game))
        if self.games[game].winner:
            del self.games[game]

    def because(self, game: str) -> list[str]:
        """Why it has ended, for servers that want to know."""
        count = self.games[game]
        if not count.culprit or "reason" not in self.granted:
            return []
        cause = f'<cause code="illegal" nick={quoteattr(count.culprit)}>too many</cause>'
        return [f'<message type="x-reason"><gameId id={quoteattr(game)}/>{cause}</message>']

    def state(self, game: str) -> str:
        """The state of a game."""
        payload = shown(self.games[game].left).decode()
        return f'<message type="gameState"><gameId id={quoteattr(game)}/>{self.turn(game)}{payload}</message>'

    def turn(self, game: str) -> str:
        """Who has to move, or the results."""
        position = self.games[game].position()
        if position.results is None:
            return f"<nextPlayer nick={quoteattr(position.movers[0])}/>"
        return self.results(dict(position.results))

    def results(self, results: dict[str, str]) -> str:
        """The results."""
        players = "".join(f"<player nick={quoteattr(nick)} result={quoteattr(one)}/>" for nick, one in results.items())
        return f"<gameOver>{players}</gameOver>"


class Draws(Master):
    """Draws each position, and offers its legal moves in it."""

    families = (*Master.families, "sketch")
    colour = "red"

    def state(self, game: str) -> str:
        sketch = f'<message type="x-sketch"><gameId id={quoteattr(game)}/>{self.sketch(game)}</message>'
        return (sketch if "sketch" in self.granted else "") + super().state(game)

    def sketch(self, game: str) -> str:
        """How a position looks."""
        count = self.games[game]
        mover, others = count.nicks[count.turn], range(1, min(3, count.left) + 1)
        offers = "".join(
            f'<offer label="take {one}" nick={quoteattr(mover)}>{take(one).decode()}</offer>' for one in others
        )
        pieces = f'<pieces at="{max(0, count.left - 1)},0" colour="{self.colour}"/>'
        return f'<sketch><grid columns="12" rows="1"/>{pieces}{offers if not count.winner else ""}</sketch>'
