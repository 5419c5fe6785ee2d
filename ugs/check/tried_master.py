"""The stage of a game master on trial: a server with players who move as a case wants it.

What holds in every dialogue is watched here during every case; a breach fails a case of its own.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final

from ugs.check import as_server
from ugs.check.byte_line import End
from ugs.check.case import Broken, NotForThis
from ugs.check.led_game import InstalledRules, TriedGame
from ugs.check.referee import FAMILIES, GivenPosition, position_of
from ugs.check.stage import TrialStage
from ugs.check.visitors import Visitors
from ugs.check.xml_spelling import PLAIN, WHOLE, Cut, Style
from ugs.wire import extensions as x
from ugs.wire.codec import WrongMessage, decode
from ugs.wire.extensions import Family
from ugs.wire.framing import Document
from ugs.wire.messages import Error, Extension, GameMasterLogin, GameState, Logout, Message, PlayerLeftGame

MASTER_FAMILIES: Final = (*FAMILIES, Family.SKETCH)
"""The families that are granted to it."""
MESSAGES: Final = "bytes/messages"
FIRST: Final = "entry/login-first"
GRANTED: Final = "ext/granted-only"
UNKNOWN_GAME: Final = "state/own-game"
"""Cases that are watched."""


class TriedMaster(TrialStage):
    """A game master, from its connection on. One case plays with it at a time."""

    def __init__(
        self,
        visitors: Visitors,
        timeout_s: float,
        game_type: str = "",
        rules: Callable[[str], Awaitable[InstalledRules | None]] | None = None,
    ) -> None:
        """``game_type`` is the one that it has to lead; empty: any. ``rules`` finds those of a type."""
        super().__init__(visitors, timeout_s)
        self.game_type = game_type
        self.least = self.most = 2
        self.options: tuple[tuple[str, str], ...] = ()
        self.offered = False
        self.plays_seats = True
        self.games: dict[str, TriedGame] = {}
        self.rules: InstalledRules | None = None
        self._find_rules = rules
        self._ids = 0
        self._because: x.Because | None = None

    def forgets(self) -> None:
        """The connection has ended, and with it all games."""
        self.games.clear()
        self.offered = False

    def needs(self, *families: Family) -> None:
        """Raises NotForThis unless all of the families were granted."""
        missing = [str(one) for one in families if one not in self.granted]
        if missing:
            raise NotForThis(f"the game master does not ask for {', '.join(missing)}")

    def needs_rules(self) -> InstalledRules:
        """The installed rules. Raises NotForThis where there are none."""
        if self.rules is None:
            raise NotForThis(
                f"the rules of {self.game_type} are not installed here, so there is nothing to compare with; to run "
                "these cases, install its package beside ugs (ugs games lists it then)"
            )
        return self.rules

    # Messages.

    async def next_message(self, within_s: float | None = None) -> Message | End:
        """The next message. Raises Broken for what a master may not send."""
        while True:
            document = await self.on.receive(within_s)
            if isinstance(document, End):
                return document
            message = self._read(document)
            if isinstance(message, x.Ping):
                await self.send(as_server.pong(message.ref))
            elif isinstance(message, x.Offers):
                self._offers(message)
            elif isinstance(message, x.Because):
                self._because = message
            elif isinstance(message, x.Sketch | x.Labels):
                self._draws(message)
            elif not isinstance(message, Error):
                return message

    def _draws(self, message: x.Sketch | x.Labels) -> None:
        game = self.games.get(message.game_id)
        if game is not None:
            game.drawings.takes(message)

    def _read(self, document: Document) -> Message:
        try:
            message = decode(document.raw)
        except WrongMessage as wrong:
            raise Broken(f"it has sent a document that is no right message: {wrong}", MESSAGES) from None
        if not isinstance(message, SENT):
            raise Broken(f"it has sent {message.TYPE}, which no game master sends", MESSAGES)
        if isinstance(message, Extension) and not isinstance(message, x.Hello | x.Ping):
            families = NEEDED.get(type(message), ())
            if self.granted.isdisjoint(families):
                named = " or ".join(families)
                raise Broken(f"it has sent {message.TYPE}, but {named} was not granted", GRANTED)
        return message

    # Getting in.

    async def knock(self, families: Sequence[str] | None = None, *, answer_hello: bool = True) -> GameMasterLogin:
        """Take its first messages up to the login, and answer x-hello, with all families that it asks for or with
        these. Nothing answers the login. Raises Broken."""
        self.granted, self.greeted = frozenset(), False
        while True:
            message = await self.next_message()
            if isinstance(message, End):
                raise Broken(f"expected a login; it {message.value}")
            if isinstance(message, GameMasterLogin):
                return message
            if not isinstance(message, x.Hello) or self.greeted:
                raise Broken(f"expected a login; it has sent {message.TYPE}", FIRST)
            self.greeted = True
            wanted = [str(one) for one in MASTER_FAMILIES] if families is None else families
            granted = [one for one in wanted if one in message.families]
            self.granted = frozenset(granted)
            if answer_hello:
                await self.send(as_server.hello(granted if families is None else families))

    def check_login(self, login: GameMasterLogin) -> None:
        """Raises Broken for a login that is not in order."""
        if not login.id or not login.id.strip():
            raise Broken("expected an id in its gameMasterLogin; there is none")
        if not login.game_type or (self.game_type and login.game_type != self.game_type):
            raise Broken(
                f"expected gameType {self.game_type or 'a word'!r} in its gameMasterLogin; it was {login.game_type!r}"
            )
        least, most = login.players_min or "", login.players_max or ""
        if not (_whole(least) and _whole(most) and 2 <= int(least) <= int(most)):
            raise Broken(f"expected playersMin and playersMax from 2 on; they were {least!r} and {most!r}")
        self.least, self.most, self.game_type = int(least), int(most), login.game_type

    async def enter(self) -> None:
        """Let it log in as most servers do. Raises Broken."""
        self.check_login(await self.knock())
        await self.send(as_server.accepted())
        await self.offers()

    async def offers(self) -> None:
        """Take its offers, if it has to make some. The rules of its game are found then: that may take its time, and
        the answer to a login may not. Raises Broken."""
        await self._take_offers()
        if self.rules is None and self._find_rules is not None:
            self.rules = await self._find_rules(self.game_type)

    async def _take_offers(self) -> None:
        if Family.TABLE not in self.granted or self.offered:
            return
        while not self.offered:
            document = await self.on.receive()
            if isinstance(document, End):
                raise Broken(f"expected x-offers after its login; it {document.value}")
            message = self._read(document)
            if isinstance(message, x.Offers):
                self._offers(message)

    def _offers(self, message: x.Offers) -> None:
        self.offered, self.plays_seats = True, message.plays_seats
        self.options = tuple((one.name, one.value) for one in message.options)

    # Games.

    def nicks(self, number: int | None = None) -> list[str]:
        """Nicks for a game."""
        return ["ann", "Jürgen", *(f"Player {place}" for place in range(3, 100))][: number or self.least]

    def new_game(self, nicks: Sequence[str] = (), id: str = "") -> TriedGame:
        """A game that is going to be led."""
        self._ids += 1
        game = TriedGame(self, id or f"Zr7kQ2mXw{self._ids}", tuple(nicks or self.nicks()))
        self.games[game.id] = game
        return game

    async def begin(
        self, nicks: Sequence[str] = (), id: str = "", *, style: Style = PLAIN, cut: Cut = WHOLE, seed: str = "check"
    ) -> TriedGame:
        """Begin a game, and take its first state. Raises Broken."""
        game = self.new_game(nicks, id)
        await self.send(game.beginning(seed), style=style, cut=cut)
        await game.answered()
        return game

    async def state(self) -> tuple[TriedGame, GivenPosition]:
        """The next state of some game that is awaited; what comes of games that are not needed any more is passed over.
        Raises Broken."""
        while True:
            message = await self.next_message()
            if isinstance(message, End):
                waiting = ", ".join(game.id for game in self.games.values() if game.owed) or "none"
                raise Broken(f"expected a gameState (games that wait for one: {waiting}); it {message.value}")
            if isinstance(message, Logout):
                raise Broken("expected a gameState; it has sent logout")
            if isinstance(message, GameState | x.Views | PlayerLeftGame | x.Failed):
                found = self._of_game(message)
                if found is not None:
                    return found

    def _of_game(
        self, message: GameState | x.Views | PlayerLeftGame | x.Failed
    ) -> tuple[TriedGame, GivenPosition] | None:
        game = self.games.get(message.game_id)
        if game is None:
            raise Broken(
                f"it has sent {message.TYPE} of game {message.game_id!r}, which it was not given", UNKNOWN_GAME
            )
        if game.dropped:
            return None
        if isinstance(message, x.Failed):
            raise Broken(f"expected a gameState of game {game.id}; it gives the game up: {message.text}")
        if isinstance(message, PlayerLeftGame):
            game.takes_out(message.nick)
            return None
        because, self._because = self._because, None
        position = position_of(message, because if because is not None and because.game_id == game.id else None)
        game.takes(position)
        return game, position

    async def plays_on(self) -> None:
        """It is all right still: it begins a game, and leads it for a turn where moves are known. Raises Broken."""
        game = await self.begin()
        if game.knows_move:
            await game.turn()
        await game.drop()


SENT: Final = (GameMasterLogin, GameState, PlayerLeftGame, Logout, Error, x.Hello, x.Ping, x.Pong, x.Views, x.Offers,
               x.Labels, x.Because, x.Failed, x.Sketch)  # fmt: skip
"""What a master sends."""
NEEDED: Final[Mapping[type[Extension], tuple[str, ...]]] = {
    x.Views: (Family.VIEWS,),
    x.Offers: (Family.TABLE,),
    x.Labels: (Family.TABLE,),
    x.Failed: (Family.TABLE, Family.RESTORE, Family.REASON),
    x.Because: (Family.REASON,),
    x.Sketch: (Family.SKETCH,),
}
"""The families that a message belongs to: one of them is enough."""


def _whole(text: str) -> bool:
    # isdigit alone takes digits of any script, and int refuses thousands of them.
    return text.isascii() and text.isdigit() and len(text) < 10
