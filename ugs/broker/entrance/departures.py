"""Peers that leave, and everything they held."""

from ugs.broker.championships import champions_list, entrants
from ugs.broker.effects import RecordLogout
from ugs.broker.entrance import departed_rows, name_allowance, pool
from ugs.broker.events import Disconnected, Timer, TimerKind
from ugs.broker.facts import LineCut, NickFree, PeerGone, PlayersFree, Unreachable
from ugs.broker.play import endings, intake, leaving, record_entries, thanks
from ugs.broker.state.connection import Peer, PeerState, Spectator
from ugs.broker.state.model import GameType, Master, Player
from ugs.broker.state.recent_refusals import Closed
from ugs.broker.state.server_state import ServerState
from ugs.broker.values.name_rules import unique_form
from ugs.broker.verdict import CLOSED, MASTER_CLOSED, Cause
from ugs.broker.verdict_sentences import with_why
from ugs.broker.views.privacy import is_in_private
from ugs.wire.messages import Message


def logout(server: ServerState, peer: Peer, _message: Message) -> str | None:
    """Handle a logout."""
    server.note("logged out", peer)
    server.close(peer)
    depart(server, peer, Cause.LOGOUT)
    return None


def disconnected(server: ServerState, peer: Peer, event: Disconnected) -> None:
    """The connection of a peer is gone and already forgotten. Its place may be kept.

    This includes peers that did not read: a lost network looks the same from here. If it is the server's fault and no
    place is kept, no player loses by it."""
    cause = Cause.NOT_READ if event.unread else Cause.DISCONNECTED
    why = event.reason if event.unread or event.bug else ""
    if event.unread:
        record_entries.refused(server, peer, why, "")
    kept = isinstance(peer, Player) and server.report(LineCut(peer, cause, why))
    if kept:
        return
    if event.bug:
        cause = Cause.SERVER_BUG
        if isinstance(peer, Player) and peer.game is not None and not peer.game.ended:
            peer.is_cut_off()  # until the others have been notified
            intake.spoilt(server, peer.game)
            peer.is_reachable()
    depart(server, peer, cause, why)


def depart(server: ServerState, peer: Peer, cause: Cause, why: str = "") -> None:
    """A peer is gone for good: release everything it held. ``why`` is the reason if the server closed its
    connection."""
    reason = f"closed by the server: {why}" if why else str(cause)
    if isinstance(peer, Player):
        _remember(server, peer, cause, why)
        # A player whose line was cut is logged out already, except at a gateway, whose line stands.
        if not peer.away or peer.connection.by_gateway:
            server.emit(RecordLogout(peer.conn, reason))
        _player_departs(server, peer, cause, why)
    elif isinstance(peer, Master):
        _remember(server, peer, cause, why)
        server.emit(RecordLogout(peer.conn, reason))
        endings.LINE_OF_MASTER.of(peer).closed = cause if cause in MASTER_CLOSED else None
        _master_departs(server, peer)
    elif isinstance(peer, Spectator):
        server.report(PeerGone(peer, cause))
    else:
        server.stop(Timer(TimerKind.LOGIN, peer.conn))
    # Break the reference cycle, so that both are freed at once: the cycle collector would stop everything while it
    # works.
    del peer.connection.peer


def reachable(server: ServerState, player: Player, *, there: bool) -> None:
    """A gateway reports whether its player can be reached. An unreachable player keeps its nick, and leaves its game or
    table."""
    if there is not player.away:
        return
    if there:
        player.is_reachable()
        server.report(PlayersFree([player]))  # it was idle, and may wait in the pool again
        return
    player.is_cut_off()
    player.type.waiting.pop(player.conn, None)
    if player.state is PeerState.PLAYING:
        leaving.leave(server, player, Cause.DISCONNECTED)
    elif player.state is PeerState.OWING:
        thanks.thanked(server, player)
    server.report(Unreachable(player))
    server.report(PlayersFree([player]))


def _remember(server: ServerState, peer: Player | Master, cause: Cause, why: str) -> None:
    """Remember why the line of this peer was closed (``why``: by the server), for people who ask."""
    if why:
        role = "player" if isinstance(peer, Player) else "master"
        connection, private = peer.connection, isinstance(peer, Player) and is_in_private(peer)
        reason = with_why(cause, why) if cause in CLOSED else why
        address = (connection.address, connection.origin)
        server.turned_away.closed.remember(Closed(peer.name, role, reason, *address, server.now, private=private))


def _master_departs(server: ServerState, master: Master) -> None:
    game_type = master.type
    master.is_cut_off()
    game_type.masters.pop(master.conn, None)
    del server.names.masters[unique_form(master.name)]
    intake.lose_master(server, master)
    pool.match(server, game_type)  # players who waited for this master may suit another one
    server.release(game_type)


def _player_departs(server: ServerState, player: Player, cause: Cause, why: str) -> None:
    game_type = player.type
    game_type.is_busy_with(player)
    game_type.players.pop(player.conn, None)
    del server.names.players[unique_form(player.name)]
    server.report(NickFree(player))
    # Before the game that it leaves is counted: a game that is given up does not count as played.
    entrants.left(server, player, cause, why)
    if player.state is PeerState.PLAYING:
        leaving.leave(server, player, cause, why)
    elif player.state is PeerState.OWING:
        thanks.thanked(server, player)
    server.report(PeerGone(player, cause))
    _forget_unplayed(server, player, game_type)
    champions_list.changed(server, game_type)
    # The others may have waited for this player, and need not any more.
    pool.match(server, game_type)
    server.release(game_type)
    departed_rows.count(server, game_type)


def _forget_unplayed(server: ServerState, player: Player, game_type: GameType) -> None:
    """Forget a departed player without any game."""
    game_type.open_standings.leave(player.name)
    name_allowance.give_back(server, player)
    if player.name not in game_type.open_standings:
        game_type.seating.forget(player.name)
    # Names are free to invent: what is kept of one that has gone must not grow with them.
    game_type.meetings.forget(player.name)
