"""One connection, and the peer at its far end before it is known as a player or a game master.

A peer is a newcomer until it has logged in. A player is then idle (and waits for a game), playing, or owes the thank
you of a game that is over, and becomes idle again; a master stays a master, a spectator a spectator. A peer that goes,
or is sent away, is forgotten at once: there is no state for that. ``broker/life.py`` says what each message means in
each state, and which states may follow.
"""

from dataclasses import dataclass, field
from enum import StrEnum

from ugs.address import origin_of
from ugs.broker.state.extras import Extras
from ugs.broker.values.identity import Identity
from ugs.broker.values.name_rules import WATCHING
from ugs.wire.extensions import Family
from ugs.wire.messages import Message


class PeerState(StrEnum):
    """Where a peer stands; the words appear in error messages."""

    __hash__ = str.__hash__  # that of an enumeration is written in Python, and asked for with every message

    NEW = "not logged in"
    IDLE = "waiting for a game"
    PLAYING = "in a game"
    OWING = "owing a thank you"
    MASTER = "a game master"
    WATCHING = "a spectator"


@dataclass(slots=True, eq=False, kw_only=True)
class Peer:
    """The far end of a connection."""

    connection: "Connection"
    """The present one. While ``away``: the last one, which may be closed."""
    state: PeerState
    name: str = ""
    """The nick of a player or spectator, the id of a master; empty if it has none."""
    away: bool = False
    """Nothing can be sent to it: its line is cut, or its gateway cannot reach it."""
    extras: Extras = field(default_factory=dict)

    @property
    def conn(self) -> int:
        """The number of its connection."""
        return self.connection.conn

    @property
    def shown_name(self) -> str:
        """Its name as others see it."""
        return self.name

    def may(self, family: Family) -> bool:
        """Whether it was granted this extension."""
        return family in self.connection.families


@dataclass(slots=True, eq=False, kw_only=True)
class Newcomer(Peer):
    """A peer that has not logged in."""

    state: PeerState = PeerState.NEW
    refusals: int = 0
    """How many of its logins, tokens and requests to watch were refused."""


@dataclass(slots=True, eq=False, kw_only=True)
class Spectator(Peer):
    """A peer that watches."""

    state: PeerState = PeerState.WATCHING

    @property
    def shown_name(self) -> str:
        """Its nick as others see it: nobody can take it for the player of that nick."""
        return f"{self.name}{WATCHING}"


@dataclass(slots=True, eq=False)
class Connection:
    """What the broker keeps of one connection."""

    conn: int
    address: str
    by_gateway: bool = False
    """Whether a gateway speaks for its peer. A gateway has idle time-outs of its own."""
    host: str = field(init=False)
    """The address without its port: the machine that an organiser keeps out, or trusts. Empty when it is not known."""
    origin: str = field(init=False)
    """What limits per address count: the host, of which all in one network of 64 bits are one where it is IPv6. Empty
    when it is not known."""
    peer: Peer = field(init=False)
    families: frozenset[Family] = frozenset()
    """The extensions its peer may use."""
    program: str = ""
    """What its peer calls itself, with the version; empty when it did not say."""
    greeted: bool = False
    """Whether its peer has said x-hello."""
    token: str = field(default="", repr=False)
    """What it has said to prove its name, until it is known as a player or master. Secret: nothing may show it."""
    proven: Identity | None = None
    """Who its peer has proven to be: the row of the list of tokens whose token it has shown first. It stays, whatever
    becomes of the message that it was shown for: ``lobby/doors.py`` says what it opens."""
    heard: bool = False
    """Whether its peer has said anything."""
    active_at: float = 0.0
    """When its peer last said anything."""
    last_sent: type[Message] | None = None
    """What it was last sent as a message of v4 to itself alone."""
    errors: list[float] = field(default_factory=list)
    """When the latest wrong messages came."""
    reports: list[float] = field(default_factory=list)
    """When the latest errors that its peer reported came."""

    def __post_init__(self) -> None:
        host, _, port = self.address.rpartition(":")
        self.host = host if host and port.isdigit() else self.address
        self.origin = origin_of(f"{self.host}:0")
        self.peer = Newcomer(connection=self)
