"""Findings and summaries as text."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from ugs.soak.attacks import ATTACKS
from ugs.soak.churn_invariants import slope
from ugs.soak.findings import GROWTH_BYTES, HOLD_MS, WITNESS_P99_MS, AttackFinding, Trips, megabytes
from ugs.soak.summary import Summary
from ugs.terminal import safe, safe_lines

NAMES = max(map(len, ATTACKS))
MAX_BROKEN_LINES = 10
"""An attack that breaks a bound again and again has this many lines of its own; the others are counted."""


def heading() -> str:
    """The line above all findings."""
    times = f"{'alone p50/p99/max':>20}  {'attacked p50/p99/max':>22}  {'hold':>6}"
    return f"milliseconds; megabytes\n{'attack':{NAMES}}  {times}  memory before/peak/after  log kB/s"


def lines_of(finding: AttackFinding) -> str:
    """One finding: its figures, how the server dealt with the attacker, and what is above a bound."""
    memory = "/".join(
        str(megabytes(amount)) for amount in (finding.memory.before, finding.memory.peak, finding.memory.after)
    )
    times = f"{_trips(finding.alone):>20}  {_trips(finding.attacked):>22}  {finding.hold_ms:6.1f}"
    figures = f"{finding.name:{NAMES}}  {times}  {memory}  {finding.log_bytes_per_s / 1000:.1f}"
    return "\n".join([figures, f"    {dealt_with(finding.dealt)}", *_broken_lines(finding.broken)])


def _broken_lines(broken: Sequence[str]) -> list[str]:
    """The bounds that were broken, each text once with how often it came."""
    counts = Counter(broken)
    lines = [
        f"    ABOVE THE BOUND: {safe(text)}" + (f" ({count} times)" if count > 1 else "")
        for text, count in list(counts.items())[:MAX_BROKEN_LINES]
    ]
    more = len(counts) - len(lines)
    return [*lines, f"    ABOVE THE BOUND: {more} more"] if more else lines


def dealt_with(dealt: dict[str, Any]) -> str:
    """How the server dealt with an attacker, in words."""
    parts = [
        f"{dealt['lines']} connections",
        f"{dealt['sent_bytes'] / 1e6:.1f} MB taken, {dealt['received_bytes'] / 1e6:.1f} MB given",
    ]
    for count, words in (("closed", "closed"), ("refused", "refused"), ("errors", "errors"), ("failures", "x-failed")):
        if dealt[count]:
            parts.append(f"{dealt[count]} {words}")
    parts += [f"{what}: {seconds * 1000:.0f} ms" for what, seconds in dealt.get("waited", {}).items()]
    if dealt["last"]:
        parts.append(f"last: {safe(dealt['last'])}")
    return "; ".join(parts)


def summary(findings: Sequence[AttackFinding]) -> str:
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


def round_line(summary: Summary) -> str:
    """The line after a round of churn."""
    memory = [megabytes(amount) for amount in summary.memory[-1]]
    return (
        f"round {summary.rounds}: {summary.games} games, {summary.results} results sent; killed: server "
        f"{summary.server_kills}, masters {summary.master_kills}, bots {summary.bot_kills}; MB {memory[-1:]}, "
        f"files {summary.open_files[-1][-1:]}"
    )


def churn_text(summary: Summary) -> str:
    """What happened in all rounds; each invariant that did not hold, with the story of its game."""
    lines = [
        f"seed {summary.seed}: {summary.rounds} rounds, {summary.games} games",
        f"deeds: {_counts(summary.deeds)}",
        f"verdicts: {_counts(summary.verdicts)}",
        *(
            [f"faults: {_counts(summary.faults)}; {summary.garbage} answers of a master were garbage"]
            * bool(summary.faults)
        ),
        "memory at the quiet points, MB, by life: "
        + "; ".join(" ".join(str(megabytes(amount)) for amount in life) for life in summary.memory),
        f"memory slope: {_slope(summary.memory)}",
    ]
    if summary.unjudged:
        lines.append(f"{summary.unjudged} losses not judged: this machine was so busy that players may have been late")
    for violation in summary.violations:
        lines += ["", f"VIOLATED: {safe(violation.what)}", safe_lines(violation.story)]
    if summary.violations:
        lines.append(f"again: the same, with --seed {summary.seed}")
    else:
        lines.append("all invariants held")
    return "\n".join(lines)


def _slope(lives: Sequence[Sequence[int]]) -> str:
    """How much the server grows from one quiet point to the next, the first one of a life aside."""
    slopes = [slope([float(amount) for amount in life[1:]]) for life in lives if len(life) > 2]
    return ", ".join(f"{one / 1024:+.0f} KiB a round" for one in slopes) or "too short for a slope"


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{count} {word}" for word, count in counts.items()) or "none"


def _trips(trips: Trips) -> str:
    return f"{trips.p50_ms:.1f}/{trips.p99_ms:.1f}/{trips.max_ms:.0f}"
