"""Which peers may enter, and the error numbers for the others."""

import math
from dataclasses import replace

from ugs.broker.championships import entrants
from ugs.broker.effects import Admit, RecordLogin
from ugs.broker.entrance import departed_rows, name_allowance, proofs, shared_nicks
from ugs.broker.entrance.proofs import Claim
from ugs.broker.entrance.refusals import IN_USE, refuse, refuse_for_now, remember, turn_away
from ugs.broker.events import Timer, TimerKind
from ugs.broker.facts import MasterReady, NickWanted, PlayerEntered, Proven
from ugs.broker.play import dismissals
from ugs.broker.state.connection import Connection, Newcomer, Peer
from ugs.broker.state.model import Master, Player
from ugs.broker.state.server_state import ServerState
from ugs.broker.values.identity import Role
from ugs.broker.values.name_rules import unique_form, wrong_name, wrong_nick
from ugs.wire.extensions import Family, RefusalReason
from ugs.wire.messages import GameMasterLogin, LoginError, LoginResponse, PlayerLogin

MAX_DIGITS = 18
"""Enough for any program's largest number; below 2**63."""


def player_login(server: ServerState, newcomer: Newcomer, message: PlayerLogin) -> str | None:
    """Handle a newcomer's playerLogin; return what is wrong with sending it now, or None. The secret for its nick is
    not passed on from here."""
    wrong = _wrong_time(server, newcomer, message)
    if wrong is None:
        claim = proofs.of_player(server, newcomer, message)
        nick = None if message.nick is None else claim.name
        # From here on without the secret: log, journal and lines for people show this message.
        shown = PlayerLogin(nick, message.game_type)
        if not _is_another_peer(server, newcomer, shown, claim):
            _enter_player(server, newcomer, shown, claim)
    return wrong


def master_login(server: ServerState, newcomer: Newcomer, message: GameMasterLogin) -> str | None:
    """Handle a newcomer's gameMasterLogin; return what is wrong with sending it now, or None."""
    wrong = _wrong_time(server, newcomer, message)
    if wrong is None:
        claim = proofs.of_master(server, newcomer, message)
        shown = replace(message, id=None if message.id is None else claim.name)
        if not _is_another_peer(server, newcomer, shown, claim):
            _enter_master(server, newcomer, shown, claim)
    return wrong


def proven(server: ServerState, fact: Proven) -> None:
    """The name of a waiting login is proven. All other conditions are checked again."""
    if isinstance(fact.peer, Newcomer) and not server.condition.draining:
        if isinstance(fact.message, PlayerLogin):
            _enter_player(server, fact.peer, fact.message)
        elif isinstance(fact.message, GameMasterLogin):
            _enter_master(server, fact.peer, fact.message)


def _wrong_time(server: ServerState, newcomer: Newcomer, message: PlayerLogin | GameMasterLogin) -> str | None:
    if server.condition.draining:
        return f"{message.TYPE}: the server is shutting down"
    if proofs.is_waiting(newcomer) or shared_nicks.is_waiting(server, newcomer):
        return f"{message.TYPE}: your last login has not been answered yet"
    return None


def _enter_player(server: ServerState, newcomer: Newcomer, message: PlayerLogin, claim: Claim | None = None) -> None:
    """Let a player in, or refuse it. A ``claim`` has to be proven first."""
    nick = message.nick or ""
    if _is_shut_out(server, newcomer, message, nick):
        return
    # A player with a lobby chooses its games; a v4 player has no other way than the pool.
    waits = not newcomer.may(Family.LOBBY)
    absent = server.names.player(nick)
    if absent is None or absent not in server.absent:
        refusal = _player_refusal(server, newcomer.connection, message, waits=waits)
        if refusal is not None:
            refuse(server, newcomer, message, *refusal)
            return
        absent = None
    # After all other checks: no login that would be refused may cost a hash or register a name.
    if claim is not None and proofs.holds(server, newcomer, message, claim):
        return
    if absent is not None:
        if message.game_type != absent.type.name:
            # Before its owner gives that place up for it.
            refusal = _player_refusal(server, newcomer.connection, message, waits=waits, absent=absent)
            if refusal is not None:
                refuse(server, newcomer, message, *refusal)
                return
        if server.report(NickWanted(newcomer, absent, nick, message.game_type or "")):
            return
        if absent in server.absent:
            _refuse_nick_of_absent(server, newcomer, absent, message)
            return
    assert message.nick is not None
    assert message.game_type is not None
    # After the proof, since a name with a token costs its address nothing.
    wait_s = name_allowance.wait_s(server, newcomer.connection, message.nick, message.game_type)
    if wait_s is not None:
        full, why = LoginError.PLAYERS_POOL_OVERFLOW, name_allowance.why_not(server, wait_s)
        refuse_for_now(server, newcomer, message, full, RefusalReason.USER_LIMIT, why, wait_s)
        return
    # Last: no login that would be refused here asks the other servers.
    if shared_nicks.holds(server, newcomer, message):
        return
    connection, game_type = newcomer.connection, server.type_named(message.game_type)
    player = Player(
        connection=connection,
        name=message.nick,
        type=game_type,
        since=server.now,
        identity=server.entry.identities.find(Role.PLAYER, message.nick),
        pooled=waits,
    )
    connection.belongs_to(player)
    server.names.players[unique_form(player.name)] = player
    game_type.players[player.conn] = player
    if player.name not in game_type.open_standings:
        name_allowance.count(server, player)
    game_type.standings.enter(player.name)
    departed_rows.count(server, game_type)
    server.emit(
        RecordLogin(player.conn, "player", player.name, game_type.name, connection.address, version=connection.program)
    )
    _admit(server, player)
    server.note("player logged in", player, game_type=game_type.name, address=connection.address)
    server.report(PlayerEntered(player))


def _enter_master(
    server: ServerState, newcomer: Newcomer, message: GameMasterLogin, claim: Claim | None = None
) -> None:
    """Let a master in, or refuse it. A ``claim`` has to be proven first."""
    if _is_shut_out(server, newcomer, message, message.id or ""):
        return
    refusal = _master_refusal(server, message)
    if refusal is not None:
        refuse(server, newcomer, message, *refusal)
        return
    if claim is not None and proofs.holds(server, newcomer, message, claim):
        return
    assert message.id is not None
    assert message.game_type is not None
    connection, game_type = newcomer.connection, server.type_named(message.game_type)
    players_min, players_max = number(message.players_min), number(message.players_max)
    assert players_min is not None
    assert players_max is not None
    master = Master(
        connection=connection,
        name=message.id,
        type=game_type,
        players_min=players_min,
        players_max=players_max,
        names_movers=newcomer.may(Family.MOVERS),
    )
    connection.belongs_to(master)
    server.names.masters[unique_form(master.name)] = master
    game_type.masters[master.conn] = master
    players = f"{players_min} to {players_max}" if players_min < players_max else str(players_min)
    server.emit(
        RecordLogin(master.conn, "master", master.name, game_type.name, connection.address, players, connection.program)
    )
    _admit(server, master)
    server.note("master logged in", master, game_type=game_type.name, players=players, address=connection.address)
    server.report(MasterReady(game_type))


def second_login(_server: ServerState, peer: Peer, message: PlayerLogin | GameMasterLogin) -> str | None:
    """Refuse a second login: one per connection."""
    return f"{message.TYPE}: you are logged in already, as {peer.name!r}"


def login_too_late(server: ServerState, conn: int) -> None:
    """The time to log in is over, unless the server itself is slow."""
    connection = server.connections.get(conn)
    if connection is not None and isinstance(connection.peer, Newcomer):
        if proofs.is_waiting(connection.peer) or shared_nicks.is_waiting(server, connection.peer):
            # The hash, or the question to the other servers, is the server's work: its queue is no fault of the peer.
            server.start(Timer(TimerKind.LOGIN, conn), server.config.login_timeout_s)
            return
        dismissals.dismiss(server, connection.peer, f"no login within {server.config.login_timeout_s:g} s")


def _player_refusal(
    server: ServerState, connection: Connection, message: PlayerLogin, *, waits: bool, absent: Player | None = None
) -> tuple[LoginError, str] | None:
    """Return why this player may not enter; None if it may. A player with a lobby does not wait in the pool; the nick
    may be that of ``absent``."""
    taken = message.nick is not None and server.names.player(message.nick) not in (None, absent)
    wrong = _wrong_names(server, "nick", wrong_nick(message.nick), taken, message.game_type)
    if wrong is not None:
        return wrong
    assert message.game_type is not None
    if _is_full(server):
        return LoginError.PLAYERS_POOL_OVERFLOW, "the server is full"
    known = server.types.get(message.game_type)
    if known is not None:
        if waits and len(known.waiting) >= known.settings.max_pool:
            return LoginError.PLAYERS_POOL_OVERFLOW, "the pool of this game type is full"
        if not entrants.may_enter(server, known, message.nick or "", connection):
            return LoginError.PLAYERS_POOL_OVERFLOW, entrants.why_shut(known, message.nick or "")
    return None


def _master_refusal(server: ServerState, message: GameMasterLogin) -> tuple[LoginError, str] | None:
    """Return why this master may not enter; None if it may. The message itself is checked first."""
    taken = message.id is not None and server.names.is_taken_id(message.id)
    wrong = _wrong_names(server, "id", wrong_name(message.id), taken, message.game_type)
    if wrong is not None:
        return wrong
    assert message.game_type is not None
    players_min, players_max = number(message.players_min), number(message.players_max)
    if players_min is None or players_max is None:
        return LoginError.WRONG_GAME_TYPE_DESCRIPTION, "playersMin or playersMax is no whole number"
    if not 2 <= players_min <= players_max:
        return LoginError.WRONG_GAME_TYPE_DESCRIPTION, "not 2 <= playersMin <= playersMax"
    known = server.types.get(message.game_type)
    most = (known.settings if known is not None else server.config.game_type(message.game_type)).max_seats
    if players_max > most:
        text = f"playersMax '{players_max}': allowed here are at most {most} (setting max_seats)"
        return LoginError.WRONG_GAME_TYPE_DESCRIPTION, text
    if _is_full(server):
        return LoginError.PLAYERS_POOL_OVERFLOW, "the server is full"
    if known is not None and len(known.masters) >= known.settings.masters_per_game:
        most = known.settings.masters_per_game
        text = f"there are masters enough for this game type: {most} (setting masters_per_game)"
        return LoginError.MASTER_ALREADY_REGISTERED, text
    return None


def _wrong_names(
    server: ServerState, what: str, wrong: str | None, taken: bool, game_type: str | None
) -> tuple[LoginError, str] | None:
    """Return what is wrong with its name (``wrong``, if the caller knows a mistake), then with its game type."""
    wrong = wrong or (IN_USE if taken else None)
    if wrong is not None:
        return LoginError.WRONG_NICK, f"{what} {wrong}"
    wrong = wrong_name(game_type)
    allowed = server.config.allowed_game_types
    if wrong is None and allowed and game_type not in allowed:
        wrong = "is not allowed here"
    return None if wrong is None else (LoginError.IMPROPER_GAME_TYPE, f"gameType {wrong}")


def _is_full(server: ServerState) -> bool:
    """Return whether the server is full. Absent players have no connection, so they are not counted."""
    return len(server.names.players) - len(server.absent) + len(server.names.masters) >= server.config.max_logins


def _admit(server: ServerState, peer: Player | Master) -> None:
    # From here on it is a secret without a use.
    peer.connection.forget_token()
    server.stop(Timer(TimerKind.LOGIN, peer.conn))
    server.emit(Admit(peer.conn))
    server.send(peer, LoginResponse())


def _refuse_nick_of_absent(server: ServerState, newcomer: Newcomer, absent: Player, message: PlayerLogin) -> None:
    """Refuse a nick that is kept for a player who may come back."""
    seconds = math.ceil(server.absent.until[absent] - server.now)
    other = f" of {absent.type.name!r}" if message.game_type != absent.type.name else ""
    text = (
        f"nick {absent.name!r} is kept for its absent player{other} for another {seconds} s; come back by x-resume, "
        "or wait"
    )
    refuse_for_now(server, newcomer, message, LoginError.WRONG_NICK, RefusalReason.DUPLICATE_USER, text, float(seconds))


def _is_shut_out(server: ServerState, newcomer: Newcomer, message: PlayerLogin | GameMasterLogin, name: str) -> bool:
    """Return whether an organiser keeps this name out; then refuse the login and close the connection. After x-hello,
    the newcomer gets the reason before the answer, as with any name that it may not use."""
    shut_out = server.entry.access.of_name(name, server.now)
    if not shut_out:
        return False
    remember(server, newcomer, message, "login refused", LoginError.WRONG_NICK, shut_out, said=name)
    turn_away(server, newcomer, message, shut_out)
    return True


def _is_another_peer(
    server: ServerState, newcomer: Newcomer, message: PlayerLogin | GameMasterLogin, claim: Claim
) -> bool:
    """Return whether a newcomer has proven another identity than it wants now; then close its connection."""
    why = proofs.why_closed(server, newcomer, claim)
    if why:
        remember(server, newcomer, message, "token refused", LoginError.WRONG_NICK, why, said=claim.name)
        turn_away(server, newcomer, message, why)
    return bool(why)


def number(text: str | None) -> int | None:
    """Return a whole number of at most :data:`MAX_DIGITS` digits as a master may write it; None for anything else."""
    digits = (text or "").strip(" \t\r\n")
    # As XML Schema writes integers: a plus sign and leading zeros are allowed.
    digits = digits[1:] if digits.startswith("+") else digits
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= MAX_DIGITS else None
