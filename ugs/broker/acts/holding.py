"""Game types are paused, the server stops, all peers get a text."""

from ugs.broker.acts.answering import wrong_text
from ugs.broker.effects import RecordAct
from ugs.broker.entrance import shutdown
from ugs.broker.events import Timer, TimerKind
from ugs.broker.facts import MasterReady
from ugs.broker.state.connection import Newcomer
from ugs.broker.state.model import Master
from ugs.broker.state.server_state import ServerState
from ugs.broker.values.name_rules import wrong_name
from ugs.broker.values.questions import Act
from ugs.broker.values.replies import Broadcast, Declined, Done, Paused, Reply, Stopping
from ugs.broker.views.why import no_master_for
from ugs.wire.extensions import Family, Said
from ugs.wire.messages import Error

ANSWER_S = 0.2
"""Seconds until the server begins to stop: the organiser gets the answer first."""


def pause(server: ServerState, act: Act) -> Reply:
    """Begin no more games of a type. Running games go on; players may log in and wait."""
    wrong = wrong_name(act.game_type)
    if wrong is not None:
        return Declined(f"game_type {wrong}")
    if act.game_type in server.condition.paused:
        return Declined(f"{act.game_type} is paused already: {server.condition.paused[act.game_type]}")
    known = server.types.get(act.game_type)
    if known is None and not act.force:
        all_the_same = "to pause it all the same, for masters to come, force it (--force)"
        return Declined(f"{no_master_for(server, act.game_type)}; {all_the_same}")
    server.condition.paused[act.game_type] = act.why
    server.emit(RecordAct(str(act.kind), "", act.game_type, act.who, act.why))
    if known is None:
        return Paused(0, no_master_for(server, act.game_type))
    return Paused(known.running)


def resume(server: ServerState, act: Act) -> Reply:
    """Begin games of a type again."""
    if act.game_type not in server.condition.paused:
        paused = ", ".join(server.condition.paused) or "none"
        return Declined(f"{act.game_type or 'the empty game type'} is not paused; paused are: {paused}")
    del server.condition.paused[act.game_type]
    server.emit(RecordAct(str(act.kind), "", act.game_type, act.who, act.why))
    known = server.types.get(act.game_type)
    if known is not None:
        # Those who wait do nothing that would begin a game.
        server.report(MasterReady(known))
    return Done()


def drain(server: ServerState, act: Act) -> Reply:
    """Stop the server when running games have ended, or after ``seconds``."""
    if server.condition.draining and act.seconds != 0:
        return Declined("the server is stopping already; with 0 seconds it stops at once")
    seconds = "" if act.seconds is None else f"{act.seconds:g}"
    server.emit(RecordAct(str(act.kind), "", "", act.who, act.why))
    # The answer goes out over the same server that is about to stop.
    server.start(Timer(TimerKind.STOP, seconds), ANSWER_S)
    return Stopping(len(server.running))


def stop(server: ServerState, seconds: str) -> None:
    """Begin to stop, after the organiser has got the answer."""
    shutdown.drain(server, float(seconds) if seconds else None)


def broadcast(server: ServerState, act: Act) -> Reply:
    """Send a text to all peers with the family ``chat``, from the empty nick, which no player can have. With
    ``to_all`` the others get it as an ``error``, if they can read one."""
    wrong = wrong_text("text", act.subject)
    if wrong:
        return Declined(wrong)
    peers = [one.peer for one in server.connections.values() if not isinstance(one.peer, Newcomer)]
    receivers = [peer for peer in peers if peer.may(Family.CHAT)]
    server.send_extension(receivers, Said("", (), "", act.subject))
    if act.to_all:
        others = [
            peer
            for peer in peers
            if not peer.may(Family.CHAT) and not (isinstance(peer, Master) and peer.type.settings.quiet_master)
        ]
        server.send_all(others, Error(f"from the organiser: {act.subject}"))
        receivers += others
    server.emit(RecordAct(str(act.kind), act.subject, "", act.who, act.why))
    return Broadcast(told=len(receivers), not_told=len(peers) - len(receivers))
