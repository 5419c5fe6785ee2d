"""How much more may be held than at an earlier moment, without a look at any holder.

What peers make the server hold grows with what they send, with what waits to be sent to them and with their number, and
all that is counted anyway. So while little is sent, no look is needed, however little room there is (:class:`Growth`).
Documents that are not complete take room as soon as they come; where these could take half of it, a look follows at
once (:class:`GrowthRoom`).
"""

from collections.abc import Callable

import trio

BYTES_PER_BYTE = 4
"""A byte of a peer becomes at most this many: the shortest move, of 85 bytes, is kept as an entry of 256 and itself."""
MAX_BYTES_PER_S = 1_073_741_824
"""More than all peers together can make the server hold in a second."""


MIN_ROOM = 16_777_216
"""Bytes of documents that may always come between two looks: looking must not take all the time."""


class Growth:
    """Bounds what has grown since :meth:`begin`.

    ``received_bytes`` is what peers have ever sent, ``unsent_bytes`` what waits for them now, ``line_bytes`` what their
    connections themselves take. ``uncounted`` is whether there are peers whose bytes are not known; these may do as
    much as the machine can take in.
    """

    def __init__(
        self,
        received_bytes: Callable[[], int],
        unsent_bytes: Callable[[], int],
        line_bytes: Callable[[], int],
        uncounted: Callable[[], bool],
    ) -> None:
        self._received_bytes = received_bytes
        self._unsent_bytes = unsent_bytes
        self._line_bytes = line_bytes
        self._uncounted = uncounted
        self._received_then = self._line_then = 0
        self._then = 0.0

    def begin(self) -> None:
        """Count from now on."""
        self._received_then, self._line_then = self._received_bytes(), self._line_bytes()
        self._then = trio.current_time()

    def most_bytes(self) -> int:
        """An upper bound of the bytes that are held now and were not held at the beginning."""
        grown = (self._received_bytes() - self._received_then) * BYTES_PER_BYTE + self._unsent_bytes()
        grown += max(0, self._line_bytes() - self._line_then)
        # The clients of gateways are not among what intake counts.
        return grown + int((trio.current_time() - self._then) * MAX_BYTES_PER_S) if self._uncounted() else grown


class GrowthRoom:
    """Knows when half of the room that was left at the latest look may be gone, by what peers have sent since it began
    that cannot be handled yet."""

    __slots__ = ("_gone", "_most", "_taken")

    def __init__(self) -> None:
        self._gone = trio.Event()
        self._most = MIN_ROOM
        self._taken = 0

    def take(self, size: int) -> None:
        """Count this many bytes that have come for an incomplete document."""
        self._taken += size
        if self._taken > self._most:
            self._gone.set()

    def look_begins(self) -> None:
        """What comes from now on may not be found by it."""
        self._taken = 0

    def measured(self, room: int) -> None:
        """The look has found this many bytes of room."""
        self._gone = trio.Event()
        self._most = max(MIN_ROOM, room // 2)
        # What came during the look may be more than half of the room already.
        self.take(0)

    async def gone(self) -> None:
        """Wait until half of it may be gone."""
        await self._gone.wait()
