"""Players, game masters, game types, tables and games. They refer to each other, hence one module.

Nothing here decides anything; the rules are in the rooms beside this one. The phases of a game::

    BEGUN   the master has got beginGame and must answer
    TURN    a player must move
    ANSWER  the master must answer a move, or the leaving of the player whose turn it was
    ALONE   all but one player have left; the master must say who won
    AWAY    the master's connection is lost; another one may take the game over within the grace
    TAKING  another master has been asked to take it over and must answer
    CLOSING the result is known to the server and on its way to the disk; nobody else knows it yet
    OVER    everybody has been told the result; thank yous are awaited

One clock runs for the peer that must act: in every phase but CLOSING, in which the disk must, and but TURN while the
players who must move have not come back since the server was lost, in which their sessions run out.
"""

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from ugs.broker.effects import RecordEntry
from ugs.broker.events import Timer
from ugs.broker.state.allowance import texts
from ugs.broker.state.championship import Championship
from ugs.broker.state.connection import Peer, PeerState
from ugs.broker.state.extras import Extras
from ugs.broker.state.game_state import Told
from ugs.broker.state.history import History
from ugs.broker.state.meetings import Meetings
from ugs.broker.state.seating import Seating
from ugs.broker.values.identity import Identity
from ugs.broker.values.standings import LiveStandings
from ugs.broker.verdict import Cause, GameResult, Reason
from ugs.championship.schedule import Fixture
from ugs.config import GameTypeSettings
from ugs.value import value
from ugs.wire.extensions import Family, Label, OfferedOption, SeatInfo, SeatKind, SeatState, Visibility
from ugs.wire.messages import GameState, Move

REMEMBERED_GAMES = 1000
"""How many ended games of a master are known as such; a message about an older one is about an unknown game."""


MIN_SEATS = 2
"""The fewest seats of any game."""
MAX_TOLD_SEATS: Final = 64
"""Seats that everybody in a game is told of at once. In a larger game each hears of these, or of what has changed: to
tell all of all costs the square."""


@dataclass(slots=True, eq=False, kw_only=True)
class Player(Peer):
    """A player, from its login until it is gone for good; a session may carry it over several connections."""

    type: "GameType"
    state: PeerState = PeerState.IDLE
    since: float
    """When it logged in."""
    identity: Identity | None = None
    """Whose nick it has: the row that its nick had in the list of tokens when it logged in; None for a nick that was
    nobody's."""
    game: "Game | None" = None
    """The game it sits in or owes thanks for."""
    last_game: str = ""
    """The id of the game before, for which late messages may still come."""
    may_cross: str = ""
    """The id of a game that ended, or went on without it, when it had been asked to move: its move may have crossed."""
    awaited: bool = False
    """Whether it has not come back since the server was lost: no clock of it runs."""
    table: "Table | None" = None
    """The table it sits at, until the game there begins."""
    pooled: bool = True
    """Whether it waits for open play while it is free."""
    idle_since: float = 0.0
    told_version: int = -1
    """The version of the standings it was told last."""
    told_at: float = 0.0


@dataclass(slots=True, eq=False, kw_only=True)
class Master(Peer):
    """A game master."""

    type: "GameType"
    state: PeerState = PeerState.MASTER
    players_min: int
    players_max: int
    games: "dict[str, Game]" = field(default_factory=dict)
    """Running games by id."""
    ended: deque[str] = field(default_factory=lambda: deque(maxlen=REMEMBERED_GAMES))
    """Ids of games that are over or void: messages about them may have crossed on the way."""
    taking: "list[tuple[Game, int]]" = field(default_factory=list)
    """Games that it was asked to take over, with the bytes of their pasts; those that it has answered may be among
    them."""
    silences: int = 0
    """How many times in a row it did not answer in time."""
    offers: tuple[OfferedOption, ...] | None = None
    """The options of its games with their defaults; None before it has said so."""
    setup: str = ""
    """How its games begin, in its own words; empty when that is left to chance."""
    players_wanted: int = 0
    """Players that a game of the pool should have, as it has said; 0: it has not."""
    gather_s: float = 0.0
    """Seconds that it is worth waiting for so many, as it has said."""
    names_movers: bool = False
    """Whether it may name several players to move, and is told who has moved. Asked at every move, hence not looked
    up in the families."""

    @property
    def leads(self) -> bool:
        """Whether it can be given games: with the family ``table`` it has to tell its options first."""
        return self.offers is not None or not self.may(Family.TABLE)

    def takes(self, seats: int) -> bool:
        """Whether it has games with this number of seats."""
        return self.players_min <= seats <= self.players_max


@dataclass(slots=True, eq=False)
class GameType:
    """Everything the broker knows of one game type; it exists while a peer of it is there or something was played."""

    name: str
    settings: GameTypeSettings
    masters: dict[int, Master] = field(default_factory=dict)
    """By conn; the other mappings of peers likewise."""
    waiting: dict[int, Player] = field(default_factory=dict)
    """Idle players who wait for open play, in the order in which they became idle."""
    players: dict[int, Player] = field(default_factory=dict)
    """All players of this type who are logged in."""
    idle: dict[Player, None] = field(default_factory=dict)
    """Players in no game, in the order in which they became idle (an ordered set). A player who has not come back
    since a restart of the server may be missing."""
    standings: LiveStandings = field(default_factory=LiveStandings)
    """Those in force: of open play, or of the championship while one is played."""
    seating: Seating = field(default_factory=Seating)
    meetings: Meetings = field(default_factory=Meetings)
    championship: Championship | None = None
    """The one that is announced or played."""
    coming: list[Championship] = field(default_factory=list)
    """Those announced for afterwards."""
    championship_over: bool = False
    final_standings: LiveStandings | None = None
    """The standings of the championship that is over; they do not change any more."""
    announcing: bool = False
    """Whether a timer runs that will tell changed standings."""
    all_told: int = -1
    """The version of the standings that all players in :attr:`idle` were told who can be told."""
    gathers_until: float | None = None
    """When a timer will look again for games to begin; None: none runs, nothing is waited for but players."""
    running: int = 0
    """How many games run whose end has not been announced."""
    orphans: "list[Game]" = field(default_factory=list)
    """Games that wait for a successor of their master, and some that did."""
    lost: "list[Game]" = field(default_factory=list)
    """Games whose master is gone, to which that has not happened yet: a master can have very many."""

    @property
    def open_standings(self) -> LiveStandings:
        """The standings of open play, also while a championship is played."""
        championship = self.championship
        begun = championship is not None and championship.begun
        return championship.open_standings if championship is not None and begun else self.standings

    def free_masters(self, players: int, *families: Family) -> list[Master]:
        """All masters that may lead one more game, need at most this number of players and were granted these
        extensions, the least busy first."""
        limit = self.settings.max_games_per_master
        free = [
            master
            for master in self.masters.values()
            if master.leads
            and master.players_min <= players
            and (limit == 0 or len(master.games) < limit)
            and master.connection.families.issuperset(families)
        ]
        return sorted(free, key=lambda master: len(master.games))

    @property
    def all_idle(self) -> bool:
        """Whether no player of this type plays or owes thanks."""
        return all(player.state is PeerState.IDLE for player in self.players.values())

    def forget_told(self) -> None:
        """Other standings are in force: nobody has been told these."""
        self.all_told = -1
        for player in self.players.values():
            player.told_version = -1


@dataclass(slots=True, eq=False)
class Table:
    """A place where people sit, from the moment at which a player sets it up to the end of the game there."""

    id: str
    """That of its game, once there is one."""
    name: str
    type: GameType
    owner: Player
    """The player who has set it up."""
    seats: int
    """All of them, with those of ``computers``."""
    computers: int
    visibility: Visibility
    options: Mapping[str, str]
    """What was chosen."""
    invited: Mapping[str, str]
    """The nicks that its owner has invited: the form in which nicks are unique, and as the owner has written it."""
    members: list[Player]
    """The players who sit there, in the order in which they sat down; empty once the game has begun."""
    active_at: float = 0.0
    """When a player last sat down or got up."""
    playing: bool = False
    """Whether the game has begun."""
    awaits_master: bool = False
    """Whether it begins as soon as there is a master for it."""
    rows: float = field(init=False)
    """What it costs to tell of it, those invited left out: itself and its options."""
    extras: Extras = field(default_factory=dict)

    def __post_init__(self) -> None:
        options = self.options.items()
        self.rows = 1 + len(options) + texts(sum([len(name) + len(value) for name, value in options]))

    @property
    def free(self) -> int:
        """Seats that are not taken yet."""
        return self.seats - self.computers - len(self.members)

    @property
    def facts(self) -> dict[str, str]:
        """What is recorded of it with its game."""
        return {"name": self.name, "owner": self.owner.name, "visibility": self.visibility.value}


class Phase(StrEnum):
    """Where a game stands; see the top of this module."""

    __hash__ = str.__hash__  # that of an enumeration is written in Python, and asked for with every message

    BEGUN = "begun"
    TURN = "turn"
    ANSWER = "answer"
    ALONE = "alone"
    AWAY = "away"
    TAKING = "taking"
    CLOSING = "closing"
    OVER = "over"


class Happening(StrEnum):
    """What can happen to a game, after the message or event itself was found to be in order."""

    __hash__ = str.__hash__  # that of an enumeration is written in Python, and asked for with every message

    STATE = "state"
    """The master named the next player."""
    GAME_OVER = "game over"
    """The master gave everybody's result."""
    MOVE = "move"
    """The player whose turn it is moved."""
    LEFT = "left"
    """A player is no longer in the game (and the master knows, if it can)."""
    CLOCK = "clock"
    """The peer that must act did not in time."""
    MASTER_GONE = "master gone"
    """The master's connection is lost."""
    KEPT = "kept"
    """The result is on file for good."""
    HANDED_OVER = "handed over"
    """A master that can take the game over has been found."""
    REVIVED = "revived"
    """The server was lost, and is back with the game."""
    SERVER_DECIDES = "server decides"
    """The server says who won, since the master does not."""
    ADJUDICATED = "adjudicated"
    """An organiser says who won."""
    CANCELLED = "cancelled"
    """The game at a table ends without a result."""
    VOIDED = "voided"
    """The game ends and counts for nobody."""


@value
class Setting:
    """How a game is to be played, and where it comes from."""

    options: Mapping[str, str] = field(default_factory=dict)
    total: int = 0
    """How many seats there are, with those the master plays; 0 when there are none of those."""
    seed: str = ""
    """What all chance comes from; empty when its master could not be replaced."""
    setup: str = ""
    """How it begins, in the words of its master; empty when that is left to chance. It is as secret as the seed."""
    table: Table | None = None
    """The table it is played at; None for a game of the pool."""
    championship: Championship | None = None
    """The championship it belongs to."""
    fixture: Fixture | None = None
    """What it is in the schedule of that championship."""

    @property
    def computers(self) -> bool:
        """Whether the master plays some seats."""
        return self.total > 0


@dataclass(slots=True)
class RunningClock:
    """The clock of one player who has to move, in a game with budgets of time. Seconds."""

    since: float
    allowed_s: float
    """The most time it may take, the credit for its network included."""


@dataclass(slots=True)
class Budgets:
    """How much time the players of one game have left for all their moves. Seconds, by nick."""

    left: dict[str, float]
    """As of the moment at which the player's clock last stood still; infinite where only single moves are limited."""
    running: dict[str, RunningClock] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Turn:
    """Who must act in a game."""

    movers: tuple[Player, ...] = ()
    """The players who have been asked to move and have not; empty when it is the master's turn."""
    owes: bool = True
    """Whether the master owes a state: for the begin, a move, or a player to move who left."""
    plain: bool = True
    """Whether the game has needed nothing of what v4 lacks so far: no budgets of time, views or several movers, nor
    any move held back. Then much need not be looked at."""
    held: dict[str, Move] = field(default_factory=dict)
    """Moves that came while the master could not take them, by nick, in order."""
    deadlines: dict[str, float] = field(default_factory=dict)
    """Until when each of several movers must have moved."""
    successor_by: float | None = None
    """Until when the game must have been taken over, while its master is lost."""
    recalled_for: "Master | None" = None
    """The master that is going to take the game over as soon as its past has been read again."""
    budgets: Budgets | None = None
    """Where the players have budgets of time, or want to know the time of their moves."""


@dataclass(slots=True, eq=False)
class Shown:
    """What the players of a game have been told."""

    latest: GameState | None = None
    """The last state of each player who has none in ``views``."""
    views: dict[str, GameState] = field(default_factory=dict)
    """The last state that this player got, by nick."""
    private: bool = False
    """Whether some players have been shown what others may not see."""
    returning: set[str] = field(default_factory=set)
    """The nicks that have come back while the master's answer was under way, which has no view for them."""
    unaware: set[str] = field(default_factory=set)
    """The nicks that have come back to a game with hidden information and have got no state since. What they were
    shown before is old, and what all are shown lacks what is theirs."""
    labels: tuple[Label, ...] = ()
    """What the master says of its seats, in their order."""
    sketches: dict[str, bytes] = field(default_factory=dict)
    """How the last state looks, by nick; empty: for all without one of their own."""
    drawn: dict[str, bytes] = field(default_factory=dict)
    """The same for what the master tells next."""

    def last(self, nick: str) -> GameState | None:
        """The last state that this player was told, or could have been; None if there is none."""
        return None if nick in self.unaware else self.views.get(nick, self.latest)

    def tells(self, nick: str, state: GameState) -> None:
        """This player is told this state."""
        self.views[nick] = state
        self.unaware.discard(nick)

    def comes_back(self, nick: str) -> None:
        """This player has the seat again that it had left."""
        self.views.pop(nick, None)
        self.sketches.pop(nick, None)
        if self.private:
            self.unaware.add(nick)

    @property
    def programs(self) -> frozenset[str]:
        """The names under which the master plays seats itself."""
        return frozenset(label.nick for label in self.labels if label.kind is SeatKind.PROGRAM)


@dataclass(slots=True, eq=False)
class Reasons:
    """What the master has said of the reasons for what happens in a game."""

    latest: Reason | None = None
    """Said since its last state: it belongs to what the master tells next."""
    of: dict[str, Reason] = field(default_factory=dict)
    """Why players were taken out for a broken rule, by nick."""


@value
class Closing:
    """The end of a game that is known to the server and not announced."""

    result: GameResult
    told: Told | None
    """What the players are going to be told; None when nobody is left, or the game is void."""
    entries: tuple[RecordEntry, ...]
    """What has been recorded and becomes public with the announcement."""
    reason: Reason | None = None
    """What the master said of the end."""
    void_text: str = ""
    """What players of a void game are told; empty for others."""


@dataclass(slots=True, eq=False)
class Game:
    """One game, from ``beginGame`` to the last thank you."""

    id: str
    type: GameType
    setting: Setting
    master: Master
    seats: tuple[str, ...]
    present: dict[str, Player]
    """The players who are still in the game, by nick."""
    seat_of: dict[str, int]
    """The number of everybody's seat, from 0."""
    clock: Timer
    history: History
    phase: Phase = Phase.BEGUN
    departures: dict[str, Cause] = field(default_factory=dict)
    """Why players left it, by nick, in order."""
    owing: dict[int, Player] = field(default_factory=dict)
    """The players who have not said thank you yet, by conn."""
    turn: Turn = field(default_factory=Turn)
    shown: Shown = field(default_factory=Shown)
    reasons: Reasons = field(default_factory=Reasons)
    closing: Closing | None = None
    """From the moment at which its result is known."""
    extras: Extras = field(default_factory=dict)
    _audience: tuple[int, ...] | None = field(default=None, init=False)
    _told: int | None = field(default=None, init=False)

    @property
    def audience(self) -> tuple[int, ...]:
        """The connections of the players who are still in the game and can be reached."""
        if self._audience is None:
            self._audience = tuple([one.connection.conn for one in self.present.values() if not one.away])
        return self._audience

    @property
    def told(self) -> int:
        """The seats of the players who are still in the game, as a number with one bit for each."""
        if self._told is None:
            self._told = sum([1 << self.seat_of[nick] for nick in self.present])
        return self._told

    @property
    def ended(self) -> bool:
        """Whether it has its result, announced or not."""
        return self.phase in (Phase.CLOSING, Phase.OVER)

    @property
    def held_bytes(self) -> int:
        """How much memory it holds, roughly: its history, what its players were shown, and moves held back."""
        payloads = [shown.payload for shown in self.shown.views.values()]  # several may be the same object
        views = sum({id(payload): len(payload) for payload in payloads}.values()) if payloads else 0
        if self.shown.sketches or self.shown.drawn:
            views += sum([len(one) for drawn in (self.shown.sketches, self.shown.drawn) for one in drawn.values()])
        held_back = sum([len(move.payload) for move in self.turn.held.values()]) if self.turn.held else 0
        return self.history.held_bytes + views + held_back

    def can_go_on_with(self, players: int) -> bool:
        """Whether a game at a table can go on with this number of its players, beside the seats the master plays."""
        programs = max(0, self.setting.total - len(self.seats))
        return players + programs >= MIN_SEATS

    def seat_infos(
        self, state_of: Callable[[str], SeatState], programs: SeatState, changed: str = ""
    ) -> tuple[SeatInfo, ...]:
        """Who sits where, as players with a lobby and spectators are told: the players in the order of their seats,
        ``state_of`` each nick, then the seats that the master plays, as far as it has named them. Of more than
        MAX_TOLD_SEATS, the seat that has ``changed`` alone, or the first ones."""
        labels = self.shown.labels
        label_of = {label.nick: label.label for label in labels}
        nicks = self.seats if len(self.seats) <= MAX_TOLD_SEATS or not changed else (changed,)
        humans = [
            SeatInfo(nick, SeatKind.HUMAN, state_of(nick), label_of.get(nick, "")) for nick in nicks[:MAX_TOLD_SEATS]
        ]
        played = [label for label in labels if label.kind is SeatKind.PROGRAM and label.nick not in self.seat_of]
        left = max(0, MAX_TOLD_SEATS - len(nicks))
        return (*humans, *[SeatInfo(one.nick, SeatKind.PROGRAM, programs, one.label) for one in played[:left]])

    def audience_changed(self) -> None:
        """A player has left, or its line is cut or there again. Who is there is found out when it matters next: where
        thousands leave at the same time, it mostly does not between two of them."""
        self._audience = self._told = None
