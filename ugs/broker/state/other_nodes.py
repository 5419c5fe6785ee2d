"""What this server knows of the other nodes of its cluster."""

from collections.abc import Sequence
from math import inf
from typing import Final

from ugs.broker.state.extras import Key
from ugs.broker.values.node_overview import OtherNode


class OtherNodes:
    """The latest look at them."""

    def __init__(self) -> None:
        self._nodes: Sequence[OtherNode] = ()
        self._at = self._until = -inf

    def take(self, nodes: Sequence[OtherNode], now: float, valid_s: float) -> None:
        """This is what was seen; it is forgotten ``valid_s`` seconds from now, unless it is seen again."""
        self._nodes, self._at, self._until = nodes, now, now + valid_s

    def seen(self, now: float) -> Sequence[OtherNode]:
        """Return all that answered at the latest look; none when that is too old."""
        return self._nodes if now < self._until else ()

    def looked_ago_s(self, now: float) -> float:
        """Return how long ago the latest look was."""
        return now - self._at


OTHER_NODES: Final[Key[OtherNodes]] = Key("other nodes", OtherNodes)
