"""The messages that UGS v4 lacks, one frozen class each, in families that a peer asks for with ``x-hello``.

Nobody is sent one of these who has not been granted its family; how they are written stands in
:mod:`ugs.wire.extension_parts`. ``ref`` is whatever the sender of a request chose; the answer repeats it. Times are
seconds, as numbers that may have a fraction. Payloads are the exact bytes of their elements.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from ugs.wire.messages import Choice, Extension, PlayerResult


class Family(StrEnum):
    """What a peer may ask for; the values are the names on the wire."""

    SESSION = "session"
    """A player keeps its seat when its line is cut; it is warned before it is taken for gone."""
    STATE = "state"
    """A player may have its last state again."""
    LOBBY = "lobby"
    """A player sees who is there and plays at tables that players set up."""
    CHAT = "chat"
    """Players and spectators talk."""
    CLOCK = "clock"
    """A player is told how much time it has left."""
    WATCH = "watch"
    """A spectator follows games."""
    VIEWS = "views"
    """A master shows each player a state of its own."""
    TABLE = "table"
    """A master takes options, plays the seats nobody sits in, and names the seats."""
    MOVERS = "movers"
    """A master lets several players move at the same time."""
    RESTORE = "restore"
    """A master can take over a game from its seed and its moves."""


class Reason(StrEnum):
    """Why a request is refused."""

    INVALID_REQUEST = "INVALID_REQUEST"
    """It cannot be read, or holds a value that is not allowed."""
    INVALID_PLAYER = "INVALID_PLAYER"
    """Who asks is no player (or no spectator with a nick), or its session is not known."""
    DUPLICATE_USER = "DUPLICATE_USER"
    """The nick is taken."""
    USER_LIMIT = "USER_LIMIT"
    """As many as may be here are here already."""
    GAME_LIMIT = "GAME_LIMIT"
    """There are as many tables, or games at tables, as there may be."""
    INVALID_GAME = "INVALID_GAME"
    """No such game or table, not open to this player, or not in the state that the request needs."""
    NOT_PLAYING = "NOT_PLAYING"
    """Who asks sits at no table and in no game."""
    ALREADY_PLAYING = "ALREADY_PLAYING"
    """Who asks sits at a table or in a game already."""
    NOT_ADVERTISER = "NOT_ADVERTISER"
    """Only the one who set the table up may do that."""
    ADVERTISER_MAY_NOT_QUIT = "ADVERTISER_MAY_NOT_QUIT"
    """The one who set the table up has to cancel it instead."""
    NO_MASTER = "NO_MASTER"
    """No game master is here that could lead this game now."""
    RATE_LIMIT = "RATE_LIMIT"
    """Too many of these within a minute."""


class Visibility(StrEnum):
    """Who may sit down at a table."""

    PUBLIC = "PUBLIC"
    PRIVATE = "PRIVATE"


class SeatKind(StrEnum):
    """Who plays a seat."""

    HUMAN = "human"
    """A peer of its own, be it a person or a program."""
    PROGRAM = "program"
    """The game master."""


class SeatState(StrEnum):
    """How a seat stands."""

    JOINED = "JOINED"
    PLAYING = "PLAYING"
    FINISHED = "FINISHED"
    QUIT = "QUIT"
    DISCONNECTED = "DISCONNECTED"


class EndResult(StrEnum):
    """Whether a game was played to an end that counts."""

    COMPLETED = "COMPLETED"
    CANCELLED = "CANCELLED"


class WarningScope(StrEnum):
    """What has been silent for long."""

    PLAYER = "player"
    GAME = "game"
    CLOCK = "clock"
    """The time of the player to move runs out."""


class WarningState(StrEnum):
    """What is going to happen, or has: first idle, then inactive. LOW belongs to the clock."""

    IDLE = "IDLE"
    INACTIVE = "INACTIVE"
    LOW = "LOW"


class WatchFrom(StrEnum):
    """Where a spectator begins."""

    BEGIN = "begin"
    NOW = "now"


class EventKind(StrEnum):
    """What spectators hear of a game. Moves are told without what they are: the next state shows as much of it as
    everybody may know."""

    BEGIN = "begin"
    STATE = "state"
    MOVE = "move"
    LEFT = "left"
    OVER = "over"
    ENDED = "ended"
    """The last event: ``text`` is the verdict."""


# --- any family ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Hello(Extension):
    """First message of a connection: I can do this. The answer: these of them you may use here."""

    TYPE: ClassVar[str] = "x-hello"
    families: tuple[str, ...]
    program: str = ""
    version: str = ""
    """What it calls itself, for the journal and the log."""


@dataclass(frozen=True, slots=True)
class Ok(Extension):
    """Server to peer: that was done."""

    TYPE: ClassVar[str] = "x-ok"
    ref: str = ""


@dataclass(frozen=True, slots=True)
class Failed(Extension):
    """Server to peer: that was not done, and why. Master to server, with ``game_id``: this game I cannot begin."""

    TYPE: ClassVar[str] = "x-failed"
    code: Reason
    text: str
    game_id: str = ""
    ref: str = ""


@dataclass(frozen=True, slots=True)
class Ping(Extension):
    """Either side: are you there? Any player may send it; players with ``session`` or ``clock`` are sent it."""

    TYPE: ClassVar[str] = "x-ping"
    ref: str = ""


@dataclass(frozen=True, slots=True)
class Pong(Extension):
    """The answer to a ping."""

    TYPE: ClassVar[str] = "x-pong"
    ref: str = ""


# --- session, state -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Session(Extension):
    """Server to player, after the loginResponse: with this token you may come back.

    ``turn`` is true when the server waits for a move of this player: after a resume it tells whether the last move
    has arrived.
    """

    TYPE: ClassVar[str] = "x-session"
    token: str
    nick: str
    resumed: bool
    grace_s: float
    turn: bool = False


@dataclass(frozen=True, slots=True)
class Resume(Extension):
    """Player to server in place of a login: I am back."""

    TYPE: ClassVar[str] = "x-resume"
    token: str


@dataclass(frozen=True, slots=True)
class Resend(Extension):
    """Player to server: my last gameState again, please."""

    TYPE: ClassVar[str] = "x-resend"
    game_id: str
    ref: str = ""


@dataclass(frozen=True, slots=True)
class Warn(Extension):
    """Server to player: silent for long, or short of time. ``left_s`` is how long it may still go on."""

    TYPE: ClassVar[str] = "x-warning"
    scope: WarningScope
    state: WarningState
    left_s: float
    game_id: str = ""


# --- lobby --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PlayerInfo:
    """One player who is here. ``since`` and ``active`` are seconds ago: of the login, of the last message."""

    nick: str
    game_type: str
    since_s: float
    active_s: float
    connection: str
    """``CONNECTED`` or ``DISCONNECTED``."""
    activity: str
    """``ACTIVE``, ``IDLE`` or ``INACTIVE``."""
    play: str
    """``WAITING``, ``JOINED`` or ``PLAYING``."""
    game_id: str = ""


@dataclass(frozen=True, slots=True)
class OfferedOption:
    """One choice that a master offers: ``value`` unless another is wanted, which must be one of the words of
    ``values`` or a whole number from ``least`` to ``most``; any text where none of these is said."""

    name: str
    value: str
    values: str = ""
    least: int | None = None
    most: int | None = None


@dataclass(frozen=True, slots=True)
class GameTypeInfo:
    """One game type that somebody here plays or leads."""

    game_type: str
    players_min: int
    players_max: int
    master: bool
    programs: bool
    """Whether the master plays empty seats."""
    options: tuple[OfferedOption, ...] = ()


@dataclass(frozen=True, slots=True)
class TableInfo:
    """A table that players have set up. ``seats`` counts those of ``computers``, ``free`` does not."""

    id: str
    name: str
    game_type: str
    owner: str
    seats: int
    free: int
    computers: int
    visibility: Visibility
    options: tuple[Choice, ...] = ()
    invited: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SeatInfo:
    """Who sits on one seat."""

    nick: str
    kind: SeatKind
    state: SeatState
    label: str = ""
    """What the game calls it, such as a colour."""


@dataclass(frozen=True, slots=True)
class ListPlayers(Extension):
    """Player to server: who is here?"""

    TYPE: ClassVar[str] = "x-listPlayers"
    ref: str = ""


@dataclass(frozen=True, slots=True)
class Players(Extension):
    """The answer: everybody in the order of the logins."""

    TYPE: ClassVar[str] = "x-players"
    players: tuple[PlayerInfo, ...]
    ref: str = ""


@dataclass(frozen=True, slots=True)
class ListGameTypes(Extension):
    """Player to server: what is played here?"""

    TYPE: ClassVar[str] = "x-listGameTypes"
    ref: str = ""


@dataclass(frozen=True, slots=True)
class GameTypes(Extension):
    """The answer, in the order of names."""

    TYPE: ClassVar[str] = "x-gameTypes"
    games: tuple[GameTypeInfo, ...]
    ref: str = ""


@dataclass(frozen=True, slots=True)
class NewTable:
    """The table that a player wants; ``seats`` counts those of ``computers``."""

    name: str
    seats: int
    visibility: Visibility
    computers: int = 0
    options: tuple[Choice, ...] = ()
    invited: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Advertise(Extension):
    """Player to server: set up this table, I sit at it."""

    TYPE: ClassVar[str] = "x-advertise"
    table: NewTable
    ref: str = ""


@dataclass(frozen=True, slots=True)
class Advertised(Extension):
    """The answer: there it stands."""

    TYPE: ClassVar[str] = "x-advertised"
    table: TableInfo
    ref: str = ""


@dataclass(frozen=True, slots=True)
class Invitation(Extension):
    """Server to player: somebody asks you to this table."""

    TYPE: ClassVar[str] = "x-invitation"
    table: TableInfo


@dataclass(frozen=True, slots=True)
class ListTables(Extension):
    """Player to server: at which tables may I sit down?"""

    TYPE: ClassVar[str] = "x-listTables"
    ref: str = ""


@dataclass(frozen=True, slots=True)
class Tables(Extension):
    """The answer: tables of the player's game type that are open to it and not full, oldest first."""

    TYPE: ClassVar[str] = "x-tables"
    tables: tuple[TableInfo, ...]
    ref: str = ""


@dataclass(frozen=True, slots=True)
class Join(Extension):
    """Player to server: I sit down there."""

    TYPE: ClassVar[str] = "x-join"
    table_id: str
    ref: str = ""


@dataclass(frozen=True, slots=True)
class Joined(Extension):
    """The answer: you sit."""

    TYPE: ClassVar[str] = "x-joined"
    table: TableInfo
    ref: str = ""


@dataclass(frozen=True, slots=True)
class Start(Extension):
    """Advertiser to server: begin now; the master plays the free seats."""

    TYPE: ClassVar[str] = "x-start"
    ref: str = ""


@dataclass(frozen=True, slots=True)
class Cancel(Extension):
    """Advertiser to server: put the table away, or end its game."""

    TYPE: ClassVar[str] = "x-cancel"
    ref: str = ""


@dataclass(frozen=True, slots=True)
class Quit(Extension):
    """Player to server: I get up from the table, give up its game, or no longer wait for open play."""

    TYPE: ClassVar[str] = "x-quit"
    ref: str = ""


@dataclass(frozen=True, slots=True)
class Wait(Extension):
    """Player to server: let me wait for open play, as a player without a lobby does."""

    TYPE: ClassVar[str] = "x-wait"
    ref: str = ""


@dataclass(frozen=True, slots=True)
class Seats(Extension):
    """Server to everybody with a lobby at a table or in a game: who sits where."""

    TYPE: ClassVar[str] = "x-seats"
    game_id: str
    comment: str
    seats: tuple[SeatInfo, ...]


@dataclass(frozen=True, slots=True)
class GameEnded(Extension):
    """Server to everybody with a lobby at a table or in a game, before the gameOver: why it ended."""

    TYPE: ClassVar[str] = "x-gameEnded"
    game_id: str
    result: EndResult
    reason: str
    """A word in capitals: ``FINISHED``, ``CANCELLED``, ``NOT_VIABLE``, ``INACTIVE``, ``SHUTDOWN``, …"""
    comment: str = ""


# --- chat ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Say(Extension):
    """Player or spectator to server: tell these, or all at this table, that."""

    TYPE: ClassVar[str] = "x-say"
    to: tuple[str, ...]
    table: str
    text: str
    ref: str = ""


@dataclass(frozen=True, slots=True)
class Said(Extension):
    """Server to those with chat: somebody said that."""

    TYPE: ClassVar[str] = "x-said"
    sender: str
    to: tuple[str, ...]
    table: str
    text: str


# --- clock --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ShowClock(Extension):
    """Player to server: how much time is left?"""

    TYPE: ClassVar[str] = "x-showClock"
    ref: str = ""


@dataclass(frozen=True, slots=True)
class ClockInfo:
    """One player's clock: the budget that is left (None without one), and for a player to move, how much is left of
    this move in all. ``round_trip_ms`` is None while it has not been measured."""

    nick: str
    left_s: float | None = None
    move_left_s: float | None = None
    round_trip_ms: float | None = None


@dataclass(frozen=True, slots=True)
class Clock(Extension):
    """The answer; and, where players have budgets, told before every state."""

    TYPE: ClassVar[str] = "x-clock"
    game_id: str
    clocks: tuple[ClockInfo, ...]
    ref: str = ""


# --- watch --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Watch(Extension):
    """Spectator to server: show me this game, or all games of this type. ``nick`` is for the chat, may be empty."""

    TYPE: ClassVar[str] = "x-watch"
    game_id: str = ""
    game_type: str = ""
    begin: WatchFrom = WatchFrom.NOW
    delay_s: float = 0.0
    nick: str = ""
    ref: str = ""


@dataclass(frozen=True, slots=True)
class Unwatch(Extension):
    """Spectator to server: no more of this game or this type; without either, of none."""

    TYPE: ClassVar[str] = "x-unwatch"
    game_id: str = ""
    game_type: str = ""
    ref: str = ""


@dataclass(frozen=True, slots=True)
class ListGames(Extension):
    """Spectator to server: which games are running? ``game_type`` empty: of all types."""

    TYPE: ClassVar[str] = "x-listGames"
    game_type: str = ""
    ref: str = ""


@dataclass(frozen=True, slots=True)
class RunningGame:
    """One game that can be watched."""

    game_id: str
    game_type: str
    players: str
    """The nicks of the seats, with ``, `` between; for people."""
    moves: int
    spectators: int


@dataclass(frozen=True, slots=True)
class RunningGames(Extension):
    """The answer, in the order in which they began."""

    TYPE: ClassVar[str] = "x-games"
    games: tuple[RunningGame, ...]
    ref: str = ""


@dataclass(frozen=True, slots=True)
class Watching(Extension):
    """The answer to x-watch, and told of each game that begins later for who watches a type: the game as it was at
    event ``number`` (0: before the first). The events after that follow, each with the next number."""

    TYPE: ClassVar[str] = "x-watching"
    game_id: str
    game_type: str
    number: int
    seats: tuple[SeatInfo, ...]
    options: tuple[Choice, ...] = ()
    next_players: tuple[str, ...] = ()
    state: bytes = b""
    """The public state, ``<gameState>…``; empty when there was none yet."""
    ref: str = ""


@dataclass(frozen=True, slots=True)
class GameEvent(Extension):
    """Server to spectators: event ``number`` (the first has 1) of a game, ``after_s`` seconds after its begin."""

    TYPE: ClassVar[str] = "x-event"
    game_id: str
    number: int
    after_s: float
    what: EventKind
    nick: str = ""
    """Who moved or left."""
    text: str = ""
    """For people: why somebody left, the verdict."""
    next_players: tuple[str, ...] = ()
    game_over: tuple[PlayerResult, ...] = ()
    state: bytes = b""


# --- views, movers, table, restore: game masters ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class View:
    """What one player sees, or (``nick`` empty) everybody who is not named: the ``<gameState>`` element."""

    nick: str
    payload: bytes


@dataclass(frozen=True, slots=True)
class Views(Extension):
    """Master to server in place of gameState. Exactly one of ``next_players`` and ``game_over`` is not empty.

    Several next players may act at the same time; that takes ``movers``, named views take ``views``.
    """

    TYPE: ClassVar[str] = "x-views"
    game_id: str
    next_players: tuple[str, ...]
    game_over: tuple[PlayerResult, ...]
    views: tuple[View, ...]


@dataclass(frozen=True, slots=True)
class Moved(Extension):
    """Server to a master with ``movers`` in place of move: who moved, and what."""

    TYPE: ClassVar[str] = "x-moved"
    game_id: str
    nick: str
    payload: bytes


@dataclass(frozen=True, slots=True)
class Offers(Extension):
    """Master to server after its login: games of mine can be played like this."""

    TYPE: ClassVar[str] = "x-offers"
    options: tuple[OfferedOption, ...]


@dataclass(frozen=True, slots=True)
class Label:
    """What a master says of one seat, its own among them, in the order of the seats."""

    nick: str
    label: str
    kind: SeatKind


@dataclass(frozen=True, slots=True)
class Labels(Extension):
    """Master to server: who plays what."""

    TYPE: ClassVar[str] = "x-labels"
    game_id: str
    seats: tuple[Label, ...]


@dataclass(frozen=True, slots=True)
class Stop(Extension):
    """Server to master: this game has been ended. ``reason`` as in x-gameEnded."""

    TYPE: ClassVar[str] = "x-stop"
    game_id: str
    reason: str


@dataclass(frozen=True, slots=True)
class PastMove:
    """A move that was made before: who, and the ``<move>`` element."""

    nick: str
    payload: bytes


@dataclass(frozen=True, slots=True)
class PastLeft:
    """A player left before."""

    nick: str
    cause: str


@dataclass(frozen=True, slots=True)
class Restore(Extension):
    """Server to master: take this game over. Begin it again, make every move, and send the state it is in now."""

    TYPE: ClassVar[str] = "x-restore"
    game_id: str
    players: tuple[str, ...]
    options: tuple[Choice, ...]
    seats: int
    seed: str
    happened: tuple[PastMove | PastLeft, ...]
