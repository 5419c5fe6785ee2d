"""What a server holds for peers and games: the list of places, and the account of all of them."""

from collections.abc import Callable, Iterable

from ugs.broker.state.server_state import ServerState
from ugs.daemon.connections.backlog import Unsent
from ugs.daemon.connections.roster import Roster
from ugs.daemon.memory.growth import Growth, GrowthRoom
from ugs.daemon.memory.holders import Happens, Holders
from ugs.daemon.memory.memory_account import RECORD_BYTES, MemoryAccount, MemoryPlace
from ugs.daemon.memory.shedding import Shedding


class Memory:
    """``received_bytes`` is what peers have ever sent, ``unsent`` what waits for them, ``journal_bytes`` what is not on
    disk, ``channel_bytes`` what has not reached all spectators; ``tls_lines`` is the number of lines that speak TLS.
    ``shedding`` judges what is found, ``room`` learns the room left.
    """

    def __init__(
        self,
        server: ServerState,
        happens: Happens,
        roster: Roster,
        *,
        received_bytes: Callable[[], int],
        unsent: Unsent,
        journal_bytes: Callable[[], int],
        channel_bytes: Callable[[], Iterable[int]],
        tls_lines: Callable[[], int],
        shedding: Shedding,
        room: GrowthRoom,
    ) -> None:
        connections = roster.connections
        self.holders = holders = Holders(
            server, happens, connections.values, roster.weight_of, journal_bytes, channel_bytes, tls_lines
        )

        def line_bytes() -> int:
            """What connections themselves take."""
            return (
                len(connections) * RECORD_BYTES[MemoryPlace.CONNECTIONS] + tls_lines() * RECORD_BYTES[MemoryPlace.TLS]
            )

        growth = Growth(received_bytes, lambda: unsent.bytes, line_bytes, lambda: holders.has_clients)
        self.account = MemoryAccount(holders.parts(), shedding.judge, growth, room)
