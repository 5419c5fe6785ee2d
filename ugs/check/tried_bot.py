"""The stage on which a bot is tried: everything around it, server, game master and opponents.

What holds in every dialogue is watched here, whatever the case is: it is the case of its own that fails then.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final

from ugs.check import as_server
from ugs.check.byte_line import End, Line
from ugs.check.case import Broken, NotForThis
from ugs.check.referee import NOTHING, Opponents, Position, Referee
from ugs.check.spelling import PLAIN, WHOLE, Cut, Element, Style, element, write
from ugs.check.visitors import Visitors
from ugs.wire import extensions as x
from ugs.wire.codec import WrongMessage, decode
from ugs.wire.extensions import FAMILIES_OF, Family
from ugs.wire.framing import Document
from ugs.wire.messages import (
    Error,
    Extension,
    LeaveGame,
    Logout,
    Message,
    Move,
    PlayerLogin,
    ThankYou,
)

MESSAGES: Final = "bytes/messages"
FIRST: Final = "entry/login-first"
ONE_LOGIN: Final = "entry/one-login"
GRANTED: Final = "ext/granted-only"
UNASKED: Final = "turn/only-when-asked"
OWN_GAME: Final = "turn/own-game"
THANKS: Final = "over/thanks-once"
STAYS: Final = "play/stays"
"""Cases that are watched."""

PLAYER_FAMILIES: Final = (
    Family.SESSION,
    Family.STATE,
    Family.LOBBY,
    Family.CHAT,
    Family.CLOCK,
    Family.REJOIN,
    Family.REASON,
)
TOKEN: Final = "hX2nV8rTq0aLw7cJ4mZs"
MAX_ASKED: Final = 10_000
"""Moves of a game in which bots do not come to an end."""


class TriedBot:
    """A bot, from its connection on. One case plays on it at a time."""

    def __init__(
        self, visitors: Visitors, referee: Referee, opponents: Opponents, game_type: str, timeout_s: float
    ) -> None:
        self.visitors = visitors
        self.referee = referee
        self.opponents = opponents
        self.game_type = game_type
        self.timeout_s = timeout_s
        self.line: Line | None = None
        self.nick = ""
        self.asked_families: frozenset[str] = frozenset()
        self.granted: frozenset[str] = frozenset()
        self.greeted = False
        self.game: BotGame | None = None
        """The game that it is in, or owes thanks for."""
        self._games = 0
        self._asked: set[str] = set()
        """The ids of games in which a move of it is awaited."""
        self._void: set[str] = set()

    # From one case to the next.

    async def begins(self, *, fresh: bool) -> None:
        """A case begins. Raises Broken, NoProgram."""
        if self.line is None or fresh:
            await self.leaves()
            self.line = Line(await self.visitors.fresh(), self.timeout_s)
            if not fresh:
                await self.enter()
        if not fresh:
            self.line.begins()

    async def leaves(self) -> None:
        """A case has failed, or needs a new connection: end this one."""
        if self.line is not None:
            await self.line.close()
        self.line, self.game, self.nick = None, None, ""
        self._asked.clear()

    @property
    def on(self) -> Line:
        """The connection."""
        assert self.line is not None
        return self.line

    def needs(self, *families: Family) -> None:
        """Raises NotForThis unless one of the families was granted."""
        if not self.granted & {str(one) for one in families}:
            raise NotForThis(f"the bot does not ask for {' or '.join(families)}")

    # Messages.

    def declares(self) -> bool:
        """Whether a document to it begins with a declaration."""
        return self.on.declared is not False

    async def send(self, *messages: Element, style: Style = PLAIN, cut: Cut = WHOLE) -> None:
        """Send messages glued to each other, in this spelling and these pieces."""
        data = b"".join(write(one, style, declared=self.declares()) for one in messages)
        await self.on.send(*cut.pieces(data))

    async def hear(self, within_s: float | None = None) -> Message | End:
        """The next message that is not about an extension. Raises Broken for what a bot may not say."""
        while True:
            document = await self.on.receive(within_s)
            if isinstance(document, End):
                return document
            message = self._read(document)
            answer = ANSWERS.get(type(message))
            if isinstance(message, Extension) and not isinstance(message, x.Hello | x.Resume):
                self._check_granted(message)
            if answer is None:
                return message
            await answer(self, message)

    def _read(self, document: Document) -> Message:
        try:
            message = decode(document.raw)
        except WrongMessage as wrong:
            raise Broken(f"it has sent a document that is no right message: {wrong}", MESSAGES) from None
        if not isinstance(message, SAYS) and not isinstance(message, Extension):
            raise Broken(f"it has sent {message.TYPE}, which no player sends", MESSAGES)
        if isinstance(message, Extension) and type(message) in FAMILIES_OF and type(message) not in BOTH_WAYS:
            raise Broken(f"it has sent {message.TYPE}, which only a server sends", MESSAGES)
        return message

    def _check_granted(self, message: Extension) -> None:
        if not self.greeted:
            raise Broken(f"it has sent {message.TYPE} and has not said x-hello", GRANTED)
        family = NEEDED.get(type(message))
        if family is not None and family not in self.granted:
            raise Broken(f"it has sent {message.TYPE}, but {family} was not granted", GRANTED)

    # Getting in.

    async def knock(
        self, families: Sequence[str] | None = None, *, answer_hello: bool = True
    ) -> PlayerLogin | x.Resume:
        """Take its first messages up to the login, and answer x-hello, with all families that it asks for or with
        these. Nothing answers the login. Raises Broken."""
        self.granted, self.greeted, self.asked_families = frozenset(), False, frozenset()
        while True:
            message = await self.hear()
            if isinstance(message, End):
                raise Broken(f"expected a login; it {message.value}")
            if isinstance(message, PlayerLogin | x.Resume):
                return message
            if not isinstance(message, x.Hello) or self.greeted:
                raise Broken(f"expected a login; it has sent {message.TYPE}", FIRST)
            self.asked_families, self.greeted = frozenset(message.families), True
            wanted = [str(one) for one in PLAYER_FAMILIES] if families is None else families
            granted = [one for one in wanted if one in self.asked_families]
            self.granted = frozenset(granted)
            if answer_hello:
                await self.send(as_server.hello(granted if families is None else families))

    def check_login(self, login: PlayerLogin | x.Resume) -> None:
        """Raises Broken for a login that is not in order."""
        if isinstance(login, x.Resume):
            raise Broken("expected a playerLogin; it has sent x-resume, and has never had a session here", FIRST)
        if not login.nick or not login.nick.strip():
            raise Broken("expected a nick in its playerLogin; there is none")
        if login.game_type != self.game_type:
            raise Broken(f"expected gameType {self.game_type!r} in its playerLogin; it was {login.game_type!r}")
        self.nick = login.nick

    def welcome(self, *, resumed: bool = False, turn: bool = False) -> list[Element]:
        """The answer to a login that is accepted."""
        told = [as_server.accepted()]
        if Family.SESSION in self.granted:
            told.append(as_server.session(TOKEN, self.nick, resumed=resumed, turn=turn))
        return told

    def table(self) -> Element:
        """The table that an idle player is sent."""
        return as_server.champions([(self.nick, 0, 0)])

    async def enter(self) -> None:
        """Let it log in as most servers do. Raises Broken."""
        self.check_login(await self.knock())
        await self.send(*self.welcome(), self.table())

    # Games.

    async def begin(self, *, opponent: str = "", second: bool = False, id: str = "", seed: str = "check") -> "BotGame":
        """Begin a game with it. It learns of that by its first state. With ``second`` it does not have the first
        seat."""
        if self.line is None:  # it had said good-bye
            await self.begins(fresh=False)
        self._games += 1
        game_id = id or f"Zr7kQ2mXw{self._games}"
        others = [opponent or "Opponent", *(f"Opponent {number}" for number in range(2, self.referee.least))]
        nicks = [others[0], self.nick, *others[1:]] if second else [self.nick, *others]
        position = await self.referee.begin(game_id, nicks, seed)
        self.game = BotGame(self, game_id, tuple(nicks), position)
        return self.game

    def asks(self, game_id: str) -> None:
        """It is asked for a move from now on."""
        self.on.asks()
        self._asked.add(game_id)

    def asks_no_more(self, game_id: str) -> None:
        """A move is not awaited any more: what comes is late, and no mistake."""
        self._asked.discard(game_id)
        self._void.add(game_id)

    async def move(self) -> Move:
        """Its move. Raises Broken."""
        assert self.game is not None
        while True:
            message = await self.hear()
            if isinstance(message, End):
                raise Broken(f"expected a move in game {self.game.id}; it {message.value}")
            if isinstance(message, Move):
                self._check_move(message)
                if message.game_id == self.game.id:
                    return message
            elif isinstance(message, LeaveGame | Logout):
                raise Broken(f"expected a move in game {self.game.id}; it has sent {message.TYPE}")
            else:
                self._unexpected(message)

    def _check_move(self, message: Move) -> None:
        assert self.game is not None
        if message.game_id in self._void:
            self._void.discard(message.game_id)  # one that was on its way
        elif message.game_id != self.game.id:
            raise Broken(f"expected gameId {self.game.id!r} in its move; it was {message.game_id!r}", OWN_GAME)
        elif message.game_id not in self._asked:
            raise Broken(f"it has moved in game {message.game_id}, and was not asked", UNASKED)
        self._asked.discard(message.game_id)

    async def thanks(self) -> None:
        """Its thank you for the game, or its good-bye. Raises Broken."""
        assert self.game is not None
        game = self.game
        while True:
            message = await self.hear()
            if isinstance(message, End):
                raise Broken(f"expected a thank you for game {game.id}; it {message.value}")
            if isinstance(message, Logout):
                await self.leaves()
                return
            if isinstance(message, ThankYou) and message.game_id == game.id:
                self.game = None
                return
            if isinstance(message, ThankYou):
                raise Broken(f"expected a thank you for game {game.id!r}; it was for {message.game_id!r}", THANKS)
            if isinstance(message, Move):
                self._check_move(message)
            elif isinstance(message, LeaveGame):
                raise Broken(f"expected a thank you for game {game.id}; it has sent leaveGame")
            else:
                self._unexpected(message)

    def _unexpected(self, message: Message) -> None:
        if isinstance(message, PlayerLogin | x.Hello | x.Resume):
            raise Broken(f"it has sent {message.TYPE} and is logged in", ONE_LOGIN)
        if isinstance(message, ThankYou):
            raise Broken(f"it has thanked for game {message.game_id}, and owes no thank you", THANKS)

    async def plays_on(self) -> None:
        """It is all right still: it plays a short game. Raises Broken."""
        game = await self.begin()
        await game.turn()
        await game.ends()


class BotGame:
    """A game with the bot on trial."""

    def __init__(self, bot: TriedBot, id: str, nicks: tuple[str, ...], position: Position) -> None:
        self.bot = bot
        self.id = id
        self.nicks = nicks
        self.position = position

    @property
    def opponent(self) -> str:
        """The first of the others."""
        return next(nick for nick in self.nicks if nick != self.bot.nick)

    def state(self) -> Element:
        """The present state as the bot is shown it, while somebody may move."""
        movers = self.position.movers
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
        self.position = await self.bot.referee.moved(self.id, self.bot.nick, move.payload)
        return move

    async def turn(self, style: Style = PLAIN, cut: Cut = WHOLE) -> Move | None:
        """Ask for a move and take it; None if the game has ended before."""
        return await self.answered() if await self.asks(style, cut) else None

    def results(self, winner: str = "") -> dict[str, str]:
        """Results in which one has won: the bot, unless another one is named."""
        return {nick: "winner" if nick == (winner or self.bot.nick) else "loser" for nick in self.nicks}

    def over(self, results: Mapping[str, str] | None = None, payload: bytes | None = None) -> Element:
        """The end of the game, whatever the rules say of it: a server may end it, too."""
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
        if self.bot.line is not None:
            await self.bot.send(self.bot.table())

    async def forgotten(self) -> None:
        """The game is not needed any more."""
        self.bot.opponents.forget(self.id)
        self.bot.game = None
        await self.bot.referee.drop(self.id)


SAYS: Final = (PlayerLogin, Move, ThankYou, LeaveGame, Logout, Error)
"""What a player says in v4."""
BOTH_WAYS: Final = frozenset({x.Hello, x.Ping, x.Pong, x.Why, x.Because})
NEEDED: Final[Mapping[type[Extension], str]] = {
    x.Resend: Family.STATE,
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


async def _ignores(_bot: TriedBot, _message: Message) -> None:
    """Nothing is to be said about it."""


async def _pings(bot: TriedBot, message: Message) -> None:
    assert isinstance(message, x.Ping)
    await bot.send(as_server.pong(message.ref))


async def _grants(bot: TriedBot, message: Message) -> None:
    await bot.send(as_server.ok(getattr(message, "ref", "")))


async def _refuses(bot: TriedBot, message: Message) -> None:
    await bot.send(as_server.failed("INVALID_GAME", f"{message.TYPE}: no such game", getattr(message, "ref", "")))


async def _resends(bot: TriedBot, message: Message) -> None:
    if bot.game is None or bot.game.position.results is not None:
        await _refuses(bot, message)
    else:
        await bot.send(bot.game.state())


async def _shows_clock(bot: TriedBot, message: Message) -> None:
    if bot.game is None:
        await _refuses(bot, message)
    else:
        await bot.send(as_server.clock(bot.game.id, bot.game.nicks, getattr(message, "ref", "")))


async def _accounts(bot: TriedBot, message: Message) -> None:
    account = element("account", "it waits for a game")
    ref = getattr(message, "ref", "")
    await bot.send(as_server.message("x-account", account, **({"ref": ref} if ref else {})))


LISTS: Final = {"x-listPlayers": "x-players", "x-listGameTypes": "x-gameTypes", "x-listTables": "x-tables"}


async def _lists(bot: TriedBot, message: Message) -> None:
    ref = getattr(message, "ref", "")
    await bot.send(as_server.message(LISTS[message.TYPE], **({"ref": ref} if ref else {})))


ANSWERS: Final[Mapping[type, Callable[[TriedBot, Message], Awaitable[None]]]] = {
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
    x.ShowClock: _shows_clock,
    x.Why: _accounts,
    x.ListPlayers: _lists,
    x.ListGameTypes: _lists,
    x.ListTables: _lists,
}
"""What a server does about the messages that may come at any time."""
