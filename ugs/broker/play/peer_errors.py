"""Peers that report an error of their own."""

from ugs.broker.play import errors_per_minute, reasons, record_entries
from ugs.broker.state.connection import Peer
from ugs.broker.state.model import Master, Player
from ugs.broker.state.server_state import ServerState
from ugs.wire.messages import Error


def reported(server: ServerState, peer: Peer, message: Error) -> str | None:
    """A peer reports an error: it is logged and recorded, up to a number per minute."""
    # Beyond that nothing is kept: a peer that reports without end must not fill log and journal.
    if errors_per_minute.within_reports(server, peer):
        game = peer.game.id if isinstance(peer, Player) and peer.game is not None else None
        record_entries.error(server, peer, message.text)
        if isinstance(peer, Master):
            reasons.blurt(server, peer, message.text)
        server.note("peer reports an error", peer, warning=True, text=message.text, game=game)
    return None
