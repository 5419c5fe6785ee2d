"""What pages show of the running server, as values: the templates write them as HTML, the API as JSON, with these names
and these words.

Times are seconds since 1970 (UTC) unless the name has another unit. Nicks and names are what others chose: they may
hold anything. Lists are bounded; what is left out is counted.
"""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Server:
    """The server that answers."""

    version: str
    running: bool
    """False on a site that was exported."""
    keeps: bool
    """Whether it keeps a journal: results, replays and standings."""
    draining: bool = False
    """Whether it is about to stop and begins no new games."""
    cannot_write: bool = False
    """Whether it cannot write its journal at present, and begins no new games."""


@dataclass(frozen=True, slots=True)
class Running:
    """A game that runs and may be watched."""

    game: str
    game_type: str
    championship: str
    """Empty in open play."""
    nicks: list[str]
    """By seat."""
    moves: int
    running_s: float
    delay_s: float
    """By how many seconds what is shown is behind."""
    words: str = ""
    """The position in words, where it is shown as a picture."""
    svg: str = ""
    """The position, where it is shown as a picture."""
    ended: bool = False
    """Whether it has just ended ..."""
    over: bool = False
    """... and what is shown of it is its end ..."""
    result: str = ""
    """... and how."""
    spectators: int = 0
    """Who follow it with programs."""
    node: str = ""
    """The node of the cluster that leads it; empty where there is no cluster."""
    awaits_master: bool = False
    """Whether its game master has lost its line, and the game waits for it or another one: no clock runs."""


@dataclass(frozen=True, slots=True)
class FreeTable:
    """A table with free seats that any player may join."""

    name: str
    owner: str
    nicks: list[str]
    seats: int
    free: int


@dataclass(frozen=True, slots=True)
class PresentMaster:
    """A game master that is here."""

    name: str
    program: str
    games: int
    """Games that it leads."""
    most_games: int | None
    """None: as many as there are."""
    players_min: int
    players_max: int


@dataclass(frozen=True, slots=True)
class Pool:
    """A game type that is offered or played at present."""

    game_type: str
    running: int
    """Games that run."""
    players: int
    """Players who are logged in."""
    absent: int
    """Those of them whose line is cut and that may come back."""
    waiting: list[str]
    more_waiting: int
    why: list[str]
    """Why the one who has waited longest waits."""
    masters: list[PresentMaster]
    more_masters: int
    tables: list[FreeTable]
    championship: str
    """The one that is announced or played."""
    node: str = ""
    """The node of the cluster that all of this is at; empty where there is no cluster."""
    paused: str = ""
    """Why an organiser has paused it; empty: none has."""


@dataclass(frozen=True, slots=True)
class Away:
    """An entrant whose connection is lost."""

    nick: str
    left_s: float
    """Seconds that it has left to come back."""


@dataclass(frozen=True, slots=True)
class Current:
    """A championship that is announced or played."""

    championship: str
    game_type: str
    state: str
    """announced, running or paused."""
    format: str
    entrants: int
    remaining: int
    """Entrants who have not left for good; 0 before the begin."""
    begins_at: str
    counted: int
    """Games that count."""
    running: int
    missing: list[str]
    """Entrants who have to come before it begins."""
    away: list[Away]
    drawing: str
    """What is being drawn; empty: nothing."""
    here: int = 0
    """Players who would be in its field if it began now; 0 after its begin."""
    node: str = ""
    """The node of the cluster that plays it; empty where there is no cluster."""
    paused_type: str = ""
    """That an organiser has paused its game type, in a sentence; empty: none has."""
    options_unmet: str = ""
    """That no game master here offers its options, in a sentence; empty: one does, or none is here."""


@dataclass(frozen=True, slots=True)
class Masters:
    """Game masters and pools."""

    server: Server
    pools: list[Pool]


@dataclass(frozen=True, slots=True)
class Waiting:
    """Why a player waits."""

    kind: str
    """player or master."""
    name: str
    game_type: str
    state: str
    """What a player does: idle, playing or owing."""
    waiting_s: float | None
    """For how long it has waited; None if it does not."""
    game: str
    """The id of the game it plays; empty if there is none, or it is private."""
    why: list[str]
    node: str = ""
    """The node of the cluster that it is at; empty where there is no cluster."""


@dataclass(frozen=True, slots=True)
class WaitingPage:
    """Why a player waits."""

    server: Server
    name: str
    """Who was asked for; empty: none yet."""
    found: list[Waiting]
    error: str
    """Why no opponent was found."""
    pools: list[Pool] = field(default_factory=list)
    """Where players wait, if no player was asked for."""
    has_played: bool = False
    """Whether a player of that name, who is not here, has a page: it has played."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A puzzle: a position with a task."""

    number: int
    title: str
    task: str
    seats: int
    """All seats of a table for it; the computer has all but one."""
    svg: str
    """The position; empty where it cannot be drawn."""
    words: str
    """The same in words."""


@dataclass(frozen=True, slots=True)
class Puzzles:
    """The puzzles of a game type."""

    server: Server
    game_type: str
    """Empty: no installed game has any."""
    types: list[str]
    """The game types that have puzzles."""
    puzzles: list[Puzzle]
    more: int
    """Puzzles that are left out."""
    led: bool
    """Whether a game master is here to try them with."""
