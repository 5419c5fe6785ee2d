"""Players and masters do anything in any order: nothing is left without an owner, no message goes to a wrong peer.

The house checks its invariants after every single event; the machine below only thinks of things that may happen.
"""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from tests.broker.house import House, Peer, move, turn
from tests.profile import sized
from ugs.broker.championships import progress
from ugs.broker.events import Disconnected, Garbled, JournalBack, JournalLost, Misread
from ugs.broker.state.connection import PeerState
from ugs.broker.state.model import Game
from ugs.broker.state.phases import Phase
from ugs.broker.values.questions import Act, ActKind, OrderKind
from ugs.wire.messages import (
    BeginGame,
    ChampionsList,
    Error,
    GameMasterLogin,
    GameState,
    LeaveGame,
    LoginResponse,
    Logout,
    Message,
    Move,
    PlayerLeftGame,
    PlayerLogin,
    PlayerResult,
    Result,
    ServerShutdown,
    ThankYou,
)

GAME_TYPES: dict[str, dict[str, object]] = {
    "plain": {},
    "quiet": {"quiet_master": True},
    "grace": {"master_grace_s": 8, "masters_per_game": 2, "move_timeout_s": 4, "master_timeout_s": 3},
    "gather": {"gather_s": 3, "max_games_per_master": 1, "champions_interval_s": 0},
    "cup": {"mode": "championship", "championship_players": 3, "void_replays": 1, "masters_per_game": 2},
    "league": {"masters_per_game": 2, "thank_you_timeout_s": 4},
    "quiet cup": {"mode": "championship", "championship_players": 4, "quiet_master": True, "master_strikes": 1},
}
SETTINGS: dict[str, Any] = {
    "game_types": GAME_TYPES,
    "max_pool": 6,
    "max_logins": 14,
    "login_attempts": 2,
    "max_errors_per_minute": 4,
}
ACTS = tuple(kind for kind in ActKind if kind is not ActKind.DRAIN)
"""What organisers do at any time; a server that is to stop has a rule of its own."""
PLANS: tuple[dict[str, Any], ...] = (
    {"first": 3, "return_s": 5, "repeats": 3},
    {"first": 4, "format": "swiss", "restart_return_s": 5},
    {"first": 4, "format": "knock-out", "best_of": 2, "void_replays": 1},
    {"first": 3, "format": "ladder", "rounds": 2, "return_s": 2},
    {"first": 4, "format": "gauntlet", "leavers": "lose", "restart_return_s": 0},
    {
        "first": 3,
        "format": "stages",
        "stages": (
            {"format": "swiss", "rounds": 3, "go_on": 2, "tie_breaks": ("buchholz", "head-to-head")},
            {"format": "knock-out"},
        ),
        "late_rounds": 2,
        "return_s": 5,
    },
    {"entrants": ("a", "b", "c"), "seats": 3, "leavers": "strike"},
    {"entrants": ("a", "b", "c", "d"), "begins_at": "2030-05-01T20:00", "return_s": 5, "repeats": 2},
)
"""Championships that may be announced besides those of the settings."""
NICKS = [*"abcdefghijklmnopqrst"]
PATIENCE = 1000
"""Seconds after which every clock of these settings has run out."""

numbers = st.integers(0, 1000)
nicks = st.sampled_from([*NICKS[:6], "A", "", "x" * 65])
game_types = st.sampled_from([*GAME_TYPES, ""])
game_ids = st.sampled_from(["g1", "g2", "g3", "g4", "g999", ""])
results = st.builds(PlayerResult, nicks, st.sampled_from(Result))
anything: st.SearchStrategy[Message] = st.one_of(
    st.just(Error("?")),
    st.just(LoginResponse()),
    st.just(ServerShutdown()),
    st.just(ChampionsList(())),
    st.just(BeginGame("g1", ("a", "b"))),
    st.builds(PlayerLogin, nicks, game_types),
    st.builds(GameMasterLogin, nicks, game_types, st.just("2"), st.sampled_from(["1", "2", "3"])),
    st.builds(GameState, game_ids, nicks, st.none()),
    st.builds(GameState, game_ids, st.none(), st.lists(results, max_size=4).map(tuple)),
    st.builds(Move, game_ids, st.just(b"<move/>")),
    st.builds(ThankYou, game_ids),
    st.builds(LeaveGame, game_ids),
    st.builds(PlayerLeftGame, nicks, game_ids),
)


Some = TypeVar("Some")


def chosen(some: Sequence[Some], number: int) -> Some:
    """One of these."""
    return some[number % len(some)]


class Anything(RuleBasedStateMachine):
    """Players, masters and newcomers whose messages make sense at some times and not at others."""

    house: House

    def __init__(self) -> None:
        super().__init__()
        self.patch = pytest.MonkeyPatch()

    @initialize(drain_s=st.sampled_from([0, 15]), disk_is_slow=st.booleans(), large=st.booleans())
    def the_house_opens(self, drain_s: int, disk_is_slow: bool, large: bool) -> None:
        self.patch.setattr(progress, "is_large", lambda _: large)
        self.house = House(drain_s=drain_s, **SETTINGS)
        self.house.disk_is_slow, self.house.draws_slowly = disk_is_slow, large

    def a_peer(self, number: int, *states: PeerState) -> Peer:
        """One of the connected peers in these states (none given: in any)."""
        return chosen(self.connected(*states), number)

    def connected(self, *states: PeerState) -> list[Peer]:
        """All connected peers in these states (none given: in any)."""
        connections = self.house.broker.server.connections
        return [self.house.peers[conn] for conn, one in connections.items() if not states or one.peer.state in states]

    def games(self) -> list[tuple[Game, Peer]]:
        """All running games without a result whose master is there, with the master."""
        connections, peers = self.house.broker.server.connections, self.house.peers
        running = [game for game in self.house.broker.games if game.phase is not Phase.CLOSING]
        return [(game, peers[game.master.conn]) for game in running if game.master.conn in connections]

    def movers(self) -> list[Peer]:
        """All whose turn it is."""
        return [self.house.peers[mover.conn] for game in self.house.broker.games for mover in game.turn.movers]

    # What makes sense.

    @rule(
        game_type=st.sampled_from([*GAME_TYPES]),
        seats=st.integers(2, 3),
        more=st.integers(0, 2),
        players=st.integers(2, 5),
    )
    def a_company_comes(self, game_type: str, seats: int, more: int, players: int) -> None:
        name = f"m{len(self.house.peers)}"
        self.house.connects().says(GameMasterLogin(name, game_type, str(seats), str(seats + more)))
        free = [nick for nick in NICKS if nick not in self.house.broker.server.names.players]
        for nick in free[:players]:
            self.house.connects().says(PlayerLogin(nick, game_type))

    @rule()
    def every_master_answers_begin_game(self) -> None:
        for game, master in self.games():
            if game.phase is Phase.BEGUN:
                master.says(turn(game.id, game.seats[0] if game.seats[0] in game.present else next(iter(game.present))))

    @precondition(lambda self: self.games())
    @rule(number=numbers, who=numbers)
    def a_master_names_the_next_player(self, number: int, who: int) -> None:
        game, master = chosen(self.games(), number)
        master.says(turn(game.id, chosen(list(game.present), who)))
        assert game.phase is Phase.TURN

    @precondition(lambda self: self.movers())
    @rule(number=numbers)
    def a_player_moves(self, number: int) -> None:
        peer = chosen(self.movers(), number)
        assert peer.player.game is not None
        peer.says(move(peer.player.game.id))
        assert peer not in self.movers()

    @precondition(lambda self: self.games())
    @rule(number=numbers, given=st.lists(st.sampled_from(Result), min_size=5, max_size=5), leavers=st.booleans())
    def a_master_ends_a_game(self, number: int, given: list[Result], leavers: bool) -> None:
        game, master = chosen(self.games(), number)
        listed = [nick for nick in game.seats if leavers or nick in game.present]
        master.says(GameState(game.id, None, tuple(map(PlayerResult, listed, given))))
        assert game.id in [result.game_id for result in self.house.results]

    @rule()
    def all_who_owe_thanks_say_so(self) -> None:
        for peer in self.connected(PeerState.OWING):
            if not self.house.stopped and peer.player.game is not None:
                peer.says(ThankYou(peer.player.game.id))

    @precondition(lambda self: self.connected(PeerState.PLAYING))
    @rule(number=numbers)
    def a_player_leaves(self, number: int) -> None:
        peer = self.a_peer(number, PeerState.PLAYING)
        assert peer.player.game is not None
        peer.says(LeaveGame(peer.player.game.id))

    @precondition(lambda self: self.games())
    @rule(number=numbers, who=numbers)
    def a_master_removes_a_player(self, number: int, who: int) -> None:
        game, master = chosen(self.games(), number)
        master.says(PlayerLeftGame(chosen(game.seats, who), game.id))

    # What does not.

    @rule(message=anything)
    def a_stranger_says_anything(self, message: Message) -> None:
        self.house.connects().says(message)

    @precondition(lambda self: self.connected())
    @rule(number=numbers, message=anything)
    def a_peer_says_anything(self, number: int, message: Message) -> None:
        self.a_peer(number).says(message)

    @precondition(lambda self: self.connected())
    @rule(number=numbers, event=st.sampled_from([Misread, Garbled, Disconnected]))
    def a_peer_is_hard_to_understand_or_lost(
        self, number: int, event: type[Misread] | type[Garbled] | type[Disconnected]
    ) -> None:
        self.house.happens(event(self.a_peer(number).conn, "?"))

    @precondition(lambda self: self.connected())
    @rule(number=numbers)
    def a_peer_logs_out(self, number: int) -> None:
        self.a_peer(number).says(Logout())

    # The world.

    @rule(seconds=st.sampled_from([0.1, 1, 2, 3, 5, 8, 13, 35]))
    def time_passes(self, seconds: float) -> None:
        self.house.passes(seconds)

    @rule(name=st.sampled_from(["cup", "quiet cup", "plain", "go", "p1", "p2", "p3"]))
    def an_hour_strikes(self, name: str) -> None:
        self.house.strikes(name)

    @precondition(lambda self: len(self.house.peers) > 30)
    @rule()
    def the_server_is_to_stop(self) -> None:
        self.house.is_asked_to_stop()

    @rule(results=st.integers(1, 3))
    def the_disk_catches_up(self, results: int) -> None:
        self.house.disk_catches_up(results)

    @rule()
    def what_is_wanted_is_drawn(self) -> None:
        self.house.draws()

    @rule()
    def the_journal_is_lost_or_back(self) -> None:
        lost = self.house.broker.server.condition.journal_lost
        self.house.happens(JournalBack() if lost else JournalLost("disk full"))

    @rule(part=st.floats(0, 1))
    def the_server_is_killed_and_comes_back(self, part: float) -> None:
        """What is surely on file is there, and some part of what came after it."""
        at_least, steps = self.house.steps_kept, len(self.house.diary)
        self.house = self.house.again(at_least + round(part * (steps - at_least)))

    # The organisers.

    @precondition(lambda self: not self.house.stopped)
    @rule(plan=st.sampled_from(PLANS), game_type=st.sampled_from(["league", "plain", "grace", "cup"]))
    def a_championship_is_announced(self, plan: Mapping[str, Any], game_type: str) -> None:
        name = f"p{len(self.house.broker.server.championships)}"
        answer = self.house.plans(**{**plan, "name": name, "game_type": game_type})
        assert answer["ok"] or name in self.house.broker.server.championships

    @precondition(lambda self: not self.house.stopped)
    @rule(kind=st.sampled_from(OrderKind), which=numbers, number=numbers)
    def an_organiser_orders(self, kind: OrderKind, which: int, number: int) -> None:
        known = self.house.broker.server.championships
        name = chosen([*known, "none"], which)
        nicks = [*known[name].field, *known[name].away] if name in known else []
        subjects = [*nicks, "z", *(result.game_id for result in self.house.results[-5:])]
        self.house.orders(kind, chosen(subjects, number), name)

    @precondition(lambda self: not self.house.stopped)
    @rule(kind=st.sampled_from(ACTS), number=numbers, seconds=st.sampled_from([None, 0.0, 5.0]))
    def an_organiser_acts(self, kind: ActKind, number: int, seconds: float | None) -> None:
        house = self.house
        subjects = ["z", *house.broker.server.names.players, *house.broker.server.names.masters]
        if kind in (ActKind.VOID, ActKind.ADJUDICATE):
            subjects = ["none", *(game.id for game in house.broker.games)]
        elif kind.endswith("address"):
            subjects = ["192.0.2.1", "192.0.2.0/25", "203.0.113.0/24"]
        types = list(GAME_TYPES) if kind in (ActKind.PAUSE, ActKind.RESUME) else [""]
        results = {"": ("won", "drawn")[number % 2]}
        act = Act(kind, chosen(subjects, number), "ada", "because", chosen(types, number), seconds, results, True)
        answer = house.is_asked(act)
        assert answer["ok"] is ("error" not in answer)

    @precondition(lambda self: self.game_types_of_championships())
    @rule(number=numbers)
    def all_who_are_missed_come(self, number: int) -> None:
        game_type = chosen(self.game_types_of_championships(), number)
        cup = self.house.broker.server.types[game_type].championship
        assert cup is not None
        for nick in (*cup.away, *cup.plan.entrants):
            if nick not in self.house.broker.server.names.players:
                self.house.connects().says(PlayerLogin(nick, game_type))

    def game_types_of_championships(self) -> list[str]:
        """All types of which a championship is announced or played."""
        types = self.house.broker.server.types
        return [name for name, known in types.items() if known.championship is not None and not self.house.stopped]

    def teardown(self) -> None:
        """In the end all go, or the server; nothing is left but what was played."""
        house, server = self.house, self.house.broker.server
        if server.condition.journal_lost:
            house.happens(JournalBack())
        if not house.stopped:
            for name in list(server.condition.paused):
                assert house.is_asked(Act(ActKind.RESUME, "", "ada", "the end", name))["ok"]
        for peer in self.connected():
            peer.is_lost()
        unannounced = house.stopped and bool(house.unkept)
        house.disk_catches_up()
        house.passes(PATIENCE)
        assert house.stopped or house.broker.games == []
        assert server.connections == {}
        ids = {result.game_id for result in house.results}
        assert ids == {f"g{house.first_game + number}" for number in range(len(ids))}
        if not unannounced:
            self.what_was_played_is_known_in_the_next_life()
        self.patch.undo()
        if house.stopped:
            return
        assert all(one.ledger.over for one in server.championships.values() if one.begun)
        assert (server.names.players, server.names.masters, house.timers) == ({}, {}, {})
        for game_type in server.types.values():
            assert not game_type.players
            assert all(row.played for row in game_type.standings.rows())
            assert all(nick in game_type.standings for nick in NICKS if game_type.seating.had(nick))

    def what_was_played_is_known_in_the_next_life(self) -> None:
        """The tables of open play and of all championships that have begun are the same."""
        now, then = self.house.broker.server, self.house.again().broker.server
        for name, game_type in now.types.items():
            rows = [row for row in game_type.open_standings.rows() if row.played]
            assert (rows == then.types[name].open_standings.rows()) if name in then.types else not rows
        for name, one in now.championships.items():
            if one.announced:
                assert then.championships[name].standings.rows() == one.standings.rows()


TestAnything = Anything.TestCase
TestAnything.settings = settings(
    derandomize=True,
    max_examples=sized(quick=50, deep=600),
    stateful_step_count=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
