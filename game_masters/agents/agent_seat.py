"""One agent at a server: a connection to the broker, what it was shown there, and what it answered.

The agent is a player with a lobby, so that it learns who sits where, and waits for one game at a time: a game that it
does not ask for cannot begin while it thinks about something else.
"""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import singledispatchmethod
from typing import Final

import structlog
import trio

from game_masters.kit.rules import AnyGame
from ugs import __version__
from ugs.peer import Peer, check_acceptable
from ugs.pictures.contract import (
    MAX_STATE_BYTES,
    MAX_STATE_TAGS,
    Follower,
    Offer,
    Picture,
    Scene,
    Seat,
    Shown,
)
from ugs.printable import safe
from ugs.wire import extensions as x
from ugs.wire.codec import encode
from ugs.wire.errors import WireError, WrongMessage
from ugs.wire.messages import (
    Error,
    GameState,
    LeaveGame,
    LoginResponse,
    Logout,
    Message,
    Move,
    PlayerLogin,
    Result,
    ServerShutdown,
    ThankYou,
)

LOG: Final = structlog.get_logger("ugs.agents")
FAMILIES: Final = tuple(map(str, (x.Family.LOBBY, x.Family.STATE, x.Family.REASON, x.Family.CLOCK)))
PLAYED: Final = frozenset({x.SeatState.PLAYING, x.SeatState.FINISHED, x.SeatState.QUIT})
"""States of seats that only a game has."""
MAX_NEWS: Final = 60
"""Lines of news."""
MAX_NEWS_LINE: Final = 400
"""Characters of one."""
MAX_UNSEEN: Final = 16
MAX_NOTES: Final = 8
"""Latest lines from the server."""
UNREADABLE: Final = b"<move><unreadable/></move>"
"""Sent in place of a move that is none of the offers."""
STILL: Final = "still"
"""The ``ref`` of the question whether the agent is in its game still: it may have been taken out of it."""
ACCOUNT_S: Final = 5.0
"""How long the answer to a question may take."""


class SeatPhase(StrEnum):
    """What the agent is doing."""

    COMING = "coming in"
    LOBBY = "in no game"
    WAITING = "waiting for a game"
    PLAYING = "in a game"
    OVER = "the game is over"
    OUT = "not logged in"


class UnfitMove(Exception):
    """The move cannot be made now. The text gives the reason, and what can be done."""


@dataclass(slots=True)
class AgentGame:
    """The game of an agent, or its last one."""

    id: str
    seats: Sequence[x.SeatInfo] = ()
    states: int = 0
    mine: bool = False
    """Whether the agent is asked for a move."""
    payload: bytes = b""
    unseen: deque[GameState] = field(default_factory=lambda: deque(maxlen=MAX_UNSEEN))
    """States that came before the seats were known: the latest."""
    follow: Follower | None = None
    picture: Picture | None = None
    offers: Sequence[Offer] = ()
    news: deque[str] = field(default_factory=lambda: deque(maxlen=MAX_NEWS))
    """What has happened since the agent looked last: the latest, however long it does not look."""
    own_move: bytes = b""
    unfit: int = 0
    """How often the agent named a move that it could not make."""
    result: str = ""
    end_shown: bool = False


class AgentSeat:
    """One agent. :meth:`run` has to run for it.

    ``options`` are those of the game as its master plays it, which a player in a pool is not sent.
    """

    def __init__(self, game: AnyGame, nick: str, token: str = "", *, options: Mapping[str, str] | None = None) -> None:
        self.game = game
        self.nick = nick
        self.phase = SeatPhase.COMING
        self.played: AgentGame | None = None
        self.notes: list[str] = []
        self._token = token
        self._options = options or {}
        self._refusal = ""
        self._peer: Peer | None = None
        self._sending = trio.Lock()
        self._lot = trio.lowlevel.ParkingLot()
        self._account = ""
        self._waits = 0
        """How often a turn was waited for."""
        self._scope = trio.CancelScope()

    def check_login(self) -> None:
        """Raises ValueError for a nick or a token that no message can hold."""
        for message in self._login():
            encode(message)

    def _login(self) -> tuple[Message, ...]:
        hello = x.Hello(FAMILIES, "ugs mcp", __version__, token=self._token)
        return hello, PlayerLogin(self.nick, self.game.game_type)

    async def run(self, peer: Peer) -> None:
        """Log in over this connection, and play until either side hangs up."""
        self._peer = peer
        with self._scope:
            async with peer:
                try:
                    await self._send(*self._login())
                    await self._listen(peer)
                except (trio.BrokenResourceError, trio.ClosedResourceError, WireError):
                    pass
                except (
                    Exception
                ):  # a bug, or a picture that fails in a way that no other did: the seats of others play on
                    LOG.exception("agent's seat failed", nick=safe(self.nick))
                    self._refusal = "its seat has failed; see the server's log"
                finally:
                    self.phase = SeatPhase.OUT
                    self._lot.unpark_all()

    async def _listen(self, peer: Peer) -> None:
        while True:
            try:
                message = await peer.receive()
            except WrongMessage:
                continue
            if message is None:
                return
            answers = self._receive(message)
            self._lot.unpark_all()
            if answers:
                await self._send(*answers)

    async def _send(self, *messages: Message) -> None:
        assert self._peer is not None
        async with self._sending:
            await self._peer.send(*messages)

    # --- what the agent does ----------------------------------------------------------------------------------------

    @property
    def refusal(self) -> str:
        """Why the agent is not let in, or was sent away; empty while it is in."""
        return self._refusal if self.phase is SeatPhase.OUT else ""

    async def comes_in(self) -> bool:
        """Wait until the login is answered; whether the agent is in."""
        while self.phase is SeatPhase.COMING:
            await self._lot.park()
        return self.phase is not SeatPhase.OUT

    async def waits_for_game(self) -> None:
        """Ask for a game, unless there is one, or it was asked for before."""
        if self.phase in (SeatPhase.LOBBY, SeatPhase.OVER):
            self.phase = SeatPhase.WAITING
            await self._send(x.Wait("wait", once=True))

    async def turn(self, seconds: float) -> None:
        """Wait until the agent is asked for a move, its game is over, or it is out; at most so long. A later call ends
        an earlier one: who has lost its connection calls again."""
        self._waits += 1
        mine = self._waits
        self._lot.unpark_all()
        with trio.move_on_after(seconds):
            while self.phase in (SeatPhase.WAITING, SeatPhase.PLAYING) and not (self.played and self.played.mine):
                await self._lot.park()
                if mine != self._waits:
                    return

    def shows_end(self) -> bool:
        """Return whether the end of the game is shown for the first time, as it is now."""
        game = self.played
        first = game is not None and not game.end_shown
        if game is not None:
            game.end_shown = True
        return first

    async def moves(self, wanted: int | str) -> str:
        """Make a move: the number of an offer, its label, or a whole ``<move>`` element. Returns what was sent. Raises
        UnfitMove when the agent is not asked."""
        game = self.played
        if game is None or not game.mine or self.phase is not SeatPhase.PLAYING:
            raise UnfitMove(f"you are not asked for a move: {self.phase}")
        label, payload = self._chosen(game, wanted)
        move = Move(game.id, payload)
        try:
            check_acceptable(move)
        except (ValueError, WireError, WrongMessage) as error:
            label, move = self._unfit(game, f"the move cannot be sent: {error}")
        game.mine, game.own_move, game.offers = False, move.payload, ()
        await self._send(move)
        return label

    def _chosen(self, game: AgentGame, wanted: int | str) -> tuple[str, bytes]:
        text = str(wanted).strip()
        if text.startswith("<move"):
            return "your own <move>", text.encode()
        for number, offer in enumerate(game.offers):
            if text in (str(number), offer.label):
                return offer.label, offer.move
        label, move = self._unfit(game, f"{text[:40]!r} is none of your moves; they are numbered from 0")
        return label, move.payload

    def _unfit(self, game: AgentGame, why: str) -> tuple[str, Move]:
        """Count a move that cannot be made. An unreadable one is sent in its place: the server decides what follows, as
        for any player."""
        game.unfit += 1
        return f"no move: {why}; the server decides what follows", Move(game.id, UNREADABLE)

    async def account(self) -> str:
        """Return why the agent waits, or why its last game ended, in the words of the server."""
        self._account = ""
        game_id = self.played.id if self.played is not None and self.phase is SeatPhase.OVER else ""
        await self._send(x.Why(game_id=game_id, ref="why"))
        with trio.move_on_after(ACCOUNT_S):
            while not self._account and self.phase is not SeatPhase.OUT:
                await self._lot.park()
        return self._account or "the server has given no reason"

    async def leave(self) -> None:
        """Leave the game, which loses it, and the server."""
        if self.phase is SeatPhase.OUT:
            return
        try:
            if self.phase is SeatPhase.PLAYING and self.played is not None:
                await self._send(LeaveGame(self.played.id))
            await self._send(Logout())
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            pass
        self._refusal = self._refusal or "you have left"
        self.phase = SeatPhase.OUT
        self._scope.cancel()

    # --- what the server sends ----------------------------------------------------------------------------------------

    @singledispatchmethod
    def _receive(self, message: Message) -> list[Message]:
        return []

    @_receive.register
    def _login_answered(self, message: LoginResponse) -> list[Message]:
        if message.error is not None:
            self._refusal = self._refusal or f"the server refuses the login: {message.error.name.lower()}"
            self.phase = SeatPhase.OUT
            self._scope.cancel()
            return []
        self.phase = SeatPhase.LOBBY
        return []

    @_receive.register
    def _ping(self, message: x.Ping) -> list[Message]:
        return [x.Pong(message.ref)]

    @_receive.register
    def _failed(self, message: x.Failed) -> list[Message]:
        if self.phase is SeatPhase.COMING:
            self._refusal = message.text
        elif message.ref == STILL:
            if message.code is x.RefusalReason.NOT_PLAYING and self.played is not None:
                self._ends(self.played, "lost")
        elif message.ref == "why":
            self._account = message.text
        else:
            if message.ref == "wait":
                self.phase = SeatPhase.LOBBY
            self._note(message.text)
        return []

    @_receive.register
    def _error(self, message: Error) -> list[Message]:
        self._note(message.text)
        if self.phase is SeatPhase.PLAYING and self.played is not None:
            return [x.Resend(self.played.id, STILL)]
        return []

    @_receive.register
    def _warned(self, message: x.Warn) -> list[Message]:
        if message.scope is x.WarningScope.CLOCK:
            self._note(f"your time runs out: {message.left_s:g} s left")
            return []
        # It warns of silence, which any message ends.
        return [x.Ping()]

    @_receive.register
    def _account_received(self, message: x.Account) -> list[Message]:
        self._account = message.text
        return []

    @_receive.register
    def _reason(self, message: x.Because) -> list[Message]:
        self._note(message.text)
        return []

    @_receive.register
    def _verdict(self, message: x.GameVerdict) -> list[Message]:
        if self.played is not None and self.played.id == message.game_id:
            self._note(message.account)
            own = next((one.outcome for one in message.seats if one.nick == self.nick), "")
            self._ends(self.played, "void" if message.void else own or self.played.result or "over")
        return []

    @_receive.register
    def _seats(self, message: x.Seats) -> list[Message]:
        # A table where no game has begun: there is nothing to draw yet.
        if all(one.state not in PLAYED for one in message.seats):
            return []
        game = self._in_game(message.game_id)
        game.seats = message.seats
        unseen = list(game.unseen)
        game.unseen.clear()
        return [answer for state in unseen for answer in self._show(game, state)]

    @_receive.register
    def _state(self, message: GameState) -> list[Message]:
        game = self._in_game(message.game_id)
        if not game.seats and message.game_over is None:
            game.unseen.append(message)
            return []
        return self._show(game, message)

    @_receive.register
    def _server_stops(self, message: ServerShutdown) -> list[Message]:
        self._refusal = "the server has stopped"
        return []

    def _in_game(self, game_id: str) -> AgentGame:
        if self.played is None or self.played.id != game_id:
            self.played = AgentGame(game_id)
            self.phase, self.notes = SeatPhase.PLAYING, []
        return self.played

    def _show(self, game: AgentGame, state: GameState) -> list[Message]:
        game.states += 1
        game.payload = state.payload
        own = next((place for place, one in enumerate(game.seats) if one.nick == self.nick), None)
        winners = None if state.game_over is None else _winners(game, state)
        movers = tuple(place for place, one in enumerate(game.seats) if one.nick == state.next_player)
        self._draw(game, Shown(state.payload, movers, winners, game.own_move), own)
        game.own_move = b""
        game.mine = state.next_player == self.nick
        if state.game_over is None:
            return []
        mine = next((one.result for one in state.game_over if one.nick == self.nick), None)
        # Results have no word for a draw: all are the same then.
        alike = len({one.result for one in state.game_over}) == 1
        self._ends(game, "drawn" if alike else "won" if mine is Result.WINNER else "lost")
        return [ThankYou(game.id)]

    def _draw(self, game: AgentGame, shown: Shown, own: int | None) -> None:
        """Have the position drawn from what this seat is shown. Where there is no picture, or one that fails, there is
        the payload: any master may lead a game of this type, and send what it likes."""
        game.picture, game.offers = None, ()
        if self.game.pictures is None or len(shown.payload) > MAX_STATE_BYTES or tags_of(shown) > MAX_STATE_TAGS:
            return
        try:
            if game.follow is None:
                scene = Scene(tuple(Seat(one.nick, one.label) for one in game.seats), own, self._options)
                game.follow = self.game.pictures(scene)
            picture = game.follow(shown)
            news = [line[:MAX_NEWS_LINE] for line in picture.news()]
            offers = picture.offers(own) if own is not None and own in shown.movers else ()
        except Exception as error:  # any error of a renderer
            LOG.debug("no picture", game_type=self.game.game_type, why=safe(str(error)[:200]))
            return
        game.picture, game.offers = picture, offers
        game.news += news

    def _ends(self, game: AgentGame, result: str) -> None:
        game.mine, game.offers, game.result = False, (), result
        self.phase = SeatPhase.OVER

    def _note(self, text: str) -> None:
        self.notes = [*self.notes, text][-MAX_NOTES:]


def tags_of(shown: Shown) -> int:
    """Return how many tags a renderer has to read."""
    return shown.payload.count(b"<") + shown.own_move.count(b"<")


def _winners(game: AgentGame, state: GameState) -> frozenset[int]:
    won = {one.nick for one in state.game_over or () if one.result is Result.WINNER}
    return frozenset(place for place, one in enumerate(game.seats) if one.nick in won)
