"""One cost after another: measured at its limits and at half of them, and held against the bound."""

import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import thread_time_ns

from ugs.daemon.fairness.watchdog import HOLD_S
from ugs.soak.costs.scene import Cost, CostScene

HALF = 0.5
MAX_GROWTH = 3.0
"""How many times as expensive twice as much may be: a little more than twice, since memory is farther away."""
MIN_JUDGED_US = 2000.0
"""What costs less is not judged by its growth: no player notices it, and small figures vary."""


@dataclass(frozen=True, slots=True)
class MeasuredCost:
    """What one cost is, in microseconds of processor time."""

    cost: Cost
    elements: int
    us: float
    """With all that the limits let in."""
    half_us: float
    """With half of it."""

    @property
    def growth(self) -> float:
        """How many times as expensive all of it is as half of it."""
        return self.us / self.half_us if self.half_us else 1.0

    @property
    def broken(self) -> str:
        """What is above a bound; empty when nothing is."""
        if self.us > HOLD_S * 1e6:
            return f"holds the loop for {self.us / 1000:.1f} ms, at most {HOLD_S * 1000:.0f} are allowed"
        if self.us > MIN_JUDGED_US and self.growth > MAX_GROWTH:
            return f"twice as much costs {self.growth:.1f} times, at most {MAX_GROWTH:g} are allowed"
        return ""

    def as_dict(self) -> dict[str, object]:
        """Ready to be JSON."""
        limits = {limit.name: limit.most for limit in self.cost.limits}
        return {
            "name": self.cost.name,
            "limits": limits,
            "elements": self.elements,
            "microseconds": round(self.us, 1),
            "half": round(self.half_us, 1),
            "broken": self.broken,
        }


def measure_costs(costs: Iterable[Cost]) -> Iterator[MeasuredCost]:
    """Measure one after another; takes a minute or two for all, most of it to let thousands of peers in."""
    for cost in costs:
        _, half_us = measure_scene(cost.stage(HALF))
        elements, us = measure_scene(cost.stage(1.0))
        yield MeasuredCost(cost, elements, us, half_us)


def measure_scene(scene: CostScene) -> tuple[int, float]:
    """The elements of a scene, and the microseconds of its cheapest act: others were disturbed."""
    us = []
    for act in scene.acts:
        with _no_collection():
            begun = thread_time_ns()
            act()
            us.append((thread_time_ns() - begun) / 1000)
    return scene.elements, min(us)


@contextmanager
def _no_collection() -> Iterator[None]:
    """The garbage collector waits: a server collects between messages (:mod:`ugs.daemon.processes.garbage`)."""
    # What the making of the scene has left must not be collected in the act.
    gc.collect(0)
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
