"""What pages show of games, as they run and as they were, as values; see :mod:`ugs.page.model`."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from ugs.broker.verdict import CAUSES
from ugs.page.model import Running, Server


def departure_line(nick: str, cause: str) -> str:
    """That a player is out, and why, for the list of moves: it has made none. A record from a file may hold any text as
    the ``cause``."""
    notice = next((facts.notice for known, facts in CAUSES.items() if known == cause), "{culprit} is out")
    return notice.format(culprit=nick, master="the game master")


def refusal_line(nick: str) -> str:
    """That the game master has refused a move, which its player had to make again, for the list of moves."""
    return f"a move of {nick} was refused"


def unanswered_line(nick: str) -> str:
    """That the game has ended before the game master answered a move, for the list of moves."""
    return f"{nick} moves, and the game master has not answered"


def written_after(written: str, refused: bool) -> str:
    """A move as a game writes it, which stands in the list of moves without other news; marked where the one that its
    player had made before was ``refused``. Empty where a game writes none."""
    return f"{written}, after a refused one" if written and refused else written


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
    corrected: str = ""
    """Who corrected its result, and why; empty: it was not corrected."""
    taken_out: str = ""
    """Why it does not count, with the organiser who decided that; empty: none did."""


@dataclass(frozen=True, slots=True)
class PositionStep:
    """How a game came to one of its positions."""

    number: int
    """Of the position, from 1."""
    since_s: float
    """After the begin of the game."""
    who: str
    """Who moved; empty for the first position and where no player did."""
    took_s: float | None
    """How long that move took, network included."""
    news: list[str]
    """What has happened since the position before, in words."""
    remarks: list[str] = field(default_factory=list)
    """What players thought of the position, before their moves; a line each."""
    written: str = ""
    """The move that led to it with the number of its line, `3. Nf3` or `3... Nc6`; empty where a game writes none."""


def ends_unmoved(steps: Sequence[PositionStep]) -> bool:
    """Whether no move led to the last position."""
    return len(steps) > 1 and not steps[-1].who


@dataclass(frozen=True, slots=True)
class LiveBoard:
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
    positions: int = 0
    """How many positions there were."""
    steps: list[PositionStep] = field(default_factory=list)
    """How it came to the last ones, which can be shown once more."""
    used: dict[str, float] = field(default_factory=dict)
    """Seconds that each player took for its moves so far, by nick; without those that the game master plays."""
    won: list[str] = field(default_factory=list)
    """Who has won, once it has ended."""
    values: list[tuple[int, int, float]] = field(default_factory=list)
    """What players remarked about how well they stand: seat, position, value."""
    asked_s: float | None = None
    """Since when who is to move thinks: seconds after the begin of the game."""


@dataclass(frozen=True, slots=True)
class GameSeat:
    """One seat of a game."""

    nick: str
    label: str = ""
    """What the game calls it, such as a colour."""
    outcome: str = ""
    """won, lost, drawn or void; empty while the game runs, and for one of several seats that the master plays."""
    fault: str = ""
    """Why the player left early."""
    slowest_s: float = 0.0
    """The longest that the player took for a move."""
    mean_s: float = 0.0
    """How long it took on average."""
    moves: int = 0
    used_s: float = 0.0
    """How long all its moves took together."""
    program: bool = False
    """Whether the game master plays it: no player is called so, and its moves are not known."""


@dataclass(frozen=True, slots=True)
class GameFacts:
    """What is known of a game without a look at its positions: as it runs, or as it was."""

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
    """The same in sentences, with the player at fault."""
    counts: bool


@dataclass(frozen=True, slots=True)
class PlayedGame(GameFacts):
    """A game, and one of its positions."""

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
    steps: list[PositionStep] = field(default_factory=list)
    """The positions, or those around the one that is shown if there are many."""
    more_before: bool = False
    more_after: bool = False
    unmoved: bool = False
    """Whether no move led to the last position: the time was over, or a player has given up."""
    viewer: str = ""
    """The player through whose eyes it is shown; empty: the public view."""
    viewers: list[str] = field(default_factory=list)
    """Through whose eyes it may be shown."""
    pace: str = ""
    """How long each move took, as a picture."""
    curve: str = ""
    """How well each player thought to stand, as a picture; empty where none has remarked that."""
    remarks: list[str] = field(default_factory=list)
    """What players thought of the position that is shown; a line each."""
    plain: str = ""
    """Why the states are shown as trees though the game might have pictures; empty: they are not."""
    thinking_s: float | None = None
    """How long who is to move has thought by now; None where no clock runs."""
    awaited: float | None = None
    """Until when a running game waits for its lost game master or another one, in seconds since 1970; None if it does
    not."""


@dataclass(frozen=True, slots=True)
class Position:
    """One position of a game that has ended."""

    number: int
    svg: str
    words: str
    news: list[str]
    next: list[str]
    since_s: float
    remarks: list[str] = field(default_factory=list)
    written: str = ""
    """The move that led to it; see `PositionStep`."""


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
    types: list[str] = field(default_factory=list)
    championships: list[str] = field(default_factory=list)
    """Among which can be chosen."""
