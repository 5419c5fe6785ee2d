"""Budgets of time as they stand: what is left to each player, and whose clock runs."""

from dataclasses import dataclass, field


@dataclass(slots=True)
class RunningClock:
    """The clock of one player who has to move, in a game with budgets of time. Seconds."""

    since: float
    allowed_s: float
    """The most time it may take, the credit for its network included."""

    def begins(self, now: float) -> None:
        """The state was handed to the player only now."""
        self.since = now


@dataclass(slots=True)
class Budgets:
    """How much time the players of one game have left for all their moves. Seconds, by nick."""

    left: dict[str, float]
    """As of when the player's clock last stopped; infinite if only single moves are limited."""
    running: dict[str, RunningClock] = field(default_factory=dict)
    of_move: dict[str, float] = field(default_factory=dict)
    """What was left of the time for the last move when it arrived: where it is refused, the player has that still."""
