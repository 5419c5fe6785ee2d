"""Coming back (family ``session``): a player with a session whose line is cut keeps its nick, its table
and its seat for ``session_grace_s``.

A token is a secret text. Its beginning names the session; only a hash of the whole token is stored, here and in the
journal. So a session outlives the server, and reading the journal is not enough to take it over.
"""

from collections.abc import Collection
from dataclasses import replace
from itertools import islice

from ugs.broker import facts
from ugs.broker.effects import Admit, RecordLogin, RecordLogout, RecordSession, RecordSessionOver
from ugs.broker.entrance import departures, doors
from ugs.broker.entrance.doors import Door, Passage
from ugs.broker.events import Timer, TimerKind
from ugs.broker.extensions.request import NEW, ExtensionModule, Refusal, Request
from ugs.broker.play import dismissals, faults, intake
from ugs.broker.state import session_tokens
from ugs.broker.state.connection import Connection, Newcomer
from ugs.broker.state.model import Player
from ugs.broker.state.server_state import ServerState
from ugs.broker.state.session_tokens import PLACE, SESSIONS, MissedEnd
from ugs.broker.state.unannounced_end import Closing
from ugs.broker.values.identity import Role
from ugs.broker.values.name_rules import unique_form
from ugs.broker.verdict import Outcome
from ugs.wire.extensions import Failed, Family, RefusalReason, Resume, Session
from ugs.wire.messages import Error, LoginResponse

# Requests.


def resume(server: ServerState, newcomer: Newcomer, message: Resume) -> Refusal | None:
    """A newcomer shows a token: it continues the session, whose older connection is closed."""
    player = session_tokens.player_of(server, message.token)
    if server.condition.draining:
        return Refusal(RefusalReason.INVALID_PLAYER, "x-resume: the server is shutting down")
    if player is None:
        newcomer.is_refused()
        return Refusal(RefusalReason.INVALID_PLAYER, "x-resume: token: no such session, or it is over")
    connection = newcomer.connection
    if doors.passage(server, connection, Door.SESSION, player.name) is Passage.CLOSE:
        _turn_away(server, newcomer, message, doors.why_closed(server, connection))
        return None
    # The old line may look alive here: a half-open one is found dead only much later.
    if player.away:
        server.stop(_grace(player))
    else:
        _hang_up(server, player)
    server.stop(Timer(TimerKind.LOGIN, newcomer.conn))
    _rebind(server, player, connection)
    _welcome(server, player, message.token, message.ref)
    return None


# Facts.


def _entered(server: ServerState, fact: facts.PlayerEntered) -> None:
    """A player has just logged in: it gets a token if it was granted ``session`` and ``session_grace_s`` is not 0.
    Players of a gateway get none: the gateway itself brings them back."""
    player = fact.player
    if not player.may(Family.SESSION) or player.connection.by_gateway or server.config.session_grace_s == 0:
        return
    token = _new_token(server, player)
    _record(server, player)
    _send_session(server, player, token, resumed=False)


def _cut(server: ServerState, fact: facts.LineCut) -> bool:
    """The connection of a player is lost and already forgotten. Return whether its place is kept."""
    player = fact.player
    # While the server drains no player is taken back, so its game would wait for nothing.
    if not PLACE.of(player).name or server.condition.draining:
        return False
    place = PLACE.of(player)
    place.cut, place.why = fact.cause, fact.why
    server.emit(RecordLogout(player.conn, f"closed by the server: {fact.why}" if fact.why else str(fact.cause)))
    server.note("line cut", player, seconds=server.config.session_grace_s)
    player.is_cut_off()
    player.type.waiting.pop(player.conn, None)
    _await(server, player)
    if player.game is not None:
        intake.line_cut(server, player)
    else:
        server.report(facts.LineChanged(player, f"the line of {player.name} is cut"))
    _make_room(server, player.connection.origin)
    return True


def _nick_wanted(server: ServerState, fact: facts.NickWanted) -> bool:
    """A newcomer logs in with the nick of an absent player. Return whether it takes the place of that player: it has
    shown the token of the nick and plays the same game; or it comes from the same address with the same program, and
    the setting ``session_takeover`` allows that. Who has shown the token and wants another game gives up that place,
    unless others wait for it there."""
    player, connection = fact.player, fact.newcomer.connection
    by_address = server.config.session_takeover == "address" and _is_alike(player, fact)
    is_owner = _is_owner(server, player, fact)
    if is_owner and fact.game_type != player.type.name and not _is_waited_for(player):
        server.note("place given up for another game", player, game_type=fact.game_type)
        _depart(server, player)
        return False
    if not by_address and not (is_owner and fact.game_type == player.type.name):
        return False
    server.note("session taken over", player, address=connection.address)
    server.stop(_grace(player))
    _end(server, player)
    server.stop(Timer(TimerKind.LOGIN, connection.conn))
    token = _new_token(server, player) if fact.newcomer.may(Family.SESSION) else ""
    _rebind(server, player, connection)
    _welcome(server, player, token)
    return True


def _is_alike(player: Player, fact: facts.NickWanted) -> bool:
    old, new = player.connection, fact.newcomer.connection
    return (
        bool(new.host)
        and (new.host, new.program, new.by_gateway) == (old.host, old.program, False)
        and (fact.nick, fact.game_type) == (player.name, player.type.name)
    )


def _is_owner(server: ServerState, player: Player, fact: facts.NickWanted) -> bool:
    """Return whether a newcomer is the absent player: it has shown the token of its nick."""
    new = fact.newcomer.connection
    return (
        doors.seat(server, fact.newcomer.connection, player) is Passage.OPEN
        and not (player.connection.by_gateway or new.by_gateway)
        and fact.nick == player.name
    )


def _is_waited_for(player: Player) -> bool:
    """Return whether others would lose something with an absent player: a game, a table, an entrant."""
    championship = player.type.championship
    is_entrant = championship is not None and championship.plays(player.name) and not championship.finished
    return player.game is not None or player.table is not None or is_entrant


def _game_over(server: ServerState, fact: facts.GameOver) -> None:
    """Players of a game who are away are sent its end when they are back."""
    game, closing = fact.game, fact.game.closing
    if closing is None or not server.absent.until:
        return
    for seat in closing.result.seats:
        player = server.names.players.get(unique_form(seat.nick))
        # After a loss of the server no player is present in a game that cannot go on.
        if player is None or not player.away or player.type is not game.type:
            continue
        place = PLACE.of(player)
        if seat.nick not in game.departures:
            place.missed = MissedEnd(game.id, _missed_text(closing, seat.outcome), closing, game.setting.computers)
        elif place.missed is not None and place.missed.game_id == game.id:
            place.missed = replace(place.missed, closing=closing)


def _missed_text(closing: Closing, outcome: Outcome) -> str:
    """What a player is sent about a game of its own that has ended while it was away."""
    game = f"game {closing.result.game_id}"
    if closing.void_text:  # programs know it by its beginning
        return f"{closing.void_text} ({game}, while you were away)"
    return f"while you were away: {game} is {outcome}"


def _players_free(server: ServerState, fact: facts.PlayersFree) -> None:
    """Absent players whose game is over count towards the limits from now on."""
    for origin in {player.connection.origin for player in fact.players if player in server.absent}:
        _make_room(server, origin)


def _pooling_changed(server: ServerState, fact: facts.PoolingChanged) -> None:
    _record(server, fact.player)


def _nick_free(server: ServerState, fact: facts.NickFree) -> None:
    close(server, fact.player)


def _server_stops(server: ServerState, _fact: facts.ServerStops) -> None:
    """The server stops in good order: all sessions end."""
    for player in list(SESSIONS.of(server).values()):
        close(server, player)


def _doors_opened(server: ServerState, fact: facts.DoorsOpened) -> None:
    """Players of earlier lives of the server may come back to this one."""
    for number, past in enumerate(fact.past.sessions, 1):
        _remember(server, number, past)


# The timer.


def expired(server: ServerState, session: str) -> None:
    """The grace of a player is over."""
    player = SESSIONS.of(server).get(session)
    if player is not None and player.away:
        server.note("did not come back", player)
        _depart(server, player)


# Steps.


def close(server: ServerState, player: Player) -> None:
    """End the session of a player, who cannot come back any more."""
    if PLACE.of(player).name:
        server.stop(_grace(player))
        server.absent.is_back(player)
        _end(server, player)


def _end(server: ServerState, player: Player) -> None:
    """Make the token of a player invalid."""
    server.emit(RecordSessionOver(session_tokens.end(server, player)))


def _new_token(server: ServerState, player: Player) -> str:
    token = server.new_secret()
    session_tokens.give(server, player, token)
    return token


def _await(server: ServerState, player: Player) -> None:
    """Mark a player as absent."""
    server.absent.goes(player, server.now + server.config.session_grace_s)
    server.start(_grace(player), server.config.session_grace_s)


def _make_room(server: ServerState, origin: str) -> None:
    """Give up absent players beyond the limits (per origin and in all): players in no game, longest absent first."""
    _give_up(server, server.absent.from_origin(origin), server.config.max_absent_per_ip)
    _give_up(server, server.absent.until, server.config.max_absent)


def _give_up(server: ServerState, absent: Collection[Player], most: int) -> None:
    if len(absent) <= most:
        return
    # Never one in a game: it would lose by what other clients of its address do.
    free = (player for player in absent if player.game is None)
    for player in list(islice(free, len(absent) - most)):
        server.note("absent player given up", player, warning=True, address=player.connection.address)
        _depart(server, player)


def _depart(server: ServerState, player: Player) -> None:
    """An absent player has not come back: it departs, with the cause of its cut line."""
    place = PLACE.of(player)
    departures.depart(server, player, place.cut, place.why)


def _remember(server: ServerState, number: int, past: RecordSession) -> None:
    is_taken = unique_form(past.nick) in server.names.players
    if server.config.session_grace_s == 0 or is_taken or not _may_stay(server, past.nick):
        server.emit(RecordSessionOver(past.session))
        return
    game_type = server.type_named(past.game_type)
    families = frozenset(family for family in Family if family in past.families)
    connection = Connection(-number, "", families=families, active_at=server.now)
    player = Player(
        connection=connection,
        name=past.nick,
        away=True,
        awaited=True,
        type=game_type,
        since=server.now - past.held_s,
        idle_since=server.now,
        identity=server.entry.identities.find(Role.PLAYER, past.nick),
        pooled=past.pooled,
    )
    PLACE.of(player).name, PLACE.of(player).digest = past.session, past.digest
    SESSIONS.of(server)[past.session] = player
    server.names.players[unique_form(player.name)] = player
    game_type.players[player.conn] = player
    game_type.open_standings.enter(player.name)
    _await(server, player)


def _may_stay(server: ServerState, nick: str) -> bool:
    """Return whether a nick may still be used as before the restart: its token may have been revoked meanwhile."""
    identities = server.entry.identities
    known = identities.find(Role.PLAYER, nick) is not None
    return known or server.config.auth == "none" or identities.needs_none(nick)


def _hang_up(server: ServerState, player: Player) -> None:
    """Close the old connection of a player, who uses another one now."""
    server.send(player, Error("this session continues on another connection"))
    server.emit(RecordLogout(player.conn, "session went on on another connection"))
    server.close(player)


def _turn_away(server: ServerState, newcomer: Newcomer, message: Resume, why: str) -> None:
    """Another peer wants a session: send it the reason, and close its connection."""
    text = f"{message.TYPE}: {why}"
    server.note("token refused", newcomer, warning=True, why=text, address=newcomer.connection.address)
    server.send_extension([newcomer], Failed(RefusalReason.INVALID_PLAYER, text, ref=message.ref))
    dismissals.dismiss(server, newcomer, text)


def _rebind(server: ServerState, player: Player, connection: Connection) -> None:
    """Give ``player`` this ``connection``; its counts of wrong messages move with it."""
    old, game_type = player.connection, player.type
    # All that is kept by the number of the connection.
    for by_conn in (game_type.players, game_type.waiting, player.game.owing if player.game is not None else {}):
        if by_conn.pop(old.conn, None) is not None:
            by_conn[connection.conn] = player
    server.absent.is_back(player)
    connection.takes_counts_of(old)
    connection.belongs_to(player)
    player.is_reachable()
    if not player.may(Family.LOBBY):
        player.waits_in_pool(pooled=True)  # without a lobby it cannot ask for it
    address, program = connection.address, connection.program
    server.emit(Admit(player.conn))
    server.emit(RecordLogin(player.conn, "player", player.name, game_type.name, address, version=program))
    _record(server, player)
    server.note("session resumed", player, address=address)


def _welcome(server: ServerState, player: Player, token: str, ref: str = "") -> None:
    server.send(player, LoginResponse())
    if token:
        _send_session(server, player, token, resumed=True, ref=ref)
    missed = PLACE.of(player).missed
    if player.game is not None:
        intake.line_back(server, player)
    else:
        if missed is not None and faults.reads_errors(player):
            server.send(player, Error(missed.text))
        faults.came_back(server, player, missed=missed is not None)
    player.has_come_back()
    server.report(facts.PlayerBack(player))
    PLACE.of(player).missed = None
    if player.game is None:
        server.report(facts.LineChanged(player, f"{player.name} is back"))


def _record(server: ServerState, player: Player) -> None:
    """Record the changed session of a player, if it has one."""
    place = PLACE.of(player)
    if place.name:
        families = tuple(sorted(player.connection.families))
        held_s = server.now - player.since
        server.emit(
            RecordSession(place.name, place.digest, player.name, player.type.name, families, player.pooled, held_s)
        )


def _send_session(server: ServerState, player: Player, token: str, *, resumed: bool, ref: str = "") -> None:
    game = player.game
    follows = resumed and game is not None and game.shown.last(player.name) is not None
    turn = player in game.turn.movers if game is not None and follows else None
    server.send_extension([player], Session(token, player.name, resumed, server.config.session_grace_s, turn, ref))


def _grace(player: Player) -> Timer:
    return Timer(TimerKind.GRACE, PLACE.of(player).name)


EXTENSION = ExtensionModule(
    requests={
        Resume: Request(frozenset({Family.SESSION}), NEW, resume),
    },
    hooks={
        facts.PlayerEntered: _entered,
        facts.LineCut: _cut,
        facts.NickWanted: _nick_wanted,
        facts.GameOver: _game_over,
        facts.PlayersFree: _players_free,
        facts.PoolingChanged: _pooling_changed,
        facts.NickFree: _nick_free,
        facts.ServerStops: _server_stops,
        facts.DoorsOpened: _doors_opened,
    },
    timers={TimerKind.GRACE: expired},
)
