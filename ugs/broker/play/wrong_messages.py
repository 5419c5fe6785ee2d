"""Answers to peers that sent something wrong."""

from ugs.broker.play import errors_per_minute, record_entries
from ugs.broker.state.connection import Peer
from ugs.broker.state.server_state import ServerState


def complain(server: ServerState, peer: Peer, text: str, game_id: str = "") -> None:
    """Answer a wrong message with an ``error``; close the peer if it was one too many within a minute."""
    refuse(server, peer, text, game_id)
    errors_per_minute.count(server, peer, text)


def refuse(server: ServerState, peer: Peer, text: str, game_id: str = "") -> None:
    """Answer a message with an ``error`` that is not counted, regardless of whose mistake it was."""
    # In the record, too: `ugs why` shows the author of a bot what was wrong.
    record_entries.refused(server, peer, text, game_id)
    server.note("wrong message", peer, warning=True, reason=text)
    server.error(peer, text)
