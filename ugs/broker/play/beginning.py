"""How a game begins: who sits where, and the master's beginGame."""

from collections.abc import Sequence

from ugs.broker.events import Timer, TimerKind
from ugs.broker.facts import FixtureBegun, GameBegun
from ugs.broker.play import budgets, record_entries
from ugs.broker.state.history import History, Marks
from ugs.broker.state.model import MAX_LISTED_SEATS, Game, GameType, Master, Player, Setting
from ugs.broker.state.server_state import ServerState
from ugs.wire.extensions import Family
from ugs.wire.messages import BeginGame, Choice


def begin(
    server: ServerState, game_type: GameType, master: Master, players: Sequence[Player], setting: Setting | None = None
) -> Game:
    """Seat these idle players and ask the master to lead them.

    A fixture in ``setting`` decides who sits where; at a table they sit in the order given; otherwise the seats are
    dealt.
    """
    setting = setting or usual_setting(server, master)
    by_nick = {player.name: player for player in players}
    if setting.fixture is not None:
        seats = setting.fixture.nicks
    else:
        seats = tuple(by_nick) if setting.table is not None else game_type.seating.deal(list(by_nick))
    game = new_game(
        setting.table.id if setting.table is not None else server.new_game_id(),
        game_type,
        setting,
        master,
        seats,
        server.now,
        active_at=server.now,
    )
    for player in players:
        # Out of the pool before anything is reported: a hook may begin games, too.
        game_type.is_busy_with(player)
    game.seats_players([by_nick[nick] for nick in seats])
    take_in(server, game)
    # Recorded before any peer gets it, as all that follows.
    record_entries.begin(server, game)
    if setting.championship is not None and setting.fixture is not None:
        server.report(FixtureBegun(game, setting.championship, setting.fixture))
    server.note(
        "game begun", game=game.id, game_type=game_type.name, master=master.name, seats=list(seats[:MAX_LISTED_SEATS])
    )
    server.send(master, begin_message(game))
    server.start(game.clock, game_type.settings.begin_timeout_s)
    budgets.begin(game)
    server.report(GameBegun(game))
    by_gateway = any(player.connection.by_gateway for player in players)
    # What the short way of turns.next_turn leaves out: budgets, several movers, the longer limit of gateways.
    if game.turn.budgets is not None or master.names_movers or by_gateway:
        game.turn.needs_more()
    return game


def new_game(
    game_id: str,
    game_type: GameType,
    setting: Setting,
    master: Master,
    seats: tuple[str, ...],
    began_at: float,
    *,
    active_at: float,
) -> Game:
    """Return a game without players that does not run yet."""
    delay_s = game_type.settings.watch_delay_s
    history = History(began_at, active_at=active_at, marks=Marks(delay_s) if delay_s > 0 else None)
    seat_of = {nick: seat for seat, nick in enumerate(seats)}
    return Game(game_id, game_type, setting, master, seats, {}, seat_of, Timer(TimerKind.GAME, game_id), history)


def take_in(server: ServerState, game: Game) -> None:
    """Put a game into the registries: it runs from now on, led by its master."""
    game.master.games[game.id] = game
    game.type.game_begins()
    server.games[game.id] = game


def usual_setting(server: ServerState, master: Master) -> Setting:
    """The setting of a game in open play: the defaults of its master."""
    options = {option.name: option.value for option in (master.offers or {}).values()}
    return Setting(options, 0, new_seed(server, master), master.setup)


def new_seed(server: ServerState, master: Master) -> str:
    """A seed for all chance of a game; empty when no other master could take it over."""
    # From the server, not from the master: a successor can repeat all chance only from a seed that outlives it.
    return server.new_secret() if master.may(Family.RESTORE) else ""


def begin_message(game: Game) -> BeginGame:
    """The ``beginGame`` of a game, with options, seats, set-up and seed only if its master was granted them."""
    setting, master = game.setting, game.master
    has_options = master.may(Family.TABLE)
    options = tuple([Choice(name, value) for name, value in setting.options.items()]) if has_options else ()
    seed = setting.seed if master.may(Family.RESTORE) else ""
    setup = setting.setup if has_options else ""
    return BeginGame(game.id, game.seats, options, setting.total if has_options else 0, seed, setup)
