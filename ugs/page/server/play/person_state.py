"""A person who plays with a browser, as a player of the broker: what it is doing, and what its page shows.

The person is a player like any other, with some families of extensions: it keeps its seat when the page is loaded
again, since the page keeps the token of the session.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, TypeAlias

from ugs.page.seen_positions import MovablePosition
from ugs.pictures.contract import Scene, Shown
from ugs.wire import extensions as x
from ugs.wire.messages import GameState, Message

MAX_NOTES: Final = 8
"""Latest lines from the server, for people."""
STILL: Final = "still"
"""The ``ref`` of a seat's question whether it is still in its game."""
BYE: Final = "bye"
"""The ``ref`` of the last words on a connection."""
LEAVE: Final = "leave"
"""The ``ref`` of giving a game up: who has set up its table has to cancel it instead."""
CANCEL: Final = "cancel"
"""The ``ref`` of that."""
NOTE: Final = "note"
"""The ``ref`` of what a person notes."""
SAME: Final = "same"
"""The ``ref`` of the look at the tables before the same game is set up again."""
CROSS: Final = "cross"
"""The ``ref`` of giving up its own table of the same game for the one of an opponent."""
QUIET: Final = "quiet"
"""The ``ref`` of requests that may fail without a word."""


class PersonPhase(StrEnum):
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
class DrawPosition:
    """Have a position drawn; :meth:`PersonSeat.drawn` wants to know what it looks like."""

    game_id: str
    game_type: str
    scene: Scene
    shown: Shown


Step: TypeAlias = Enter | Leave | DrawPosition | Message
"""What to do; a message is sent to the broker."""
LOOK: Final[tuple[Step, ...]] = (x.ListGameTypes(QUIET), x.ListTables(QUIET))
"""Find out which tables there are, and what may be chosen for one."""


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
    sketch: bytes = b""
    """How the master has drawn the position that comes next; empty if it has not."""
    own_move: bytes = b""
    """The move that the person has made since; empty if it has made none."""
    over: bool = False
    halted: bool = False
    """It has ended, and no last position came: what is shown is how it stood."""
    thanked: bool = False
    table: str = ""
    """``own`` if the person has set up its table, ``joined`` if another one has; what giving up leads to depends on
    that. Empty: it was at none, or that is not known since the page was loaded again."""
    setting: Mapping[str, Any] = field(default_factory=dict)
    """What the page may ask to have the same game again; empty: not known since the page was loaded again, or it was
    the game of a championship."""
    hand: MovablePosition | None = None
    """What can be done in the position with the number."""
    clock: Mapping[str, Any] = field(default_factory=dict)
    verdict: Mapping[str, Any] = field(default_factory=dict)
    own_end: Mapping[str, Any] = field(default_factory=dict)
    """The end that it has for the person where no verdict comes: it has been given up, or is lost for a fault."""
    end: DrawPosition | None = None
    """The last position, as long as it is not known who has won."""

    @property
    def programs(self) -> Sequence[int]:
        """The seats that the computer plays."""
        return [place for place, seat in enumerate(self.seats) if seat.kind is x.SeatKind.PROGRAM]


@dataclass(slots=True)
class PersonSeat:
    """One person."""

    phase: PersonPhase = PersonPhase.OUT
    nick: str = ""
    game_type: str = ""
    token: str = ""
    table: Mapping[str, Any] = field(default_factory=dict)
    """Its table; ``guessed`` if no more is known than who sits there."""
    game: GamePlayed | None = None
    notes: Sequence[str] = ()
    """Lines from the server, for people, the last one last."""
    warned: str = ""
    """That its time runs out; empty from its move on."""
    account: str = ""
    """Why it waits, or why its game ended, as the server reported last."""
    here: dict[str, Any] = field(default_factory=lambda: {"tables": [], "offered": {}})
    """Which tables there are, and what the game type offers."""
    refusal: str = ""
    """Why its login is refused, as the server reported just before."""
    waited: bool = False
    """Whether it waited for a game when it lost its line."""
    declined: bool = False
    """Whether the master has declined one of its games: it is not proposed to let the computer play in the next."""
    wanted: x.NewTable | None = None
    """The table that it sets up unless an opponent of its last game has done so."""
    set_up: x.NewTable | None = None
    """The same once it has set it up, until it is there no more or the game begins."""
    crossed: int = 0
    """How often it has given that up for the table of an opponent, since it wanted the same game again."""
    resent: bool = False
    """Whether the state that comes next was requested: it may be one that has been answered."""
    answered: bool = False
    """Whether the state that comes next has been answered already, before the line was lost."""

    def view(self) -> dict[str, Any]:
        """All that the page shows, beside the picture."""
        game = self.game
        return {
            "phase": str(self.phase),
            "nick": self.nick,
            "game_type": self.game_type,
            "token": self.token,
            "table": {**self.table, "needed": self.needed} if self.table else {},
            "notes": list(self.notes),
            "warned": self.warned,
            "account": self.account,
            **self.here,
            "game": None if game is None else _game_facts(game, self.nick),
        }

    @property
    def needed(self) -> int:
        """How many players are missing before a game can begin at its table; 0 where the computer plays free seats."""
        offered = self.here["offered"]
        if not offered.get("master") or offered["computers"]:
            return 0
        return max(0, int(offered["players_min"]) - len(self.table.get("nicks", ())))

    def drawn(self, hand: MovablePosition) -> dict[str, Any]:
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
            "past": list(hand.past),
            "offers": [offer.label for offer in hand.offers] if mine else [],
            "more": hand.more if mine else 0,
            "unshown": hand.unshown,
        }

    def line_lost(self) -> None:
        """The server has closed the connection."""
        if self.phase is not PersonPhase.OUT:
            self.goes("the server has closed your connection")

    @property
    def opponents(self) -> Sequence[str]:
        """The nicks of the others in its game, without those whom the computer plays."""
        seats = self.game.seats if self.game is not None else ()
        return [one.nick for one in seats if one.kind is not x.SeatKind.PROGRAM and one.nick != self.nick]

    def _setting(self) -> Mapping[str, Any]:
        """How the game came about that begins now."""
        if self.table and not self.table.get("guessed"):
            return {"do": "host", **{name: self.table[name] for name in ("seats", "computers", "public", "options")}}
        return {"do": "wait"} if self.phase is PersonPhase.WAITING else {}

    # Steps.

    def in_game(self, game_id: str) -> GamePlayed | None:
        """The game of this id, which it is in from now on; None if it has ended for it already."""
        game = self.game
        if game is None or game.id != game_id:
            table = "" if not self.table else "own" if self.table.get("owner") == self.nick else "joined"
            self.game = game = GamePlayed(game_id, table=table, setting=self._setting())
            self.phase, self.table, self.account, self.notes = PersonPhase.PLAYING, {}, "", []
            self.warned, self.set_up = "", None
        return None if game.over else game

    def over(self, verdict: Mapping[str, Any] | None = None) -> None:
        """Its game has ended, at least for it."""
        game = self.game
        if game is not None and not game.over and self.phase is PersonPhase.PLAYING:
            game.over, game.next, game.clock, game.hand, game.halted = True, "", {}, None, True
            game.verdict = dict(verdict or game.own_end)
            self.phase, self.warned = PersonPhase.OVER, ""

    def still(self) -> list[Step]:
        """Find out whether it is in its game still: it may have been taken out."""
        game = self.game
        # An error of v4 names no game: only the server knows whether this seat is still in it.
        if game is None or self.phase is not PersonPhase.PLAYING:
            return []
        self.resent = True
        return [x.Resend(game.id, STILL)]

    def goes(self, why: str) -> None:
        """It is not logged in any more; why, for people."""
        self.phase, self.table, self.account, self.warned = PersonPhase.OUT, {}, "", ""
        self.wanted = self.set_up = None
        if why:
            self.note(why)

    def note(self, text: str) -> None:
        """Something for people to read."""
        self.notes = [*self.notes, text][-MAX_NOTES:]


def _game_facts(game: GamePlayed, nick: str) -> dict[str, Any]:
    return {
        "id": game.id,
        "number": game.number,
        "seats": [
            {"nick": seat.nick, "label": seat.label, "kind": str(seat.kind), "state": str(seat.state)}
            for seat in game.seats
        ],
        "next": game.next,
        "mine": game.next == nick and not game.over,
        "sent": bool(game.own_move) and not game.next and not game.over,
        "over": game.over,
        "halted": game.halted,
        "table": game.table,
        "setting": _of_those_there(game),
        "clock": dict(game.clock),
        "verdict": dict(game.verdict),
    }


def _of_those_there(game: GamePlayed) -> Mapping[str, Any]:
    """Its setting, with as many seats as there are: who begins early plays with fewer than there was room for."""
    if "seats" not in game.setting or not game.seats:
        return game.setting
    return {**game.setting, "seats": len(game.seats), "computers": len(game.programs)}
