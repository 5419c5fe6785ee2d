"""Removes peers, and bans or allows names and addresses.

An address can have thousands of peers: they are removed a few at a time, and other peers are served between.
"""

import math
from collections import deque
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ugs.address import Network, ip_of
from ugs.broker.acts.answering import named
from ugs.broker.championships import entrants
from ugs.broker.effects import RecordAct
from ugs.broker.entrance import departures
from ugs.broker.events import Timer, TimerKind
from ugs.broker.state.bans import Ban, Bans, read_range
from ugs.broker.state.connection import Peer
from ugs.broker.state.extras import Key
from ugs.broker.state.model import Player
from ugs.broker.state.server_state import ServerState
from ugs.broker.values.access import AccessRule
from ugs.broker.values.name_rules import unique_form, wrong_name
from ugs.broker.values.questions import Act
from ugs.broker.values.replies import Declined, Removed, Reply
from ugs.broker.verdict import Cause

GO_AT_ONCE = 20
"""Peers that are removed at once: about 3 ms."""
REST = Timer(TimerKind.REMOVAL, "")


class Removal(NamedTuple):
    """A peer to be removed, and the text for it; ``may_return``: its championship waits for it as for a lost line."""

    peer: Peer
    text: str
    may_return: bool = False


REMOVALS: Key[deque[Removal]] = Key("removals", deque)
"""With the server: the peers to be removed next."""


def remove(server: ServerState, act: Act) -> Reply:
    """Close the connections of all who have this name: player, master, spectator; a session ends."""
    there = of_name(server, act.subject)
    if not there:
        return Declined(f"no peer here is called {act.subject!r}{_near(server, act.subject)}")
    return _done(server, act, there, act.subject)


def remove_address(server: ServerState, act: Act) -> Reply:
    """Close all connections from a range, and end the sessions of players who were there last."""
    wanted = read_range(act.subject)
    if isinstance(wanted, str):
        return Declined(wanted)
    there = _of_range(server, wanted)
    if not there:
        return Declined(f"no peer here comes from {wanted}")
    return _done(server, act, there, str(wanted))


def ban(server: ServerState, act: Act) -> Reply:
    """Ban a name, and remove its peers."""
    found = _put_name(server, act, server.entry.access.bans)
    return (
        Declined(found) if isinstance(found, str) else _done(server, act, of_name(server, found.subject), found.subject)
    )


def ban_address(server: ServerState, act: Act) -> Reply:
    """Ban a range of addresses, and remove its peers."""
    wanted = _put_range(server, act, server.entry.access.bans)
    return Declined(wanted) if isinstance(wanted, str) else _done(server, act, _of_range(server, wanted), str(wanted))


def allow(server: ServerState, act: Act) -> Reply:
    """Let only this name and other allowed names in; remove peers with other names."""
    found = _put_name(server, act, server.entry.access.allowed[0])
    return Declined(found) if isinstance(found, str) else _done(server, act, _shut_out(server), found.subject)


def allow_address(server: ServerState, act: Act) -> Reply:
    """Let only this range and other allowed ranges in; remove peers from elsewhere."""
    wanted = _put_range(server, act, server.entry.access.allowed[0])
    return Declined(wanted) if isinstance(wanted, str) else _done(server, act, _shut_out(server), str(wanted))


def unban(server: ServerState, act: Act) -> Reply:
    """Lift the ban of a name."""
    return _lift_name(server, act, server.entry.access.bans, "banned")


def unban_address(server: ServerState, act: Act) -> Reply:
    """Lift the ban of a range, which has to be written as it was banned."""
    return _lift_range(server, act, server.entry.access.bans, "banned")


def disallow(server: ServerState, act: Act) -> Reply:
    """Remove a name from the allowed names; without any, all names may come in."""
    return _lift_name(server, act, server.entry.access.allowed[0], "allowed")


def disallow_address(server: ServerState, act: Act) -> Reply:
    """Remove a range from the allowed ranges. It has to be written as it was allowed."""
    return _lift_range(server, act, server.entry.access.allowed[0], "allowed")


def restore(server: ServerState, past: AccessRule) -> None:
    """Restore a ban or permission of an earlier life of the server, until its original end."""
    access = server.entry.access
    (access.allowed[0] if past.allows else access.bans).put(_made(server, past))


def heed_file(server: ServerState, rules: Sequence[AccessRule]) -> None:
    """Replace the rules of the organiser's file, and remove peers that are no longer allowed."""
    access = server.entry.access
    # Rules by order stay: they are in the journal, not in the file.
    access.denied, access.allowed = Bans(), (access.allowed[0], Bans())
    for rule in rules:
        (access.allowed[1] if rule.allows else access.denied).put(_made(server, rule))
    there = _shut_out(server)
    server.note("access read", rules=len(rules), removed=len(there))
    send_away(server, there)


def go_on(server: ServerState, _subject: str) -> None:
    """Remove a few more of the peers to be removed."""
    waiting = REMOVALS.of(server)
    for _ in range(min(GO_AT_ONCE, len(waiting))):
        removal = waiting.popleft()
        peer = _as_of_now(server, removal.peer)
        if peer is not None:
            _expel(server, removal._replace(peer=peer))
    if waiting:
        server.start(REST, 0)


# Steps.


def _done(server: ServerState, act: Act, there: list[Peer], subject: str) -> Reply:
    """Record the act, and remove these peers."""
    server.emit(RecordAct(str(act.kind), subject, "", act.who, act.why, act.seconds))
    send_away(server, there, f"removed by the organiser: {act.why}")
    return Removed(len(there))


def send_away(server: ServerState, there: Iterable[Peer], text: str = "", *, may_return: bool = False) -> None:
    """Send these peers the reason and close their connections, a few now and the others soon. Without a text, each gets
    the reason why it is not allowed; ``may_return``: a championship waits for those who are entrants."""
    waiting = REMOVALS.of(server)
    # Where a removal is under way, its timer goes on with these, too.
    idle = not waiting
    waiting.extend(
        Removal(peer, text or f"removed by the organiser: {_why_out(server, peer)}", may_return) for peer in there
    )
    if idle and waiting:
        go_on(server, "")


def _put_name(server: ServerState, act: Act, into: Bans) -> Ban | str:
    """Add a name to the bans; or return what is wrong with it."""
    wrong = wrong_name(act.subject)
    if wrong is not None:
        return f"name {wrong}"
    known = into.names.get(unique_form(act.subject))
    name = act.subject if known is None else known.subject  # the journal uses one spelling
    found = Ban(name, act.why, _until(server, act))
    into.put(found)
    return found


def _put_range(server: ServerState, act: Act, into: Bans) -> Network | str:
    wanted = read_range(act.subject)
    if not isinstance(wanted, str):
        into.put(Ban(str(wanted), act.why, _until(server, act), True))
    return wanted


def _lift_name(server: ServerState, act: Act, out_of: Bans, what: str) -> Reply:
    found = out_of.names.pop(unique_form(act.subject), None)
    if found is None:
        known = named(one.subject for one in out_of.names.values())
        return Declined(f"{act.subject!r} is not {what}; {what} are: {known}")
    return _done(server, act, [], found.subject)


def _lift_range(server: ServerState, act: Act, out_of: Bans, what: str) -> Reply:
    wanted = read_range(act.subject)
    if isinstance(wanted, str):
        return Declined(wanted)
    if out_of.ranges.pop(wanted, None) is None:
        known = named(one.subject for one in out_of.ranges.values())
        return Declined(f"{wanted} is not {what}; {what} are: {known}")
    return _done(server, act, [], str(wanted))


def _made(server: ServerState, rule: AccessRule) -> Ban:
    until = math.inf if rule.left_s is None else server.now + rule.left_s
    return Ban(rule.subject, rule.why, until, rule.is_address)


def _shut_out(server: ServerState) -> list[Peer]:
    """Return all peers, and players who may come back, that are no longer allowed."""
    # With those who are absent: a ban that their session survives would be none.
    peers = [one.peer for one in server.connections.values()] + list(server.absent.until)
    return [peer for peer in dict.fromkeys(peers) if _why_out(server, peer)]


def _why_out(server: ServerState, peer: Peer) -> str:
    host, access = peer.connection.host, server.entry.access
    by_host = access.of_host(host, server.now) if host else ""  # unknown for players of an earlier life
    return by_host or (access.of_name(peer.name, server.now) if peer.name else "")


def _until(server: ServerState, act: Act) -> float:
    return math.inf if act.seconds is None else server.now + act.seconds


def of_name(server: ServerState, name: str) -> list[Peer]:
    """Return all peers with this name, in any equivalent spelling."""
    form, names = unique_form(name), server.names
    found = (names.players.get(form), names.masters.get(form), names.spectators.get(form))
    return [peer for peer in found if peer is not None]


def _of_range(server: ServerState, wanted: Network) -> list[Peer]:
    """Return all peers from a range, and absent players from it."""
    peers = [one.peer for one in server.connections.values()] + list(server.absent.until)
    return [peer for peer in dict.fromkeys(peers) if _is_within(peer.connection.host, wanted)]


def _is_within(host: str, wanted: Network) -> bool:
    ip = ip_of(host)
    return ip is not None and ip in wanted


def _as_of_now(server: ServerState, peer: Peer) -> Peer | None:
    """Return who has to go in place of a peer that waited for its removal. None: it has gone by itself."""
    known = server.connections.get(peer.conn)
    if known is None or known.peer is peer:
        return peer if known is not None or (isinstance(peer, Player) and peer in server.absent) else None
    # It has logged in since, which is no way round a ban of its address.
    return known.peer


def _expel(server: ServerState, removal: Removal) -> None:
    """Send a peer the reason, and remove it for good."""
    peer = removal.peer
    server.note("removed", peer, warning=True, reason=removal.text)
    # An absent player has a session and no line.
    if peer.conn in server.connections:
        server.error(peer, removal.text)
        server.close(peer)
    if removal.may_return and isinstance(peer, Player):
        entrants.expect_back(server, peer)
    departures.depart(server, peer, Cause.EXPELLED)


def _near(server: ServerState, name: str) -> str:
    """Return names that begin like this one, for the end of a sentence."""
    form, names = unique_form(name), server.names
    near = [
        peer.name for peers in (names.players, names.masters) for known, peer in peers.items() if known.startswith(form)
    ]
    return f"; there is {named(near)}" if near and form else ""
