"""What the broker replies to questions and orders, as values. :func:`as_json` makes JSON of them at the edge.

The order of the fields is that of the JSON; programs rely on it. A field that is :data:`ABSENT` is left out.
"""

import dataclasses
from collections.abc import Mapping
from enum import Enum
from typing import Any, ClassVar, Final, TypeAlias

from ugs.value import value


class Absent(Enum):
    """The value of a field that is not there."""

    ABSENT = "absent"


ABSENT: Final = Absent.ABSENT
OF_CLUSTERS: Final = frozenset({"node", "nodes"})
"""Fields that are left out when they are empty, since there is no cluster. They cannot be ABSENT: what a node shows is
read again by the others, and a text that may be something else cannot."""


class Reply:
    """The reply to a question or an order."""

    __slots__ = ()
    ok: ClassVar[bool] = True


@value
class Declined(Reply):
    """It cannot be done, or there is no such thing."""

    ok: ClassVar[bool] = False
    error: str
    near: tuple[str, ...] | Absent = ABSENT
    """Names that the asker may compare with the one it has asked for."""


@value
class Done(Reply):
    """It is done."""


# Why a peer waits, how a game stands.


@value
class ConnectionOf:
    """A connection that concerns an entry; the shell adds what the network knows of it."""

    role: str
    name: str
    conn: int
    address: str


@value
class PlayerEntry:
    """A player, and why it waits."""

    kind: ClassVar[str] = "player"
    name: str
    game_type: str
    state: str
    peers: tuple[ConnectionOf, ...]
    waiting_s: float | Absent
    game: str | Absent
    """The id of its game; one of the two is absent."""
    why: tuple[str, ...]


@value
class LedGame:
    """A game that a master leads."""

    game: str
    why: str


@value
class MasterEntry:
    """A game master, and what it waits for."""

    kind: ClassVar[str] = "master"
    name: str
    game_type: str
    players: str
    silences: int
    waiting: int
    games: tuple[LedGame, ...]
    why: tuple[str, ...]
    peers: tuple[ConnectionOf, ...]


@value
class GoneEntry:
    """A player or game master that is not here, and why it was refused or closed."""

    kind: str
    name: str
    why: tuple[str, ...]
    peers: tuple[ConnectionOf, ...] = ()


@value
class GameEntry:
    """A game, and for whom it waits."""

    kind: ClassVar[str] = "game"
    game: str
    game_type: str
    championship: str
    phase: str
    waits_for: tuple[str, ...]
    limit_s: float | None
    seats: tuple[str, ...]
    departures: Mapping[str, str]
    moves: int
    why: tuple[str, ...]
    peers: tuple[ConnectionOf, ...]


@value
class HeldFixture:
    """A game of a championship that could begin, and what it waits for; empty: a game master begins it soon."""

    fixture: int
    nicks: tuple[str, ...]
    why: tuple[str, ...]


@value
class ChampionshipEntry:
    """A championship, and what it waits for."""

    kind: ClassVar[str] = "championship"
    name: str
    game_type: str
    state: str
    why: tuple[str, ...]
    fixtures: tuple[HeldFixture, ...]
    """The games that could begin, a few of them."""
    peers: tuple[ConnectionOf, ...] = ()
    options_unmet: str = ""
    """That no game master here offers its options, in a sentence, which is one of ``why``, too."""


Entry: TypeAlias = PlayerEntry | MasterEntry | GoneEntry | GameEntry | ChampionshipEntry


@value
class Found(Reply):
    """Everything with the requested name."""

    found: tuple[Entry, ...]


# What is public.


@value
class PublicPlayer:
    """A player and why it waits, as far as that is public."""

    kind: ClassVar[str] = "player"
    name: str
    game_type: str
    state: str
    waiting_s: float | Absent
    game: str | Absent
    why: tuple[str, ...]
    node: str = ""


@value
class PublicMaster:
    """A game master and what it waits for, as far as that is public."""

    kind: ClassVar[str] = "master"
    name: str
    game_type: str
    players: str
    waiting: int
    why: tuple[str, ...]
    node: str = ""


@value
class PublicFound(Reply):
    """Everything with the requested name, as far as that is public."""

    found: tuple[PublicPlayer | PublicMaster, ...]


@value
class RunningGame:
    """A game that can be watched."""

    game: str
    game_type: str
    championship: str
    nicks: tuple[str, ...]
    moves: int
    running_s: float
    delay_s: float
    spectators: int = 0
    node: str = ""
    awaits_master: bool = False
    """Whether its game master has lost its line, and the game waits for it or another one."""


@value
class MasterHere:
    """A game master of a type."""

    name: str
    program: str
    games: int
    most_games: int | None
    players_min: int
    players_max: int


@value
class OpenTable:
    """A table whose game has not begun."""

    name: str
    owner: str
    nicks: tuple[str, ...]
    seats: int
    free: int


@value
class TypeHere:
    """A game type that is played here."""

    game_type: str
    running: int
    players: int
    waiting: tuple[str, ...]
    more_waiting: int
    absent: int
    why: tuple[str, ...]
    masters: tuple[MasterHere, ...]
    draws: bool
    """Whether a master of it describes how positions look."""
    more_masters: int
    tables: tuple[OpenTable, ...]
    championship: str
    node: str = ""
    paused: str = ""
    """Why an organiser has paused it; empty: none has."""


@value
class AwayEntrant:
    """An entrant that may come back, and for how long."""

    nick: str
    left_s: float


@value
class CurrentChampionship:
    """A championship that is announced or played."""

    championship: str
    game_type: str
    state: str
    format: str
    entrants: int
    remaining: int
    begins_at: str
    counted: int
    running: int
    missing: tuple[str, ...]
    away: tuple[AwayEntrant, ...]
    drawing: str
    here: int
    """Players who would be in its field if it began now; 0 after its begin."""
    node: str = ""
    paused_type: str = ""
    """That an organiser has paused its game type, in a sentence; empty: none has."""
    options_unmet: str = ""
    """That no game master here offers its options, in a sentence; empty: one does, or none is here."""


@value
class PublicServer(Reply):
    """The public facts about the server, or about all nodes of its cluster: ``node`` is the name of the one that has
    the game, the game type and so on, and here of the one that replies. It is empty where there is no cluster."""

    draining: bool
    journal_lost: bool
    games: tuple[RunningGame, ...]
    more_games: int
    game_types: tuple[TypeHere, ...]
    more_game_types: int
    championships: tuple[CurrentChampionship, ...]
    more_championships: int
    node: str = ""


# The server, for people at its machine.


@value
class PausedType:
    """A game type whose games do not begin."""

    game_type: str
    why: str


@value
class StandingBan:
    """A name or address that may not come in, or alone may."""

    subject: str
    is_address: bool
    why: str
    left_s: float | None


@value
class NodeLine:
    """A node of the cluster in numbers."""

    node: str
    games: int
    players: int
    waiting: int
    masters: int


@value
class AwaitedEntrant:
    """An entrant that may come back: of which championship, and for how long."""

    championship: str
    nick: str
    left_s: float


@value
class Overview(Reply):
    """The server in numbers, and a line for each championship."""

    draining: bool
    journal_lost: str
    games: int
    tables: int
    game_types: int
    paused: tuple[PausedType, ...]
    bans: tuple[StandingBan, ...]
    more_bans: int
    allowed: tuple[StandingBan, ...]
    more_allowed: int
    championships: tuple[str, ...]
    more_championships: int
    nodes: tuple[NodeLine, ...] = ()
    """All that answer, this one first; none where there is no cluster."""
    awaited: tuple[AwaitedEntrant, ...] = ()
    over: tuple[str, ...] = ()
    """The last championships that are over, the latest first."""


@value
class TokenOwner(Reply):
    """Who has a token, or had it, and when."""

    nick: str
    since_ago_s: float
    until_ago_s: float | None
    game: str


# What was done.


@value
class Planned(Reply):
    """A championship is announced or changed."""

    warning: str | Absent = ABSENT


@value
class Paused(Reply):
    """No game of the type begins; this many run."""

    running: int
    warning: str | Absent = ABSENT


@value
class Stopping(Reply):
    """The server begins to stop; this many games run."""

    running: int


@value
class Broadcast(Reply):
    """A text went to this many peers, and not to the others."""

    told: int
    not_told: int


@value
class Removed(Reply):
    """This many peers have to go."""

    removed: int


@value
class Forgotten(Reply):
    """The standings of these game types have no row of a nick any more."""

    game_types: tuple[str, ...]


@value
class Voided(Reply):
    """A game of these players is void."""

    game: str
    seats: tuple[str, ...]


@value
class Adjudicated(Reply):
    """A game has ended with these results, by nick."""

    game: str
    results: Mapping[str, str]


@value
class Begun(Reply):
    """A game has begun."""

    game: str


def as_json(reply: Reply) -> dict[str, object]:
    """A reply as it is sent: what JSON knows, and nothing else."""
    return {"ok": reply.ok, **_fields(reply)}


def _fields(one: Any) -> dict[str, object]:
    kind = getattr(type(one), "kind", None)
    named: dict[str, object] = {"kind": kind} if isinstance(kind, str) else {}
    for field in dataclasses.fields(one):
        part = getattr(one, field.name)
        if part is not ABSENT and (part or field.name not in OF_CLUSTERS):
            named[field.name] = _plain(part)
    return named


def _plain(part: object) -> object:
    if isinstance(part, tuple):
        return [_plain(one) for one in part]
    if isinstance(part, Mapping):
        return dict(part)
    return _fields(part) if dataclasses.is_dataclass(part) else part
