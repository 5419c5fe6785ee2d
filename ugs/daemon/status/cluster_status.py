"""What a server knows of the others on its database, if it is a node of a cluster."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, Protocol

from ugs.broker.values.node_overview import NodeCounts

if TYPE_CHECKING:
    from ugs.page.contract import Followed


class ClusterStatus(Protocol):
    """What is known of nodes and homes, for figures and people."""

    def nodes(self) -> Mapping[str, int]:
        """By name: 1 for a node that answers, else 0."""
        ...

    def homes(self) -> Mapping[str, int]:
        """By node: how many game types are at home there."""
        ...

    def counts(self) -> Mapping[str, NodeCounts]:
        """By name: the other nodes that answer in numbers."""
        ...

    def follow(self, game_id: str) -> "Followed | None":
        """A running game of another node, as the page follows it; None if none has shown it."""
        ...

    def relayed(self) -> Mapping[str, int]:
        """By node: how many peers are relayed to it now."""
        ...

    def outcomes(self) -> Mapping[str, int]:
        """How many peers were for another node, by what became of them."""
        ...

    def strangers(self) -> int:
        """How many lines at the port of nodes were no node's."""
        ...

    def obstacle(self) -> str:
        """Why this node is not ready; empty if it is."""
        ...

    def summary(self) -> Mapping[str, Any]:
        """Return all of it for programs; empty where there is no cluster."""
        ...


class Alone:
    """The :class:`ClusterStatus` of a server that is no node."""

    def nodes(self) -> Mapping[str, int]:
        """There are none."""
        return {}

    homes = relayed = outcomes = nodes

    def counts(self) -> Mapping[str, NodeCounts]:
        """There are none."""
        return {}

    def follow(self, _game_id: str) -> None:
        """There is none."""

    def strangers(self) -> int:
        """There is no such port."""
        return 0

    def obstacle(self) -> str:
        """There is none."""
        return ""

    def summary(self) -> Mapping[str, Any]:
        """There is nothing."""
        return {}


ALONE: Final = Alone()
