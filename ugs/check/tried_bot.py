"""The stage of a bot on trial: everything around it, server, game master and opponents.

What holds in every dialogue is watched here during every case; a breach fails a case of its own.
"""

from collections.abc import Sequence
from typing import Final

from ugs.check import as_server
from ugs.check.bot_game import BotGame
from ugs.check.bot_requests import ANSWERS, BOTH_WAYS, NEEDED, SENT
from ugs.check.byte_line import End
from ugs.check.case import Broken, NotForThis
from ugs.check.referee import Opponents, Referee
from ugs.check.stage import TrialStage
from ugs.check.visitors import Visitors
from ugs.check.xml_spelling import SpelledElement
from ugs.wire import extensions as x
from ugs.wire.codec import WrongMessage, decode
from ugs.wire.extensions import FAMILIES_OF, Family
from ugs.wire.framing import Document
from ugs.wire.messages import (
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


class TriedBot(TrialStage):
    """A bot, from its connection on. One case plays on it at a time."""

    def __init__(
        self, visitors: Visitors, referee: Referee, opponents: Opponents, game_type: str, timeout_s: float
    ) -> None:
        super().__init__(visitors, timeout_s)
        self.referee = referee
        self.opponents = opponents
        self.game_type = game_type
        self.nick = ""
        self.asked_families: frozenset[str] = frozenset()
        self.game: BotGame | None = None
        """The game that it is in, or owes thanks for."""
        self._games = 0
        self._asked: set[str] = set()
        """The ids of games that wait for its move."""
        self._void: set[str] = set()

    def forgets(self) -> None:
        """The connection has ended, and with it its game."""
        self.game, self.nick = None, ""
        self._asked.clear()

    def needs(self, *families: Family) -> None:
        """Raises NotForThis unless one of the families was granted."""
        if not self.granted & {str(one) for one in families}:
            raise NotForThis(f"the bot does not ask for {' or '.join(families)}")

    # Messages.

    async def next_message(self, within_s: float | None = None) -> Message | End:
        """The next message that is not about an extension. Raises Broken for what a bot may not send."""
        while True:
            document = await self.on.receive(within_s)
            if isinstance(document, End):
                return document
            message = self._read(document)
            answer = ANSWERS.get(type(message))
            # These two come before anything is granted.
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
        if not isinstance(message, SENT) and not isinstance(message, Extension):
            raise Broken(f"it has sent {message.TYPE}, which no player sends", MESSAGES)
        if isinstance(message, Extension) and type(message) in FAMILIES_OF and type(message) not in BOTH_WAYS:
            raise Broken(f"it has sent {message.TYPE}, which only a server sends", MESSAGES)
        return message

    def _check_granted(self, message: Extension) -> None:
        if not self.greeted:
            raise Broken(f"it has sent {message.TYPE} and no x-hello before", GRANTED)
        family = NEEDED.get(type(message))
        if family is not None and family not in self.granted:
            raise Broken(f"it has sent {message.TYPE}, but {family} was not granted", GRANTED)

    # Getting in.

    async def knock(
        self, families: Sequence[str] | None = None, *, answer_hello: bool = True, back: bool = False
    ) -> PlayerLogin | x.Resume:
        """Take its first messages up to the login, and answer x-hello, with all families that it asks for or with
        these. Nothing answers the login. ``back``: it may take up its session, which is over otherwise. Raises
        Broken."""
        self.granted, self.greeted, self.asked_families = frozenset(), False, frozenset()
        while True:
            message = await self.next_message()
            if isinstance(message, End):
                raise Broken(f"expected a login; it {message.value}")
            if isinstance(message, x.Resume) and message.token == TOKEN and not back:
                # It knows the session of an earlier case: it runs on from case to case, or keeps the token in a file.
                await self.send(as_server.failed("INVALID_PLAYER", "x-resume: there is no such session"))
                continue
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

    def welcome(self, *, resumed: bool = False, turn: bool | None = None) -> list[SpelledElement]:
        """The answer to a login that is accepted."""
        answers = [as_server.accepted()]
        if Family.SESSION in self.granted:
            answers.append(as_server.session(TOKEN, self.nick, resumed=resumed, turn=turn))
        return answers

    def table(self) -> SpelledElement:
        """The table that an idle player is sent."""
        return as_server.champions([(self.nick, 0, 0)])

    async def enter(self) -> None:
        """Let it log in as most servers do. Raises Broken."""
        self.check_login(await self.knock())
        await self.send(*self.welcome(), self.table())

    # Games.

    async def begin(self, *, opponent: str = "", second: bool = False, id: str = "", seed: str = "check") -> BotGame:
        """Begin a game with it. It learns of that by its first state. With ``second`` it does not have the first
        seat."""
        if self.line is None:  # it had logged out
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
            message = await self.next_message()
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
            message = await self.next_message()
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
