"""Latency and the price of many peers, idle ones too, as text for people and as JSON for programs."""

from collections.abc import Mapping
from dataclasses import asdict

from ugs.bench.flat import Flat, Scaled
from ugs.bench.goals import BROKER, FLAT, IDLE_BYTES, LIST_SHARE
from ugs.bench.idle import Idle
from ugs.bench.latency import ORDER, RELAY, TIMER, Latency
from ugs.bench.load import Timing
from ugs.bench.login_rush import LoginRush
from ugs.bench.report import VERDICTS, short

PERCENTILES = (50, 99, 99.9, 100)
NAMES = {
    TIMER: "a process that only waits",
    RELAY: "bare relay",
    BROKER: "ugs",
}
HEADS = ("p50", "p99", "p99.9", "worst")


def latency_text(measured: Latency) -> str:
    """Return how soon players have the states that follow, as a few lines."""
    return "\n".join(
        [
            f"{measured.load.name}, {measured.deliveries_per_second:g} deliveries a second, "
            f"{measured.moves(BROKER)} moves; from the due moment of a move to the state that follows, ms:",
            f"  {'':26}" + "".join(f"{head:>9}" for head in HEADS) + "     busy",
            *(_latency_line(measured, name) for name in ORDER),
            f"p99 of {BROKER}: {short(measured.ms(BROKER, 99))} ms{_latency_goal(measured)}",
        ]
    )


def _latency_line(measured: Latency, name: str) -> str:
    figures = "".join(f"{short(measured.ms(name, percent)):>9}" for percent in PERCENTILES)
    busy = "" if name == TIMER else f"{measured.busy(name):9.2f}"
    return f"  {NAMES[name]:26}{figures}{busy}"


def _latency_goal(measured: Latency) -> str:
    if measured.goal_ms is None:
        return ""
    goal = short(measured.goal_ms)
    if measured.met is not None:
        return f" (goal: {goal}, {VERDICTS[measured.met][1]})"
    late = short(measured.ms(TIMER, 99))
    return f" (goal: {goal} on a quiet machine; this one wakes a process {late} ms late)"


def latency_as_dict(measured: Latency, machine: Mapping[str, object], timing: Timing) -> dict[str, object]:
    """Return how soon players have the states that follow, for programs."""
    return {
        "machine": dict(machine),
        "timing": asdict(timing),
        "load": asdict(measured.load),
        "deliveries_per_second": measured.deliveries_per_second,
        **{
            name: {
                "ms": {head: measured.ms(name, percent) for head, percent in zip(HEADS, PERCENTILES, strict=True)},
                "moves": measured.moves(name),
                "deliveries_per_second": measured.pace(name),
                "busy": measured.busy(name),
            }
            for name in ORDER
        },
        "quiet": measured.quiet,
        "goal_ms": measured.goal_ms,
        "met": measured.met,
    }


def flat_text(measured: Flat) -> str:
    """Return what a message costs beside many, as a table."""
    few, *more = measured.sizes
    lines = [
        f"{measured.deliveries_per_second:g} deliveries a second; processor time of the server per message, "
        f"as a multiple of that with {few} (goal: {FLAT:g}):",
        f"  {'':22}{few:>10}" + "".join(f"{size:>14}" for size in more),
    ]
    for many in measured.kinds:
        cells = "".join(f"{_cell(measured, many, size):>14}" for size in more)
        lines.append(f"  {many:22}{short(measured.cost_us(many, few)) + ' µs':>10}{cells}")
    return "\n".join([*lines, *([f"not measured: {measured.left_out}"] if measured.left_out else [])])


def _cell(measured: Flat, many: Scaled, size: int) -> str:
    return f"{short(measured.ratio(many, size))} {VERDICTS[measured.met(many, size)][1]}".rstrip()


def flat_as_dict(measured: Flat, machine: Mapping[str, object], timing: Timing) -> dict[str, object]:
    """Return what a message costs beside many, for programs."""
    return {
        "machine": dict(machine),
        "timing": asdict(timing),
        "deliveries_per_second": measured.deliveries_per_second,
        "figures": [
            {
                "of": many,
                "number": size,
                "cpu_us_per_message": measured.cost_us(many, size),
                "ratio": measured.ratio(many, size),
                "met": measured.met(many, size),
                "messages": sum(sample.deliveries + sample.tables for sample in measured.windows[many, size]),
                "tables": sum(sample.tables for sample in measured.windows[many, size]),
            }
            for many in measured.kinds
            for size in measured.sizes
        ],
        "goal": FLAT,
        "left_out": measured.left_out,
    }


def idle_text(measured: Idle) -> str:
    """Return what an idle player costs, as a line."""
    goal = f" (goal: {IDLE_BYTES}, {VERDICTS[measured.met][1]})" if measured.met is not None else ""
    alone, with_all = measured.bytes_alone / 1e6, measured.bytes_with_all / 1e6
    return (
        f"{measured.players} idle players: {measured.bytes_per_player:.0f} bytes of memory each{goal}; "
        f"the server grew from {alone:.0f} to {with_all:.0f} MB"
    )


def idle_as_dict(measured: Idle, machine: Mapping[str, object]) -> dict[str, object]:
    """Return what an idle player costs, for programs."""
    return {
        "machine": dict(machine),
        **asdict(measured),
        "bytes_per_player": measured.bytes_per_player,
        "goal": IDLE_BYTES,
        "met": measured.met,
    }


def logins_text(measured: LoginRush) -> str:
    """Return what came of many logins at once, as a few lines."""
    rush = measured.rush
    goal = f" (goal: none refused, {LIST_SHARE:.0%}; {VERDICTS[measured.met][1]})" if measured.met is not None else ""
    return (
        f"{measured.players} logins at once beside {measured.neighbours} programs that want a processor each: "
        f"{rush.refused} refused, the last answered after {rush.answered_s:.1f} s\n"
        f"{rush.lists} standings with {rush.list_bytes / 1e6:.1f} MB are {measured.list_share:.1%} of "
        f"{rush.received_bytes / 1e6:.1f} MB beside {rush.states} states{goal}"
    )


def logins_as_dict(measured: LoginRush, machine: Mapping[str, object]) -> dict[str, object]:
    """Return what came of many logins at once, for programs."""
    return {
        "machine": dict(machine),
        "players": measured.players,
        "neighbours": measured.neighbours,
        **asdict(measured.rush),
        "list_share": measured.list_share,
        "goal_list_share": LIST_SHARE,
        "met": measured.met,
    }
