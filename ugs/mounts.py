"""Mounts: applications of other packages in the page of a server, at a path of their own.

A package names a :class:`MountFactory` among the entry points ``ugs.mounts``; the setting ``mounts`` lists those
that are open. What it does for players it does as players: it is handed a way to connect to the broker like any other
peer, and knows nothing else of the server.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol

from ugs.config import ConfigError
from ugs.distributions import what_to_install
from ugs.loading import entry_points
from ugs.printable import unknown

if TYPE_CHECKING:
    import trio
    from starlette.types import ASGIApp

GROUP: Final = "ugs.mounts"
"""The entry points among which mounts are found."""


class Mount(Protocol):
    """One application."""

    path: str
    """Where it is mounted, such as ``/mcp``; it gets the requests for this very path."""
    app: "ASGIApp"

    async def run(self) -> None:
        """Run what the application needs, until cancelled."""
        ...


class MountFactory(Protocol):
    """Makes the mount of one server."""

    def __call__(self, connect: "Callable[[str], trio.abc.Stream]", /) -> Mount:
        """``connect(address)`` is a new connection to the broker, which counts for this address; it raises OSError if
        there can be none."""
        ...


def load_mounts(names: Sequence[str]) -> list[Any]:
    """Return the factories of these mounts. Raises ConfigError for one that is not installed or cannot be loaded."""
    found = {point.name: point for point in entry_points(group=GROUP)}
    factories: list[Any] = []
    for name in names:
        if name not in found:
            raise ConfigError(f"mounts: {unknown('mount', name, sorted(found))}")
        try:
            factories.append(found[name].load())
        except Exception as error:  # a package of others may do anything wrong
            hint = what_to_install(error) if isinstance(error, ImportError) else ""
            raise ConfigError(f"mounts: {name}: {error}{hint and f': {hint}'}") from error
    return factories
