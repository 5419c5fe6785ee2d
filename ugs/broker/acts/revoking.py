"""The list of tokens grows: a name has a token now, or has none any more, and who used the old one has to go."""

from collections.abc import Sequence

from ugs.broker.acts.removing import of_name, send_away
from ugs.broker.state.connection import Peer, Spectator
from ugs.broker.state.model import Master, Player
from ugs.broker.state.server_state import ServerState
from ugs.broker.values.identity import Identity, Role


def take(server: ServerState, rows: Sequence[Identity]) -> None:
    """Take in rows of the list, in their order. A name that gets its first token stays with whoever has it now."""
    for row in rows:
        before = server.entry.identities.take(row)
        if before is None or before.digest == row.digest:
            continue
        there = [peer for peer in of_name(server, row.name) if _used(server, peer, before)]
        what = "replaced" if row.digest else "revoked"
        why = f": {row.why}" if row.why else ""
        server.note(f"token {what}", role=str(row.role), name=row.name, why=row.why)
        send_away(server, there, f"the token of {row.name} was {what} by the organiser{why}")


def _used(server: ServerState, peer: Peer, before: Identity) -> bool:
    """Whether a peer has its name by the token that is replaced. One whose address needs none may stay."""
    if isinstance(peer, Spectator):
        proven = peer.connection.proven
        return proven is not None and (proven.role, proven.digest) == (before.role, before.digest)
    of_role = Player if before.role is Role.PLAYER else Master
    return isinstance(peer, of_role) and not server.entry.identities.is_trusted(
        peer.connection.host, before.role, before.name
    )
