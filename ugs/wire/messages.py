"""The messages of UGS v4, one frozen class each (specification: "Universal Game System Communication Protocol v.4").

A class holds the content of its message; the codec knows how it is written. Ids and nicks are text as an XML parser
delivers it, with references resolved. A payload is the complete ``<move>`` or ``<gameState>`` element as the exact
bytes that arrived; nothing between sender and receiver rewrites them.

The two login messages keep their attributes as they arrived, ``None`` where one is missing. The broker checks them,
since a wrong nick and a wrong number of players get different answers (:class:`LoginError`).

``GameState`` and ``Move`` are nearly all of the traffic, so these two are lighter than dataclasses (:mod:`ugs.value`).
"""

from enum import Enum, IntEnum
from typing import ClassVar, TypeAlias

from ugs.value import Light, value


class LoginError(IntEnum):
    """The five reasons to refuse a login, with the numbers of the specification."""

    WRONG_NICK = 1
    IMPROPER_GAME_TYPE = 2
    PLAYERS_POOL_OVERFLOW = 3
    MASTER_ALREADY_REGISTERED = 4
    WRONG_GAME_TYPE_DESCRIPTION = 5


class Result(Enum):
    """The result of one player in a ``gameOver``. v4 has no word for a draw."""

    WINNER = "winner"
    LOSER = "loser"


@value
class Error:
    """Either side: an answer to a mistake. The text is for people."""

    TYPE: ClassVar[str] = "error"
    text: str


@value
class PlayerLogin:
    """Player to server: log in under ``nick`` to play ``game_type``."""

    TYPE: ClassVar[str] = "playerLogin"
    nick: str | None
    game_type: str | None


@value
class GameMasterLogin:
    """Master to server: log in to lead games of ``game_type``. The two numbers of players are kept as they were
    written."""

    TYPE: ClassVar[str] = "gameMasterLogin"
    id: str | None
    game_type: str | None
    players_min: str | None
    players_max: str | None


@value
class LoginResponse:
    """Server to player or master: accepted (``error`` is None) or refused for one of five reasons."""

    TYPE: ClassVar[str] = "loginResponse"
    error: LoginError | None = None

    @property
    def accepted(self) -> bool:
        """Whether the login was accepted."""
        return self.error is None


@value
class Choice:
    """One ``option`` element: a named choice for a game."""

    name: str
    value: str


@value
class BeginGame:
    """Server to master: lead this game. The first nick has the first seat.

    Only masters that were granted the family ``table`` get ``options`` and ``seats``. ``seats`` is the number of seats
    if there are more than players (the master plays the rest), otherwise 0. ``setup`` comes from the master's
    ``x-offers``: how its games begin. Only masters with ``restore`` get ``seed``; all chance in the game must come from
    it.
    """

    TYPE: ClassVar[str] = "beginGame"
    game_id: str
    players: tuple[str, ...]
    options: tuple[Choice, ...] = ()
    seats: int = 0
    seed: str = ""
    setup: str = ""


@value
class PlayerResult:
    """One ``player`` element of a ``gameOver``."""

    nick: str
    result: Result


class GameState(Light, frozen=True):
    """Master to server, and server to every player of the game: the state after the latest move.

    Exactly one of ``next_player`` (whose turn it is) and ``game_over`` (the results of all players) is not None.
    ``payload`` is the whole ``<gameState>`` child, byte for byte.
    """

    TYPE: ClassVar[str] = "gameState"
    game_id: str
    next_player: str | None
    game_over: tuple[PlayerResult, ...] | None
    payload: bytes = b"<gameState/>"


class Move(Light, frozen=True):
    """Player to server, server to master: the move of the player whose turn it is. ``payload`` is ``<move>…``."""

    TYPE: ClassVar[str] = "move"
    game_id: str
    payload: bytes


@value
class ThankYou:
    """Player to server, after the game is over: ready for the next one. The type contains a blank."""

    TYPE: ClassVar[str] = "thank you"
    game_id: str


@value
class LeaveGame:
    """Player to server: I give this game up."""

    TYPE: ClassVar[str] = "leaveGame"
    game_id: str


@value
class PlayerLeftGame:
    """Server to master: a player is gone. Master to server: remove this player from the game."""

    TYPE: ClassVar[str] = "playerLeftGame"
    nick: str
    game_id: str


@value
class Logout:
    """Player or master to server: good-bye."""

    TYPE: ClassVar[str] = "logout"


@value
class ServerShutdown:
    """Server to all who are logged in: the server is about to stop."""

    TYPE: ClassVar[str] = "serverShutdown"


@value
class ChampionRow:
    """One ``player`` element of a ``championsList``."""

    nick: str
    won: int
    lost: int


@value
class ChampionsList:
    """Server to idle players: the standings of their game type, best first."""

    TYPE: ClassVar[str] = "championsList"
    rows: tuple[ChampionRow, ...]


class Extension:
    """The base of all messages that v4 lacks (:mod:`ugs.wire.extensions`). Their types begin with ``x-``."""

    __slots__ = ()
    TYPE: ClassVar[str] = ""


Message: TypeAlias = (
    Error
    | PlayerLogin
    | GameMasterLogin
    | LoginResponse
    | BeginGame
    | GameState
    | Move
    | ThankYou
    | LeaveGame
    | PlayerLeftGame
    | Logout
    | ServerShutdown
    | ChampionsList
    | Extension
)
