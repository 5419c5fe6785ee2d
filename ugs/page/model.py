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


@dataclass(frozen=True, slots=True)
class Score:
    """The line of one player in standings."""

    place: int
    nick: str
    won: int
    lost: int
    drawn: int
    points: float
    games: int
    byes: int
    void: int
    faults: dict[str, int]
    """By cause."""
    tie_breaks: dict[str, float | None]
    mu: float | None
    """Skill, and ..."""
    sigma: float | None
    """... its uncertainty: one standard deviation."""
    elo: float | None
    elo_low: float | None
    """The interval in which the rating lies with 95 %."""
    elo_high: float | None
    tied_with_next: bool
    """Whether the ratings of this player and of the next one cannot be told apart yet."""
    bar: str = ""
    """The rating with its interval, as a picture."""


@dataclass(frozen=True, slots=True)
class CrossRow:
    """What one player achieved against the others."""

    nick: str
    cells: list[str]
    """won-lost-drawn against each player, in the order of the rows; empty against those it has not met."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Standings that there are."""

    game_type: str
    championship: str
    """Empty: all games of the type."""
    chosen: bool


@dataclass(frozen=True, slots=True)
class StandingsPage:
    """Standings of a game type or of a championship."""

    server: Server
    title: str
    game_type: str
    championship: str
    state: str
    """Of the championship; empty for a game type."""
    heading: str
    """How much has been played, in words."""
    scores: list[Score]
    more: int
    """Players who are left out."""
    tie_breaks: list[str]
    cross: list[CrossRow]
    remarks: list[str]
    course: str
    """How the ratings of the best went, as a picture."""
    choices: list[Choice]
    sort: str
    down: bool
    """Whether the largest come first."""
    pending: bool
    """Whether they are being computed for the first time."""
    newer: bool
    """Whether games have ended since that are being counted."""


@dataclass(frozen=True, slots=True)
class Opponent:
    """What a player achieved against another one."""

    nick: str
    won: int
    lost: int
    drawn: int
    neither: int


@dataclass(frozen=True, slots=True)
class InType:
    """What a player achieved in one game type."""

    game_type: str
    score: Score
    opponents: list[Opponent]
    more_opponents: int


@dataclass(frozen=True, slots=True)
class Version:
    """A program with which a player was here."""

    program: str
    first: float
    last: float
    logins: int


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast a player answers, in its last games of one type."""

    game_type: str
    games: int
    moves: int
    median_s: float
    slow_s: float
    """Nine of ten moves were faster."""
    slowest_s: float


@dataclass(frozen=True, slots=True)
class Player:
    """A player: what it does, and what it has achieved."""

    server: Server
    nick: str
    here: list[Waiting]
    """What it does at present; empty if it is not here."""
    types: list[InType]
    games: list[Ended]
    """The last ones."""
    versions: list[Version]
    paces: list[Pace]
    newer: bool
    """Whether games have ended since that are being counted."""


@dataclass(frozen=True, slots=True)
class ScheduledGame:
    """A game of a championship."""

    fixture: int
    round: int
    label: str
    nicks: list[str]
    state: str
    """running, played, void, forfeit, given up or replayed."""
    game: str
    """Its id; empty if it was not played."""
    outcomes: dict[str, str]
    """By nick; empty before the end."""


@dataclass(frozen=True, slots=True)
class Round:
    """A round of a championship, as far as it has come."""

    number: int
    games: list[ScheduledGame]
    more: int
    """Games that are left out."""


@dataclass(frozen=True, slots=True)
class Act:
    """When somebody stepped in, or something happened to the championship as a whole."""

    at: float
    what: str
    who: str
    why: str


@dataclass(frozen=True, slots=True)
class ChampionshipPage:
    """The schedule of a championship and how far it has come."""

    server: Server
    name: str
    game_type: str
    format: str
    state: str
    entrants: list[str]
    left: dict[str, str]
    """Entrants who have left, and why."""
    counted: int
    total: int | None
    """Games in all; None where the format decides that as it goes."""
    rounds: list[Round]
    """The last ones first."""
    more_rounds: int
    rounds_total: int | None
    current: Current | None
    """What the running server says of it."""
    acts: list[Act]
    began: float | None
    ended: float | None


@dataclass(frozen=True, slots=True)
class ChampionshipLine:
    """One championship in the list."""

    name: str
    game_type: str
    format: str
    state: str
    entrants: int
    counted: int
    began: float | None
    ended: float | None
    leader: str


@dataclass(frozen=True, slots=True)
class Championships:
    """All championships, the last one first."""

    server: Server
    championships: list[ChampionshipLine]
    more: int
