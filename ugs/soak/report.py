"""Findings as text."""

from collections.abc import Sequence
from typing import Any

from ugs.soak.attacks import ATTACKS
from ugs.soak.findings import GROWTH_BYTES, HOLD_MS, WITNESS_P99_MS, Finding, Trips, megabytes
from ugs.terminal import safe

NAMES = max(map(len, ATTACKS))


def heading() -> str:
    """The line above all findings."""
    columns = f"{'attack':{NAMES}}  {'alone p50/p99/max':>20}  {'attacked p50/p99/max':>22}  {'hold':>6}  memory before/peak/after"
    return f"milliseconds; megabytes\n{columns}"


def lines_of(finding: Finding) -> str:
    """One finding: its figures, how the server dealt with the attacker, and what is above a bound."""
    memory = "/".join(str(megabytes(amount)) for amount in (finding.memory.before, finding.memory.peak, finding.memory.after))
    figures = (
        f"{finding.name:{NAMES}}  {_trips(finding.alone):>20}  {_trips(finding.attacked):>22}  {finding.hold_ms:6.1f}  {memory}"
    )
    broken = [f"    ABOVE THE BOUND: {safe(text)}" for text in finding.broken]
    return "\n".join([figures, f"    {dealt_with(finding.dealt)}", *broken])


def dealt_with(dealt: dict[str, Any]) -> str:
    """How the server dealt with an attacker, in words."""
    parts = [f"{dealt['lines']} connections, {dealt['said_bytes'] / 1e6:.1f} MB taken, {dealt['heard_bytes'] / 1e6:.1f} MB given"]
    for count, words in (("closed", "closed"), ("refused", "refused"), ("errors", "errors"), ("failures", "x-failed")):
        if dealt[count]:
            parts.append(f"{dealt[count]} {words}")
    if dealt["last"]:
        parts.append(f"last: {safe(dealt['last'])}")
    return "; ".join(parts)


def summary(findings: Sequence[Finding]) -> str:
    """The line below all findings."""
    failed = [finding.name for finding in findings if finding.broken]
    bounds = f"p99 {WITNESS_P99_MS:.0f} ms, hold {HOLD_MS:.0f} ms, memory +{megabytes(GROWTH_BYTES)} MB, no game lost"
    within = len(findings) - len(failed)
    return f"{within} of {len(findings)} attacks within the bounds ({bounds})" + (
        f"; not: {', '.join(failed)}" if failed else ""
    )


def listed() -> str:
    """All attacks, each with what it does."""
    return "\n".join(f"{attack.name:{NAMES}}  {attack.what}" for attack in ATTACKS.values())


def _trips(trips: Trips) -> str:
    return f"{trips.p50_ms:.1f}/{trips.p99_ms:.1f}/{trips.max_ms:.0f}"
