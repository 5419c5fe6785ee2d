"""Pings of peers are answered, whatever family they have asked for: ``session`` or any other."""

from ugs.broker.extensions.request import ANY_STATE, ExtensionModule, Refusal, Request
from ugs.broker.state.connection import Peer
from ugs.broker.state.server_state import ServerState
from ugs.wire.extensions import Family, Ping, Pong


def ping(server: ServerState, peer: Peer, message: Ping) -> Refusal | None:
    """Answer a ping of a peer."""
    server.send_extension([peer], Pong(message.ref))
    return None


EXTENSION = ExtensionModule(requests={Ping: Request(frozenset(Family), ANY_STATE, ping)})
