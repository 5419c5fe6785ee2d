"""Measured costs as text."""

from collections.abc import Sequence

from ugs.daemon.fairness.watchdog import HOLD_S
from ugs.soak.costs.measure import MeasuredCost
from ugs.soak.costs.table import COSTS

NAMES = max(map(len, COSTS))


def heading() -> str:
    """The line above all costs."""
    return f"{'cost':{NAMES}}  {'elements':>9}  {'microseconds':>12}  {'of half':>8}  limits"


def line_of(measured: MeasuredCost) -> str:
    """One cost: its figures and limits, and what is above a bound."""
    limits = ", ".join(f"{limit.name} {limit.most}" for limit in measured.cost.limits)
    figures = f"{measured.elements:9}  {measured.us:12.0f}  {measured.half_us:8.0f}  {limits}"
    broken = f"\n    ABOVE THE BOUND: {measured.broken}" if measured.broken else ""
    return f"{measured.cost.name:{NAMES}}  {figures}{broken}"


def summary(measured: Sequence[MeasuredCost]) -> str:
    """The line below all costs."""
    broken = [one.cost.name for one in measured if one.broken]
    within = f"{len(measured) - len(broken)} of {len(measured)} costs within the bound ({HOLD_S * 1000:.0f} ms)"
    return within + (f"; not: {', '.join(broken)}" if broken else "")


def listed() -> str:
    """All costs, each with what happens."""
    return "\n".join(f"{cost.name:{NAMES}}  {cost.what}" for cost in COSTS.values())
