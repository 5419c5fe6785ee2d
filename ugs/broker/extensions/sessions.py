"""Coming back (families ``session``, ``state``): a player with a session whose line is cut keeps its nick, its table
and its seat for ``session_grace_s``.

A token is a secret text. Its beginning names the session; of the whole token only a hash is kept, here and in the
journal. So a session outlives the server, and reading the journal is not enough to take it over.
"""

from collections.abc import Collection
from itertools import islice

from ugs.broker import facts
from ugs.broker.effects import Admit, RecordLogin, RecordLogout, RecordSession, RecordSessionOver
from ugs.broker.entrance import departures, doors
from ugs.broker.entrance.doors import Door, Passage
from ugs.broker.events import Timer, TimerKind
from ugs.broker.extensions.request import NEW, PLAYERS, Extension, Refusal, Request
from ugs.broker.play import answers, intake, showing, sketching
from ugs.broker.state import session_tokens
from ugs.broker.state.allowance import BYTES
from ugs.broker.state.connection import Connection, Newcomer
from ugs.broker.state.desk import Desk
from ugs.broker.state.model import Player
from ugs.broker.state.session_tokens import PLACE, SESSIONS
from ugs.broker.values.identity import Role
from ugs.broker.values.name_rules import unique_form
from ugs.wire.extensions import Failed, Family, Reason, Resend, Resume, Session
from ugs.wire.messages import Error, LoginResponse

# Requests.


def resume(desk: Desk, newcomer: Newcomer, message: Resume) -> Refusal | None:
    """A newcomer shows a token: it takes up the session, and an older connection of it is closed."""
    player = session_tokens.player_of(desk, message.token)
    if desk.draining:
        return Refusal(Reason.INVALID_PLAYER, "x-resume: the server is shutting down")
    if player is None:
        newcomer.is_refused()
        return Refusal(Reason.INVALID_PLAYER, "x-resume: token: no such session, or it is over")
    connection = newcomer.connection
    if doors.passage(desk, connection, Door.SESSION, player.name) is Passage.CLOSE:
        _turn_away(desk, newcomer, message, doors.why_closed(desk, connection))
        return None
    if player.away:
        desk.stop(_grace(player))
    else:
        _hang_up(desk, player)
    desk.stop(Timer(TimerKind.LOGIN, newcomer.conn))
    _rebind(desk, player, connection)
    _welcome(desk, player, message.token, message.ref)
    return None


def resend(desk: Desk, player: Player, message: Resend) -> Refusal | None:
    """Send the last state of its game to a player once more."""
    game = player.game
    if game is None:
        return Refusal(Reason.NOT_PLAYING, "x-resend: you are in no game")
    if game.id != message.game_id:
        return Refusal(Reason.INVALID_GAME, f"x-resend: gameId id {message.game_id!r}: you are not in this game")
    last = game.shown.last(player.name)
    if last is None:
        since = " for you, since you have your seat again" if player.name in game.shown.unaware else ""
        return Refusal(Reason.INVALID_GAME, f"x-resend: gameId id {message.game_id!r}: there is no state yet{since}")
    showing.resend(desk, player)
    sketch = sketching.last(game, player.name) if player.may(Family.SKETCH) else b""
    desk.charge(player, (len(last.payload) + len(sketch)) / BYTES)
    game.history.is_active(desk.now)
    return None


# Facts.


def _entered(desk: Desk, fact: facts.PlayerEntered) -> None:
    """A player has just logged in: it gets a token if it was granted ``session`` and ``session_grace_s`` is not 0.
    Players of a gateway get none: the gateway brings them back itself."""
    player = fact.player
    if not player.may(Family.SESSION) or player.connection.by_gateway or desk.config.session_grace_s == 0:
        return
    token = _new_token(desk, player)
    _record(desk, player)
    _tell(desk, player, token, resumed=False)


def _cut(desk: Desk, fact: facts.LineCut) -> bool:
    """The connection of a player is lost and forgotten already. True when its place is kept for it."""
    player = fact.player
    if not PLACE.of(player).name or desk.draining:
        return False
    place = PLACE.of(player)
    place.cut, place.why = fact.cause, fact.why
    desk.do(RecordLogout(player.conn, f"closed by the server: {fact.why}" if fact.why else str(fact.cause)))
    desk.note("line cut", player, seconds=desk.config.session_grace_s)
    player.is_cut_off()
    player.type.waiting.pop(player.conn, None)
    _await(desk, player)
    if player.game is not None:
        intake.line_cut(desk, player)
    else:
        desk.tell_of(facts.LineChanged(player, f"the line of {player.name} is cut"))
    _make_room(desk, player.connection.origin)
    return True


def _nick_wanted(desk: Desk, fact: facts.NickWanted) -> bool:
    """A newcomer logs in with the nick of an absent player. True when it takes the place of that player: it has shown
    the token of the nick and plays the same game; or it comes from the same address with the same program, and the
    setting ``session_takeover`` allows that."""
    player, connection = fact.player, fact.newcomer.connection
    by_address = desk.config.session_takeover == "address" and _is_alike(player, fact)
    if not by_address and not _is_its_own(desk, player, fact):
        return False
    desk.note("session taken over", player, address=connection.address)
    desk.stop(_grace(player))
    _end(desk, player)
    desk.stop(Timer(TimerKind.LOGIN, connection.conn))
    token = _new_token(desk, player) if fact.newcomer.may(Family.SESSION) else ""
    _rebind(desk, player, connection)
    _welcome(desk, player, token)
    return True


def _is_alike(player: Player, fact: facts.NickWanted) -> bool:
    old, new = player.connection, fact.newcomer.connection
    return (
        bool(new.host)
        and (new.host, new.program, new.by_gateway) == (old.host, old.program, False)
        and (fact.nick, fact.game_type) == (player.name, player.type.name)
    )


def _is_its_own(desk: Desk, player: Player, fact: facts.NickWanted) -> bool:
    """Whether a newcomer is the absent player: it has shown the token of its nick."""
    new = fact.newcomer.connection
    return (
        doors.seat(desk, fact.newcomer.connection, player) is Passage.OPEN
        and not (player.connection.by_gateway or new.by_gateway)
        and (fact.nick, fact.game_type) == (player.name, player.type.name)
    )


def _players_free(desk: Desk, fact: facts.PlayersFree) -> None:
    """Absent players whose game is over count for the limits from now on."""
    for origin in {player.connection.origin for player in fact.players if player in desk.absent}:
        _make_room(desk, origin)


def _pooling_changed(desk: Desk, fact: facts.PoolingChanged) -> None:
    _record(desk, fact.player)


def _nick_free(desk: Desk, fact: facts.NickFree) -> None:
    close(desk, fact.player)


def _server_stops(desk: Desk, _fact: facts.ServerStops) -> None:
    """The server stops in good order: all sessions end."""
    for player in list(SESSIONS.of(desk).values()):
        close(desk, player)


def _doors_opened(desk: Desk, fact: facts.DoorsOpened) -> None:
    """Players of an earlier life of the server may come back to this one."""
    for number, past in enumerate(fact.past.sessions, 1):
        _remember(desk, number, past)


# The timer.


def expired(desk: Desk, session: str) -> None:
    """The time in which a player may come back is over."""
    player = SESSIONS.of(desk).get(session)
    if player is not None and player.away:
        desk.note("did not come back", player)
        _depart(desk, player)


# Steps.


def close(desk: Desk, player: Player) -> None:
    """A player cannot come back any more."""
    if PLACE.of(player).name:
        desk.stop(_grace(player))
        desk.absent.is_back(player)
        _end(desk, player)


def _end(desk: Desk, player: Player) -> None:
    """The token of a player is no longer valid."""
    desk.do(RecordSessionOver(session_tokens.end(desk, player)))


def _new_token(desk: Desk, player: Player) -> str:
    token = desk.new_secret()
    session_tokens.give(desk, player, token)
    return token


def _await(desk: Desk, player: Player) -> None:
    """A player is absent from now on."""
    desk.absent.goes(player, desk.now + desk.config.session_grace_s)
    desk.start(_grace(player), desk.config.session_grace_s)


def _make_room(desk: Desk, origin: str) -> None:
    """Give up absent players while there are more than may be, from this origin or in all: those in no game, the
    longest absent first."""
    _give_up(desk, desk.absent.from_origin(origin), desk.config.max_absent_per_ip)
    _give_up(desk, desk.absent.until, desk.config.max_absent)


def _give_up(desk: Desk, absent: Collection[Player], most: int) -> None:
    if len(absent) <= most:
        return
    free = (player for player in absent if player.game is None)
    for player in list(islice(free, len(absent) - most)):
        desk.note("absent player given up", player, warning=True, address=player.connection.address)
        _depart(desk, player)


def _depart(desk: Desk, player: Player) -> None:
    """An absent player has not come back: it is gone, for the reason for which its line was cut."""
    place = PLACE.of(player)
    departures.depart(desk, player, place.cut, place.why)


def _remember(desk: Desk, number: int, past: RecordSession) -> None:
    is_taken = unique_form(past.nick) in desk.names.players
    if desk.config.session_grace_s == 0 or is_taken or not _may_stay(desk, past.nick):
        desk.do(RecordSessionOver(past.session))
        return
    game_type = desk.type_named(past.game_type)
    families = frozenset(family for family in Family if family in past.families)
    connection = Connection(-number, "", families=families, active_at=desk.now)
    player = Player(
        connection=connection,
        name=past.nick,
        away=True,
        awaited=True,
        type=game_type,
        since=desk.now - past.held_s,
        identity=desk.identities.find(Role.PLAYER, past.nick),
        pooled=past.pooled,
    )
    PLACE.of(player).name, PLACE.of(player).digest = past.session, past.digest
    SESSIONS.of(desk)[past.session] = player
    desk.names.players[unique_form(player.name)] = player
    game_type.players[player.conn] = player
    game_type.open_standings.enter(player.name)
    _await(desk, player)


def _may_stay(desk: Desk, nick: str) -> bool:
    """Whether a nick may still be used as it was before the restart: its token may have been revoked meanwhile."""
    identities = desk.identities
    known = identities.find(Role.PLAYER, nick) is not None
    return known or desk.config.auth == "none" or identities.needs_none(nick)


def _hang_up(desk: Desk, player: Player) -> None:
    """The player uses another connection now: close the old one."""
    desk.send(player, Error("this session goes on on another connection"))
    desk.do(RecordLogout(player.conn, "session went on on another connection"))
    desk.close(player)


def _turn_away(desk: Desk, newcomer: Newcomer, message: Resume, why: str) -> None:
    """Somebody else wants a session: tell it why it has to go, and close its connection."""
    text = f"{message.TYPE}: {why}"
    desk.note("token refused", newcomer, warning=True, why=text, address=newcomer.connection.address)
    desk.tell([newcomer], Failed(Reason.INVALID_PLAYER, text, ref=message.ref))
    answers.dismiss(desk, newcomer, text)


def _rebind(desk: Desk, player: Player, connection: Connection) -> None:
    """``connection`` is that of ``player`` from now on; its counts of wrong messages move with it."""
    old, game_type = player.connection, player.type
    for by_conn in (game_type.players, game_type.waiting, player.game.owing if player.game is not None else {}):
        if by_conn.pop(old.conn, None) is not None:
            by_conn[connection.conn] = player
    desk.absent.is_back(player)
    connection.takes_counts_of(old)
    connection.belongs_to(player)
    player.is_reachable()
    if not player.may(Family.LOBBY):
        player.waits_in_pool(pooled=True)  # without a lobby it could not ask for that
    address, program = connection.address, connection.program
    desk.do(Admit(player.conn))
    desk.do(RecordLogin(player.conn, "player", player.name, game_type.name, address, version=program))
    _record(desk, player)
    desk.note("session resumed", player, address=address)


def _welcome(desk: Desk, player: Player, token: str, ref: str = "") -> None:
    desk.send(player, LoginResponse())
    if token:
        _tell(desk, player, token, resumed=True, ref=ref)
    if player.game is not None:
        intake.line_back(desk, player)
    player.has_come_back()
    desk.tell_of(facts.PlayerBack(player))
    if player.game is None:
        desk.tell_of(facts.LineChanged(player, f"{player.name} is back"))


def _record(desk: Desk, player: Player) -> None:
    """Record the session of a player, if it has one: something in it has changed."""
    place = PLACE.of(player)
    if place.name:
        families = tuple(sorted(player.connection.families))
        held_s = desk.now - player.since
        desk.do(RecordSession(place.name, place.digest, player.name, player.type.name, families, player.pooled, held_s))


def _tell(desk: Desk, player: Player, token: str, *, resumed: bool, ref: str = "") -> None:
    turn = player.game is not None and player in player.game.turn.movers
    desk.tell([player], Session(token, player.name, resumed, desk.config.session_grace_s, turn, ref))


def _grace(player: Player) -> Timer:
    return Timer(TimerKind.GRACE, PLACE.of(player).name)


EXTENSION = Extension(
    requests={
        Resume: Request(frozenset({Family.SESSION}), NEW, resume),
        Resend: Request(frozenset({Family.STATE}), PLAYERS, resend, is_list=True),
    },
    hooks={
        facts.PlayerEntered: _entered,
        facts.LineCut: _cut,
        facts.NickWanted: _nick_wanted,
        facts.PlayersFree: _players_free,
        facts.PoolingChanged: _pooling_changed,
        facts.NickFree: _nick_free,
        facts.ServerStops: _server_stops,
        facts.DoorsOpened: _doors_opened,
    },
    timers={TimerKind.GRACE: expired},
)
