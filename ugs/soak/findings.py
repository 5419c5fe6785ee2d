"""What one attack did to the others, held against the bounds."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from ugs.bench.message_counts import percentile

WITNESS_P99_MS: Final = 250.0
HOLD_MS: Final = 20.0
GROWTH_BYTES: Final = 200 * 1024 * 1024
LOG_BYTES_PER_S: Final = 10_000.0
WORKER_BYTES: Final = 450 * 1024 * 1024
"""The bounds: the slowest hundredth of the witness's moves, the longest hold of the loop in processor time, how much
more memory the server has at the peak than before, how much it writes into its log, and the memory of each process that
works for it: ``max_page_worker_bytes``, and what it shares with others."""


@dataclass(frozen=True, slots=True)
class Trips:
    """Round trips of the witness's moves, in milliseconds; ``moves`` is how many there were."""

    moves: int
    p50_ms: float
    p99_ms: float
    max_ms: float

    @classmethod
    def of(cls, trips_ns: Sequence[int]) -> "Trips":
        """Their percentiles; 0 where there was none."""
        if not trips_ns:
            return cls(0, 0.0, 0.0, 0.0)
        ascending = sorted(trips_ns)
        return cls(len(ascending), *(percentile(ascending, percent) / 1e6 for percent in (50, 99, 100)))


@dataclass(frozen=True, slots=True)
class ServerMemory:
    """Resident memory of the server, in bytes."""

    before: int
    peak: int
    after: int

    @property
    def growth(self) -> int:
        """By how much it grew."""
        return self.peak - self.before


@dataclass(frozen=True, slots=True)
class AttackFinding:
    """One attack."""

    name: str
    what: str
    seconds: float
    """How long it went on, its preparation included."""
    alone: Trips
    attacked: Trips
    hold_ms: float
    """The longest hold; 0 where none was above the watchdog's own bound."""
    holds: int
    holder: str
    """Who held the server up, and with what."""
    memory: ServerMemory
    healthy: int
    unhealthy: int
    harm: tuple[str, ...]
    """What happened to the witness: losses, void games, lost lines."""
    dealt: dict[str, Any]
    """How the server dealt with the attacker: a :class:`ugs.soak.target.Dealt`."""
    log_bytes_per_s: float = 0.0
    """What the server has written into its log, over ten seconds at least: the first lines of each kind are written at
    once, and the bound is for those that follow, too."""
    worker_bytes: int = 0
    """The memory of the largest process that worked for it, at its peak."""

    @property
    def broken(self) -> list[str]:
        """The bounds that were broken, in words."""
        data = []
        # Without moves there is no p99 that could break its bound.
        if not self.attacked.moves:
            data.append("the witness has made no move")
        if self.attacked.p99_ms > WITNESS_P99_MS:
            data.append(f"witness p99 {self.attacked.p99_ms:.0f} ms, bound {WITNESS_P99_MS:.0f}")
        if self.hold_ms > HOLD_MS:
            data.append(f"hold {self.hold_ms:.0f} ms, bound {HOLD_MS:.0f}: {self.holder}")
        if self.memory.growth > GROWTH_BYTES:
            data.append(f"memory +{megabytes(self.memory.growth)} MB, bound {megabytes(GROWTH_BYTES)}")
        if self.worker_bytes > WORKER_BYTES:
            data.append(f"a worker has {megabytes(self.worker_bytes)} MB, bound {megabytes(WORKER_BYTES)}")
        if self.unhealthy and not self.healthy:
            data.append(f"none of {self.unhealthy} health checks was answered")
        if self.log_bytes_per_s > LOG_BYTES_PER_S:
            data.append(f"log {self.log_bytes_per_s / 1000:.1f} kB/s, bound {LOG_BYTES_PER_S / 1000:.0f}")
        if self.dealt.get("unprepared"):
            data.append("the attack was never prepared")
        data += self.dealt.get("harm", ())
        data += self.harm
        return data

    def as_dict(self) -> dict[str, Any]:
        """All of it, for JSON."""
        return {**asdict(self), "growth_bytes": self.memory.growth, "broken": self.broken}


def megabytes(amount: int) -> int:
    """Bytes as whole megabytes, rounded."""
    return round(amount / 1024 / 1024)
