"""The life of one connection.

A connection is new until it has logged in. A player is then idle (and waits for a game), playing, or owes the thank
you of a game that is over, and becomes idle again; a master stays a master. Whoever is told to go, or goes, is
forgotten at once: there is no state for that.

``LIFE`` says for every state what each message means there, by the name of a rule of the broker. A message that is
missing from a row is answered with an ``error`` and changes nothing.
"""

from collections import deque
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from ugs.wire.extensions import Family, OfferedOption
from ugs.wire.messages import (
    Error,
    GameMasterLogin,
    GameState,
    LeaveGame,
    Logout,
    Message,
    Move,
    PlayerLeftGame,
    PlayerLogin,
    ThankYou,
)

if TYPE_CHECKING:
    from ugs.broker.desk import GameType
    from ugs.broker.extensions.tables import GameTable
    from ugs.broker.game import Game

REMEMBERED_ROUND_TRIPS = 8
REMEMBERED_GAMES = 1000
"""So many ended games of a master are known as such; a message for an older one is for an unknown game."""


class LinkState(StrEnum):
    """Where a connection stands; the words appear in error messages."""

    NEW = "not logged in"
    IDLE = "waiting for a game"
    PLAYING = "in a game"
    OWING = "owing a thank you"
    MASTER = "a game master"
    WATCHING = "a spectator"


class Rule(StrEnum):
    """The rules of the broker that a message can call; each is a method of that name."""

    PLAYER_LOGIN = "player_login"
    MASTER_LOGIN = "master_login"
    SECOND_LOGIN = "second_login"
    LOGOUT = "logout"
    PEER_ERROR = "peer_error"
    ERROR_AS_THANKS = "error_as_thanks"
    MOVE = "move"
    NO_GAME = "no_game"
    LEAVE_GAME = "leave_game"
    THANK_YOU = "thank_you"
    GAME_STATE = "game_state"
    PLAYER_OUT = "player_out"


LIFE: dict[LinkState, dict[type[Message], Rule]] = {
    LinkState.NEW: {
        PlayerLogin: Rule.PLAYER_LOGIN,
        GameMasterLogin: Rule.MASTER_LOGIN,
        Logout: Rule.LOGOUT,
        Error: Rule.PEER_ERROR,
    },
    LinkState.IDLE: {
        PlayerLogin: Rule.SECOND_LOGIN,
        GameMasterLogin: Rule.SECOND_LOGIN,
        Move: Rule.NO_GAME,
        LeaveGame: Rule.NO_GAME,
        ThankYou: Rule.NO_GAME,
        Logout: Rule.LOGOUT,
        Error: Rule.PEER_ERROR,
    },
    LinkState.PLAYING: {
        PlayerLogin: Rule.SECOND_LOGIN,
        GameMasterLogin: Rule.SECOND_LOGIN,
        Move: Rule.MOVE,
        LeaveGame: Rule.LEAVE_GAME,
        ThankYou: Rule.NO_GAME,
        Logout: Rule.LOGOUT,
        Error: Rule.PEER_ERROR,
    },
    LinkState.OWING: {
        PlayerLogin: Rule.SECOND_LOGIN,
        GameMasterLogin: Rule.SECOND_LOGIN,
        Move: Rule.NO_GAME,
        LeaveGame: Rule.NO_GAME,
        ThankYou: Rule.THANK_YOU,
        Logout: Rule.LOGOUT,
        Error: Rule.ERROR_AS_THANKS,
    },
    LinkState.MASTER: {
        PlayerLogin: Rule.SECOND_LOGIN,
        GameMasterLogin: Rule.SECOND_LOGIN,
        GameState: Rule.GAME_STATE,
        PlayerLeftGame: Rule.PLAYER_OUT,
        Logout: Rule.LOGOUT,
        Error: Rule.PEER_ERROR,
    },
    LinkState.WATCHING: {
        PlayerLogin: Rule.SECOND_LOGIN,
        GameMasterLogin: Rule.SECOND_LOGIN,
        Logout: Rule.LOGOUT,
        Error: Rule.PEER_ERROR,
    },
}
"""The messages of UGS v4; what the extensions mean stands in :mod:`ugs.broker.extensions.switchboard`."""


@dataclass(slots=True, eq=False)
class MasterDesk:
    """What the broker keeps of a connection that is a game master."""

    players_min: int
    players_max: int
    games: dict[str, "Game"] = field(default_factory=dict)
    """Running games by id."""
    ended: deque[str] = field(default_factory=lambda: deque(maxlen=REMEMBERED_GAMES))
    """Ids of games that are over or void: messages for them may have crossed on the way."""
    silences: int = 0
    """How many times in a row it did not answer in time."""
    offers: tuple[OfferedOption, ...] | None = None
    """What may be chosen for its games, and what holds where nothing is chosen; None before it has said so."""


@dataclass(slots=True, eq=False)
class Link:
    """What the broker keeps of one connection."""

    conn: int
    address: str
    state: LinkState = LinkState.NEW
    name: str = ""
    """The nick of a player or the id of a master; empty before the login."""
    type: "GameType | None" = None
    game: "Game | None" = None
    """The game a player sits in or owes thanks for."""
    last_game: str = ""
    """The id of the game before: what comes late for it is no riddle."""
    master: MasterDesk | None = None
    refusals: int = 0
    errors: deque[float] = field(default_factory=deque)
    """When the latest wrong messages came."""
    reports: deque[float] = field(default_factory=deque)
    """When the latest errors that the peer reported came."""
    idle_since: float = 0.0
    told_version: int = -1
    """The version of the table this player was told last."""
    told_at: float = 0.0
    greeted: bool = False
    """Whether it has said x-hello."""
    heard: bool = False
    """Whether it has said anything."""
    families: frozenset[Family] = frozenset()
    """The extensions it may use."""
    names_movers: bool = False
    """Whether it is a master that is told who has moved; asked at every move, hence not looked up."""
    program: str = ""
    """What it calls itself, with the version; empty when it did not say."""
    session: str = ""
    """The part of its token that is no secret; empty for who cannot come back."""
    digest: str = ""
    """The SHA-256 of the whole token, as hexadecimal digits."""
    away: bool = False
    """Whether its line is cut and it may still come back. Nothing can be sent to it; its ``conn`` is of the past."""
    by_gateway: bool = False
    """Whether a gateway speaks for it, which judges by itself who is silent for too long."""
    pooled: bool = True
    """Whether it waits for open play whenever it is free."""
    table: "GameTable | None" = None
    """The table that it sits at, until the game there begins."""
    since: float = 0.0
    """When it logged in."""
    active_at: float = 0.0
    """When it last said anything."""
    chats: deque[float] = field(default_factory=deque)
    """When its latest messages in the chat came."""
    pings: dict[str, float] = field(default_factory=dict)
    """When which ping that it has not answered went out."""
    round_trips: deque[float] = field(default_factory=lambda: deque(maxlen=REMEMBERED_ROUND_TRIPS))
    """The latest measured times of the network to it and back, in seconds."""

    @property
    def leads(self) -> bool:
        """Whether it is a master that can be given games: with ``table``, it has to tell its options first."""
        return self.master is not None and (self.master.offers is not None or Family.TABLE not in self.families)

    def may(self, family: Family) -> bool:
        """Whether it was granted this extension."""
        return family in self.families
