"""Is a move in time? Limits that count wall or processor time, with strikes; no I/O, no clock."""

from dataclasses import dataclass
from typing import Final, Literal

from ugs.processor_time import ProcessorUse

SHOWN_S: Final = 0.001
"""Less is not worth a word."""


@dataclass(frozen=True, slots=True)
class TimeLimits:
    """What a move may take, in seconds; 0 is no limit."""

    clock: Literal["wall", "cpu"] = "wall"
    """wall: the time until the move, without waits of a ready bot for a free processor. cpu: what the
    bot and all that it has started used of processors."""
    soft_s: float = 0.0
    strikes: int = 0
    """Moves of a game that may be above ``soft_s``; with one more the game is lost."""
    hard_s: float = 0.0
    """One move above it loses the game."""

    @property
    def set(self) -> bool:
        """Whether there is anything to look at."""
        return bool(self.soft_s or self.hard_s)

    @property
    def longest_s(self) -> float:
        """What no move may take."""
        return self.hard_s or (self.soft_s if not self.strikes else 0.0)

    def counted_s(self, wall_s: float, use: ProcessorUse) -> float:
        """What of a move counts."""
        return use.used_s if self.clock == "cpu" else max(0.0, wall_s - use.waited_s)


class Strikes:
    """One game of one bot."""

    def __init__(self, limits: TimeLimits) -> None:
        self._limits = limits
        self.count = 0

    def judge(self, wall_s: float, use: ProcessorUse, *, moved: bool = True) -> str:
        """Why a move, or thinking that still goes on, loses the game; empty while it does not."""
        limits = self._limits
        counted_s = limits.counted_s(wall_s, use)
        if limits.hard_s and counted_s > limits.hard_s:
            return in_words(limits, counted_s, limits.hard_s, use)
        if not moved or not limits.soft_s or counted_s <= limits.soft_s:
            return ""
        self.count += 1
        if self.count <= limits.strikes:
            return ""
        strikes = f", {self.count} times in this game ({limits.strikes} allowed)" if limits.strikes else ""
        return in_words(limits, counted_s, limits.soft_s, use) + strikes


def in_words(limits: TimeLimits, counted_s: float, allowed_s: float, use: ProcessorUse) -> str:
    """``thought 1,840 ms of 1,000 allowed; waited 310 ms for a processor: not counted``."""
    text = f"thought {_ms(counted_s)} ms of {_ms(allowed_s)} allowed"
    if limits.clock == "cpu":
        text += " (processor time)"
    if use.waited_s >= SHOWN_S:
        text += f"; waited {_ms(use.waited_s)} ms for a processor: not counted"
    return text


def _ms(seconds: float) -> str:
    return f"{round(1000 * seconds):,}"
