"""The family ``lobby``: who is here, which games are played, and the tables that players set up."""

from enum import StrEnum
from typing import ClassVar, Final

from ugs.value import value
from ugs.wire.extensions.common_parts import (
    GAME_ID,
    ID,
    MAX_CHOICES,
    NICK,
    OFFERED_OPTIONS,
    OPTIONS,
    REF,
    SEATS,
    VALUE,
    WANTED_OPTIONS,
    OfferedOption,
    SeatInfo,
)
from ugs.wire.extensions.family import Family
from ugs.wire.extensions.form import MAX_ELEMENTS, Form, form, request
from ugs.wire.messages import Choice, Extension
from ugs.wire.parts import FLAG, NUMBER, SECONDS, Attr, Bound, Inside, Many, One, Text, Value, Values, word


class Visibility(StrEnum):
    """Who may sit down at a table."""

    PUBLIC = "PUBLIC"
    PRIVATE = "PRIVATE"


class EndResult(StrEnum):
    """Whether a game was played to an end that counts."""

    COMPLETED = "COMPLETED"
    CANCELLED = "CANCELLED"


@value
class PlayerInfo:
    """One player who is here. ``since_s`` counts seconds since the login, ``active_s`` seconds since the last
    message."""

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
    node: str = ""
    """The server where the player is, if there are several."""


@value
class GameTypeInfo:
    """One game type of a player or master who is here."""

    game_type: str
    players_min: int
    players_max: int
    master: bool
    programs: bool
    """Whether the master plays free seats."""
    options: tuple[OfferedOption, ...] = ()
    node: str = ""
    """The server of several that leads its games; empty where there is only one."""


@value
class TableInfo:
    """A table that a player has set up. ``seats`` includes those of ``computers``, ``free`` does not."""

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


@value
class NewTable:
    """The table that a player wants. ``seats`` includes those of ``computers``."""

    name: str
    seats: int
    visibility: Visibility
    computers: int = 0
    options: tuple[Choice, ...] = ()
    invited: tuple[str, ...] = ()


@value
class ListPlayers(Extension):
    """Player to server: who is here?"""

    TYPE: ClassVar[str] = "x-listPlayers"
    ref: str = ""


@value
class Players(Extension):
    """The answer to x-listPlayers, in the order of the logins."""

    TYPE: ClassVar[str] = "x-players"
    players: tuple[PlayerInfo, ...]
    ref: str = ""


@value
class ListGameTypes(Extension):
    """Player to server: what is played here?"""

    TYPE: ClassVar[str] = "x-listGameTypes"
    ref: str = ""


@value
class GameTypes(Extension):
    """The answer to x-listGameTypes, ordered by name."""

    TYPE: ClassVar[str] = "x-gameTypes"
    games: tuple[GameTypeInfo, ...]
    ref: str = ""


@value
class Advertise(Extension):
    """Player to server: set up this table, and I sit at it."""

    TYPE: ClassVar[str] = "x-advertise"
    table: NewTable
    ref: str = ""


@value
class Advertised(Extension):
    """The answer to x-advertise: the table as it was set up."""

    TYPE: ClassVar[str] = "x-advertised"
    table: TableInfo
    ref: str = ""


@value
class Invitation(Extension):
    """Server to player: you are invited to this table."""

    TYPE: ClassVar[str] = "x-invitation"
    table: TableInfo


@value
class ListTables(Extension):
    """Player to server: list the tables that I may join."""

    TYPE: ClassVar[str] = "x-listTables"
    ref: str = ""


@value
class Tables(Extension):
    """The answer to x-listTables: tables of the player's game type that it may join and that are not full, oldest
    first. Among the invited players, only the reader is named."""

    TYPE: ClassVar[str] = "x-tables"
    tables: tuple[TableInfo, ...]
    ref: str = ""


@value
class Join(Extension):
    """Player to server: I sit down at table ``table_id``."""

    TYPE: ClassVar[str] = "x-join"
    table_id: str
    ref: str = ""


@value
class Joined(Extension):
    """The answer to x-join: you sit at this table."""

    TYPE: ClassVar[str] = "x-joined"
    table: TableInfo
    ref: str = ""


@value
class Start(Extension):
    """Advertiser to server: begin now; the master plays the free seats."""

    TYPE: ClassVar[str] = "x-start"
    ref: str = ""


@value
class Cancel(Extension):
    """Advertiser to server: remove the table, or end its game."""

    TYPE: ClassVar[str] = "x-cancel"
    ref: str = ""


@value
class Quit(Extension):
    """Player to server: I leave the table, give up its game, or stop waiting for open play."""

    TYPE: ClassVar[str] = "x-quit"
    ref: str = ""


@value
class Wait(Extension):
    """Player to server: I wait for open play, as a player without a lobby does. ``once``: for one game."""

    TYPE: ClassVar[str] = "x-wait"
    ref: str = ""
    once: bool = False


@value
class Seats(Extension):
    """Server to players with a lobby at a table or in a game: who sits where."""

    TYPE: ClassVar[str] = "x-seats"
    game_id: str
    comment: str
    seats: tuple[SeatInfo, ...]
    total: int = 0
    """The number of players if not all of them are listed; otherwise 0."""


@value
class GameEnded(Extension):
    """Server to players with a lobby at a table or in a game, before the gameOver: why it ended."""

    TYPE: ClassVar[str] = "x-gameEnded"
    game_id: str
    result: EndResult
    reason: str
    """A word in capitals: ``FINISHED``, ``CANCELLED``, ``NOT_VIABLE``, ``INACTIVE``, ``SHUTDOWN``, …"""
    comment: str = ""


MAX_INVITATIONS: Final = 1024
"""Players invited to a table; no setting allows more. Each gets the names of all others."""

_PLAYER: Final = Bound(
    PlayerInfo,
    "player",
    (
        Attr("nick", "nick"),
        Attr("game_type", "gameType"),
        Attr("since_s", "sinceSec", SECONDS),
        Attr("active_s", "activeSec", SECONDS),
        Attr("connection", "connection"),
        Attr("activity", "activity"),
        Attr("play", "play"),
        Attr("game_id", "gameId", default=""),
        Attr("node", "node", default=""),
    ),
)
_GAME_TYPE: Final = Bound(
    GameTypeInfo,
    "game",
    (
        Attr("game_type", "gameType"),
        Attr("players_min", "playersMin", NUMBER),
        Attr("players_max", "playersMax", NUMBER),
        Attr("master", "master", FLAG),
        Attr("programs", "programs", FLAG),
        Attr("node", "node", default=""),
        OFFERED_OPTIONS,
    ),
)
_TABLE: Final = Bound(
    TableInfo,
    "table",
    (
        Attr("id", "id"),
        Attr("name", "name"),
        Attr("game_type", "gameType"),
        Attr("owner", "owner"),
        Attr("seats", "seats", NUMBER),
        Attr("free", "free", NUMBER),
        Attr("computers", "computers", NUMBER, default=0),
        Attr("visibility", "visibility", word(Visibility)),
        OPTIONS,
        Values("invited", "invite", "nick"),
    ),
)
_NEW_TABLE: Final = Bound(
    NewTable,
    "table",
    (
        Attr("name", "name", VALUE),
        Attr("seats", "seats", NUMBER),
        Attr("visibility", "visibility", word(Visibility), default=Visibility.PUBLIC),
        Attr("computers", "computers", NUMBER, default=0),
        WANTED_OPTIONS,
        Values("invited", "invite", "nick", NICK, most=MAX_INVITATIONS),
    ),
)
_END: Final = Inside(
    "end",
    (
        Attr("result", "result", word(EndResult)),
        Attr("reason", "reason"),
        Attr("comment", "comment", default=""),
    ),
)
_SENT: Final = (Family.LOBBY,)

FORMS: Final[tuple[Form, ...]] = (
    request(ListPlayers, REF),
    form(Players, REF, Many("players", (_PLAYER,)), sent_to=_SENT),
    request(ListGameTypes, REF),
    form(GameTypes, REF, Many("games", (_GAME_TYPE,)), sent_to=_SENT),
    request(
        Advertise,
        REF,
        One("table", _NEW_TABLE),
        most_elements=MAX_ELEMENTS + MAX_CHOICES + MAX_INVITATIONS,
    ),
    form(Advertised, REF, One("table", _TABLE), sent_to=_SENT),
    form(Invitation, One("table", _TABLE), sent_to=_SENT),
    request(ListTables, REF),
    form(Tables, REF, Many("tables", (_TABLE,)), sent_to=_SENT),
    request(Join, REF, Value("table_id", "table", "id", ID)),
    form(Joined, REF, One("table", _TABLE), sent_to=_SENT),
    request(Start, REF),
    request(Cancel, REF),
    request(Quit, REF),
    request(Wait, REF, Attr("once", "once", FLAG, default=False)),
    form(
        Seats,
        Attr("total", "total", NUMBER, default=0),
        GAME_ID,
        Text("comment", "comment", default=""),
        SEATS,
        sent_to=_SENT,
    ),
    form(GameEnded, GAME_ID, _END, sent_to=_SENT),
)
