"""What happened under churn, and which invariants did not hold."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Violation:
    """An invariant that did not hold."""

    what: str
    game: str = ""
    """The id of the game that it is about."""
    story: str = ""
    """That game as the journal has it."""


@dataclass(slots=True)
class Summary:
    """What happened in all rounds."""

    seed: int
    rounds: int = 0
    games: int = 0
    deeds: dict[str, int] = field(default_factory=dict)
    verdicts: dict[str, int] = field(default_factory=dict)
    server_kills: int = 0
    master_kills: int = 0
    bot_kills: int = 0
    results: int = 0
    faults: dict[str, int] = field(default_factory=dict)
    """What has happened to lines and machine, where that was wanted."""
    garbage: int = 0
    """How often a game master has sent what no master may send."""
    memory: list[list[int]] = field(default_factory=list)
    """Resident bytes of the server at the quiet points, by its lives."""
    open_files: list[list[int]] = field(default_factory=list)
    unjudged: int = 0
    """Losses without a known fault while the machine kept the soak itself waiting for a second or more: players who
    came back may have come too late."""
    violations: list[Violation] = field(default_factory=list)
