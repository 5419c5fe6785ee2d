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


@dataclass(frozen=True, slots=True)
class GameSeat:
    """One seat of a game."""

    nick: str
    label: str = ""
    """What the game calls it, such as a colour."""
    outcome: str = ""
    """won, lost, drawn or void; empty while the game runs, and for seats that the master plays."""
    fault: str = ""
    """Why the player left early."""
    slowest_s: float = 0.0
    """The longest that the player took for a move."""
    mean_s: float = 0.0
    """How long it took on average."""
    moves: int = 0


@dataclass(frozen=True, slots=True)
class Step:
    """How a game came to one of its positions."""

    number: int
    """Of the position, from 1."""
    since_s: float
    """After the begin of the game."""
    who: str
    """Who moved; empty for the first position and where nobody did."""
    took_s: float | None
    """How long that move took, network included."""
    news: list[str]
    """What has happened since the position before, in words."""


@dataclass(frozen=True, slots=True)
class Game:
    """A game: as it runs, or as it was."""

    server: Server
    game: str
    game_type: str
    championship: str
    master: str
    seats: list[GameSeat]
    options: dict[str, str]
    began: float | None
    """None while the game runs."""
    ended: float | None
    moves: int
    live: bool
    """Whether it runs."""
    over: bool
    """Whether nothing changes any more."""
    verdict: str
    """A word for why it ended; empty while it runs."""
    why: list[str]
    """The same in sentences, with whose fault it was."""
    counts: bool
    next: list[str]
    """Who may move in the position that is shown."""
    at: int
    """The number of the position that is shown; 0 if there is none."""
    positions: int
    """How many there are."""
    svg: str
    words: str
    news: list[str]
    """What has led to the position that is shown, in words."""
    steps: list[Step] = field(default_factory=list)
    """The positions, or those around the one that is shown if there are many."""
    more_before: bool = False
    more_after: bool = False
    viewer: str = ""
    """Through whose eyes it is shown; empty: as everybody may see it."""
    viewers: list[str] = field(default_factory=list)
    """Through whose eyes it may be shown."""
    pace: str = ""
    """How long each move took, as a picture."""


@dataclass(frozen=True, slots=True)
class Position:
    """One position of a game that has ended."""

    number: int
    svg: str
    words: str
    news: list[str]
    next: list[str]
    since_s: float


@dataclass(frozen=True, slots=True)
class Positions:
    """Some positions of a game that has ended, one after the other."""

    game: str
    total: int
    positions: list[Position]


@dataclass(frozen=True, slots=True)
class Games:
    """Games that have ended, the last one first."""

    server: Server
    game_type: str
    nick: str
    championship: str
    """What was asked for; empty: everything."""
    games: list[Ended]
    more: int | None
    """Where to go on ``before``; None: that is all."""
    running: list[Running] = field(default_factory=list)
    """The running ones of the same kind."""


@dataclass(frozen=True, slots=True)
class Masters:
    """Game masters and pools."""

    server: Server
    pools: list[Pool]


@dataclass(frozen=True, slots=True)
class Waiting:
    """Why somebody waits."""

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


@dataclass(frozen=True, slots=True)
class WaitingPage:
    """Why a player waits."""

    server: Server
    name: str
    """Who was asked for; empty: nobody yet."""
    found: list[Waiting]
    error: str
    """Why nobody was found."""
