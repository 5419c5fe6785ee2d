"""Players, game masters, game types, tables and games. They refer to each other, hence one module.

Each attribute is changed by a method of its owner, named after what happens; the phase of a game only by
``ServerState.enter``. The other folders decide what happens.
"""

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from ugs.broker.events import Timer
from ugs.broker.state.championship import Championship
from ugs.broker.state.connection import Peer, PeerState
from ugs.broker.state.extras import Extras
from ugs.broker.state.history import History
from ugs.broker.state.last_shown import LastShown, Reasons
from ugs.broker.state.meetings import Meetings
from ugs.broker.state.phases import Phase
from ugs.broker.state.seating import Seating
from ugs.broker.state.standings_news import StandingsNews
from ugs.broker.state.table import TableOf
from ugs.broker.state.turn import Turn
from ugs.broker.state.unannounced_end import Closing
from ugs.broker.values.identity import Identity
from ugs.broker.values.standings import LiveStandings
from ugs.broker.verdict import Cause
from ugs.championship.formats.format_contract import Fixture
from ugs.config import GameTypeSettings
from ugs.value import value
from ugs.wire.extensions import Family, OfferedOption, Offers

REMEMBERED_GAMES = 1000
"""Ended games that are remembered per master; a message about an older one is about an unknown game."""


MIN_SEATS = 2
"""The fewest seats of any game."""
MAX_LISTED_SEATS: Final = 64
"""Seats that all players of a game get in one message. In a larger game they get only these, or the changed one:
sending all seats to all players costs the square."""


@dataclass(slots=True, eq=False, kw_only=True)
class Player(Peer):
    """A player, from its login until it is gone for good; a session may carry it over several connections."""

    type: "GameType"
    state: PeerState = PeerState.IDLE
    since: float
    """When it logged in."""
    identity: Identity | None = None
    """The row of its nick in the list of tokens when it logged in; None for a nick without an owner."""
    game: "Game | None" = None
    """The game it sits in or owes thanks for."""
    last_game: str = ""
    """The id of the previous game: late messages about it may still come."""
    may_cross: str = ""
    """The id of a game that asked it to move and ended, went on without it or put it out: its move may have crossed."""
    unanswered: int = 0
    """States that asked for a move before the master had got the one before: a late answer is no wrong message."""
    awaited: bool = False
    """Whether it has not come back since the server was lost: its clock does not run."""
    table: "Table | None" = None
    """The table it sits at, until the game there begins."""
    pooled: bool = True
    """Whether it waits for open play while it is free."""
    idle_since: float = 0.0
    sent_version: int = -1
    """The version of the standings that it got last."""
    sent_at: float = 0.0

    def sits_down_at(self, table: "Table") -> None:
        """It has a place at a table whose game has not begun."""
        self.table = table

    def gets_up(self) -> None:
        """It leaves its table, whose game has not begun."""
        self.table = None

    def begins(self, game: "Game") -> None:
        """It has a seat in a game from now on."""
        self.becomes(PeerState.PLAYING)
        self.game, self.table, self.unanswered = game, None, 0

    def has_left(self, game: "Game") -> None:
        """It has nothing more to do with this game; what it does next is decided elsewhere."""
        self.game, self.last_game = None, game.id

    def owes_thanks(self) -> None:
        """It has got the end of its game."""
        self.becomes(PeerState.OWING)

    def is_free(self, now: float) -> None:
        """It plays nothing and owes nothing."""
        self.becomes(PeerState.IDLE)
        self.idle_since = now

    def must_move(self) -> None:
        """It is asked for a move: earlier ones of the same game cannot cross this."""
        if self.game is not None and self.may_cross == self.game.id:
            self.may_cross = ""

    def need_not_move(self, game_id: str) -> None:
        """The game did not wait for its move: a move on its way is no mistake."""
        self.may_cross = game_id

    def has_crossed(self, game_id: str) -> bool:
        """Return whether a move of this game was on its way when the game no longer waited for it; true only once."""
        crossed = bool(self.may_cross) and game_id == self.may_cross
        if crossed:
            self.may_cross = ""
        return crossed

    def is_not_waited_for(self) -> None:
        """The master has sent the next state without the move that it had asked this player for."""
        self.unanswered += 1

    def answers_late(self) -> bool:
        """Return whether an unexpected move may answer such a state; true once for each of them."""
        late = self.unanswered > 0
        self.unanswered -= late
        return late

    def has_come_back(self) -> None:
        """It is back, perhaps for the first time since the server was lost."""
        self.awaited = False

    def waits_in_pool(self, *, pooled: bool) -> None:
        """Whether it waits for open play while it is free."""
        self.pooled = pooled

    def was_sent_list(self, version: int, now: float) -> None:
        """It has got this version of the standings; -1: only a part."""
        self.sent_version, self.sent_at = version, now


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
    """Games that it was asked to take over, with the bytes of their pasts; may include answered ones."""
    silences: int = 0
    """How many times in a row it did not answer in time, or declined a game that it offers."""
    offers: Mapping[str, OfferedOption] | None = None
    """The options of its games by name, with their defaults; None before x-offers."""
    setup: str = ""
    """How its games begin, in the master's format; empty if left to chance."""
    players_wanted: int = 0
    """Players that a game of the pool should have, from x-offers; 0: not specified."""
    gather_s: float = 0.0
    """Seconds worth waiting for ``players_wanted``, from x-offers."""
    plays_seats: bool = True
    """Whether it plays seats itself, from x-offers; see :attr:`can_play_seats`."""
    names_movers: bool = False
    """Whether it may name several players to move, and gets who has moved. Needed at every move, so it is not looked up
    in the families."""

    def may_name_movers(self) -> None:
        """By the record of its game, it has named several players to move."""
        self.names_movers = True

    def has_answered(self) -> None:
        """It has answered in time."""
        self.silences = 0

    def was_silent(self) -> int:
        """It did not answer in time. Returns how many times in a row."""
        self.silences += 1
        return self.silences

    def offers_games(self, message: Offers) -> None:
        """It has sent x-offers: how its games are played, with how many players, and whether it plays seats."""
        self.offers = {option.name: option for option in message.options}
        self.setup, self.plays_seats = message.setup, message.plays_seats
        self.players_wanted, self.gather_s = message.players_wanted, message.gather_s

    def still_takes(self, is_taking: "Callable[[Master, Game], bool]") -> "list[tuple[Game, int]]":
        """The games of :attr:`taking` that it has not answered, by ``is_taking``; the others are forgotten."""
        self.taking = [(game, size) for game, size in self.taking if is_taking(self, game)]
        return self.taking

    def has_ended(self, game: "Game") -> None:
        """A game that it led is over or has its result."""
        self.games.pop(game.id, None)
        self.ended.append(game.id)

    @property
    def leads(self) -> bool:
        """Whether it can get games: with the family ``table`` it has to send its options first."""
        return self.offers is not None or not self.may(Family.TABLE)

    @property
    def can_play_seats(self) -> bool:
        """Whether it gets games with more seats than players."""
        return self.plays_seats and self.may(Family.TABLE)

    def takes(self, seats: int) -> bool:
        """Whether it has games with this number of seats."""
        return self.players_min <= seats <= self.players_max


@dataclass(slots=True, eq=False)
class GameType:
    """Everything the broker knows of one game type; it exists while a peer of it is there or something was played."""

    name: str
    settings: GameTypeSettings
    masters: dict[int, Master] = field(default_factory=dict)
    """By conn, like the other mappings of peers."""
    waiting: dict[int, Player] = field(default_factory=dict)
    """Idle players who wait for open play, ordered by when they became idle."""
    players: dict[int, Player] = field(default_factory=dict)
    """All players of this type who are logged in."""
    idle: dict[Player, None] = field(default_factory=dict)
    """Players in no game, ordered by when they became idle (an ordered set). A player who has not come back since a
    restart of the server may be missing."""
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
    news: "StandingsNews" = field(default_factory=lambda: StandingsNews())
    gathers_until: float | None = None
    """When a timer will look again for games to begin; None: none runs, nothing is waited for but players."""
    running: int = 0
    """How many games run whose end has not been announced."""
    orphans: "list[Game]" = field(default_factory=list)
    """Games that wait for a successor of their master, and some that did."""
    lost: "list[Game]" = field(default_factory=list)
    """Games of lost masters that have not been handled yet: a master can have very many."""

    def game_begins(self) -> None:
        """One more of its games runs."""
        self.running += 1

    def game_ends(self) -> None:
        """The end of one of its games is being announced."""
        self.running -= 1

    def gathers(self, until: float | None) -> None:
        """A timer looks again at this moment for games to begin; None: none runs."""
        self.gathers_until = until

    def is_without_master(self, game: "Game") -> None:
        """One of its games waits for a successor of its master."""
        if game not in self.orphans:
            self.orphans.append(game)

    def waiting_for_master(self) -> "list[Game]":
        """The games that wait for a successor of their master; those that have one are forgotten."""
        self.orphans = [game for game in self.orphans if game.phase is Phase.AWAY]
        return list(self.orphans)

    def loses(self, games: "Iterable[Game]") -> None:
        """The master of these games is gone: each of them has to be handled."""
        self.lost += games

    def next_lost(self, few: int) -> "list[Game]":
        """Return the first few of the lost games, to be handled now."""
        now, self.lost = self.lost[:few], self.lost[few:]
        return now

    def is_free_for(self, player: Player) -> None:
        """A player of it is in no game."""
        self.idle[player] = None

    def is_busy_with(self, player: Player) -> None:
        """A player of it has a seat, or is gone."""
        self.waiting.pop(player.conn, None)
        self.idle.pop(player, None)

    def announces(self, championship: Championship) -> None:
        """A championship of it is played next, or after those that come before it. One that was remembered and has
        begun goes first: those that were announced before it began had been announced after it."""
        if self.championship is None:
            self.championship = championship
        elif championship.begun:
            self.coming.insert(0, self.championship)
            self.championship = championship
        else:
            self.coming.append(championship)

    def prefers(self, championship: Championship) -> None:
        """One that can begin does not wait for another one that has not begun."""
        if championship in self.coming and self.championship is not None and not self.championship.begun:
            self.coming.remove(championship)
            self.coming.insert(0, self.championship)
            self.championship = championship

    def drops(self, championship: Championship) -> bool:
        """A championship is not one of this type any more. Returns whether it was the current one: then the next one
        is."""
        if championship in self.coming:
            self.coming.remove(championship)
            return False
        self.championship = self.coming.pop(0) if self.coming else None
        return True

    def begins_championship(self, championship: Championship) -> None:
        """Its standings are those in force; those of open play wait for its end."""
        championship.open_standings = self.standings
        self.standings = championship.standings
        self.forget_sent()

    def ends_championship(self, championship: Championship) -> None:
        """Its standings are final; those of open play are in force again."""
        self.standings = championship.open_standings
        self.final_standings = championship.standings

    def remembers_championship(self, championship: Championship) -> None:
        """One of an earlier life of the server was played or cancelled."""
        self.championship_over = True
        if championship.begun:
            self.final_standings = championship.standings

    def has_played_championship(self) -> None:
        """One is over; other standings may be in force."""
        self.championship_over = True
        self.forget_sent()

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

    def forget_sent(self) -> None:
        """Other standings are in force: no player has got them yet."""
        self.news.is_behind()
        for player in self.players.values():
            player.sent_version = -1


class Table(TableOf[GameType, "Player"]):
    """A table with players of the server."""

    __slots__ = ()


@value
class Setting:
    """How a game is to be played, and where it comes from."""

    options: Mapping[str, str] = field(default_factory=dict)
    total: int = 0
    """The number of seats, including those that the master plays; 0 when it plays none."""
    seed: str = ""
    """The seed of all chance; empty if no other master could take over."""
    setup: str = ""
    """How it begins, in the master's format; empty if left to chance. As secret as the seed."""
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
    """The number of each player's seat, from 0."""
    clock: Timer
    history: History
    phase: Phase = Phase.BEGUN
    departures: dict[str, Cause] = field(default_factory=dict)
    """Why players left it, by nick, in order."""
    owing: dict[int, Player] = field(default_factory=dict)
    """The players who have not sent thank you yet, by conn."""
    turn: Turn[Player, Master] = field(default_factory=Turn)
    shown: LastShown = field(default_factory=LastShown)
    reasons: Reasons = field(default_factory=Reasons)
    closing: Closing | None = None
    """Set when its result is known."""
    extras: Extras = field(default_factory=dict)
    _there: tuple[tuple[int, ...], int] | None = field(default=None, init=False)
    """:attr:`audience` and :attr:`present_seats`, until a player comes or goes."""

    @property
    def audience(self) -> tuple[int, ...]:
        """The connections of the players who are still in the game and can be reached."""
        return (self._there or self._count())[0]

    @property
    def present_seats(self) -> int:
        """The seats of the players who are still in the game, as a number with one bit for each."""
        return (self._there or self._count())[1]

    def _count(self) -> tuple[tuple[int, ...], int]:
        present = self.present
        conns = tuple([one.connection.conn for one in present.values() if not one.away])
        self._there = conns, sum([1 << self.seat_of[nick] for nick in present])
        return self._there

    def seats_players(self, players: Iterable[Player]) -> None:
        """These players have their seats from now on."""
        for player in players:
            self.present[player.name] = player
            player.begins(self)
        self.audience_changed()

    def is_left_by(self, player: Player) -> None:
        """A player is in the game no more."""
        del self.present[player.name]
        self.audience_changed()
        player.has_left(self)

    def is_led_by(self, master: Master) -> None:
        """Another master leads it from now on."""
        self.master.games.pop(self.id, None)
        self.master = master
        master.games[self.id] = self

    def is_closing(self, closing: Closing) -> None:
        """Its result is known, and its master has done with it."""
        self.closing = closing
        self.master.has_ended(self)

    def is_played_at(self, table: Table) -> None:
        """It was made again after the server was lost, and so was its table."""
        self.setting = replace(self.setting, table=table)

    def begins_with(self, setup: str) -> None:
        """By its record, how it begins was not left to chance."""
        self.setting = replace(self.setting, setup=setup)

    @property
    def ended(self) -> bool:
        """Whether it has its result, announced or not."""
        return self.phase in (Phase.CLOSING, Phase.OVER)

    @property
    def held_bytes(self) -> int:
        """How much memory it holds, roughly: its history, what its players were shown, and moves held back."""
        payloads = [shown.payload for shown in self.shown.views.values()]  # some may be the same object
        views = sum({id(payload): len(payload) for payload in payloads}.values()) if payloads else 0
        if self.shown.sketches or self.shown.drawn:
            views += sum([len(one) for drawn in (self.shown.sketches, self.shown.drawn) for one in drawn.values()])
        held_back = sum([len(move.payload) for move in self.turn.held.values()]) if self.turn.held else 0
        return self.history.held_bytes + views + held_back

    def can_go_on_with(self, players: int) -> bool:
        """Whether a game at a table can go on with this number of its players, beside the seats the master plays."""
        programs = max(0, self.setting.total - len(self.seats))
        return players + programs >= MIN_SEATS

    def audience_changed(self) -> None:
        """A player has left, or its line is cut or there again. The audience is computed when it is needed next: when
        thousands leave at once, rarely between two of them."""
        self._there = None
