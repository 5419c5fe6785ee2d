"""Nodes and homes in memory: what a door needs to know to send a login on, without asking the database."""

from collections.abc import Mapping
from dataclasses import field
from typing import Final

from ugs.value import value

FRESH_S: Final = 5.0
"""A node that has not been seen for longer does not answer."""


@value
class SeenNode:
    """A node as the table of homes shows it."""

    name: str
    number: int
    address: str
    """``HOST:PORT`` where other nodes connect; empty if it has never run."""
    seen_ago_s: float
    """Seconds since its last sign of life, by the database's clock; infinite if there was none."""
    socket: str = ""
    """Its machine and the path where nodes there hand peers over to it (local_line.py); empty if they cannot."""

    @property
    def answers(self) -> bool:
        """Whether it is thought to be there."""
        return bool(self.address) and self.seen_ago_s <= FRESH_S


@value
class Home:
    """Where a game type is at home."""

    node: str
    number: int
    """How many times it has been given a home."""


@value
class Homes:
    """One look at the table of homes. The empty value knows nothing, so every game type is at home where it is asked
    for."""

    nodes: Mapping[str, SeenNode] = field(default_factory=dict)
    homes: Mapping[str, Home] = field(default_factory=dict)
    """By game type."""
    secret: str = field(default="", repr=False)

    def node_of_type(self, game_type: str) -> str:
        """Return the name of the node where a game type is at home; empty if it has no home."""
        home = self.homes.get(game_type)
        return home.node if home is not None else ""

    def node_numbered(self, number: int) -> str:
        """Return the name of the node with this number; empty if there is none."""
        return next((node.name for node in self.nodes.values() if node.number == number), "")

    def types_at(self, node: str) -> list[str]:
        """Return the game types that are at home at a node, sorted."""
        return sorted(game_type for game_type, home in self.homes.items() if home.node == node)
