"""Game types are paused, the server stops, everybody is told something."""

from ugs.broker.acts.answering import wrong_text
from ugs.broker.effects import RecordAct
from ugs.broker.entrance import shutdown
from ugs.broker.events import Timer, TimerKind
from ugs.broker.facts import MasterReady
from ugs.broker.state.connection import Newcomer
from ugs.broker.state.desk import Desk
from ugs.broker.state.model import Master
from ugs.broker.values.name_rules import wrong_name
from ugs.broker.values.questions import Act
from ugs.broker.values.replies import Broadcast, Declined, Done, Paused, Reply, Stopping
from ugs.broker.views.why import no_master_for
from ugs.wire.extensions import Family, Said
from ugs.wire.messages import Error

ANSWER_S = 0.2
"""Seconds until the server begins to stop: the organiser gets the answer first."""


def pause(desk: Desk, act: Act) -> Reply:
    """Begin no game of a type. Running games go on; players may come, and wait."""
    wrong = wrong_name(act.game_type)
    if wrong is not None:
        return Declined(f"game_type {wrong}")
    if act.game_type in desk.paused:
        return Declined(f"{act.game_type} is paused already: {desk.paused[act.game_type]}")
    desk.paused[act.game_type] = act.why
    desk.do(RecordAct(str(act.kind), "", act.game_type, act.who, act.why))
    known = desk.types.get(act.game_type)
    if known is None:
        return Paused(0, no_master_for(desk, act.game_type))
    return Paused(known.running)


def resume(desk: Desk, act: Act) -> Reply:
    """Begin games of a type again."""
    if act.game_type not in desk.paused:
        paused = ", ".join(desk.paused) or "none"
        return Declined(f"{act.game_type or 'the empty game type'} is not paused; paused are: {paused}")
    del desk.paused[act.game_type]
    desk.do(RecordAct(str(act.kind), "", act.game_type, act.who, act.why))
    known = desk.types.get(act.game_type)
    if known is not None:
        desk.tell_of(MasterReady(known))
    return Done()


def drain(desk: Desk, act: Act) -> Reply:
    """Stop the server when running games have ended, or ``seconds`` are over."""
    if desk.draining and act.seconds != 0:
        return Declined("the server is stopping already; with 0 seconds it stops at once")
    seconds = "" if act.seconds is None else f"{act.seconds:g}"
    desk.do(RecordAct(str(act.kind), "", "", act.who, act.why))
    desk.start(Timer(TimerKind.STOP, seconds), ANSWER_S)
    return Stopping(len(desk.running))


def stop(desk: Desk, seconds: str) -> None:
    """The organiser has the answer: begin to stop."""
    shutdown.drain(desk, float(seconds) if seconds else None)


def broadcast(desk: Desk, act: Act) -> Reply:
    """Tell a text to those with the family ``chat``, from the empty nick, which nobody can have; with ``everybody`` to
    all others as an ``error``, as far as they can read one."""
    wrong = wrong_text("text", act.subject)
    if wrong:
        return Declined(wrong)
    peers = [one.peer for one in desk.connections.values() if not isinstance(one.peer, Newcomer)]
    hearers = [peer for peer in peers if peer.may(Family.CHAT)]
    desk.tell(hearers, Said("", (), "", act.subject))
    if act.everybody:
        others = [
            peer
            for peer in peers
            if not peer.may(Family.CHAT) and not (isinstance(peer, Master) and peer.type.settings.quiet_master)
        ]
        desk.send_all(others, Error(f"from the organiser: {act.subject}"))
        hearers += others
    desk.do(RecordAct(str(act.kind), act.subject, "", act.who, act.why))
    return Broadcast(told=len(hearers), not_told=len(peers) - len(hearers))
