"""The lobby answers any requests in any order without failing, and each player sits in at most one place.

The house checks its own invariants after every event; this module adds those of tables.
"""

from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.broker.house import Peer, turn
from tests.broker.stage import Stage, happens
from tests.profile import sized
from ugs.broker.state.connection import PeerState
from ugs.broker.state.phases import Phase
from ugs.wire.extensions import (
    Advertise,
    Cancel,
    Family,
    Join,
    ListGameTypes,
    ListPlayers,
    ListTables,
    NewTable,
    OfferedOption,
    Ping,
    Quit,
    Say,
    Start,
    Visibility,
    Wait,
)
from ugs.wire.messages import (
    Choice,
    GameState,
    LeaveGame,
    Logout,
    Message,
    Move,
    PlayerLeftGame,
    PlayerResult,
    Result,
    ThankYou,
)

NICKS = ("ada", "ben", "cyd", "dan", "eve")
SETTINGS = {
    "max_tables": 3,
    "max_table_games": 2,
    "masters_per_game": 2,
    "max_games_per_master": 2,
    "session_grace_s": 20,
    "player_idle_s": 40,
    "player_inactive_s": 60,
    "game_idle_s": 50,
    "game_inactive_s": 70,
    "first_idle_check_s": 10,
    "idle_check_s": 10,
    "max_errors_per_minute": 1000,
}
MODE = OfferedOption("mode", "STANDARD", "STANDARD ADULT")

nicks = st.sampled_from(NICKS)
ids = st.sampled_from([*(f"g{number}" for number in range(1, 8)), ""])
new_tables = st.builds(
    NewTable,
    st.sampled_from(["Friday", "", "x" * 41]),
    st.sampled_from([2, 2, 3, 3, 4, 1]),
    st.sampled_from(Visibility),
    st.sampled_from([0, 0, 0, 1, 2]),
    st.lists(st.builds(Choice, st.just("mode"), st.sampled_from(["STANDARD", "ADULT", "CHILD"])), max_size=2).map(
        tuple
    ),
    st.lists(st.sampled_from([*NICKS, "ADA", "zoe", ""]), max_size=3).map(tuple),
)
requests: st.SearchStrategy[Message] = st.one_of(
    st.builds(Advertise, new_tables),
    st.builds(Join, ids),
    st.builds(Advertise, new_tables),
    st.sampled_from([Start(), Cancel(), Quit(), Wait(), ListTables(), ListPlayers(), ListGameTypes(), Ping()]),
    st.builds(Say, st.lists(nicks, max_size=2).map(tuple), ids, st.sampled_from(["hello", ""])),
    st.builds(LeaveGame, ids),
    st.builds(ThankYou, ids),
    st.builds(Move, ids, st.just(b"<move/>")),
    st.just(Logout()),
)


class World:
    """A stage, and the things that may happen on it; each does nothing where it makes no sense."""

    def __init__(self) -> None:
        self.stage = Stage(**SETTINGS)
        self.peers: dict[str, Peer] = {}

    def here(self, name: str) -> Peer | None:
        """The peer of that name; None when it is not there."""
        peer = self.peers.get(name)
        there = peer is not None and peer.conn in self.stage.broker.server.connections
        return peer if there else None

    def comes(self, nick: str, *families: Family) -> None:
        """A player logs in, or comes back where it can (and then perhaps without a lobby)."""
        old = self.peers.get(nick)
        if self.here(nick) is not None:
            return
        if nick not in self.stage.broker.server.names.players:
            self.peers[nick] = self.stage.guest(nick, *{*families, Family.LOBBY})
        elif old is not None and old.token:
            self.peers[nick] = self.stage.returns(old.token, *({*families, Family.SESSION} - {Family.CHAT}))

    def leads(self, name: str, *families: Family, players: tuple[int, int]) -> None:
        """A master logs in."""
        if self.here(name) is None:
            options = (MODE,) if Family.TABLE in families else ()
            self.peers[name] = self.stage.leader(name, *families, players=players, options=options)

    def asks(self, nick: str, message: Message) -> None:
        """A player asks for something."""
        peer = self.here(nick)
        if peer is not None:
            peer.says(message)

    def sits_down(self, nick: str, number: int) -> None:
        """A player joins one of the tables that there are."""
        tables = list(self.stage.broker.server.tables)
        if tables:
            self.asks(nick, Join(tables[number % len(tables)]))

    def thanks(self, nick: str) -> None:
        """A player says thank you for its game."""
        peer = self.here(nick)
        if peer is not None and peer.player.game is not None:
            peer.says(ThankYou(peer.player.game.id))

    def is_cut(self, name: str) -> None:
        """A line is cut."""
        peer = self.here(name)
        if peer is not None:
            peer.is_lost()

    def goes_on(self, number: int, what: str) -> None:
        """The master of one of the running games says something."""
        games = [game for game in self.stage.broker.games if game.phase is not Phase.CLOSING]
        if not games:
            return
        game = games[number % len(games)]
        master = self.here(game.master.name)
        nicks_there = list(game.present)
        if master is None:
            return
        if what == "turn":
            master.says(turn(game.id, nicks_there[number % len(nicks_there)]))
        elif what == "out":
            master.says(PlayerLeftGame(nicks_there[0], game.id))
        else:
            results = [PlayerResult(nick, Result.LOSER) for nick in nicks_there]
            results[0] = PlayerResult(nicks_there[0], Result.WINNER)
            master.says(GameState(game.id, None, tuple(results)))

    def is_sound(self) -> None:
        """Each player sits in at most one place, and each table waits for its game or has one."""
        server = self.stage.broker.server
        for table_id, table in server.tables.items():
            assert table.id == table_id
            assert all(member.table is table for member in table.members)
            assert table.free >= 0
            if table.playing:
                game = next(game for game in self.stage.broker.games if game.id == table_id)
                assert game.setting.table is table
                assert not table.members
                assert not table.awaits_master
            else:
                assert table.members[0] is table.owner
                assert not table.awaits_master or table.free == 0
        for player in server.names.players.values():
            if player.table is not None:
                assert server.tables[player.table.id] is player.table
                assert player.table.members.count(player) == 1
                assert player.state is PeerState.IDLE
        at_tables = [game for game in self.stage.broker.games if game.setting.table is not None]
        assert all(game.setting.table is server.tables[game.id] for game in at_tables)
        assert len(server.tables) <= server.config.max_tables
        assert sum(table.playing for table in server.tables.values()) <= server.config.max_table_games


LOBBY = (Family.LOBBY, Family.CHAT)
happenings: st.SearchStrategy[Callable[[World], object]] = st.one_of(
    st.builds(lambda nick, message: lambda world: world.asks(nick, message), nicks, requests),
    st.builds(lambda nick, message: lambda world: world.asks(nick, message), nicks, requests),
    st.builds(lambda nick, message: lambda world: world.asks(nick, message), nicks, requests),
    st.builds(
        lambda nick, families: lambda world: world.comes(nick, *families),
        nicks,
        st.sampled_from([LOBBY, (*LOBBY, Family.SESSION), (Family.SESSION,)]),
    ),
    st.builds(
        lambda number, what: lambda world: world.goes_on(number, what),
        st.integers(0, 20),
        st.sampled_from(["turn", "turn", "over", "out"]),
    ),
    st.builds(lambda nick, number: lambda world: world.sits_down(nick, number), nicks, st.integers(0, 2)),
    st.builds(lambda nick, number: lambda world: world.sits_down(nick, number), nicks, st.integers(0, 2)),
    st.builds(lambda nick: lambda world: world.thanks(nick), nicks),
    st.builds(lambda name: lambda world: world.is_cut(name), st.sampled_from([*NICKS, "m", "n"])),
    st.builds(lambda seconds: lambda world: world.stage.passes(seconds), st.sampled_from([1, 5, 15, 35])),
    st.sampled_from(
        [
            lambda world: world.leads("m", Family.TABLE, players=(2, 4)),
            lambda world: world.leads("n", players=(2, 3)),
            lambda world: happens(world.stage, "the journal is lost"),
            lambda world: happens(world.stage, "the journal is back"),
        ]
    ),
)


@settings(max_examples=sized(quick=50, deep=400), deadline=None)
@given(st.lists(happenings, min_size=10, max_size=60))
def test_the_lobby_stays_sound(story: list[Callable[[World], object]]) -> None:
    world = World()
    for nick in NICKS[:4]:
        world.comes(nick, *LOBBY, Family.SESSION)
    world.leads("m", Family.TABLE, players=(2, 4))
    for happening in story:
        happening(world)
        world.is_sound()
