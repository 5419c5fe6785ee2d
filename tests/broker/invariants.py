"""What must hold after every event, whatever has happened.

``Witness`` reads the effects in their order, as the peers would see them; ``check_desk`` looks at the registries.
Neither shares code with the broker: they say once more, in other words, what it promises.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

from ugs.broker import life
from ugs.broker.acts.removing import REMOVALS
from ugs.broker.broker import Broker
from ugs.broker.championships import fixtures, playing
from ugs.broker.effects import Admit, Close, Effect, Note, RecordResult, Send, Stopped, Subscribe
from ugs.broker.entrance.departed_rows import KEPT
from ugs.broker.events import (
    Connected,
    Disconnected,
    Event,
    Misread,
    NickClaimed,
    Proved,
    Received,
    ResultKept,
    Timer,
    TimerKind,
)
from ugs.broker.state.championship import ALL_ROUNDS, Championship
from ugs.broker.state.connection import Connection, Newcomer, Peer, PeerState, Spectator
from ugs.broker.state.model import Game, GameType, Master, Player
from ugs.broker.state.phases import Phase
from ugs.broker.state.server_state import ServerState
from ugs.broker.state.session_tokens import PLACE, SESSIONS
from ugs.broker.values.name_rules import unique_form
from ugs.broker.verdict import Cause, Outcome
from ugs.broker.views.offered_options import offers_all
from ugs.config import Config
from ugs.wire.extensions import Family, Hello, Rejoined, Restore, Resume, Watch
from ugs.wire.messages import (
    BeginGame,
    ChampionsList,
    Error,
    Extension,
    GameMasterLogin,
    GameState,
    LoginResponse,
    Message,
    Move,
    PlayerLeftGame,
    PlayerLogin,
    ServerShutdown,
)

Counted: TypeAlias = dict[str, Counter[tuple[str, Outcome]]]
"""What is on file of open play: by game type, how often a nick has had an outcome."""

LOGIN_OF: Mapping[type[Peer], type[Message]] = {Player: PlayerLogin, Master: GameMasterLogin, Spectator: Watch}
"""By which message a peer became what it is."""
MAY_GET: Mapping[str, tuple[type[Message], ...]] = {
    "new": (LoginResponse, Error),
    "player": (LoginResponse, Error, GameState, ChampionsList, ServerShutdown),
    "master": (LoginResponse, Error, BeginGame, Move, PlayerLeftGame, ServerShutdown),
    "quiet master": (LoginResponse, BeginGame, Move),
    "spectator": (Error, ServerShutdown),
}
"""Which messages of v4 a peer may ever be sent, by what it is."""

NEEDS: Mapping[str, str] = {
    "x-session": "session",
    "x-warning": "session clock",
    "x-ping": "session clock",
    "x-players": "lobby",
    "x-gameTypes": "lobby",
    "x-advertised": "lobby",
    "x-invitation": "lobby",
    "x-tables": "lobby",
    "x-joined": "lobby",
    "x-seats": "lobby",
    "x-gameEnded": "lobby",
    "x-said": "chat",
    "x-clock": "clock",
    "x-games": "watch",
    "x-watching": "watch",
    "x-event": "watch",
    "x-moved": "movers",
    "x-stop": "table",
    "x-restore": "restore",
    "x-rejoined": "rejoin",
}
"""The extensions of which a peer must have asked for one to be sent such a message; the others go to all who asked."""


class Witness:
    """Follows who is open, who is what, who plays which game, only from what goes in and out."""

    def __init__(self, config: Config, running: Sequence[str] = ()) -> None:
        """``running`` are the games of an earlier life that go on."""
        self._config = config
        self._asked: dict[int, set[str]] = {}
        """Which extensions a peer has asked for, by conn."""
        self._heard: set[int] = set()
        self._wanted: dict[int, list[PlayerLogin | GameMasterLogin | Watch]] = defaultdict(list)
        """The messages of a peer that wanted a name; it may have had to be proven."""
        self._event: Event = Disconnected(0)
        self._open: dict[int, str] = {}
        self._nick_of: dict[int, str] = {}
        self._plays: dict[int, str] = {}
        self._led_by: dict[str, int] = dict.fromkeys(running, -1)
        self._ended: set[str] = set()
        """Games that were recorded, and those of them that are on file."""
        self._kept: set[str] = set()
        self._known: set[str] = set()
        """Games that had begun before this event."""
        self._stopped = False

    def before(self, event: Event) -> None:
        """An event is about to happen."""
        self._event = event
        self._known = {*self._led_by, *self._ended}
        if isinstance(event, Connected):
            self._open[event.conn] = "new"
        elif isinstance(event, Disconnected):
            self._forget(event.conn)
        elif isinstance(event, ResultKept):
            self._kept.add(event.game_id)
        elif isinstance(event, Received):
            if isinstance(event.message, Hello) and event.conn not in self._heard:
                self._asked[event.conn] = set(event.message.families)
            if isinstance(event.message, PlayerLogin | GameMasterLogin | Watch):
                self._wanted[event.conn].append(event.message)
            self._heard.add(event.conn)
        elif isinstance(event, Misread):
            self._heard.add(event.conn)

    def after(self, effects: Sequence[Effect], connections: Mapping[int, Connection]) -> None:
        """That event has had these effects; ``connections`` is how things stand now."""
        for effect in effects:
            assert not self._stopped or effect == Close(getattr(self._event, "conn", 0)), f"{effect} after the end"
            match effect:
                case Admit(conn=conn):
                    self._admitted(conn, connections)
                case Send(to=to, message=message):
                    assert to, "a message for nobody"
                    assert len(set(to)) == len(to), f"{message} twice to one of {to}"
                    for conn in to:
                        self._may_get(conn, message, connections)
                    if isinstance(message, BeginGame):
                        self._begun(to, message)
                    elif isinstance(message, Restore):
                        (self._led_by[message.game_id],) = to
                case Subscribe(conn=conn):
                    assert "watch" in self._asked[conn]
                case RecordResult(result=result):
                    if not (result.verdict.cause is Cause.JOURNAL_LOST and result.game_id in self._ended):
                        assert self._led_by.pop(result.game_id, None), f"{result.game_id} runs not, but is recorded"
                    self._ended.add(result.game_id)
                    if result.verdict.void:
                        self._kept.add(result.game_id)
                case Close(conn=conn):
                    self._forget(conn)
                case Stopped():
                    self._stopped = True
        for conn in list(self._plays):
            game = game_of(connections, conn)
            if game is None or game.id != self._plays[conn]:
                del self._plays[conn]
        assert set(self._open) == set(connections), "the broker keeps exactly the open connections"

    def _admitted(self, conn: int, connections: Mapping[int, Connection]) -> None:
        assert isinstance(self._event, Received | Proved | NickClaimed)
        message: Message
        if isinstance(self._event, Received):
            message = self._event.message
        else:
            peer = connections[conn].peer
            wanted = [one for one in self._wanted[conn][::-1] if isinstance(one, LOGIN_OF[type(peer)])]
            message = next(one for one in wanted if (wanted_name(one) or "").startswith(peer.name))
        if isinstance(message, Watch):
            self._open[conn] = "spectator"
        elif isinstance(message, Resume):
            self._is_back(conn, connections)
        elif isinstance(message, PlayerLogin):
            self._is_back(conn, connections)  # perhaps in the place of a player who was absent
            assert message.nick is not None
            assert self._nick_of[conn] in (message.nick, message.nick.partition("#")[0])
        else:
            assert isinstance(message, GameMasterLogin)
            assert message.game_type is not None
            quiet = self._config.game_type(message.game_type).quiet_master
            self._open[conn] = "quiet master" if quiet else "master"

    def _is_back(self, conn: int, connections: Mapping[int, Connection]) -> None:
        self._open[conn], self._nick_of[conn] = "player", connections[conn].peer.name
        game = game_of(connections, conn)
        if game is not None and game.id in self._known:
            self._plays[conn] = game.id

    def _may_get(self, conn: int, message: Message, connections: Mapping[int, Connection]) -> None:
        assert conn in self._open, f"{message} to {conn}, which is not there"
        if isinstance(message, Extension):
            asked = self._asked.get(conn)
            assert asked is not None, f"{message} to {conn}, who speaks v4"
            needs = set(NEEDS.get(message.TYPE, "").split())
            assert not needs or needs & asked, f"{message} to {conn}, who asked for {asked}"
            if isinstance(message, Rejoined):
                (back,) = [one for one, nick in self._nick_of.items() if nick == message.nick]
                self._plays[back] = message.game_id
            return
        assert isinstance(message, MAY_GET[self._open[conn]]), f"{message} to {conn}, a {self._open[conn]}"
        match message:
            case GameState(game_id=game_id, game_over=game_over):
                assert self._plays.get(conn) == game_id, f"{message} to {conn}, who does not play it"
                assert (game_id in self._kept) == (game_over is not None), "first the record, then the news"
            case ChampionsList():
                game = game_of(connections, conn)
                playing = self._plays.get(conn)
                assert playing is None or game is None or game.id != playing, f"a table to {conn}, who plays {playing}"
            case Move(game_id=game_id) | PlayerLeftGame(game_id=game_id):
                assert self._led_by.get(game_id) == conn, f"{message} to {conn}, who does not lead it"

    def _begun(self, to: tuple[int, ...], message: BeginGame) -> None:
        assert message.game_id not in self._led_by
        assert message.game_id not in self._ended
        (self._led_by[message.game_id],) = to
        conn_of = {nick: conn for conn, nick in self._nick_of.items()}
        assert len(set(message.players)) == len(message.players)
        assert max(len(message.players), message.seats) >= 2
        assert not (message.options or message.seats) or "table" in self._asked[to[0]]
        assert not message.seed or "restore" in self._asked[to[0]]
        for nick in message.players:
            if nick in conn_of:  # else its line is cut
                self._plays[conn_of[nick]] = message.game_id

    def _forget(self, conn: int) -> None:
        for known in (self._open, self._nick_of, self._plays, self._asked):
            known.pop(conn, None)


def check_desk(broker: Broker, timers: Mapping[Timer, float], counted: Counted) -> None:
    """No peer, game or timer without an owner; no player waits for a game that could begin; standings are the sum of
    the results on file."""
    server = broker.server
    check_peers(server)
    check_absent(server)
    check_nicks(server)
    check_games(broker)
    check_timers(broker, timers)
    for game_type in server.types.values():
        check_told(game_type)
        if game_type.championship is None:
            closing = any(game.phase is Phase.CLOSING and game.type is game_type for game in broker.games)
            for_a_reason = server.is_closed(game_type) or game_type.gathers_until is not None or closing
            assert for_a_reason or not could_begin(game_type), "nobody waits for nothing"
            check_standings(game_type, counted[game_type.name], dropped=bool(KEPT.of(server).dropped))
        else:
            check_championship(server, game_type, game_type.championship)


def check_told(game_type: GameType) -> None:
    """Whoever is idle has the standings that the type takes to be known, or is going to be told."""
    version = game_type.standings.version
    behind = [player for player in game_type.idle if not player.away and player.sent_version != version]
    assert not behind or game_type.news.all_sent != version


def wanted_name(message: PlayerLogin | GameMasterLogin | Watch) -> str | None:
    """The name that a message wants, perhaps with a secret behind it."""
    return message.id if isinstance(message, GameMasterLogin) else message.nick


def follows(broker: Broker, event: Event) -> Callable[[Sequence[Effect]], None]:
    """To be called after an event, with its effects: the peer that spoke is in a state that the table of its life
    allows. In any state a peer may be dismissed for one wrong message too many."""
    connection = broker.server.connections.get(event.conn) if isinstance(event, Received) else None
    row = life.CONNECTION[connection.peer.state] if connection is not None else {}
    cell = row.get(type(event.message)) if isinstance(event, Received) else None
    if connection is None or cell is None or broker.server.condition.stopped:
        return lambda _effects: None
    where = f"{connection.peer.state}, {type(event.message).__name__}" if isinstance(event, Received) else ""

    def check(effects: Sequence[Effect]) -> None:
        there = broker.server.connections.get(connection.conn) is connection
        if broker.server.condition.stopped or (
            not there and any(isinstance(one, Note) and one.event == "dismissed" for one in effects)
        ):
            return
        state = connection.peer.state if there else life.GONE
        assert state in cell.follow, f"{where}: {state} follows, and the table says {cell.follow}"

    return check


PLAYER_STATES = (PeerState.IDLE, PeerState.PLAYING, PeerState.OWING)


def check_peers(server: ServerState) -> None:
    """Each peer stands in exactly the registries where its state belongs."""
    for conn, connection in server.connections.items():
        assert connection.conn == conn
        assert connection.peer.connection is connection
    peers = [connection.peer for connection in server.connections.values()]
    sessions = SESSIONS.of(server)
    away = [player for player in sessions.values() if player.away]
    players = [peer for peer in peers if isinstance(peer, Player)] + away
    masters = [peer for peer in peers if isinstance(peer, Master)]
    assert same(server.names.players.values(), players)
    assert same(server.names.masters.values(), masters)
    for game_type in server.types.values():
        of_type = [player for player in players if player.type is game_type]
        assert same(game_type.players.values(), of_type)
        idle = [player for player in of_type if player.state is PeerState.IDLE]
        waiting = [player for player in idle if player.pooled and not player.away]
        assert same(game_type.waiting.values(), [player for player in waiting if player.table is None])
        assert all(player in idle for player in game_type.idle)
        assert all(player in game_type.idle for player in idle if not player.away)
        assert same(game_type.masters.values(), [master for master in masters if master.type is game_type])
        announced = game_type.championship is not None and game_type.championship.announced
        awaited = game_type.championship is not None and game_type.championship.hour_has_come
        remembered = awaited or game_type.standings.rows() or game_type.championship_over or game_type.coming
        assert game_type.players or game_type.masters or announced or remembered or game_type.running
    for peer in peers:
        assert not peer.away or peer.connection.by_gateway
        if isinstance(peer, Player | Master):
            assert server.types[peer.type.name] is peer.type
    for player in players:
        assert player.state in PLAYER_STATES
        assert not PLACE.of(player).name or sessions[PLACE.of(player).name] is player
        assert (player.game is not None) == (player.state in (PeerState.PLAYING, PeerState.OWING))


def check_absent(server: ServerState) -> None:
    """The absent are those whose line is cut and who may come back; of those in no game there are no more than may
    be."""
    away = [player for player in SESSIONS.of(server).values() if player.away]
    assert same(server.absent.until, away)
    assert len(server.absent) == len(away)
    assert server.absent.of_origin.keys() == {player.connection.origin for player in away} - {""}
    for origin, theirs in server.absent.of_origin.items():
        assert list(theirs) == [player for player in server.absent.until if player.connection.origin == origin]
        assert len(theirs) <= max(server.config.max_absent_per_ip, sum(player.game is not None for player in theirs))
    remembered = [player for player in away if not player.connection.host]
    assert len(away) <= max(server.config.max_absent, sum(player.game is not None for player in away)) + len(remembered)


def check_nicks(server: ServerState) -> None:
    """No nick without somebody who has it, and nobody has that of another one."""
    for form, player in server.names.players.items():
        assert unique_form(player.name) == form
    for form, spectator in server.names.spectators.items():
        assert unique_form(spectator.name) == form
        assert is_there(server.connections, spectator)
    for connection in server.connections.values():
        if isinstance(connection.peer, Spectator) and connection.peer.name:
            assert server.names.spectators[unique_form(connection.peer.name)] is connection.peer


def check_games(broker: Broker) -> None:
    """Each game has a master that knows it (or once knew it) and players who are there and play only it."""
    connections = broker.server.connections
    running = broker.games
    for game_type in broker.server.types.values():
        assert game_type.running == sum(game.type is game_type for game in running)
    for game in running:
        turn = game.turn
        assert game.present_seats == sum(1 << game.seats.index(nick) for nick in game.present)
        assert all(player.game is game and player.state is PeerState.PLAYING for player in game.present.values())
        if game.phase is Phase.CLOSING:
            assert game.closing is not None
            continue
        assert game.present
        assert set(game.present) | set(game.departures) == set(game.seats)
        assert not set(game.present) & set(game.departures)
        assert all(player.away or is_there(connections, player) for player in game.present.values())
        assert game.audience == tuple(player.conn for player in game.present.values() if not player.away)
        assert all(game.present[mover.name] is mover for mover in turn.movers)
        assert set(turn.held) <= set(game.present) - {mover.name for mover in turn.movers}
        assert not turn.held or game.phase in (Phase.ANSWER, Phase.ALONE, Phase.AWAY, Phase.TAKING)
        assert game.master.games[game.id] is game
        lost = game in game.type.lost
        assert is_there(connections, game.master) or game.type.settings.master_grace_s > 0 or lost
    for connection in connections.values():
        peer = connection.peer
        if isinstance(peer, Master):
            assert all(game in running and game.master is peer for game in peer.games.values())
        elif isinstance(peer, Player) and peer.state is PeerState.PLAYING:
            assert peer.game in running
        elif isinstance(peer, Player) and peer.state is PeerState.OWING:
            assert peer.game is not None
            assert peer.game.owing[peer.conn] is peer


def is_there(connections: Mapping[int, Connection], peer: Peer) -> bool:
    """Whether the connection of a peer is open."""
    return peer.conn in connections and connections[peer.conn].peer is peer


def game_of(connections: Mapping[int, Connection], conn: int) -> Game | None:
    """The game that the player on a connection sits in or owes thanks for."""
    peer = connections[conn].peer if conn in connections else None
    return peer.game if isinstance(peer, Player) else None


OF_THE_EXTENSIONS = (TimerKind.SILENCE, TimerKind.SPECTATORS, TimerKind.LOW_TIME)


def check_timers(broker: Broker, timers: Mapping[Timer, float]) -> None:
    """Exactly the timers run that the state of the broker needs."""
    server = broker.server
    newcomers = [one.peer for one in server.connections.values() if isinstance(one.peer, Newcomer)]
    expected = {Timer(TimerKind.LOGIN, newcomer.conn) for newcomer in newcomers}
    games = [*broker.games, *(player.game for player in server.names.players.values() if player.game is not None)]
    expected |= {Timer(TimerKind.GRACE, name) for name, player in SESSIONS.of(server).items() if player.away}
    expected |= {game.clock for game in games if game.phase is not Phase.CLOSING and not all_awaited(game)}
    expected |= {Timer(TimerKind.MORE_GAMES, name) for name, one in server.championships.items() if one.more_to_begin}
    expected |= {Timer(TimerKind.RETURN, name) for name, one in server.championships.items() if one.away}
    dated = [one for one in server.championships.values() if one.rounds_open != ALL_ROUNDS and not one.ledger.over]
    expected |= {Timer(TimerKind.ROUND, one.name) for one in dated}
    expected |= {
        Timer(TimerKind.GATHER, name) for name, known in server.types.items() if known.gathers_until is not None
    }
    expected |= {Timer(TimerKind.LOST_GAMES, name) for name, known in server.types.items() if known.lost}
    expected |= {Timer(TimerKind.CHAMPIONS, name) for name, known in server.types.items() if known.news.timer_runs}
    expected |= {Timer(TimerKind.REMOVAL, "")} if REMOVALS.of(server) else set()
    drain = Timer(TimerKind.DRAIN, "")  # which is over when only the disk is waited for
    if server.condition.draining and all(game.phase is Phase.CLOSING for game in broker.games):
        timers = {timer: due for timer, due in timers.items() if timer != drain}
    else:
        expected |= {drain} if server.condition.draining else set()
    hours = {timer for timer in timers if timer.kind is TimerKind.CHAMPIONSHIP}
    looked_after_elsewhere = {
        timer for timer in timers if timer.kind in {*OF_THE_EXTENSIONS, TimerKind.STOP, TimerKind.PROOF}
    }
    running = set(timers) - hours - looked_after_elsewhere
    assert running == expected, f"wrong or missing: {running ^ expected}"
    with_hours = {name for name in server.config.game_types if server.config.game_type(name).championship_at}
    assert {timer.subject for timer in hours} <= {*server.championships, *with_hours}


def all_awaited(game: Game) -> bool:
    """Whether nobody who has to move has come back since the server was lost: then no clock runs."""
    movers = game.turn.movers
    return game.phase is Phase.TURN and bool(movers) and all(mover.awaited for mover in movers)


def could_begin(game_type: GameType) -> bool:
    """Whether a game of this type could begin now, gathering and resting aside."""
    most = game_type.settings.max_games_per_master or float("inf")
    masters = [master for master in game_type.masters.values() if master.leads]
    return any(one.players_min <= len(game_type.waiting) and len(one.games) < most for one in masters)


def check_standings(game_type: GameType, counted: Counter[tuple[str, Outcome]], *, dropped: bool) -> None:
    """The standings of open play are the sum of the games on file, in the order that the protocol asks for. Where rows
    were ``dropped``, some are missing."""
    rows = game_type.standings.rows()
    for row in rows:
        outcomes = (Outcome.WON, Outcome.LOST, Outcome.DRAWN)
        assert (row.won, row.lost, row.drawn) == tuple(counted[row.nick, outcome] for outcome in outcomes)
    present = {player.name for player in game_type.players.values()}
    played = {nick for nick, _ in counted}
    assert {row.nick for row in rows} == present | played or dropped
    assert rows == sorted(rows, key=lambda row: (-row.won, row.lost, row.nick))
    present_seats = game_type.standings.champions_list().rows
    assert [(row.nick, row.won, row.lost) for row in present_seats] == [(row.nick, row.won, row.lost) for row in rows]


def check_championship(server: ServerState, game_type: GameType, championship: Championship) -> None:
    """Its standings are the sum of its ledger; no player waits for a game that could begin, or for its end."""
    ledger = championship.ledger
    assert server.championships[championship.name] is championship
    assert not ledger.over
    if not championship.begun:
        return
    assert game_type.standings is championship.standings
    counted = Counter((nick, word) for one in ledger.standing() for nick, word in one.outcomes.items())
    for row in championship.standings.rows():
        assert (row.won, row.lost, row.drawn) == tuple(counted[row.nick, word] for word in ("won", "lost", "drawn"))
    assert {row.nick for row in championship.standings.rows()} == set(
        ledger.field
    ) - ledger.struck - ledger.disqualified
    there = {player.name for player in game_type.players.values() if not player.away}
    assert not there & set(championship.away)
    assert set(championship.away) <= {nick for nick in ledger.field if championship.plays(nick)}
    all_idle = all(player.state is PeerState.IDLE for player in game_type.players.values())
    assert not (championship.finished and all_idle and not championship.away), "it is over, and nobody says so"
    if not server.closed and game_type.championship is championship:
        assert championship.wanted is None or championship.asked is not None, "nobody draws what is wanted"
    if not server.closed and not championship.more_to_begin:
        free = [player.name for player in game_type.waiting.values() if championship.plays(player.name)]
        families = (Family.TABLE,) if championship.plan.openings else ()
        masters = game_type.free_masters(championship.remaining, *families)
        standing_by = playing.waited_for(game_type)
        for master in [one for one in masters if offers_all(one, championship.plan.options)]:
            could = fixtures.next_fixture(championship, free, master.players_min, master.players_max, standing_by)
            assert could is None, "nobody waits for nothing"


def same(these: Iterable[Peer], those: Iterable[Peer]) -> bool:
    """Whether two collections hold the same peers, in any order."""
    return {id(peer) for peer in these} == {id(peer) for peer in those}
