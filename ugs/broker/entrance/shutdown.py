"""How the server stops: no logins and games any more, then time for running games, then good-bye."""

from ugs.broker.championships import playing
from ugs.broker.effects import RecordLogout, Stopped
from ugs.broker.entrance import after_game
from ugs.broker.events import Timer, TimerKind
from ugs.broker.facts import ServerStops
from ugs.broker.play import intake
from ugs.broker.state.connection import Newcomer, Spectator
from ugs.broker.state.desk import Desk
from ugs.broker.state.model import Master, Player
from ugs.broker.verdict import Cause
from ugs.wire.messages import ServerShutdown


def drain(desk: Desk, seconds: float | None = None) -> None:
    """The server is to stop: let running games end within so many seconds (None: ``drain_s``). The second time: at
    once."""
    if desk.draining:
        time_is_up(desk)
        good_bye(desk)  # results that are not on file by now are not announced
        return
    desk.draining = True
    after_game.look_at_all_types(desk)  # no player can come back any more, so none is waited for
    if seconds is None:
        seconds = desk.config.drain_s
    if seconds == 0:
        time_is_up(desk)
    else:
        desk.patient = True
        desk.note("draining", games=len(desk.running), seconds=seconds)
        desk.start(Timer(TimerKind.DRAIN, ""), seconds)


def time_is_up(desk: Desk, _subject: str = "") -> None:
    """Games that still run are void."""
    desk.patient = False
    intake.shut_down(desk)


def good_bye_if_done(desk: Desk) -> None:
    """Say good-bye when nothing has to be waited for: games, and while there is time the prizes of a championship."""
    if desk.draining and not desk.stopped:
        under_way = any(known.running for known in desk.types.values()) or (desk.patient and playing.prize_giving(desk))
        if not under_way:
            good_bye(desk)


def good_bye(desk: Desk) -> None:
    """All games have ended: tell everybody, close, and stop."""
    desk.stopped = True
    desk.tell_of(ServerStops())
    everybody = [connection.peer for connection in desk.connections.values()]
    told = [
        peer
        for peer in everybody
        if isinstance(peer, Player) or (isinstance(peer, Master) and not peer.type.settings.quiet_master)
    ]
    desk.note("shutting down", peers=len(told))
    for peer in everybody:
        if not isinstance(peer, Newcomer | Spectator):
            desk.do(RecordLogout(peer.conn, str(Cause.SHUTDOWN)))
    spectators = [peer for peer in everybody if isinstance(peer, Spectator)]
    desk.send_all([*told, *spectators], ServerShutdown())
    for peer in everybody:
        desk.close(peer)
    desk.do(Stopped())
