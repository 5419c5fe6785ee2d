"""What is public about a running server: which games can be watched, who waits, what is played next.

Unlike :mod:`ugs.broker.views.why` and :mod:`ugs.broker.views.overview`, which answer people with access to the server's
directory, nothing here reveals an address, or a private game or table. Running games show only what spectators may see
by now. Every list is bounded; what is left out is counted.
"""

from collections.abc import Iterable
from itertools import islice

from ugs.broker.state.championship import Championship
from ugs.broker.state.connection import PeerState
from ugs.broker.state.model import Game, GameType, Master, Player, Table
from ugs.broker.state.server_state import ServerState
from ugs.broker.values.replies import (
    ABSENT,
    AwayEntrant,
    CurrentChampionship,
    Declined,
    MasterHere,
    OpenTable,
    PublicFound,
    PublicMaster,
    PublicPlayer,
    PublicServer,
    RunningGame,
    TypeHere,
)
from ugs.broker.views.away_entrants import away_entrants
from ugs.broker.views.candidates import candidates
from ugs.broker.views.championship_waits import options_unmet
from ugs.broker.views.deserted_tables import is_deserted
from ugs.broker.views.privacy import is_in_private, is_open
from ugs.broker.views.spectator import moves_until
from ugs.broker.views.why import closings, of_master, of_player
from ugs.broker.views.wording import FOR_READERS
from ugs.wire.extensions import Family

MAX_GAMES = 100
"""Running games that are listed."""
MAX_TYPES = 50
"""Game types; any login can name a new one."""
MAX_NAMED = 50
"""Players, masters or tables of one game type, and entrants of one championship."""
MAX_CHAMPIONSHIPS = 20


def public(server: ServerState) -> PublicServer:
    """The server as a whole."""
    # Private games are not even counted among the rest.
    open_games = [game for game in server.running if is_open(game)]
    current = [one for one in server.championships.values() if one.announced and not one.ledger.over]
    types = [one for one in server.types.values() if one.masters or one.players or one.running]
    return PublicServer(
        draining=server.condition.draining,
        journal_lost=bool(server.condition.journal_lost),
        games=tuple([_game(server, game) for game in islice(open_games, MAX_GAMES)]),
        more_games=max(0, len(open_games) - MAX_GAMES),
        game_types=tuple([_game_type(server, one) for one in islice(types, MAX_TYPES)]),
        more_game_types=max(0, len(types) - MAX_TYPES),
        championships=tuple([_championship(server, one) for one in islice(current, MAX_CHAMPIONSHIPS)]),
        more_championships=max(0, len(current) - MAX_CHAMPIONSHIPS),
    )


def public_why(server: ServerState, name: str) -> PublicFound | Declined:
    """Return why the player or master of that name waits; a refusal if neither is here, with the reason if the server
    closed its line."""
    player, master = server.names.player(name), server.names.master(name)
    if player is not None or master is not None:
        players = (_player(server, player),) if player is not None else ()
        return PublicFound((*players, *([_master_waits(server, master)] if master is not None else [])))
    closed = next(filter(None, (server.turned_away.closed.find(role, name) for role in ("player", "master"))), None)
    if closed is not None and closed.private:
        closed = None  # its mistake may name its game
    return Declined("; ".join([f"no player or game master {name!r} is here", *closings(server, closed)]))


def _player(server: ServerState, player: Player) -> PublicPlayer:
    """Return the public facts about a player. Refused logins under its name are left out: they have addresses."""
    account = of_player(server, player, FOR_READERS)
    game, why = account.game, account.why
    if is_in_private(player):
        game, why = ABSENT, (f"{player.name} is at a private table",)
    return PublicPlayer(account.name, account.game_type, account.state, account.waiting_s, game, why)


def _master_waits(server: ServerState, master: Master) -> PublicMaster:
    account = of_master(server, master, FOR_READERS)
    return PublicMaster(account.name, account.game_type, account.players, account.waiting, account.why)


def _game(server: ServerState, game: Game) -> RunningGame:
    settings, championship = game.type.settings, game.setting.championship
    # A page is a spectator, too: it shows no more of the game than the delay allows.
    seen_until = server.now - settings.watch_delay_s
    return RunningGame(
        game.id,
        game.type.name,
        championship=championship.name if championship is not None else "",
        nicks=game.seats[:MAX_NAMED],
        moves=moves_until(game, seen_until),
        running_s=max(0.0, server.now - game.history.began_at),
        delay_s=settings.watch_delay_s,
        spectators=len(game.history.watchers),
        awaits_master=game.turn.successor_by is not None,
    )


def _game_type(server: ServerState, one: GameType) -> TypeHere:
    waiting, masters = _some(player.name for player in one.waiting.values()), list(one.masters.values())
    tables = [table for table in server.tables.values() if table.type is one and _is_open_table(server, table)]
    return TypeHere(
        one.name,
        running=one.running,
        players=len(one.players),
        waiting=waiting,
        more_waiting=max(0, len(one.waiting) - MAX_NAMED),
        absent=sum([player.away for player in one.players.values()]),
        why=_why_nothing_begins(server, one),
        masters=tuple([_master(master) for master in masters[:MAX_NAMED]]),
        draws=any(master.may(Family.SKETCH) for master in masters),
        more_masters=max(0, len(masters) - MAX_NAMED),
        tables=tuple([_table(table) for table in tables[:MAX_NAMED]]),
        championship=one.championship.name if one.championship is not None and one.championship.announced else "",
        paused=server.condition.paused.get(one.name, ""),
    )


def _why_nothing_begins(server: ServerState, one: GameType) -> tuple[str, ...]:
    """Why the player waits that has waited longest; nothing if none does."""
    # One is enough: the others of the type wait for the same, and an account costs time.
    first: Player | None = next(iter(one.waiting.values()), None)
    if first is None or first.state is not PeerState.IDLE or first.table is not None:
        return ()
    return _player(server, first).why


def _master(master: Master) -> MasterHere:
    limit = master.type.settings.max_games_per_master
    return MasterHere(
        master.name,
        master.connection.program,
        games=len(master.games),
        most_games=limit or None,
        players_min=master.players_min,
        players_max=master.players_max,
    )


def _is_open_table(server: ServerState, table: Table) -> bool:
    return is_open(table) and not table.playing and not is_deserted(server, table)


def _table(table: Table) -> OpenTable:
    nicks = _some(player.name for player in table.members)
    return OpenTable(table.name, table.owner.name, nicks, seats=table.seats, free=table.free)


def _championship(server: ServerState, one: Championship) -> CurrentChampionship:
    plan = one.plan
    missing = [] if one.begun else [nick for nick in plan.entrants if server.names.player(nick) is None]
    away = islice(away_entrants(server, one).items(), MAX_NAMED)
    condition = server.condition
    return CurrentChampionship(
        one.name,
        plan.game_type,
        one.ledger.state,
        plan.format,
        entrants=len(one.field) or len(plan.entrants) or plan.first,
        remaining=one.remaining if one.begun else 0,
        begins_at=plan.begins_at,
        counted=len(one.ledger.counted),
        running=one.games_running,
        missing=_some(missing),
        away=tuple([AwayEntrant(nick, left_s) for nick, left_s in away]),
        drawing=one.ledger.drawing,
        here=0 if one.begun else _here(server, one, len(missing)),
        options_unmet=options_unmet(server.type_named(plan.game_type), one),
        paused_type=condition.type_obstacle(plan.game_type) if plan.game_type in condition.paused else "",
    )


def _here(server: ServerState, one: Championship, missing: int) -> int:
    if one.plan.entrants:
        return len(one.plan.entrants) - missing
    game_type = server.types.get(one.plan.game_type)
    return len(candidates(game_type, one)) if game_type is not None else 0


def _some(nicks: Iterable[str]) -> tuple[str, ...]:
    return tuple(islice(nicks, MAX_NAMED))
