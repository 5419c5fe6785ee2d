"""How long a player's clock may stand still while the state that asks it travels: as long as the player takes bytes,
and not for ever.

A player that reads nothing keeps the state in the server, and knows most of it all the same if it is large: then it
would think for nothing. So what is not counted has to be earned with bytes that its machine has taken, at a rate that
any modem has; beyond that a line may stand still for some seconds of a game, as lines do.
"""

from typing import Final

MIN_BYTES_PER_S: Final = 1024
"""Bytes that earn a second."""
MAX_STALL_S: Final = 10.0
"""Seconds that are not counted though nothing earns them, of one player in one game."""
MAX_WAIT_S: Final = 60.0
"""Most seconds of one move that are not counted, however many bytes were taken: those of 60 KiB at the lowest rate."""
MAX_CREDIT_S: Final = 1800.0
"""The same of all moves of one player in one game."""
FREE_S: Final = 0.25
"""A wait no longer than this is not the peer's fault and is not charged; nor is the line looked at more often."""


class Credit:
    """What is left to one player in one game."""

    __slots__ = ("_left_s", "_stall_left_s")

    def __init__(self) -> None:
        self._left_s = MAX_CREDIT_S
        self._stall_left_s = MAX_STALL_S

    def worth_s(self, taken_bytes: int) -> float:
        """Seconds that may go by uncounted while that many bytes are taken."""
        return min(MAX_WAIT_S, self._left_s, self._stall_left_s + taken_bytes / MIN_BYTES_PER_S) + FREE_S

    def spend(self, waited_s: float, taken_bytes: int) -> None:
        """Record that this many seconds were not counted, while this many bytes were taken."""
        if waited_s > FREE_S:
            self._left_s = max(0.0, self._left_s - waited_s)
            self._stall_left_s = max(0.0, self._stall_left_s - max(0.0, waited_s - taken_bytes / MIN_BYTES_PER_S))
