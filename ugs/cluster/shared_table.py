"""What a node asks of the database that all nodes share."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from ugs.broker.values.access import AccessRule
from ugs.cluster.known_homes import Homes
from ugs.cluster.overview_table import OverviewRow
from ugs.places import DatabaseUrl


class AllOverviews(Protocol):
    """What all nodes show of themselves: :class:`ugs.cluster.overview_table.OverviewTable`."""

    def exchange(self, node: str, fence: int, body: bytes | None, known: Mapping[str, int], /) -> Sequence[OverviewRow]:
        """Show what a node is doing, unless ``body`` is None. Returns what the others have shown."""
        ...


class SharedTable(Protocol):
    """The table of homes: :class:`ugs.cluster.homes_table.HomesTable`."""

    @property
    def overviews(self) -> AllOverviews:
        """What all nodes show of themselves."""
        ...

    def read(self) -> Homes:
        """Return all of it."""
        ...

    def rules(self, number: int, since: int, /) -> tuple[int, Sequence[AccessRule]] | None:
        """Return what is in force by acts of other nodes; None if there are no acts later than ``since``."""
        ...

    def fence(self, journal: DatabaseUrl, /) -> int:
        """Return the fence of a journal."""
        ...

    def beat(self, name: str, address: str, fence: int, socket: str, /) -> bool:
        """A node is alive. Returns False when a later server has come under its name."""
        ...

    def leave(self, name: str, fence: int, /) -> None:
        """A node ends in order."""
        ...

    def claim(self, game_type: str, node: str, /) -> str:
        """Give a game type without a home one at this node. Returns where it is at home."""
        ...

    def close(self) -> None:
        """Close the connection."""
        ...
