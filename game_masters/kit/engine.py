"""Programs that speak a protocol of engines, as players: what ``ugs bot uci -- stockfish`` needs to know.

A package announces a protocol as an entry point of the group ``ugs.engines``: an :class:`EngineProtocol` under its
name on the command line.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import entry_points
from typing import Any, Final, Protocol

from game_masters.kit.engine_process import EngineFailed
from game_masters.kit.rules import Bot, Options

GROUP: Final = "ugs.engines"


@dataclass(frozen=True)
class EngineOrders:
    """What an engine is started with."""

    command: Sequence[str]
    options: Mapping[str, str] = field(default_factory=dict)
    """Set by name before the first game."""
    go: str = ""
    """How long it thinks, in the words of its protocol; empty: as its clock allows, else the default of the
    protocol."""


class PlayingEngine(Protocol):
    """An engine that runs."""

    def bot(self) -> Bot[Any, Any]:
        """Return the engine as a bot: each choice waits for it."""

    def close(self) -> None:
        """End it."""


@dataclass(frozen=True)
class EngineProtocol:
    """A protocol that engines speak."""

    name: str
    game: str
    """The name of the installed game that is played unless another one is named."""
    games: tuple[str, ...]
    """All games that can be played by it."""
    start: Callable[[EngineOrders, Options], PlayingEngine]
    """Starts an engine for games with these options. Raises EngineFailed."""


def find_protocol(name: str) -> EngineProtocol | None:
    """Return the protocol of this name; None: there is none. Raises EngineFailed where it cannot be loaded."""
    for point in entry_points(group=GROUP, name=name):
        try:
            found = point.load()
        except Exception as error:  # the code of others
            raise EngineFailed(f"the protocol {name!r} cannot be used: {error}") from error
        if isinstance(found, EngineProtocol):
            return found
    return None
