"""What a measurement asks for: the load on the broker and the time given to it."""

from dataclasses import dataclass

KIB = 1024

PLAYERS_PER_GAME = 2
"""Every game of the bench has two players, who move in turn."""

DEFAULT_MOVES = 60
"""About as long as a game of five in a row between equals."""


@dataclass(frozen=True, slots=True)
class Load:
    """The load: ``games`` games at once, each ``moves`` moves long, with payloads of ``payload_bytes`` bytes."""

    games: int = 100
    moves: int = DEFAULT_MOVES
    payload_bytes: int = 0
    """Size of the content of ``<move>`` and of ``<gameState>``; 0 for an empty element."""
    masters: int = 1
    """Connections that lead the games. A broker with default settings admits one per game type."""
    uneven: bool = False
    """Whether games differ in length by up to a quarter, so that they do not keep step."""

    @property
    def players(self) -> int:
        """Return the number of player connections."""
        return self.games * PLAYERS_PER_GAME

    @property
    def connections(self) -> int:
        """Return the number of connections at the broker, players and masters."""
        return self.players + self.masters

    @property
    def name(self) -> str:
        """The load for people: ``100 games, 4 KiB``."""
        length = ", uneven" if self.uneven else ""
        return f"{self.games} game{'' if self.games == 1 else 's'}, {size_name(self.payload_bytes)}{length}"


@dataclass(frozen=True, slots=True)
class Timing:
    """How long to measure, after how long a warm-up, and in how many rounds."""

    seconds: float = 3.0
    warm_up_seconds: float = 1.0
    rounds: int = 3


MATRIX = (
    Load(games=100),
    Load(games=100, payload_bytes=4 * KIB),
    Load(games=100, payload_bytes=60 * KIB),
    Load(games=200),
    Load(games=10),
    Load(games=1000),
)
"""The loads that have goals."""


def size_name(size: int) -> str:
    """Return a size for people: ``empty``, ``300 B``, ``4 KiB``."""
    if size == 0:
        return "empty"
    return f"{size // KIB} KiB" if size % KIB == 0 else f"{size} B"
