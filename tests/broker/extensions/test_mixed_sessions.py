"""Peers of v4 and peers with extensions do anything in any order: no peer is told a secret of another.

Every view for one player holds a text that nobody else may ever see, every token is known to its owner alone, every
seed to masters; the house below reads all that the broker asks for and looks for them. The witnesses of the house see
to the rest: that peers of v4 hear nothing but v4, and that nothing is left without an owner.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from tests.broker.house import House, Peer, move
from tests.broker.test_properties import NICKS, PATIENCE, chosen, numbers
from tests.profile import sized
from ugs.broker.effects import Effect, RecordBegin, RecordEntry, RecordResult, Send
from ugs.broker.events import Event, JournalBack, JournalLost, Misread
from ugs.broker.past import Past
from ugs.broker.state.connection import PeerState
from ugs.broker.state.model import Game
from ugs.broker.state.phases import Phase
from ugs.broker.state.session_tokens import SESSIONS
from ugs.broker.values.record import EntryKind
from ugs.wire.extensions import (
    Advertise,
    Cancel,
    Failed,
    Family,
    Hello,
    Join,
    Label,
    Labels,
    NewTable,
    OfferedOption,
    Offers,
    Quit,
    RefusalReason,
    Rejoin,
    Resend,
    Restore,
    Resume,
    SeatKind,
    Session,
    Start,
    View,
    Views,
    Visibility,
    Wait,
    Watch,
    WatchFrom,
)
from ugs.wire.messages import (
    BeginGame,
    Extension,
    GameMasterLogin,
    GameState,
    LeaveGame,
    Logout,
    PlayerLeftGame,
    PlayerLogin,
    PlayerResult,
    Result,
    ThankYou,
)

SECRET = re.compile(r"secret of ([a-z]) ")
TOKEN = re.compile(r"\d{12}s{24}")
PUBLIC = b"<gameState>for everybody</gameState>"

SETTINGS: dict[str, Any] = {
    "game_types": {"go": {}, "cup": {"mode": "championship", "championship_players": 3, "void_replays": 1}},
    "master_grace_s": 30,
    "session_grace_s": 25,
    "session_takeover": "address",
    "max_absent_per_ip": 3,
    "masters_per_game": 3,
    "move_timeout_s": 20,
    "master_timeout_s": 15,
    "max_errors_per_minute": 6,
}
PLAYERS: tuple[tuple[Family, ...] | None, ...] = (
    None,
    (),
    (Family.SESSION,),
    (Family.SESSION, Family.STATE),
    (Family.SESSION, Family.LOBBY, Family.CLOCK),
    (Family.SESSION, Family.REJOIN),
    (Family.LOBBY, Family.REJOIN),
)
"""What players ask for; None: they speak v4."""
MASTERS: tuple[tuple[Family, ...] | None, ...] = (
    None,
    (Family.RESTORE,),
    (Family.VIEWS,),
    (Family.RESTORE, Family.VIEWS, Family.MOVERS),
    (Family.RESTORE, Family.VIEWS, Family.MOVERS, Family.TABLE),
    (Family.RESTORE, Family.VIEWS, Family.MOVERS, Family.TABLE, Family.REJOIN),
    (Family.RESTORE, Family.REJOIN),
)
MAX_PLAYERS = 14
OWING_A_STATE = (Phase.BEGUN, Phase.ANSWER, Phase.TAKING, Phase.ALONE)
OFFERS = (OfferedOption("mode", "plain", "plain odd"),)


class Eavesdropping(House):
    """A house in which everything that is asked for is read."""

    def __init__(self, *, past: Past | None = None, first_game: int = 1, **settings: Any) -> None:
        self.nick_of: dict[int, str] = {}
        """Who has come on which connection, and is let in or not."""
        super().__init__(past=past, first_game=first_game, **settings)

    def happens(self, event: Event) -> list[Effect]:
        """One event, after which nothing public holds a secret."""
        effects = super().happens(event)
        for game in self.broker.games:
            assert not any(SECRET.search(entry.body.decode()) for entry in game.history.entries)
            assert game.shown.latest is None or not SECRET.search(game.shown.latest.payload.decode())
        return effects

    def _carry_out(self, effect: Effect) -> None:
        said = repr(effect)
        if SECRET.search(said):
            assert set(SECRET.findall(said)) <= self._may_see(effect), f"a secret goes astray: {effect}"
        if TOKEN.search(said):
            assert self._may_hold_a_token(effect), f"a token goes astray: {effect}"
        super()._carry_out(effect)

    def _may_see(self, effect: Effect) -> set[str]:
        match effect:
            case Send(to=to, message=GameState()):
                nicks = {self.nick_of[conn] for conn in to}
                return nicks if len(nicks) == 1 else set()
            case RecordEntry(kind=EntryKind.VIEW, game_id=game_id, audience=audience):
                seats = next(game.seats for game in self.broker.games if game.id == game_id)
                return {seats[audience.bit_length() - 1]} if audience.bit_count() == 1 else set()
        return set()

    def _may_hold_a_token(self, effect: Effect) -> bool:
        match effect:
            case Send(to=to, message=Session(nick=nick, token=token)):
                return [self.nick_of[conn] for conn in to] == [nick] and TOKEN.findall(repr(effect)) == [token]
            case Send(message=BeginGame() | Restore()) | RecordBegin():
                return True
        return False


def views(game: Game, nicks: tuple[str, ...], over: tuple[PlayerResult, ...], seen: int, step: int) -> Views:
    """What a master tells, in which some (the bits of ``seen``) see something of their own."""
    own = [
        View(nick, f"<gameState>secret of {nick} {step}</gameState>".encode())
        for seat, nick in enumerate(game.seats)
        if seen >> seat & 1
    ]
    return Views(game.id, nicks, over, (*own, *([View("", PUBLIC)] if seen & 1 else [])))


class Mixed(RuleBasedStateMachine):
    """Players, masters and spectators of all kinds, cut lines, lost masters and a server that is killed."""

    house: Eavesdropping
    finished: dict[str, str]
    """Games that count and are on file, with the type of each."""
    tokens: dict[str, str]
    steps = 0

    @initialize(drain_s=st.sampled_from([0, 15]), disk_is_slow=st.booleans())
    def the_house_opens(self, drain_s: int, disk_is_slow: bool) -> None:
        self.house = Eavesdropping(drain_s=drain_s, **SETTINGS)
        self.house.disk_is_slow = disk_is_slow
        self.finished, self.tokens = {}, {}

    # Who is there.

    def has_room(self) -> bool:
        """Whether one more player may come and play."""
        server = self.house.broker.server
        return not server.closed and len(server.names.players) < MAX_PLAYERS

    def connected(self, *states: PeerState, family: Family | None = None) -> list[Peer]:
        """All who are connected, of these states (none: of all), and who were granted that."""
        return [
            self.house.peers[conn]
            for conn, one in self.house.broker.server.connections.items()
            if (not states or one.peer.state in states) and (family is None or family in one.families)
        ]

    def led(self, *phases: Phase) -> list[tuple[Game, Peer]]:
        """The games in these phases (none: in all before the result) whose masters are there, with these."""
        connections, peers = self.house.broker.server.connections, self.house.peers
        running = (game for game in self.house.broker.games if not game.ended)
        return [
            (game, peers[game.master.conn])
            for game in running
            if game.master.conn in connections and (not phases or game.phase in phases)
        ]

    def movers(self) -> list[Peer]:
        """All who may move and are there."""
        games = self.house.broker.games
        return [self.house.peers[player.conn] for game in games for player in game.turn.movers if not player.away]

    def arrives(self, families: tuple[Family, ...] | None) -> Peer:
        """A new peer, which has said x-hello unless ``families`` is None: then it speaks v4."""
        peer = self.house.connects()
        if families is not None:
            peer.says(Hello(tuple(families)))
        return peer

    def tells(self, game: Game, master: Peer, who: int, seen: int) -> None:
        """A master names the next player or players, in the way it can."""
        self.steps += 1
        present = list(game.present)
        first = present[who % len(present)]
        if not (master.master.may(Family.VIEWS) and seen):
            master.says(GameState(game.id, first, None, PUBLIC))
            return
        more = [nick for place, nick in enumerate(present) if nick != first and who >> place & 1]
        nicks = (first, *more) if master.master.may(Family.MOVERS) else (first,)
        master.says(views(game, nicks, (), seen, self.steps))

    # Coming and going.

    @precondition(lambda self: self.has_room())
    @rule(
        master=st.sampled_from(MASTERS),
        players=st.lists(st.sampled_from(PLAYERS), min_size=2, max_size=4),
        game_type=st.sampled_from(["go", "go", "cup"]),
        seats=st.integers(2, 3),
    )
    def a_company_comes(
        self,
        master: tuple[Family, ...] | None,
        players: list[tuple[Family, ...] | None],
        game_type: str,
        seats: int,
    ) -> None:
        self.a_master_comes(master, game_type, seats)
        for which in players:
            self.a_player_comes(which, game_type)

    @precondition(lambda self: self.has_room())
    @rule(players=st.integers(2, 3), seats=st.integers(2, 3))
    def a_company_comes_whose_games_survive_much(self, players: int, seats: int) -> None:
        self.a_company_comes(MASTERS[-1], [PLAYERS[3]] * players, "go", seats)

    @precondition(lambda self: not self.house.stopped and len(self.house.broker.server.names.players) < MAX_PLAYERS)
    @rule(which=st.sampled_from(PLAYERS), game_type=st.sampled_from(["go", "cup"]))
    def a_player_comes(self, which: tuple[Family, ...] | None, game_type: str) -> None:
        nick = next(nick for nick in NICKS if nick not in self.house.broker.server.names.players)
        peer = self.arrives(which)
        self.house.nick_of[peer.conn] = nick
        peer.says(PlayerLogin(nick, game_type))
        for letter in peer.mail:
            if isinstance(letter, Session):
                self.tokens[letter.nick] = letter.token

    @precondition(lambda self: not self.house.stopped)
    @rule(which=st.sampled_from(MASTERS), game_type=st.sampled_from(["go", "go", "cup"]), seats=st.integers(2, 3))
    def a_master_comes(self, which: tuple[Family, ...] | None, game_type: str, seats: int) -> None:
        peer = self.arrives(which)
        peer.says(GameMasterLogin(f"m{peer.conn}", game_type, "2", str(seats)))
        if which is not None and Family.TABLE in which and not peer.is_closed():
            peer.says(Offers(OFFERS))

    @precondition(lambda self: self.house.broker.games)
    @rule(begin=st.sampled_from(WatchFrom), delay_s=st.sampled_from([0, 0, 3]))
    def a_spectator_comes(self, begin: WatchFrom, delay_s: float) -> None:
        self.arrives((Family.WATCH,)).says(Watch(game_type="go", begin=begin, delay_s=delay_s))

    @precondition(lambda self: self.connected() and self.now_and_then(2))
    @rule(number=numbers)
    def a_line_is_cut(self, number: int) -> None:
        chosen(self.connected(), number).is_lost()

    @precondition(lambda self: self.led() and self.now_and_then(2))
    @rule(number=numbers)
    def a_master_is_lost(self, number: int) -> None:
        chosen(self.led(), number)[1].is_lost()

    @precondition(lambda self: self.tokens and not self.house.stopped)
    @rule(number=numbers, which=st.sampled_from([one for one in PLAYERS if one and Family.SESSION in one]))
    def a_peer_comes_back(self, number: int, which: tuple[Family, ...]) -> None:
        nick = chosen(sorted(self.tokens), number)
        peer = self.arrives(which)
        self.house.nick_of[peer.conn] = nick
        peer.says(Resume(self.tokens[nick]))

    @precondition(lambda self: self.house.broker.server.absent and not self.house.stopped)
    @rule(number=numbers, which=st.sampled_from(PLAYERS))
    def a_peer_that_has_lost_its_token_comes_back(self, number: int, which: tuple[Family, ...] | None) -> None:
        absent = chosen(list(self.house.broker.server.absent.until), number)
        peer = self.arrives(which)
        self.house.nick_of[peer.conn] = absent.name
        peer.says(PlayerLogin(absent.name, absent.type.name))
        for letter in peer.mail:
            if isinstance(letter, Session):
                self.tokens[letter.nick] = letter.token

    @precondition(lambda self: self.tokens and not self.house.stopped)
    @rule()
    def all_come_back(self) -> None:
        for nick in sorted(self.tokens):
            player = self.house.broker.server.names.players.get(nick)
            if player is not None and player.away:
                self.a_peer_comes_back(sorted(self.tokens).index(nick), (Family.SESSION,))

    @precondition(lambda self: self.connected() and self.now_and_then(3))
    @rule(number=numbers)
    def a_peer_logs_out(self, number: int) -> None:
        chosen(self.connected(), number).says(Logout())

    # Playing.

    @precondition(lambda self: self.led(*OWING_A_STATE))
    @rule(who=numbers, seen=st.integers(0, 7))
    def every_master_says_what_is_waited_for(self, who: int, seen: int) -> None:
        for game, master in self.led(*OWING_A_STATE):
            if not game.ended and not master.is_closed():
                self.tells(game, master, who, seen)

    @precondition(lambda self: self.led())
    @rule(number=numbers, who=numbers, seen=st.integers(0, 7))
    def a_master_tells_something(self, number: int, who: int, seen: int) -> None:
        self.tells(*chosen(self.led(), number), who, seen)

    @precondition(lambda self: self.movers())
    @rule()
    def all_move_who_may(self) -> None:
        for peer in self.movers():
            if not peer.is_closed() and peer in self.movers():
                assert peer.player.game is not None
                peer.says(move(peer.player.game.id))

    @precondition(lambda self: self.led(*OWING_A_STATE))
    @rule(who=numbers, seen=st.integers(0, 7))
    def a_round_is_played(self, who: int, seen: int) -> None:
        self.every_master_says_what_is_waited_for(who, seen)
        self.all_move_who_may()

    @precondition(lambda self: self.movers())
    @rule(number=numbers)
    def a_peer_moves(self, number: int) -> None:
        peer = chosen(self.movers(), number)
        assert peer.player.game is not None
        peer.says(move(peer.player.game.id))
        assert peer not in self.movers()

    @precondition(lambda self: self.led(Phase.TURN, Phase.ANSWER, Phase.ALONE))
    @rule(number=numbers, won=st.integers(0, 7), seen=st.integers(0, 7))
    def a_master_ends_a_game(self, number: int, won: int, seen: int) -> None:
        self.steps += 1
        game, master = chosen(self.led(Phase.TURN, Phase.ANSWER, Phase.ALONE), number)
        given = tuple(
            PlayerResult(nick, Result.WINNER if won >> place & 1 else Result.LOSER)
            for place, nick in enumerate(game.present)
        )
        if master.master.may(Family.VIEWS):
            master.says(views(game, (), given, seen, self.steps))
        else:
            master.says(GameState(game.id, None, given, PUBLIC))
        assert game.ended

    @precondition(lambda self: self.connected(PeerState.OWING))
    @rule()
    def all_who_owe_thanks_say_so(self) -> None:
        for peer in self.connected(PeerState.OWING):
            if not peer.is_closed() and peer.player.game is not None:
                peer.says(ThankYou(peer.player.game.id))

    @precondition(lambda self: self.connected(PeerState.PLAYING))
    @rule(number=numbers)
    def a_player_leaves(self, number: int) -> None:
        peer = chosen(self.connected(PeerState.PLAYING), number)
        assert peer.player.game is not None
        peer.says(LeaveGame(peer.player.game.id))

    @precondition(lambda self: self.connected(PeerState.IDLE, family=Family.REJOIN) and self.house.broker.games)
    @rule(number=numbers, which=numbers)
    def a_player_wants_its_seat_again(self, number: int, which: int) -> None:
        peer = chosen(self.connected(PeerState.IDLE, family=Family.REJOIN), number)
        left = [game for game in self.house.broker.games if peer.name in game.departures]
        game = chosen(left or self.house.broker.games, which)
        peer.says(Rejoin(game.id, self.tokens.get(peer.name, "")))
        back = peer.state is PeerState.PLAYING
        assert back == (peer.name in game.present and game.present[peer.name] is peer.player)

    @precondition(lambda self: self.connected(PeerState.PLAYING, family=Family.REJOIN))
    @rule(number=numbers)
    def a_player_leaves_and_comes_back(self, number: int) -> None:
        peer = chosen(self.connected(PeerState.PLAYING, family=Family.REJOIN), number)
        assert peer.player.game is not None
        game_id = peer.player.game.id
        peer.says(LeaveGame(game_id))
        if peer.state is PeerState.IDLE:
            peer.says(Rejoin(game_id))

    @precondition(lambda self: self.led() and self.now_and_then(3))
    @rule(number=numbers, who=numbers, what=st.sampled_from(["removes", "declines", "labels"]))
    def a_master_does_something_else(self, number: int, who: int, what: str) -> None:
        game, master = chosen(self.led(), number)
        if what == "removes":
            master.says(PlayerLeftGame(chosen(game.seats, who), game.id))
        elif what == "declines":
            master.says(Failed(RefusalReason.INVALID_GAME, "no", game.id))
        else:
            master.says(Labels(game.id, (Label(chosen(game.seats, who), "RED", SeatKind.HUMAN),)))

    @precondition(lambda self: self.connected(PeerState.PLAYING, PeerState.OWING, family=Family.STATE))
    @rule(number=numbers)
    def a_peer_wants_its_state_again(self, number: int) -> None:
        peer = chosen(self.connected(PeerState.PLAYING, PeerState.OWING, family=Family.STATE), number)
        assert peer.player.game is not None
        peer.says(Resend(peer.player.game.id))

    # Tables.

    @precondition(lambda self: self.connected(family=Family.LOBBY))
    @rule(number=numbers, which=numbers, seats=st.integers(2, 3), computers=st.integers(0, 1))
    def a_peer_asks_for_something_in_the_lobby(self, number: int, which: int, seats: int, computers: int) -> None:
        tables = [*self.house.broker.server.tables, "none"]
        requests: list[Extension] = [
            Advertise(NewTable("Friday", seats, Visibility.PUBLIC, computers)),
            Join(chosen(tables, which)),
            Join(tables[0]),
            Start(),
            Cancel(),
            Quit(),
            Wait(),
        ]
        chosen(self.connected(family=Family.LOBBY), number).says(chosen(requests, which))

    # The world.

    @precondition(lambda self: self.connected())
    @rule(number=numbers, kind=st.sampled_from(["", "move", "x-views"]))
    def a_peer_cannot_be_understood(self, number: int, kind: str) -> None:
        self.house.happens(Misread(chosen(self.connected(), number).conn, "?", kind, "7"))

    @rule(seconds=st.sampled_from([0.1, 1, 3, 8, 20]))
    def time_passes(self, seconds: float) -> None:
        self.house.passes(seconds)

    @precondition(lambda self: self.house.unkept)
    @rule(results=st.integers(1, 3))
    def the_disk_catches_up(self, results: int) -> None:
        self.house.disk_catches_up(results)

    @precondition(lambda self: self.now_and_then(20))
    @rule()
    def the_journal_is_lost(self) -> None:
        self.house.happens(JournalLost("disk full"))

    @precondition(lambda self: self.house.broker.server.condition.journal_lost)
    @rule()
    def the_journal_is_back(self) -> None:
        self.house.happens(JournalBack())

    @precondition(lambda self: len(self.house.peers) > 40 and self.now_and_then(4))
    @rule()
    def the_server_is_to_stop(self) -> None:
        self.house.is_asked_to_stop()

    @precondition(lambda self: self.house.broker.games and self.now_and_then(4))
    @rule(part=st.floats(0, 1))
    def the_server_is_killed_and_comes_back(self, part: float) -> None:
        """What is surely on file is there, and some part of what came after it."""
        at_least, steps = self.house.steps_kept, len(self.house.diary)
        on_file = at_least + round(part * (steps - at_least))
        self.counts_once(on_file)
        self.house = self.house.again(on_file)

    @precondition(lambda self: self.house.broker.games and self.now_and_then(3))
    @rule()
    def the_server_is_killed_with_all_on_file(self) -> None:
        self.the_server_is_killed_and_comes_back(1.0)

    def now_and_then(self, times: int) -> bool:
        """True about once in ``times`` calls."""
        return len(self.house.diary) % times == 0

    def counts_once(self, steps: int) -> None:
        """No game that counts has counted in an earlier life."""
        for result in finished_in(self.house, steps):
            assert result not in self.finished, f"{result} counts twice"
            self.finished[result] = ""

    def teardown(self) -> None:
        """In the end all go, or the server; nothing is left but what was played."""
        house, server = self.house, self.house.broker.server
        if server.condition.journal_lost:
            house.happens(JournalBack())
        for peer in self.connected():
            peer.is_lost()
        house.disk_catches_up()
        house.passes(PATIENCE)
        self.counts_once(len(house.diary))
        assert house.stopped or house.broker.games == []
        assert server.connections == {}
        if not house.stopped:
            empty: list[Mapping[Any, Any]] = [
                server.names.players,
                server.names.masters,
                SESSIONS.of(server),
                server.tables,
                house.timers,
            ]
            assert empty == [{}] * len(empty)
        else:
            assert SESSIONS.of(server) == {}


def finished_in(house: House, steps: int) -> Iterator[str]:
    """The games whose results count and are on file after ``steps`` steps."""
    for step in house.diary[:steps]:
        for effect in step:
            if isinstance(effect, RecordResult) and not effect.result.verdict.void:
                yield effect.result.game_id


TestMixed = Mixed.TestCase
TestMixed.settings = settings(
    derandomize=True,
    max_examples=sized(quick=25, deep=400),
    stateful_step_count=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
