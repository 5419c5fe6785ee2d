"""A person who plays with a browser, as a player of the broker: what the page asks becomes messages of the protocol,
and what the server says becomes a view that the page shows. No I/O: :mod:`ugs.page.playing` carries both.

The person is a player like any other, with the families below: it keeps its seat when the page is loaded again, since
the page keeps the token of the session. The page asks with objects, whose ``do`` is a key of :data:`REQUESTS`::

    {"do": "login", "nick": "ann", "game_type": "…"}       {"do": "resume", "token": "…", "game_type": "…"}
    {"do": "wait"}                                         for one game with whoever comes
    {"do": "host", "seats": 2, "computers": 1, "public": false, "options": {"mode": "ADULT"}}
    {"do": "join", "id": "…"}   {"do": "start"}            at a table
    {"do": "move", "number": 7, "offer": 3}                the third offer of the position with this number
    {"do": "quit"}   {"do": "again"}   {"do": "logout"}
    {"do": "look"}                                         which tables are there?
    {"do": "why"}                                          why did my game end so, or what do I wait for?
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, TypeAlias

from ugs import __version__
from ugs.page.hands import Hand
from ugs.pictures.contract import Scene, Shown
from ugs.pictures.contract import Seat as SceneSeat
from ugs.wire import extensions as x
from ugs.wire.messages import (
    Choice,
    Error,
    GameState,
    LeaveGame,
    LoginError,
    LoginResponse,
    Logout,
    Message,
    Move,
    PlayerLogin,
    Result,
    ServerShutdown,
    ThankYou,
)

FAMILIES: Final = tuple(map(str, (x.Family.SESSION, x.Family.STATE, x.Family.LOBBY, x.Family.CLOCK, x.Family.REASON)))
MOST_NOTES: Final = 8
"""Last things that the server has said, for people."""
LONGEST: Final = 200
"""Characters of a text that the page may say; nicks, options and the like are shorter."""
LONGEST_TOKEN: Final = 500
MOST_OPTIONS: Final = 40
MOST_TABLES: Final = 50
"""Tables that are shown."""
STILL: Final = "still"
"""The ``ref`` with which the seat asks whether it is in its game still."""
QUIET: Final = "quiet"
"""The ``ref`` of requests that may fail without a word."""

REFUSED: Final[Mapping[LoginError, str]] = {
    LoginError.WRONG_NICK: "this name is taken, or is not one",
    LoginError.IMPROPER_GAME_TYPE: "this game is not played here",
    LoginError.PLAYERS_POOL_OVERFLOW: "there is no room, or a championship of this game has begun",
}


class WrongRequest(ValueError):
    """The page has asked for something that cannot be; the text says what."""


class Phase(StrEnum):
    """What the person is doing."""

    OUT = "out"
    COMING = "coming"
    LOBBY = "lobby"
    WAITING = "waiting"
    TABLE = "table"
    PLAYING = "playing"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Enter:
    """Open a connection to the broker."""


@dataclass(frozen=True, slots=True)
class Leave:
    """Close it."""


@dataclass(frozen=True, slots=True)
class Draw:
    """Have a position drawn; :meth:`Seat.drawn` wants to know what it looks like."""

    game_type: str
    scene: Scene
    shown: Shown


Step: TypeAlias = Enter | Leave | Draw | Message
"""What is to be done; a message is to be said to the broker."""


@dataclass(slots=True)
class GamePlayed:
    """The game of the person, or its last one."""

    id: str
    seats: Sequence[x.SeatInfo] = ()
    number: int = 0
    """How many positions were shown."""
    next: str = ""
    unseen: GameState | None = None
    """A position that came before the seats were known."""
    payload: bytes = b""
    """The last position."""
    own_move: bytes = b""
    """The move that the person has made since; empty if it has made none."""
    over: bool = False
    hand: Hand | None = None
    """What can be done in the position with the number."""
    clock: Mapping[str, Any] = field(default_factory=dict)
    verdict: Mapping[str, Any] = field(default_factory=dict)


class Seat:
    """One person. :meth:`asked` and :meth:`heard` return the steps to be taken, in order."""

    def __init__(self) -> None:
        self.phase = Phase.OUT
        self.nick = self.game_type = self.token = ""
        self.table: Mapping[str, Any] = {}
        self.game: GamePlayed | None = None
        self.notes: list[str] = []
        """What the server has said, for people, the last one last."""
        self.account = ""
        """Why it waits, or why its game ended, as the server told it last."""
        self.here: dict[str, Any] = {"tables": [], "offered": {}}
        """Which tables there are, and what the game type offers."""
        self._waited = False
        """Whether it waited for a game when it lost its line."""
        self._answered = False
        """Whether the state that comes next has been answered already, before the line was lost."""

    def view(self) -> dict[str, Any]:
        """All that the page shows, beside the picture."""
        game = self.game
        return {
            "phase": str(self.phase),
            "nick": self.nick,
            "game_type": self.game_type,
            "token": self.token,
            "table": dict(self.table),
            "notes": list(self.notes),
            "account": self.account,
            **self.here,
            "game": None if game is None else _told(game, self.nick),
        }

    # What the page asks.

    def asked(self, request: Mapping[str, Any]) -> list[Step]:
        """The page asks for something. Raises WrongRequest."""
        name = request.get("do")
        known = REQUESTS.get(name) if isinstance(name, str) else None
        if known is None:
            raise WrongRequest(f"do: expected one of {', '.join(REQUESTS)}")
        phases, answer = known
        if self.phase not in phases:
            raise WrongRequest(f"{name}: not possible now ({self.phase})")
        return answer(self, request)

    def login(self, request: Mapping[str, Any]) -> list[Step]:
        """It comes."""
        self.nick, self.game_type = _text(request, "nick"), _text(request, "game_type")
        self.token, self.notes, self.account, self.game = "", [], "", None
        self.phase = Phase.COMING
        return [Enter(), _hello(), PlayerLogin(self.nick, self.game_type)]

    def resume(self, request: Mapping[str, Any]) -> list[Step]:
        """It comes back."""
        self.token, self.game_type = _text(request, "token", LONGEST_TOKEN), _text(request, "game_type")
        self.notes, self.game, self._waited = [], None, request.get("waited") is True
        self.phase = Phase.COMING
        return [Enter(), _hello(), x.Resume(self.token, ref="resume")]

    def wait(self, _request: Mapping[str, Any]) -> list[Step]:
        """It wants to play whoever comes."""
        return [x.Wait("wait", once=True)]

    def host(self, request: Mapping[str, Any]) -> list[Step]:
        """It sets up a table."""
        seats, computers = _number(request, "seats"), _number(request, "computers")
        options = request.get("options", {})
        if not isinstance(options, dict) or len(options) > MOST_OPTIONS:
            raise WrongRequest(f"options: expected at most {MOST_OPTIONS} names with texts")
        chosen = tuple(Choice(_short("options", name), _short("options", value)) for name, value in options.items())
        visibility = x.Visibility.PUBLIC if request.get("public") is True else x.Visibility.PRIVATE
        return [x.Advertise(x.NewTable(f"{self.nick}'s table"[:64], seats, visibility, computers, chosen), "host")]

    def join(self, request: Mapping[str, Any]) -> list[Step]:
        """It sits down at a table."""
        return [x.Join(_text(request, "id"), "join")]

    def start(self, _request: Mapping[str, Any]) -> list[Step]:
        """The game at its table is to begin."""
        return [x.Start("start")]

    def move(self, request: Mapping[str, Any]) -> list[Step]:
        """It moves."""
        game = self.game
        assert game is not None
        offers = game.hand.offers if game.hand is not None else ()
        number, offer = _number(request, "number"), _number(request, "offer")
        if number != game.number or not offers:
            raise WrongRequest("move: the position has changed meanwhile")
        if offer >= len(offers):
            raise WrongRequest(f"move: offer {offer}: there are {len(offers)}")
        game.own_move, game.hand, game.next = offers[offer].move, None, ""
        return [Move(game.id, game.own_move)]

    def quit(self, _request: Mapping[str, Any]) -> list[Step]:
        """It gives its game up, gets up from its table, or does not want to wait any more."""
        if self.phase is Phase.PLAYING:
            assert self.game is not None
            return [LeaveGame(self.game.id), *self._still()]
        own = self.phase is Phase.TABLE and self.table.get("owner") == self.nick
        return [x.Cancel("quit") if own else x.Quit("quit")]

    def again(self, _request: Mapping[str, Any]) -> list[Step]:
        """It has looked at the end of its game."""
        self.phase, self.account, self.notes = Phase.LOBBY, "", []
        return _look()

    def look(self, _request: Mapping[str, Any]) -> list[Step]:
        """It looks which tables there are."""
        return _look()

    def why(self, _request: Mapping[str, Any]) -> list[Step]:
        """It asks why its game ended so, or what it waits for."""
        game = self.game if self.phase is Phase.OVER else None
        return [x.Why(game.id if game is not None else "", last=0)]

    def logout(self, _request: Mapping[str, Any]) -> list[Step]:
        """It goes."""
        self._goes("")
        return [Logout(), Leave()]

    # What the server says.

    def heard(self, message: Message) -> list[Step]:
        """The server says something."""
        answer = HEARD.get(type(message))
        return [] if answer is None else answer(self, message)

    def line_lost(self) -> None:
        """The server has closed the connection."""
        if self.phase is not Phase.OUT:
            self._goes("the server has closed your connection")

    def drawn(self, hand: Hand) -> dict[str, Any]:
        """A position is drawn; what the page shows of it."""
        game = self.game
        assert game is not None
        mine = game.next == self.nick and not game.over
        game.hand = hand if mine else None
        return {
            "number": game.number,
            "svg": hand.svg,
            "words": hand.words,
            "news": list(hand.news),
            "offers": [offer.label for offer in hand.offers] if mine else [],
            "more": hand.more if mine else 0,
        }

    def _login_answered(self, message: LoginResponse) -> list[Step]:
        if message.error is not None:
            self._goes(REFUSED.get(message.error, "the server does not let you in"))
            return [Leave()]
        self.phase = Phase.LOBBY
        waits: list[Step] = [x.Wait(QUIET, once=True)] if self._waited else []
        if self._waited:
            self.phase, self._waited = Phase.WAITING, False
        return [*_look(), *waits]

    def _session(self, message: x.Session) -> list[Step]:
        self.token, self.nick = message.token, message.nick
        self._answered = message.resumed and not message.turn
        return []

    def _failed(self, message: x.Failed) -> list[Step]:
        if message.ref == STILL:
            if message.code is x.Reason.NOT_PLAYING:
                self._over()
            return []
        if message.ref == QUIET:
            return []
        if message.ref == "resume":
            self.token = ""
            self._goes("your session is over; come in again")
            return [Leave()]
        self._note(message.text)
        return []

    def _ok(self, message: x.Ok) -> list[Step]:
        if message.ref == "wait" and self.phase is Phase.LOBBY:
            self.phase, self.account = Phase.WAITING, ""
            return [x.Why()]
        if message.ref == "quit" and self.phase in (Phase.WAITING, Phase.TABLE):
            self.phase, self.table, self.account = Phase.LOBBY, {}, ""
            return _look()
        return []

    def _sits(self, message: x.Advertised | x.Joined) -> list[Step]:
        table = message.table
        self.phase, self.account = Phase.TABLE, ""
        self.table = {**_table(table), "owner": table.owner, "nicks": [self.nick]}
        return []

    def _tables(self, message: x.Tables) -> list[Step]:
        self.here["tables"] = [_table(table) for table in message.tables[:MOST_TABLES]]
        return []

    def _offered(self, message: x.GameTypes) -> list[Step]:
        own = next((one for one in message.games if one.game_type == self.game_type), None)
        self.here["offered"] = {} if own is None else _offer(own)
        return []

    def _seats(self, message: x.Seats) -> list[Step]:
        if all(seat.state not in PLAYED for seat in message.seats):
            if self.table.get("id") == message.game_id:
                self.table = {**self.table, "nicks": [seat.nick for seat in message.seats]}
            return []
        game = self._in_game(message.game_id)
        if game is None:
            return []
        game.seats = message.seats
        unseen, game.unseen = game.unseen, None
        return [] if unseen is None else self._show(game, unseen)

    def _state(self, message: GameState) -> list[Step]:
        game = self._in_game(message.game_id)
        if game is None:
            return []
        if not game.seats:
            game.unseen = message
            return []
        return self._show(game, message)

    def _in_game(self, game_id: str) -> GamePlayed | None:
        """The game of this id, in which it is from now on; None if it has ended for it already."""
        game = self.game
        if game is None or game.id != game_id:
            self.game = game = GamePlayed(game_id)
            self.phase, self.table, self.account, self.notes = Phase.PLAYING, {}, "", []
        return None if game.over else game

    def _show(self, game: GamePlayed, message: GameState) -> list[Step]:
        game.number += 1
        is_again = self._answered or (bool(game.own_move) and message.payload == game.payload)
        self._answered = False
        game.hand, game.next, game.payload = None, message.next_player or "", message.payload
        if is_again and game.next == self.nick:
            game.next = ""
        own_move = game.own_move
        if not is_again:
            game.own_move = b""
        scene = Scene(tuple(SceneSeat(seat.nick, seat.label) for seat in game.seats), _seat_of(game, self.nick))
        movers = tuple(place for place, seat in enumerate(game.seats) if seat.nick == game.next)
        drawn = Draw(self.game_type, scene, Shown(message.payload, movers, _winners(game, message), own_move))
        if message.game_over is None:
            return [drawn, x.ShowClock(QUIET)]
        own = next((one.result for one in message.game_over if one.nick == self.nick), None)
        self._over({"outcome": "won" if own is Result.WINNER else "lost"})
        return [drawn, ThankYou(game.id)]

    def _over(self, verdict: Mapping[str, Any] | None = None) -> None:
        """Its game has ended, at least for it."""
        game = self.game
        if game is not None and not game.over and self.phase is Phase.PLAYING:
            game.over, game.next, game.clock, game.hand = True, "", {}, None
            game.verdict = dict(verdict or {})
            self.phase = Phase.OVER

    def _verdict(self, message: x.GameVerdict) -> list[Step]:
        game = self.game
        if game is None or game.id != message.game_id:
            return []
        self._over()
        own = next((seat for seat in message.seats if seat.nick == self.nick), None)
        outcome = own.outcome if own is not None else ""
        game.verdict = {"outcome": outcome, "account": message.account, "said": message.said, "cause": message.cause}
        return []

    def _ended(self, message: x.GameEnded) -> list[Step]:
        if self.phase is Phase.TABLE and self.table.get("id") == message.game_id:
            self.phase, self.table = Phase.LOBBY, {}
            self._note(message.comment or "the table is gone")
            return _look()
        return []

    def _clock(self, message: x.Clock) -> list[Step]:
        game = self.game
        if game is not None and game.id == message.game_id and not game.over:
            moving = next((one for one in message.clocks if one.move_left_s is not None), None)
            game.clock = {
                "move_left_s": moving.move_left_s if moving is not None else None,
                "left_s": {one.nick: one.left_s for one in message.clocks if one.left_s is not None},
            }
        return []

    def _error(self, message: Error) -> list[Step]:
        self._note(message.text)
        return self._still()

    def _because(self, message: x.Because) -> list[Step]:
        self._note(message.text or message.code)
        return []

    def _warned(self, message: x.Warn) -> list[Step]:
        self._note(f"{message.scope} {str(message.state).lower()}: {message.left_s:g} s left")
        return [x.Ping()]

    def _account(self, message: x.Account) -> list[Step]:
        self.account = message.text
        return []

    def _pinged(self, message: x.Ping) -> list[Step]:
        return [x.Pong(message.ref)]

    def _shutdown(self, _message: ServerShutdown) -> list[Step]:
        self.token = ""
        self._goes("the server is stopping")
        return [Leave()]

    # Steps.

    def _still(self) -> list[Step]:
        """Find out whether it is in its game still: it may have been taken out."""
        game = self.game
        return [x.Resend(game.id, STILL)] if game is not None and self.phase is Phase.PLAYING else []

    def _goes(self, why: str) -> None:
        self.phase, self.table, self.account = Phase.OUT, {}, ""
        if why:
            self._note(why)

    def _note(self, text: str) -> None:
        self.notes = [*self.notes, text][-MOST_NOTES:]


PLAYED: Final = frozenset({x.SeatState.PLAYING, x.SeatState.FINISHED, x.SeatState.QUIT})
"""States of seats that only a game has."""
_IN: Final = frozenset({Phase.LOBBY, Phase.WAITING, Phase.TABLE, Phase.PLAYING, Phase.OVER})

REQUESTS: Final[Mapping[str, tuple[frozenset[Phase], Callable[[Seat, Mapping[str, Any]], list[Step]]]]] = {
    "login": (frozenset({Phase.OUT}), Seat.login),
    "resume": (frozenset({Phase.OUT}), Seat.resume),
    "wait": (frozenset({Phase.LOBBY}), Seat.wait),
    "host": (frozenset({Phase.LOBBY}), Seat.host),
    "join": (frozenset({Phase.LOBBY}), Seat.join),
    "start": (frozenset({Phase.TABLE}), Seat.start),
    "move": (frozenset({Phase.PLAYING}), Seat.move),
    "quit": (frozenset({Phase.WAITING, Phase.TABLE, Phase.PLAYING}), Seat.quit),
    "again": (frozenset({Phase.OVER}), Seat.again),
    "look": (frozenset({Phase.LOBBY}), Seat.look),
    "why": (_IN, Seat.why),
    "logout": (_IN, Seat.logout),
}
"""When each request is possible, and what it leads to."""

HEARD: Final[Mapping[type, Callable[[Seat, Any], list[Step]]]] = {
    LoginResponse: Seat._login_answered,
    x.Session: Seat._session,
    x.Failed: Seat._failed,
    x.Ok: Seat._ok,
    x.Advertised: Seat._sits,
    x.Joined: Seat._sits,
    x.Tables: Seat._tables,
    x.GameTypes: Seat._offered,
    x.Seats: Seat._seats,
    x.GameEnded: Seat._ended,
    GameState: Seat._state,
    x.GameVerdict: Seat._verdict,
    x.Clock: Seat._clock,
    x.Because: Seat._because,
    x.Warn: Seat._warned,
    x.Account: Seat._account,
    x.Ping: Seat._pinged,
    Error: Seat._error,
    ServerShutdown: Seat._shutdown,
}


def _hello() -> x.Hello:
    return x.Hello(FAMILIES, "ugs page", __version__)


def _look() -> list[Step]:
    return [x.ListGameTypes(QUIET), x.ListTables(QUIET)]


def _text(request: Mapping[str, Any], name: str, longest: int = LONGEST) -> str:
    return _short(name, request.get(name), longest)


def _short(name: str, value: object, longest: int = LONGEST) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= longest:
        raise WrongRequest(f"{name}: expected a text of 1 to {longest} characters")
    return value


def _number(request: Mapping[str, Any], name: str) -> int:
    value = request.get(name)
    if type(value) is not int or not 0 <= value <= 1_000_000_000:
        raise WrongRequest(f"{name}: expected a whole number from 0")
    return value


def _table(table: x.TableInfo) -> dict[str, Any]:
    return {
        "id": table.id,
        "name": table.name,
        "owner": table.owner,
        "seats": table.seats,
        "free": table.free,
        "computers": table.computers,
        "options": {option.name: option.value for option in table.options},
    }


def _offer(one: x.GameTypeInfo) -> dict[str, Any]:
    return {
        "players_min": one.players_min,
        "players_max": one.players_max,
        "master": one.master,
        "computers": one.programs,
        "options": [
            {
                "name": option.name,
                "value": option.value,
                "values": option.values.split(),
                "least": option.least,
                "most": option.most,
            }
            for option in one.options
        ],
    }


def _told(game: GamePlayed, nick: str) -> dict[str, Any]:
    return {
        "id": game.id,
        "number": game.number,
        "seats": [
            {"nick": seat.nick, "label": seat.label, "kind": str(seat.kind), "state": str(seat.state)}
            for seat in game.seats
        ],
        "next": game.next,
        "mine": game.next == nick and not game.over,
        "over": game.over,
        "clock": dict(game.clock),
        "verdict": dict(game.verdict),
    }


def _seat_of(game: GamePlayed, nick: str) -> int | None:
    return next((place for place, seat in enumerate(game.seats) if seat.nick == nick), None)


def _winners(game: GamePlayed, message: GameState) -> frozenset[int] | None:
    if message.game_over is None:
        return None
    won = {one.nick for one in message.game_over if one.result is Result.WINNER}
    seats = frozenset(place for place, seat in enumerate(game.seats) if seat.nick in won)
    return seats if len(won) < len(message.game_over) else frozenset()
