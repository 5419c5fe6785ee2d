"""A game with the bot on trial: whose turn it is, what the bot is shown, how it ends."""

from collections.abc import Mapping
from typing import Final, Protocol

from ugs.check import as_server
from ugs.check.byte_line import ByteLine
from ugs.check.case import NotForThis
from ugs.check.referee import NOTHING, GivenPosition, Opponents, Referee
from ugs.check.xml_spelling import PLAIN, WHOLE, Cut, SpelledElement, Style
from ugs.wire.messages import Move

MAX_ASKED: Final = 10_000
"""Moves of a game that bots do not bring to an end."""


class BotOnTrial(Protocol):
    """The bot, as far as a game has to do with it."""

    nick: str
    line: ByteLine | None
    referee: Referee
    opponents: Opponents
    game: "BotGame | None"
    """The game that it is in, or owes thanks for."""

    async def send(self, *messages: SpelledElement, style: Style = PLAIN, cut: Cut = WHOLE) -> None:
        """Send messages glued to each other, in this spelling and these pieces."""

    def asks(self, game_id: str) -> None:
        """It is asked for a move from now on."""

    async def move(self) -> Move:
        """Its move. Raises Broken."""

    async def thanks(self) -> None:
        """Its thank you for the game, or its good-bye. Raises Broken."""

    def table(self) -> SpelledElement:
        """The table that an idle player is sent."""


class BotGame:
    """A game with the bot on trial."""

    def __init__(self, bot: BotOnTrial, id: str, nicks: tuple[str, ...], position: GivenPosition) -> None:
        self.bot = bot
        self.id = id
        self.nicks = nicks
        self.position = position
        self.earlier: list[bytes] = []
        """The states that the bot was shown before the present one."""

    @property
    def opponent(self) -> str:
        """The first of the others."""
        return next(nick for nick in self.nicks if nick != self.bot.nick)

    def state(self) -> SpelledElement:
        """The present state as the bot is shown it, while the game goes on."""
        movers = self.position.movers
        # v4 names one player: the bot itself, wherever it may move.
        named = self.bot.nick if self.bot.nick in movers else movers[0]
        return as_server.state(self.id, named, self.position.shown_to(self.bot.nick))

    async def until_turn(self) -> bool:
        """Let the others move until it is the bot's turn; it is shown what they see. False if the game has ended."""
        for _ in range(MAX_ASKED):
            if self.position.results is not None:
                return False
            if self.bot.nick in self.position.movers:
                return True
            await self.bot.send(self.state())
            await self.others_move()
        raise NotForThis(f"the opponents have made {MAX_ASKED} moves in a row")

    async def others_move(self) -> None:
        """One of the others moves."""
        mover = self.position.movers[0]
        payload = self.bot.opponents.move(self.id, mover, self.position)
        self.earlier.append(self.position.shown_to(self.bot.nick))
        self.position = await self.bot.referee.moved(self.id, mover, payload)

    async def asks(self, style: Style = PLAIN, cut: Cut = WHOLE) -> bool:
        """Ask the bot for its move, in this spelling and these pieces. False if the game has ended before."""
        if not await self.until_turn():
            return False
        self.bot.asks(self.id)
        await self.bot.send(self.state(), style=style, cut=cut)
        return True

    async def answered(self) -> Move:
        """Take the move that was asked for."""
        move = await self.bot.move()
        await self.takes(move)
        return move

    async def takes(self, move: Move) -> None:
        """The bot has made this move."""
        self.earlier.append(self.position.shown_to(self.bot.nick))
        self.position = await self.bot.referee.moved(self.id, self.bot.nick, move.payload)

    async def turn(self, style: Style = PLAIN, cut: Cut = WHOLE) -> Move | None:
        """Ask for a move and take it; None if the game has ended before."""
        return await self.answered() if await self.asks(style, cut) else None

    def results(self, winner: str = "") -> dict[str, str]:
        """Results with one winner: the bot, unless another one is named."""
        return {nick: "winner" if nick == (winner or self.bot.nick) else "loser" for nick in self.nicks}

    def over(self, results: Mapping[str, str] | None = None, payload: bytes | None = None) -> SpelledElement:
        """The end of the game, even where the rules know none: a server may end it, too."""
        shown = self.position.shown_to(self.bot.nick) if payload is None else payload
        return as_server.over(self.id, self.results() if results is None else results, shown)

    async def ends(self, style: Style = PLAIN, cut: Cut = WHOLE) -> None:
        """End the game, and take the thank you."""
        await self.bot.send(
            self.over(payload=None if self.position.results is not None else NOTHING), style=style, cut=cut
        )
        await self.thanked()

    async def thanked(self) -> None:
        """Take the thank you for the end that was sent."""
        await self.bot.thanks()
        await self.forgotten()
        # It may have logged out in the place of thanks.
        if self.bot.line is not None:
            await self.bot.send(self.bot.table())

    async def forgotten(self) -> None:
        """The game is not needed any more."""
        self.bot.opponents.forget(self.id)
        self.bot.game = None
        await self.bot.referee.drop(self.id)
