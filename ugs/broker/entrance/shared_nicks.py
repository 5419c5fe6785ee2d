"""Nicks that several servers share: one that is in use at one of them is in use at all.

A server alone knows all nicks. A node of several has a nick only after the others have had their say: the message that
wants it waits, the effect ``ClaimNick`` goes out, the event ``NickClaimed`` comes back, and the fact ``Proven`` lets
the message go on. All conditions are checked again then. When the nick is free, ``ReleaseNick`` lets the others know.
"""

from dataclasses import dataclass, field
from typing import Final, NamedTuple

from ugs.broker.effects import ClaimNick, ReleaseNick
from ugs.broker.entrance import refusals
from ugs.broker.events import NickClaimed
from ugs.broker.facts import Proven
from ugs.broker.play import dismissals
from ugs.broker.state.connection import Newcomer, Peer
from ugs.broker.state.extras import Key
from ugs.broker.state.server_state import ServerState
from ugs.broker.values.name_rules import unique_form
from ugs.wire.extensions import Failed, RefusalReason, Watch
from ugs.wire.messages import LoginError, PlayerLogin

AGAIN_S: Final = 5.0
"""Seconds after which a peer may try again, when the other servers could not be asked."""


class NickSpace(NamedTuple):
    """A nick in its unique form, of a player or of a spectator."""

    form: str
    watches: bool


class Wanting(NamedTuple):
    """A peer that waits for a nick, and the message that wants it."""

    peer: Peer
    message: PlayerLogin | Watch


@dataclass(slots=True)
class Claims:
    """What is being asked."""

    waiting: dict[NickSpace, list[Wanting]] = field(default_factory=dict)
    peers: set[int] = field(default_factory=set)
    """The connections of all who wait."""
    granted: NickSpace | None = None
    """The nick that is ours, while the messages that want it go on."""


CLAIMS: Final[Key[Claims]] = Key("nick claims", Claims)


def is_waiting(server: ServerState, peer: Peer) -> bool:
    """Whether a message of this peer waits until it is known whether its nick is free."""
    found = CLAIMS.find(server)
    return found is not None and peer.conn in found.peers


def holds(server: ServerState, peer: Peer, message: PlayerLogin | Watch) -> bool:
    """Return whether a message has to wait until the nick in it is known to be free at all servers; the nick must be
    free here. At a server alone nothing waits."""
    nick = NickSpace(unique_form(message.nick or ""), isinstance(message, Watch))
    if not server.config.node or _is_in_use(server, nick):
        return False
    claims = CLAIMS.of(server)
    if claims.granted == nick:
        return False
    claims.peers.add(peer.conn)
    waiting = claims.waiting.setdefault(nick, [])
    waiting.append(Wanting(peer, message))
    if len(waiting) == 1:
        server.emit(ClaimNick(*nick))
    return True


def give_back(server: ServerState, name: str, *, watches: bool = False) -> None:
    """No peer here has this nick any more: let the other servers know, unless it is wanted again already."""
    nick = NickSpace(unique_form(name), watches)
    if server.config.node and nick not in CLAIMS.of(server).waiting and not _is_in_use(server, nick):
        server.emit(ReleaseNick(*nick))


def claimed(server: ServerState, event: NickClaimed) -> None:
    """The answer of all servers: let the messages that want this nick go on, or refuse them."""
    claims, nick = CLAIMS.of(server), NickSpace(event.form, event.watches)
    for wanting in claims.waiting.pop(nick, ()):
        claims.peers.discard(wanting.peer.conn)
        connection = server.connections.get(wanting.peer.conn)
        if connection is None or connection.peer is not wanting.peer:
            continue
        if event.holder or event.failure:
            _refuse(server, wanting, event)
            continue
        claims.granted = nick
        server.report(Proven(wanting.peer, wanting.message))
        claims.granted = None
    if not event.holder and not event.failure:
        give_back(server, event.form, watches=event.watches)


def _is_in_use(server: ServerState, nick: NickSpace) -> bool:
    return nick.form in (server.names.spectators if nick.watches else server.names.players)


def _refuse(server: ServerState, wanting: Wanting, event: NickClaimed) -> None:
    peer, message = wanting
    text = event.failure or f"nick {refusals.IN_USE}"
    if isinstance(message, Watch):
        reason = RefusalReason.USER_LIMIT if event.failure else RefusalReason.DUPLICATE_USER
        server.send_extension([peer], Failed(reason, f"{message.TYPE}: {text}", ref=message.ref))
        if isinstance(peer, Newcomer):
            peer.is_refused()
            dismissals.count_refusal(server, peer)
        return
    assert isinstance(peer, Newcomer), "who has logged in has no other login waiting"
    if event.failure:
        full, limit = LoginError.PLAYERS_POOL_OVERFLOW, RefusalReason.USER_LIMIT
        refusals.refuse_for_now(server, peer, message, full, limit, text, AGAIN_S)
    else:
        refusals.refuse(server, peer, message, LoginError.WRONG_NICK, text)
