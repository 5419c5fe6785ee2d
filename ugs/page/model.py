"""What pages show, as values: the templates write them as HTML, the API as JSON, with these names and these words.

Times are seconds since 1970 (UTC) unless the name says otherwise. Nicks and names are what others chose: they may hold
anything. Lists are bounded; what is left out is counted.
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


@dataclass(frozen=True, slots=True)
class SeatOutcome:
    """One seat of a game that has ended."""

    nick: str
    outcome: str
    """won, lost, drawn or void."""
    fault: str = ""
    """Why the player left early; empty if it did not."""


@dataclass(frozen=True, slots=True)
class Ended:
    """A game that has ended."""

    game: str
    game_type: str
    championship: str
    seats: list[SeatOutcome]
    verdict: str
    """A word for why it ended."""
    moves: int
    began: float
    ended: float
    counts: bool
    """Whether it counts for standings."""


@dataclass(frozen=True, slots=True)
class TopLine:
    """One of the best of a game type."""

    place: int
    nick: str
    won: int
    lost: int
    drawn: int
    points: float


@dataclass(frozen=True, slots=True)
class Top:
    """The best of a game type."""

    game_type: str
    games: int
    players: int
    lines: list[TopLine]


@dataclass(frozen=True, slots=True)
class OpenTable:
    """A table with free seats that anybody may join."""

    name: str
    owner: str
    nicks: list[str]
    seats: int
    free: int


@dataclass(frozen=True, slots=True)
class Master:
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
    """Those of them whose line is cut and who may come back."""
    waiting: list[str]
    more_waiting: int
    why: list[str]
    """Why the one who has waited longest waits."""
    masters: list[Master]
    more_masters: int
    tables: list[OpenTable]
    championship: str
    """The one that is announced or played."""


@dataclass(frozen=True, slots=True)
class Away:
    """An entrant whose connection is lost."""

    nick: str
    left_s: float
    """Seconds within which it may come back."""


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


@dataclass(frozen=True, slots=True)
class Overview:
    """What happens now."""

    server: Server
    running: list[Running]
    more_running: int
    latest: list[Ended]
    """The latest results, newest first."""
    tops: list[Top] = field(default_factory=list)
    tops_pending: bool = False
    """Whether standings are still being computed."""
    pools: list[Pool] = field(default_factory=list)
    championships: list[Current] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Board:
    """A running game as it may be seen by now."""

    game: str
    game_type: str
    number: int
    """Of the last event that is shown."""
    nicks: list[str]
    """By seat; those of players first, then those that the master plays."""
    labels: list[str]
    """What the game calls the seats; empty where it is not known."""
    next: list[str]
    """Who may move."""
    svg: str
    """The position; empty while there is none."""
    words: str
    """The position in words."""
    news: list[str]
    """What has happened last, in words."""
    moves: int
    over: bool = False
    """Whether the game has ended."""
    verdict: str = ""
    """Why, once it has ended."""
