"""What standings, players, championships and the overview show, as values; see :mod:`ugs.page.model`."""

from dataclasses import dataclass, field

from ugs.championship.tables.scheduled_games import ScheduledGame
from ugs.championship.tables.sections import Section
from ugs.page.model import Current, Pool, Running, Server, Waiting
from ugs.page.played import Ended


@dataclass(frozen=True, slots=True)
class TopLine:
    """One of the best of a game type."""

    place: int | None
    """None: it is disqualified."""
    nick: str
    won: int
    lost: int
    drawn: int
    points: float
    out: str
    """How an entrant of a championship is out for good, as in the ledger; empty for all others."""
    tie_breaks: dict[str, float | None]


@dataclass(frozen=True, slots=True)
class ScoreLine(TopLine):
    """The line of one player in standings."""

    games: int
    byes: int
    void: int
    faults: dict[str, int]
    """By cause."""
    mu: float | None
    """Skill, and ..."""
    sigma: float | None
    """... its uncertainty: one standard deviation."""
    elo: float | None
    elo_low: float | None
    """The rating's 95 % interval."""
    elo_high: float | None
    tied_with_next: bool
    """Whether the ratings of this player and of the next one do not differ significantly yet."""
    bar: str = ""
    """The rating with its interval, as a picture."""
    refused: int = 0
    """Moves that game masters have refused."""


@dataclass(frozen=True, slots=True)
class CrossRow:
    """What one player achieved against the others."""

    nick: str
    cells: list[str]
    """won-lost-drawn against each player, in the order of the rows; empty against those it has not met."""


@dataclass(frozen=True, slots=True)
class StandingsChoice:
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
    scores: list[ScoreLine]
    more: int
    """Players who are left out."""
    tie_breaks: list[str]
    cross: list[CrossRow]
    remarks: list[str]
    """Those below the table; of neighbours without a significant difference the first ones."""
    apart: list[str]
    """All neighbours without a significant difference, which the table marks."""
    course: str
    """How the ratings of the best went, as a picture."""
    choices: list[StandingsChoice]
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
    score: ScoreLine
    opponents: list[Opponent]
    more_opponents: int


@dataclass(frozen=True, slots=True)
class Version:
    """A program that a player used here."""

    program: str
    first: float
    last: float
    logins: int
    won: int = 0
    lost: int = 0
    drawn: int = 0
    """Of the last games that count."""


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
class PlayerFacts:
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
    pending: bool
    """Whether what it has achieved is being computed for the first time."""


@dataclass(frozen=True, slots=True)
class Round:
    """A round of a championship, as far as it has come."""

    number: int
    """0: the format has no rounds, and this is all of it, with the last games first."""
    games: list[ScheduledGame]
    more: int
    """Games that are left out."""
    state: str
    """``running``, ``to come`` or ``over``."""


@dataclass(frozen=True, slots=True)
class ShownStage:
    """A stage of a championship that has begun; its tables are among those of the championship."""

    number: int
    words: str
    """``Swiss, 5 rounds``."""
    goes_on: str
    """``the first 4 go on``; empty for the last one."""
    state: str
    """``running`` or ``over``."""
    rounds: list[Round]
    """Games that stand in none of its tables one by one, in the order of the page's ``rounds``."""
    more: int
    """Earlier rounds that are left out."""


@dataclass(frozen=True, slots=True)
class RoundCount:
    """How many rounds there are beside those that are shown."""

    more: int = 0
    """Earlier ones that are left out."""
    total: int | None = None
    """All of them; None where the plan does not set it."""


@dataclass(frozen=True, slots=True)
class ShownAct:
    """When an organiser stepped in, or something happened to the championship as a whole."""

    at: float
    what: str
    who: str
    why: str


@dataclass(frozen=True, slots=True)
class Top:
    """The best of a game type."""

    game_type: str
    games: int
    players: int
    lines: list[TopLine]
    tie_breaks: list[str]
    """Those that have put players with equal points in order; empty where no two of the lines have as many."""


@dataclass(frozen=True, slots=True)
class Gathering:
    """What a championship waits for that has not begun."""

    wanted: int
    """How many players it needs; 0: those who are here at its hour."""
    named: bool
    """Whether its plan names them."""
    here: int | None
    """How many of them are here; None where no server runs that knows it."""
    begins: float | None
    """Its hour, in seconds since 1970; None: as soon as all are here."""


@dataclass(frozen=True, slots=True)
class ChampionshipHead:
    """Which championship it is."""

    server: Server
    name: str
    game_type: str
    format: str
    state: str


@dataclass(frozen=True, slots=True)
class ChampionshipPage(ChampionshipHead):
    """The schedule of a championship and how far it has come."""

    entrants: list[str]
    left: dict[str, str]
    """Entrants who are out for good, and how: ``has left: logout``, ``disqualified by eve: cheated``."""
    counted: int
    total: int | None
    """Games in all; None where the format decides that as it goes."""
    rounds: list[Round]
    """Those that are played, those to come, then those that are over, the last one first."""
    round_count: RoundCount
    current: Current | None
    """What the running server knows of it."""
    acts: list[ShownAct]
    began: float | None
    ended: float | None
    top: Top | None = None
    """The best so far, or of all when it is over; None as long as nothing has been counted or computed."""
    tables: list[Section] = field(default_factory=list)
    """Bracket, cross table or rounds by score; of groups and stages one each."""
    gathering: Gathering | None = None
    """None after its begin."""
    options: dict[str, str] = field(default_factory=dict)
    """Options of its games by its plan; the others are the defaults of the game master."""
    newer: bool = False
    """Whether games have ended since that are being counted; once it is over it has no ``top`` until they are."""
    format_words: str = ""
    """The format for people: ``Swiss, then knock-out of 4``."""
    stages: list[ShownStage] = field(default_factory=list)
    """Those that have begun, the last one first; empty in other formats."""

    @property
    def pending(self) -> bool:
        """Whether it is over and its last games are being counted."""
        return self.newer and self.state == "over"


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
    """Who has won it, once it is over: several names where they share the first place; empty: no winner yet."""
    begins_at: str = ""
    """When it is to begin by its plan; empty: when all are there."""
    begins: float | None = None
    """The same in seconds since 1970; None after its begin, too."""
    pending: bool = False
    """Whether it is over and its last games are being counted, so that it has no ``leader`` yet."""
    format_words: str = ""
    """The format for people: ``Swiss, then knock-out of 4``."""


@dataclass(frozen=True, slots=True)
class Championships:
    """All championships, the last one first."""

    server: Server
    championships: list[ChampionshipLine]
    more: int

    @property
    def pending(self) -> bool:
        """Whether a winner is still being found."""
        return any(one.pending for one in self.championships)


@dataclass(frozen=True, slots=True)
class OverviewFacts:
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
    contest: ChampionshipLine | None = None
    """The championship that is played, else the one that is announced, else the last one."""
    unreadable: bool = False
    """Whether the journal cannot be read now: results are those that were read last, if any were."""
    title: str = ""
    """What the organiser calls the site ..."""
    text: str = ""
    """... and its text on the first page."""
    other_contests: list[ChampionshipLine] = field(default_factory=list)
    """Championships besides: those that are played or announced, then the last ones that are over."""

    @property
    def pending(self) -> bool:
        """Whether a winner is still being found."""
        lines = [*([self.contest] if self.contest else []), *self.other_contests]
        return not self.unreadable and any(one.pending for one in lines)
