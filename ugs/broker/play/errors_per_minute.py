"""The limit ``max_errors_per_minute``: the connection of a peer that sends more wrong messages is closed; errors of its
own that a peer reports beyond it are ignored.

How much peers may send of anything, wrong or not, is limited by ``ugs/daemon/fairness/rates.py``.
"""

from ugs.broker.play import dismissals
from ugs.broker.state.connection import Peer
from ugs.broker.state.server_state import ServerState
from ugs.broker.verdict import Cause

MINUTE = 60.0


def count(server: ServerState, peer: Peer, text: str) -> None:
    """Count a wrong message, and close the peer if it was one too many within a minute; ``text`` is what was wrong."""
    if _within_limit(server, peer.connection.errors):
        return
    most = server.config.max_errors_per_minute
    why = f"{most + 1} wrong messages: {text} (at most {most} in a minute)"
    dismissals.dismiss(server, peer, why, Cause.WRONG_MESSAGES)


def within_reports(server: ServerState, peer: Peer) -> bool:
    """Count one error that a peer reports; False when it was one too many within a minute."""
    return _within_limit(server, peer.connection.reports)


def _within_limit(server: ServerState, latest: list[float]) -> bool:
    """Count one more at this moment; False when there were too many in the last minute."""
    most = server.config.max_errors_per_minute
    # Never more than the limit and one are kept: a flood of errors takes no memory.
    while latest and (latest[0] <= server.now - MINUTE or len(latest) > most):
        del latest[0]
    latest.append(server.now)
    return len(latest) <= most
