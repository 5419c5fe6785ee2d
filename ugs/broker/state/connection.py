"""One connection, and the peer at its far end before it is known as a player or a game master.

A peer is a newcomer until it has logged in. A player is then idle (and waits for a game), playing, or owes the thank
you of a game that is over, and becomes idle again; a master stays a master, a spectator a spectator. A peer that goes,
or is sent away, is forgotten at once: there is no state for that. ``broker/life.py`` defines what each message does in
each state, and which states may follow.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from ugs.address import origin_of
from ugs.broker.state.extras import Extras
from ugs.broker.values.identity import Identity
from ugs.broker.values.name_rules import WATCHING
from ugs.wire.extensions import Family
from ugs.wire.messages import Message


class PeerState(StrEnum):
    """Where a peer stands; the words appear in error messages."""

    __hash__ = str.__hash__  # the hash of an enumeration is written in Python, and used for every message

    NEW = "not logged in"
    IDLE = "waiting for a game"
    PLAYING = "in a game"
    OWING = "owing a thank you"
    MASTER = "a game master"
    WATCHING = "a spectator"


CHANGES: Final[Mapping[PeerState, frozenset[PeerState]]] = {
    PeerState.NEW: frozenset(),
    PeerState.IDLE: frozenset({PeerState.IDLE, PeerState.PLAYING}),
    PeerState.PLAYING: frozenset({PeerState.IDLE, PeerState.OWING}),
    PeerState.OWING: frozenset({PeerState.IDLE}),
    PeerState.MASTER: frozenset(),
    PeerState.WATCHING: frozenset(),
}
"""The states that may follow. A peer that logs in or watches becomes another peer on the same connection; a player that
is free again may have been free before."""


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

    def is_cut_off(self) -> None:
        """Nothing can be sent to it from now on."""
        self.away = True

    def is_reachable(self) -> None:
        """It can be sent something again."""
        self.away = False

    def becomes(self, state: PeerState) -> None:
        """It is in this state from now on; no other place writes it. LookupError when :data:`CHANGES` does not allow
        that."""
        if state not in CHANGES[self.state]:
            raise LookupError(f"peer {self.name!r}: {state!r} does not follow {self.state!r}")
        self.state = state


@dataclass(slots=True, eq=False, kw_only=True)
class Newcomer(Peer):
    """A peer that has not logged in."""

    state: PeerState = PeerState.NEW
    refusals: int = 0
    """How many of its logins, tokens and requests to watch were refused."""

    def is_refused(self) -> None:
        """One more of these was refused."""
        self.refusals += 1


@dataclass(slots=True, eq=False, kw_only=True)
class Spectator(Peer):
    """A peer that watches."""

    state: PeerState = PeerState.WATCHING

    def has_nick(self, nick: str) -> None:
        """It has this nick from now on; empty: none."""
        self.name = nick

    @property
    def shown_name(self) -> str:
        """Its nick as others see it: it cannot be mistaken for the player of that nick."""
        return f"{self.name}{WATCHING}"


@dataclass(slots=True, eq=False)
class Connection:
    """What the broker keeps of one connection."""

    conn: int
    address: str
    by_gateway: bool = False
    """Whether a gateway speaks for its peer. Gateways have their own idle time-outs."""
    host: str = field(init=False)
    """The address without its port: the machine that an organiser keeps out, or trusts. Empty when it is not known."""
    origin: str = field(init=False)
    """The key for limits per address: the host, or for IPv6 its network of 64 bits. Empty if unknown."""
    peer: Peer = field(init=False)
    families: frozenset[Family] = frozenset()
    """The extensions its peer may use."""
    program: str = ""
    """The name and version of its peer's program; empty if unknown."""
    greeted: bool = False
    """Whether its peer has sent x-hello."""
    token: str = field(default="", repr=False)
    """The token that it has shown for its name, until it is known as a player or master. Secret: never shown or
    logged."""
    proven: Identity | None = None
    """The identity that its peer has proven: the row of the first token that it has shown. It stays, even if the
    message was refused: ``entrance/doors.py`` decides what it opens."""
    answered: bool = False
    """Whether its peer has sent anything."""
    active_at: float = 0.0
    """When its peer last sent anything."""
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

    def belongs_to(self, peer: Peer) -> None:
        """This is the peer at its far end from now on."""
        self.peer = peer
        peer.connection = self

    def is_active(self, now: float) -> None:
        """Its peer has sent something."""
        self.active_at = now

    def is_answered(self) -> None:
        """The first message of its peer is answered."""
        self.answered = True

    def is_greeted(self, families: frozenset[Family], program: str, token: str) -> None:
        """Its peer has sent x-hello: the granted extensions, the name of its program, the token for its name."""
        self.greeted, self.families, self.program, self.token = True, families, program, token

    def has_proven(self, identity: Identity) -> None:
        """Its peer has shown the token of this row."""
        self.proven = identity

    def forget_token(self) -> None:
        """Forget the token, which is no longer needed."""
        self.token = ""

    def takes_counts_of(self, before: "Connection") -> None:
        """Its peer was on another connection before: the wrong messages there count here."""
        # Otherwise coming back by a session would forgive what the last minute counted.
        self.errors, self.reports = before.errors, before.reports
