"""Peers that are sent the reason, and whose connections the server closes then."""

import re
from typing import Final

from ugs.broker.events import Timer, TimerKind
from ugs.broker.facts import Dismissed
from ugs.broker.play import record_entries
from ugs.broker.state.connection import Newcomer, Peer
from ugs.broker.state.model import Master
from ugs.broker.state.server_state import ServerState
from ugs.broker.verdict import Cause
from ugs.wire.messages import Error, PlayerLeftGame, ServerShutdown

NOT_FOR_QUIET: Final = frozenset({Error, PlayerLeftGame, ServerShutdown})
"""Messages that old masters may not know."""
_COMPLAINT: Final = re.compile(
    r"unknown|unexpected|unhandled|unsupported|recogni[sz]e|invalid|not (?:known|supported|implemented)|message type",
    re.IGNORECASE,
)
QUIET_HINT: Final = (
    "if this game master does not know error, playerLeftGame or serverShutdown, "
    "set quiet_master = true for its game type"
)


def dismiss(
    server: ServerState,
    peer: Peer,
    text: str,
    cause: Cause = Cause.DISCONNECTED,
    *,
    around: str = "",
    **seen: str,
) -> None:
    """Send a peer the reason and close its connection. ``cause`` is the cause for its game, if it is a player. The log
    also shows ``seen``; ``around`` is appended for the peer alone."""
    record_entries.refused(server, peer, text, "")
    server.note("dismissed", peer, warning=True, reason=text, **seen)
    server.error(peer, text + around)
    server.close(peer)
    server.report(Dismissed(peer, cause, text))


def count_refusal(server: ServerState, newcomer: Newcomer) -> None:
    """A login or a token was refused; after ``login_attempts`` of them the connection is closed."""
    if newcomer.refusals >= server.config.login_attempts:
        server.note("too many refused logins", newcomer, warning=True)
        server.stop(Timer(TimerKind.LOGIN, newcomer.conn))
        server.close(newcomer)


def garbled(server: ServerState, peer: Peer, text: str, opening: str, around: str) -> None:
    """Close a peer that sent bytes which cannot be cut into documents; it alone gets what is ``around`` the place. If
    they are no XML at all, the log has the beginning, ``opening``: some old game masters print unknown messages to the
    stream of their own messages."""
    seen = {"said": opening} if opening else {}
    if opening and _may_need_quiet(peer, opening):
        seen["hint"] = QUIET_HINT
    dismiss(server, peer, text, Cause.DOCUMENT_REFUSED, around=around, **seen)


def flooded(server: ServerState, peer: Peer, text: str) -> None:
    """Close a peer that has sent more than a limit allows, after a warning."""
    dismiss(server, peer, text, Cause.FLOOD)


def _may_need_quiet(peer: Peer, opening: str) -> bool:
    """Return whether a peer is a game master that seems to complain about a message that old ones do not know."""
    if not isinstance(peer, Master) or peer.type.settings.quiet_master:
        return False
    return peer.connection.last_sent in NOT_FOR_QUIET or _COMPLAINT.search(opening) is not None
