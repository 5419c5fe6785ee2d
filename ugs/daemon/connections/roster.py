"""All connections by their numbers, and what the broker knows of the peer at the far end of each."""

from collections.abc import Iterator
from itertools import count

from ugs.broker.state.model import Master, Player
from ugs.broker.state.server_state import ServerState
from ugs.daemon.connections.connection import Connection
from ugs.daemon.connections.outbox import Outbox
from ugs.daemon.fairness.fair_queue import PeerStanding


class Roster:
    """Filled by :class:`ugs.daemon.peers.Peers` and read by all others."""

    def __init__(self, server: ServerState) -> None:
        self.connections: dict[int, Connection] = {}
        self.numbers: Iterator[int] = count(1)
        """The numbers of connections and of players of gateways to come."""
        self.passed_on = 0
        """Peers that are no longer the broker's, and still there."""
        self._known = server.connections

    def name_of(self, number: int) -> str:
        """The name that a connection has logged in with, or nothing."""
        return self._known[number].peer.name if number in self._known else ""

    def standing_of(self, connection: Connection) -> PeerStanding:
        """A connection's standing among the others. A master has the shares of all players of its games: what it sends
        is for them."""
        known, origin = self._known, connection.meter.origin
        peer = known[connection.number].peer if connection.number in known else None
        if isinstance(peer, Master):
            # Two for each game, as for its players: with one share beside a hundred floods all would be late.
            return PeerStanding(origin, bool(peer.games), 1 + 2 * len(peer.games))
        return PeerStanding(origin, isinstance(peer, Player) and peer.game is not None)

    def weight_of(self, connection: Connection) -> float:
        """For how many peers a connection holds what it holds."""
        return self.standing_of(connection).weight

    def way_of(self, connection: Connection) -> Outbox | None:
        """The outbox that takes what a player sends in its game: that of the game's master. None for any other peer."""
        known, connections = self._known, self.connections
        peer = known[connection.number].peer if connection.number in known else None
        if not isinstance(peer, Player) or peer.game is None or peer.game.master.conn not in connections:
            return None
        return connections[peer.game.master.conn].outbox
