"""The words of the extensions: what may stand where one of a few is expected."""

from enum import StrEnum


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
