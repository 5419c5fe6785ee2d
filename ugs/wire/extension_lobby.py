"""Who is here and at which table, and what they say to each other: the families ``lobby`` and ``chat``."""

from dataclasses import dataclass
from typing import ClassVar

from ugs.wire.extension_words import EndResult, SeatKind, SeatState, Visibility
from ugs.wire.messages import Choice, Extension


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
