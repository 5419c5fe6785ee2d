"""The messages of UGS v4, one frozen class each (specification: "Universal Game System Communication Protocol v.4").

A class holds what its message says and nothing about how it is written: the codec knows that. Ids and nicks are
text as an XML parser delivers it, references resolved. A payload is the complete ``<move>`` or ``<gameState>``
element as the exact bytes that arrived; nobody between sender and receiver rewrites them.

The two login messages keep their attributes as they came, ``None`` where one is missing: a wrong nick or a wrong
number of players has an answer of its own (:class:`LoginError`), so judging them is the broker's work.

``GameState`` and ``Move`` are nearly all there are, so these two are frozen for the type checker only
(:mod:`ugs.value`).
"""

from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import ClassVar, TypeAlias

from ugs.value import value


class LoginError(IntEnum):
    """The five reasons for which a login may be refused, with the numbers of the specification."""

    WRONG_NICK = 1
    IMPROPER_GAME_TYPE = 2
    PLAYERS_POOL_OVERFLOW = 3
    MASTER_ALREADY_REGISTERED = 4
    WRONG_GAME_TYPE_DESCRIPTION = 5


class Result(Enum):
    """What a ``gameOver`` says about one player; v4 has no word for a draw."""

    WINNER = "winner"
    LOSER = "loser"


@dataclass(frozen=True, slots=True)
class Error:
    """Either side: something was wrong. The text is for people."""

    TYPE: ClassVar[str] = "error"
    text: str


@dataclass(frozen=True, slots=True)
class PlayerLogin:
    """Player to server: let me in under this nick, I play this game type."""

    TYPE: ClassVar[str] = "playerLogin"
    nick: str | None
    game_type: str | None


@dataclass(frozen=True, slots=True)
class GameMasterLogin:
    """Master to server: I lead games of this type for so many players; the two numbers as they were written."""

    TYPE: ClassVar[str] = "gameMasterLogin"
    id: str | None
    game_type: str | None
    players_min: str | None
    players_max: str | None


@dataclass(frozen=True, slots=True)
class LoginResponse:
    """Server to player or master: accepted (``error`` is None) or refused for one of five reasons."""

    TYPE: ClassVar[str] = "loginResponse"
    error: LoginError | None = None

    @property
    def accepted(self) -> bool:
        """True when the login was accepted."""
        return self.error is None


@dataclass(frozen=True, slots=True)
class Choice:
    """One ``option`` element: a named choice for a game."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class BeginGame:
    """Server to master: lead this game; the first nick has the first seat.

    The rest goes only to masters that were granted it: ``options`` and ``seats`` (how many there are, when that is
    more than the players: the master plays the others; 0 says nothing) with the family ``table``, ``seed`` (what all
    chance of the game has to come from) with ``restore``.
    """

    TYPE: ClassVar[str] = "beginGame"
    game_id: str
    players: tuple[str, ...]
    options: tuple[Choice, ...] = ()
    seats: int = 0
    seed: str = ""


@dataclass(frozen=True, slots=True)
class PlayerResult:
    """One ``player`` element of a ``gameOver``."""

    nick: str
    result: Result


@value
class GameState:
    """Master to server, server to every player of the game: the state after what happened last.

    Exactly one of ``next_player`` (whose turn it is) and ``game_over`` (everybody's result) is not None.
    ``payload`` is the whole ``<gameState>`` child, byte for byte.
    """

    TYPE: ClassVar[str] = "gameState"
    game_id: str
    next_player: str | None
    game_over: tuple[PlayerResult, ...] | None
    payload: bytes = b"<gameState/>"


@value
class Move:
    """Player to server, server to master: the move of the player whose turn it is; ``payload`` is ``<move>…``."""

    TYPE: ClassVar[str] = "move"
    game_id: str
    payload: bytes


@dataclass(frozen=True, slots=True)
class ThankYou:
    """Player to server, after the game is over: ready for the next one. The type has a blank in it."""

    TYPE: ClassVar[str] = "thank you"
    game_id: str


@dataclass(frozen=True, slots=True)
class LeaveGame:
    """Player to server: I give this game up."""

    TYPE: ClassVar[str] = "leaveGame"
    game_id: str


@dataclass(frozen=True, slots=True)
class PlayerLeftGame:
    """Server to master: a player is gone. Master to server: take this player out."""

    TYPE: ClassVar[str] = "playerLeftGame"
    nick: str
    game_id: str


@dataclass(frozen=True, slots=True)
class Logout:
    """Player (or master) to server: good-bye."""

    TYPE: ClassVar[str] = "logout"


@dataclass(frozen=True, slots=True)
class ServerShutdown:
    """Server to everybody logged in: I am about to stop."""

    TYPE: ClassVar[str] = "serverShutdown"


@dataclass(frozen=True, slots=True)
class ChampionRow:
    """One ``player`` element of a ``championsList``."""

    nick: str
    won: int
    lost: int


@dataclass(frozen=True, slots=True)
class ChampionsList:
    """Server to idle players: the table of their game type, best first."""

    TYPE: ClassVar[str] = "championsList"
    rows: tuple[ChampionRow, ...]


@dataclass(frozen=True, slots=True)
class Extension:
    """The base of all messages that v4 does not have (:mod:`ugs.wire.extensions`); their types begin with ``x-``."""

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
