"""Who has to go, and who may not come in.

All of an address can be thousands: they go a few at a time, and others are served between.
"""

import math
from collections import deque
from typing import NamedTuple

from ugs.address import Network, ip_of
from ugs.broker.acts.answering import Answer, named, refused
from ugs.broker.effects import RecordAct
from ugs.broker.events import Timer, TimerKind
from ugs.broker.lobby import departures
from ugs.broker.past import PastBan
from ugs.broker.questions import Act
from ugs.broker.state.bans import Ban, read_range
from ugs.broker.state.connection import Peer
from ugs.broker.state.desk import Desk
from ugs.broker.state.extras import Key
from ugs.broker.state.model import Player
from ugs.broker.state.names import unique_form, wrong_name
from ugs.broker.verdict import Cause

GO_AT_ONCE = 20
"""Peers that are removed at once: about 3 ms."""
REST = Timer(TimerKind.REMOVAL, "")


class Removal(NamedTuple):
    """A peer that has to go, and what it is told."""

    peer: Peer
    text: str


REMOVALS: Key[deque[Removal]] = Key("removals", deque)
"""With the desk: those who have to go next."""


def remove(desk: Desk, act: Act) -> Answer:
    """Close the connections of all who have this name: player, master, spectator; a session ends."""
    there = _of_name(desk, act.subject)
    if not there:
        return refused(f"nobody here is called {act.subject!r}{_near(desk, act.subject)}")
    return _done(desk, act, there, act.subject)


def remove_address(desk: Desk, act: Act) -> Answer:
    """Close all connections from a range, and end the sessions of who was there last."""
    wanted = read_range(act.subject)
    if isinstance(wanted, str):
        return refused(wanted)
    there = _of_range(desk, wanted)
    if not there:
        return refused(f"nobody is here from {wanted}")
    return _done(desk, act, there, str(wanted))


def ban(desk: Desk, act: Act) -> Answer:
    """Nobody comes in under this name; who is here has to go."""
    wrong = wrong_name(act.subject)
    if wrong is not None:
        return refused(f"name {wrong}")
    form = unique_form(act.subject)
    known = desk.bans.names.get(form)
    name = act.subject if known is None else known.subject  # the journal knows it by one spelling
    desk.bans.names[form] = Ban(name, act.why, _until(desk, act))
    return _done(desk, act, _of_name(desk, name), name)


def ban_address(desk: Desk, act: Act) -> Answer:
    """Nobody comes in from a range; who is here has to go."""
    wanted = read_range(act.subject)
    if isinstance(wanted, str):
        return refused(wanted)
    desk.bans.ranges[wanted] = Ban(str(wanted), act.why, _until(desk, act), True)
    return _done(desk, act, _of_range(desk, wanted), str(wanted))


def unban(desk: Desk, act: Act) -> Answer:
    """A name may come in again."""
    found = desk.bans.names.pop(unique_form(act.subject), None)
    if found is None:
        return refused(
            f"{act.subject!r} is not banned; banned are: {named(one.subject for one in desk.bans.names.values())}"
        )
    return _done(desk, act, [], found.subject)


def unban_address(desk: Desk, act: Act) -> Answer:
    """A range may come in again. It has to be named as it was banned."""
    wanted = read_range(act.subject)
    if isinstance(wanted, str):
        return refused(wanted)
    if desk.bans.ranges.pop(wanted, None) is None:
        known = named(one.subject for one in desk.bans.ranges.values())
        return refused(f"{wanted} is not banned; banned are: {known}")
    return _done(desk, act, [], str(wanted))


def restore(desk: Desk, past: PastBan) -> None:
    """A ban of an earlier life of the server holds as long as it was to."""
    until = math.inf if past.left_s is None else desk.now + past.left_s
    known = Ban(past.subject, past.why, until, past.is_address)
    wanted = read_range(past.subject) if past.is_address else past.subject
    if isinstance(wanted, str):
        desk.bans.names[unique_form(past.subject)] = known
    else:
        desk.bans.ranges[wanted] = known


def go_on(desk: Desk, _subject: str) -> None:
    """Remove a few more of those who have to go."""
    waiting = REMOVALS.of(desk)
    for _ in range(min(GO_AT_ONCE, len(waiting))):
        removal = waiting.popleft()
        if _is_here(desk, removal.peer):
            _expel(desk, removal)
    if waiting:
        desk.start(REST, 0)


# Steps.


def _done(desk: Desk, act: Act, there: list[Peer], subject: str) -> Answer:
    """Record the act, and let those go."""
    desk.do(RecordAct(str(act.kind), subject, "", act.who, act.why, act.seconds))
    waiting = REMOVALS.of(desk)
    idle = not waiting
    waiting.extend(Removal(peer, f"removed by the organiser: {act.why}") for peer in there)
    if idle and waiting:
        go_on(desk, "")
    return {"ok": True, "removed": len(there)}


def _until(desk: Desk, act: Act) -> float:
    return math.inf if act.seconds is None else desk.now + act.seconds


def _of_name(desk: Desk, name: str) -> list[Peer]:
    """All who have this name, in any spelling that counts as the same."""
    form, names = unique_form(name), desk.names
    found = (names.players.get(form), names.masters.get(form), names.spectators.get(form))
    return [peer for peer in found if peer is not None]


def _of_range(desk: Desk, wanted: Network) -> list[Peer]:
    """All who are here from a range, and players who may come back to it."""
    peers = [one.peer for one in desk.connections.values()] + list(desk.absent.until)
    return [peer for peer in dict.fromkeys(peers) if _is_within(peer.connection.host, wanted)]


def _is_within(host: str, wanted: Network) -> bool:
    ip = ip_of(host)
    return ip is not None and ip in wanted


def _is_here(desk: Desk, peer: Peer) -> bool:
    known = desk.connections.get(peer.conn)
    return (known is not None and known.peer is peer) or (isinstance(peer, Player) and peer in desk.absent)


def _expel(desk: Desk, removal: Removal) -> None:
    """Tell a peer why it has to go, and let it go for good."""
    peer = removal.peer
    desk.note("removed", peer, warning=True, reason=removal.text)
    if peer.conn in desk.connections:
        desk.error(peer, removal.text)
        desk.close(peer)
    departures.depart(desk, peer, Cause.EXPELLED)


def _near(desk: Desk, name: str) -> str:
    """Names that begin like this one, for the end of a sentence."""
    form, names = unique_form(name), desk.names
    near = [
        peer.name for peers in (names.players, names.masters) for known, peer in peers.items() if known.startswith(form)
    ]
    return f"; there is {named(near)}" if near and form else ""
