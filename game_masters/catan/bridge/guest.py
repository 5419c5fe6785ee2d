"""One client of the bridge without I/O, from its first line to its last game: takes in what it and our
server send, and returns lines for the one and messages for the other."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from game_masters.catan.bridge.asking import Asked, Request, Unreadable, Wish, read_line
from game_masters.catan.bridge.lines import EMPTY, line_of, name_of, text_of
from game_masters.catan.bridge.turns import Turns
from game_masters.catan.game.may import May
from game_masters.catan.message import messages as msg
from game_masters.catan.message.board_messages import Version
from game_masters.catan.message.message import Message as GameMessage
from game_masters.catan.notation import follow, write_move
from game_masters.catan.views.view import View
from game_masters.kit import rules
from game_masters.kit.client import Send
from ugs.wire.messages import (
    Error,
    GameState,
    LeaveGame,
    LoginResponse,
    Logout,
    Message,
    Move,
    PlayerLogin,
    ServerShutdown,
    ThankYou,
)

LINES_A_SECOND: Final = 50
MAX_AT_ONCE: Final = 200
"""Lines that a client may send at once when it has been quiet."""
ENTRY_S: Final = 20.0
"""A client must have named itself after this time, in seconds."""
PING_S: Final = 60
"""Seconds between pings: robots take five minutes of silence for a broken line."""
MAX_KEPT: Final = 2_000
"""Lines of a game that wait until the client has sat down."""
_PARAMETERS: Final = "120,35,0.13,1.0,1.0,3.0,1.0,1,1"
"""How robots of JSettlers play: its own values for the smart ones."""
_KNOWN_OPTIONS: Final = frozenset({
    "PL", "PLB", "PLP", "SBL", "SC", "RD", "N7", "N7C", "BC", "NT", "VP", "PLAY_FO", "PLAY_VPO", "_VP_ALL", "_SC_SANY",
    "_SC_SEAC", "_SC_FOG", "_SC_0RVP", "_SC_3IP", "_SC_CLVI",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Line:
    """Send a line to the client."""

    text: str


@dataclass(frozen=True, slots=True)
class Dial:
    """Open a connection to our server."""


@dataclass(frozen=True, slots=True)
class HangUp:
    """Close the connection to our server."""


@dataclass(frozen=True, slots=True)
class Close:
    """Close both connections. The reason is for the log."""

    why: str


Effect: TypeAlias = Line | Send | Dial | HangUp | Close


@dataclass(frozen=True, slots=True)
class House:
    """What holds for all clients of a bridge."""

    game_type: str = "settlers"
    cookie: str = ""
    """What robots have to send; empty: anything."""
    answer_s: float = 8.0
    """Seconds that a client has to answer an offer."""
    table: str = "Catan"
    """The name of the game that clients who are no robots may join."""


class Sitting:
    """One game of a client."""

    def __init__(self, game_id: str, name: str, view: View, seat: int, answer_s: float) -> None:
        self.game_id = game_id
        self.name = name
        """What the client calls the game."""
        self.seat = seat
        self.height, self.width = view.table.board.height, view.table.board.width
        self.last = -1
        """The number of the last event that was passed on."""
        self.turns = Turns(answer_s)
        self.kept: list[Line] | None = []
        """Lines that wait until the client has sat down; None once it has."""
        self.over = False


class Guest:
    """A client. Every method returns what is to be done, and none raises."""

    def __init__(self, house: House, now: float) -> None:
        self._house = house
        self._nick = ""
        self._robot = False
        self._greeted = self._listed = False
        self._dialled = False
        self._name = ""
        """The game that the client wants to join, if it is no robot."""
        self._sitting: Sitting | None = None
        self._read = follow(rules.Options())
        self._began = self._pinged = self._filled = now
        self._lines_left = float(MAX_AT_ONCE)

    @property
    def named(self) -> bool:
        """Whether the client has named itself."""
        return bool(self._nick)

    # --- the client speaks ------------------------------------------------------------------------------------------

    def msg(self, line: str, now: float) -> list[Effect]:
        """The client has sent a line."""
        self._lines_left = min(MAX_AT_ONCE, self._lines_left + (now - self._filled) * LINES_A_SECOND) - 1
        self._filled = now
        if self._lines_left < 0:
            return self._refuse("too many lines at once")
        try:
            what = read_line(line)
        except Unreadable as why:
            return self._text(str(why))
        if isinstance(what, Request):
            return self._requests(what)
        return [] if what is None else _WISHED[what.wish](self, what)

    def _requests(self, request: Request) -> list[Effect]:
        sitting = self._sitting
        if sitting is None or sitting.over or request.game != sitting.name:
            return []
        return self._makes(sitting, sitting.turns.wants(request.move))

    def _greets(self, what: Asked) -> list[Effect]:
        """Send the version that the client has: robots refuse to play with any other."""
        self._greeted = True
        return [Line(f"9998|{what.version},{what.version // 1000}.{what.version // 100 % 10},ugs,{EMPTY}")]

    def _lists_games(self) -> list[Effect]:
        """Show what there is to those who are no robots."""
        if not self._greeted or self._listed or self._robot:
            return []
        self._listed = True
        return [Line(f"1003|{self._house.table}"), Line(f"1083|{self._house.table}|-")]

    def _enters_as_robot(self, what: Asked) -> list[Effect]:
        if self._house.cookie and what.cookie != self._house.cookie:
            return self._refuse("this is not the cookie of the bridge")
        self._robot = True
        return self._enters(what) or [Dial()]

    def _enters_as_player(self, what: Asked) -> list[Effect]:
        return self._enters(what) or [Line(f"1069|Welcome. Join {self._house.table} to wait for other players.")]

    def _enters(self, what: Asked) -> list[Effect]:
        """Take the nick. Returns the refusal, if it is one."""
        if self._nick:
            return [] if what.nick == self._nick else self._refuse("you have another name already")
        if not what.nick or name_of(what.nick) != what.nick:
            return self._refuse("a name has 1 to 64 characters, no blanks, and neither , nor |")
        self._nick = what.nick
        return []

    def _joins(self, what: Asked) -> list[Effect]:
        sitting = self._sitting
        if self._robot:
            return [] if sitting is None or what.game != sitting.name else self._shows(sitting)
        if not self._nick and (refusal := self._enters(what)):
            return refusal
        if self._dialled:
            return []
        self._name = name_of(what.game)
        return [Dial()]

    def _lists_options(self, _what: Asked) -> list[Effect]:
        return [Line("1080|-|0|0|0|f|0|0|0|f|0|f|-")]

    def _sits_down(self, what: Asked) -> list[Effect]:
        sitting = self._sitting
        if sitting is None or what.game != sitting.name or sitting.kept is None:
            return []
        kept, sitting.kept = sitting.kept, None
        return [*kept]

    def _leaves(self, what: Asked) -> list[Effect]:
        sitting = self._sitting
        if sitting is None or sitting.over or (what.game and what.game != sitting.name):
            return []
        self._sitting = None
        return [Send(LeaveGame(sitting.game_id)), *self._done()]

    # --- our server speaks ------------------------------------------------------------------------------------------

    def dialled(self) -> list[Effect]:
        """The connection to our server is open."""
        self._dialled = True
        return [Send(PlayerLogin(self._nick, self._house.game_type))]

    def lost(self, why: str) -> list[Effect]:
        """There is no connection to our server, or no longer."""
        return self._refuse(why) if self._dialled or self._sitting is None else []

    def takes(self, message: Message, now: float) -> list[Effect]:
        """Our server has sent a message."""
        match message:
            case LoginResponse(error=None):
                return [Line(f"1071|{_PARAMETERS}")] if self._robot else self._status("waiting for other players")
            case LoginResponse():
                assert message.error is not None
                return self._refuse(f"the server does not let you in: {message.error.name.lower().replace('_', ' ')}")
            case GameState():
                return self._plays(message, now)
            case ServerShutdown():
                return [Line("1069|23,The server stops."), Close("the server stops")]
            case Error():
                return self._text(message.text)
        return []

    def _plays(self, message: GameState, now: float) -> list[Effect]:
        try:
            view = self._read(message.payload)
        except rules.Unreadable as why:
            return self._refuse(f"a state cannot be read: {why}")
        effects: list[Effect] = []
        sitting = self._sitting
        if sitting is None or sitting.game_id != message.game_id:
            effects += self._deletes()
            begun = self._begins(message.game_id, view)
            if begun is None:
                return [*effects, Send(LeaveGame(message.game_id))]
            sitting = self._sitting = begun
            effects += self._invites(sitting, view) if self._robot else self._shows(sitting)
        effects += self._passes_on(sitting, view)
        if message.game_over is not None:
            sitting.over = True
            return [*effects, Send(ThankYou(message.game_id)), *self._done()]
        if message.next_player != self._nick:
            sitting.turns.is_not_asked()
            return effects
        may = next((one for one in view.may if one.seat == sitting.seat), May(sitting.seat))
        own, turn = view.current == sitting.seat, (view.table.round, view.current)
        move = sitting.turns.is_asked(may, now, own=own, turn=turn)
        return [*effects, *self._makes(sitting, move)]

    def _begins(self, game_id: str, view: View) -> Sitting | None:
        seats = [number for number, seat in enumerate(view.table.seats) if seat.nick == self._nick]
        seat = view.you if view.you is not None else next(iter(seats), None)
        if seat is None or view.seq:  # without the beginning there is no board for the client
            return None
        return Sitting(game_id, name_of(game_id) if self._robot else self._name, view, seat, self._house.answer_s)

    def _invites(self, sitting: Sitting, view: View) -> list[Effect]:
        """Ask a robot to come to its game."""
        options = ""
        for _, event in view.events:
            if isinstance(event.message, msg.NewGameWithOptions):
                options = event.message.options
        known = [one for one in options.split(",") if one.partition("=")[0] in _KNOWN_OPTIONS]
        return [Line(f"1023|{sitting.name},{sitting.seat},{','.join(known) or '-'}")]

    def _shows(self, sitting: Sitting) -> list[Effect]:
        """Let the client in. A robot sits down next; for others that is done."""
        size = f",{sitting.height},{sitting.width}" if sitting.height else ""
        shown: list[Effect] = [Line(f"1021|{sitting.name}{size}"), Line(f"1017|{sitting.name},{self._nick}")]
        if not self._robot:
            sitting.kept = None
        return shown

    def _passes_on(self, sitting: Sitting, view: View) -> list[Effect]:
        """Pass on the chat of the table since the last state."""
        lines = []
        for number, event in view.events:
            if number <= sitting.last or event.audience.from_client:
                continue
            sitting.last = number
            # In a view such a message is there only for the seat that it is meant for.
            for_me = event.audience.includes(sitting.seat) or (event.audience.kind == "un" and view.you is not None)
            if not for_me or isinstance(event.message, Version | msg.NewGame | msg.NewGameWithOptions):
                continue
            sitting.turns.takes(event.message, sitting.seat)
            line = line_of(self._named(event.message), sitting.name)
            lines += [] if line is None else [Line(line)]
        if sitting.kept is None:
            return [*lines]
        sitting.kept += lines
        return self._refuse("it does not sit down") if len(sitting.kept) > MAX_KEPT else []

    @staticmethod
    def _named(message: GameMessage) -> GameMessage:
        if isinstance(message, msg.SitDown):
            return msg.SitDown(name_of(message.nick), message.seat, message.robot)
        return message

    def _makes(self, sitting: Sitting, move: GameMessage | None) -> list[Effect]:
        return [] if move is None else [Send(Move(sitting.game_id, write_move(move)))]

    def _done(self) -> list[Effect]:
        """A game is over. Robots wait for the next one; others join again when they like."""
        if self._robot:
            return self._deletes()
        self._dialled = False
        return [Send(Logout()), HangUp()]

    def _deletes(self) -> list[Effect]:
        sitting, self._sitting = self._sitting, None
        return [Line(f"1015|{sitting.name}")] if sitting is not None else []

    # --- time -------------------------------------------------------------------------------------------------------

    def passed(self, now: float) -> list[Effect]:
        """A second has passed."""
        if not self._nick and now - self._began > ENTRY_S:
            return self._refuse(f"no name within {ENTRY_S:g} seconds")
        effects = self._lists_games()
        if now - self._pinged >= PING_S:
            self._pinged = now
            effects.append(Line(f"9999|{PING_S * 1000}"))
        sitting = self._sitting
        if sitting is not None and not sitting.over:
            if self._robot and sitting.kept is None:
                # Robots measure time by this line, which comes each second.
                effects.append(Line(f"1088|{sitting.name}"))
            effects += self._makes(sitting, sitting.turns.overdue(now))
        return effects

    # --- words ------------------------------------------------------------------------------------------------------

    def _text(self, text: str) -> list[Effect]:
        """Send a text to the people behind a client."""
        sitting = self._sitting
        line = None if sitting is None or sitting.kept is not None else line_of(msg.GameServerText(text), sitting.name)
        return self._status(text) if line is None else [Line(line)]

    def _status(self, text: str) -> list[Effect]:
        return [Line(f"1069|{text_of(text, 500)}")]

    def _refuse(self, why: str) -> list[Effect]:
        return [Line(f"1059|{text_of(why, 500)}"), Close(why)]


_WISHED: Final[Mapping[Wish, Callable[[Guest, Asked], list[Effect]]]] = {
    Wish.SEND_VERSION: Guest._greets,
    Wish.ENTER_AS_ROBOT: Guest._enters_as_robot,
    Wish.ENTER: Guest._enters_as_player,
    Wish.LIST_OPTIONS: Guest._lists_options,
    Wish.JOIN: Guest._joins,
    Wish.JOIN_NEW: Guest._joins,
    Wish.SIT_DOWN: Guest._sits_down,
    Wish.LEAVE: Guest._leaves,
    Wish.LEAVE_ALL: Guest._leaves,
}
