"""How the server stops: no more logins and games, then time for running games, then good-bye."""

from ugs.broker.championships import playing
from ugs.broker.effects import RecordLogout, Stopped
from ugs.broker.entrance import after_game
from ugs.broker.events import Timer, TimerKind
from ugs.broker.facts import ServerStops
from ugs.broker.play import intake
from ugs.broker.state.connection import Newcomer, Spectator
from ugs.broker.state.model import Master, Player
from ugs.broker.state.server_state import ServerState
from ugs.broker.verdict import Cause
from ugs.wire.messages import ServerShutdown


def drain(server: ServerState, seconds: float | None = None) -> None:
    """Stop the server: let running games end within ``seconds`` (None: ``drain_s``). A second call stops at once."""
    if server.condition.draining:
        time_is_up(server)
        good_bye(server)  # results that are not on disk by now are not announced
        return
    server.condition.drains()
    after_game.look_at_all_types(server)  # no player can come back any more, so do not wait for any
    if seconds is None:
        seconds = server.config.drain_s
    if seconds == 0:
        time_is_up(server)
    else:
        server.condition.has_time(patient=True)
        server.note("draining", games=len(server.running), seconds=seconds)
        server.start(Timer(TimerKind.DRAIN, ""), seconds)


def time_is_up(server: ServerState, _subject: str = "") -> None:
    """Void the games that still run."""
    server.condition.has_time(patient=False)
    intake.shut_down(server)


def good_bye_if_done(server: ServerState) -> None:
    """Send the good-bye when nothing is left to wait for: neither games nor, while there is time, the prizes of a
    championship."""
    if server.condition.draining and not server.condition.stopped:
        under_way = any(known.running for known in server.types.values()) or (
            server.condition.patient and playing.prize_giving(server)
        )
        if not under_way:
            good_bye(server)


def good_bye(server: ServerState) -> None:
    """All games have ended: notify all peers, close, and stop."""
    server.condition.stops()
    server.report(ServerStops())
    peers = [connection.peer for connection in server.connections.values()]
    chatting = [
        peer
        for peer in peers
        if isinstance(peer, Player) or (isinstance(peer, Master) and not peer.type.settings.quiet_master)
    ]
    server.note("shutting down", peers=len(chatting))
    for peer in peers:
        if not isinstance(peer, Newcomer | Spectator):
            server.emit(RecordLogout(peer.conn, str(Cause.SHUTDOWN)))
    spectators = [peer for peer in peers if isinstance(peer, Spectator)]
    server.send_all([*chatting, *spectators], ServerShutdown())
    for peer in peers:
        server.close(peer)
    server.emit(Stopped())
