"""New rows in the list of tokens: a name gets or loses a token, and peers with the old one are removed."""

from collections.abc import Sequence

from ugs.broker.acts.removing import of_name, send_away
from ugs.broker.state.connection import Peer, Spectator
from ugs.broker.state.model import Master, Player
from ugs.broker.state.server_state import ServerState
from ugs.broker.values.identity import Identity, Role


def take(server: ServerState, rows: Sequence[Identity]) -> None:
    """Apply rows of the list, in order. A name that gets its first token stays with the peer that has it now."""
    for row in rows:
        before = server.entry.identities.take(row)
        # A first token sends no peer away: the one that has the name has used it rightly so far.
        if before is None or before.digest == row.digest:
            continue
        there = [peer for peer in of_name(server, row.name) if _used(server, peer, before)]
        what = "replaced" if row.digest else "revoked"
        why = f": {row.why}" if row.why else ""
        server.note(f"token {what}", role=str(row.role), name=row.name, why=row.why)
        # Whose token it is may be another one than who has just used it, and comes with the next one.
        text = f"the token of {row.name} was {what} by the organiser{why}"
        send_away(server, there, text, may_return=True)


def _used(server: ServerState, peer: Peer, before: Identity) -> bool:
    """Return whether a peer has its name by the token being replaced. A peer whose address needs no token may stay."""
    if isinstance(peer, Spectator):
        proven = peer.connection.proven
        return proven is not None and (proven.role, proven.digest) == (before.role, before.digest)
    of_role = Player if before.role is Role.PLAYER else Master
    return isinstance(peer, of_role) and not server.entry.identities.is_trusted(
        peer.connection.host, before.role, before.name
    )
