"""A run as a table for people and as JSON for programs."""

import os
import platform
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from rich.table import Table
from rich.text import Text

from ugs.bench.figures import Figures, MeasuredWindows
from ugs.bench.goals import (
    BROKER,
    PAGES_TO_ALONE,
    STANDINGS_MS,
    VIEW_BYTES,
    WATCHED_TO_ALONE,
    FigureKind,
    GoalComparison,
    compare,
)
from ugs.bench.load import Load, Timing
from ugs.bench.message_counts import PERCENTILES
from ugs.bench.pages import Paged
from ugs.bench.restart import GOAL_S, Restart
from ugs.bench.watched import WatchFigures, WatchWindow, busy, round_trip_ms
from ugs.terminal import Column, cells, grid

TABLE_WIDTH = 160
"""Columns of the table where no terminal gives a width."""

NOTES = (
    f"µs: processor time of the broker per delivery, median of the rounds. {BROKER} is: "
    f"{BROKER}'s cost as a multiple of this row's, median of the ratios within a round; in a row of {BROKER} itself, "
    "its cost as a multiple of its own at fewer games.\n"
    "Round trip: from a player's move to its having the state that follows. Busy: share of one processor, broker / "
    "load generator; a load generator above 0.95 of a processor holds the broker back, which costs it batching."
)

HEADS = [f"p{each}" if each < 100 else "worst" for each in PERCENTILES]

VERDICTS = {True: ("green", "met"), False: ("bold red", "MISSED"), None: ("", "")}
"""Style and word for a goal that is met, missed or absent."""


def machine() -> dict[str, object]:
    """Return a description of this machine: figures mean nothing without it."""
    return {
        "processors": os.cpu_count(),
        "processor": processor_name(Path("/proc/cpuinfo").read_text()),
        "system": f"{platform.system()} {platform.release()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "load_average": os.getloadavg()[0],
    }


def processor_name(cpuinfo: str) -> str:
    """Return the model, from the text of ``/proc/cpuinfo``; the architecture if it names none."""
    for line in cpuinfo.splitlines():
        name, colon, value = line.partition(":")
        if colon and name.strip() == "model name":
            return value.strip()
    # As on ARM, where the kernel names no model.
    return platform.machine()


def table(measured: MeasuredWindows, machine: Mapping[str, object]) -> Table:
    """Return a table with one row per load and target, the goals beside their figures."""
    costs = ("µs", "goal", f"{BROKER} is", "goal", "µs, lowest\nto highest", "deliveries\nper second")
    result = grid(
        (
            *(Column(head, whole=True) for head in ("load", "target")),
            *(Column(head, right=True) for head in costs),
            Column("round trip ms\n" + " / ".join(HEADS), right=True, whole=True),
            *(Column(head, right=True) for head in ("KiB per\nconnection", "busy")),
        ),
        title=f"ugs bench: {machine['processors']} x {machine['processor']}, {machine['python']}",
        caption=NOTES,
    )
    comparisons = list(compare(measured))
    previous: Load | None = None
    for (load, target), figures in measured.figures.items():
        if previous not in (None, load):
            result.add_section()
        here = [each for each in comparisons if (each.load, each.target) == (load, target)]
        result.add_row(*cells(("" if previous == load else load.name, target, *_cells(figures, here))))
        previous = load
    return result


def _cells(figures: Figures, comparisons: Iterable[GoalComparison]) -> list[str | Text]:
    """Return what follows load and target in a row."""
    by_kind = {each.kind: each for each in comparisons}
    return [
        *_judged(by_kind.get(FigureKind.COST), ""),
        *_with_times(_judged(by_kind.get(FigureKind.RATIO), " x"), by_kind.get(FigureKind.TIMES)),
        f"{short(figures.cpu_us_lowest)}-{short(figures.cpu_us_highest)}",
        Text(f"{figures.deliveries_per_second:,.0f}") + _share(by_kind.get(FigureKind.SHARE)),
        _trips(figures, by_kind.get(FigureKind.WORST)) + _p99(by_kind.get(FigureKind.P99)),
        f"{figures.kib_per_connection:.0f}",
        f"{figures.broker_busy:.2f} / {figures.generator_busy:.2f}",
    ]


def _judged(comparison: GoalComparison | None, unit: str) -> tuple[Text, Text]:
    """Return a figure, and its goal with the verdict; empty where there is none."""
    if comparison is None:
        return Text(), Text()
    style, mark = VERDICTS[comparison.met]
    figure = Text(short(comparison.value) + unit, style)
    if comparison.limit is None:
        return figure, Text()
    return figure, Text(f"{short(comparison.limit)}{unit} {mark}", style)


def _with_times(ratio: tuple[Text, Text], times: GoalComparison | None) -> tuple[Text, Text]:
    """Return a ratio and its goal; where the goal is about the reverse, that with its verdict is the goal."""
    if times is None or times.limit is None:
        return ratio
    style, mark = VERDICTS[times.met]
    return ratio[0], Text(f"{short(times.value)} x {BROKER}\n(goal {short(times.limit)} {mark})", style)


def _share(comparison: GoalComparison | None) -> Text:
    """Return the share of the broker's deliveries per second, with its goal; empty where there is none."""
    if comparison is None or comparison.limit is None:
        return Text()
    style, mark = VERDICTS[comparison.met]
    return Text(f"\n{comparison.value:.0%} of {BROKER}'s\n(goal {comparison.limit:.0%} {mark})", style)


def _trips(figures: Figures, worst: GoalComparison | None) -> Text:
    """Return the round trips; where the worst has a goal, that with its verdict."""
    text = Text(" / ".join(map(short, figures.round_trip_ms.values())) or "none")
    if worst is None or worst.limit is None:
        return text
    style, mark = VERDICTS[worst.met]
    return text + Text(f"\n(goal {short(worst.limit)} {mark})", style)


def _p99(comparison: GoalComparison | None) -> Text:
    """Return the p99 as a multiple of the broker's, with its goal; empty where there is none."""
    if comparison is None or comparison.limit is None:
        return Text()
    style, mark = VERDICTS[comparison.met]
    return Text(f"\np99 {short(comparison.value)} x {BROKER}'s\n(goal {short(comparison.limit)} {mark})", style)


def short(value: float) -> str:
    """Return a number with three significant digits: ``0.33``, ``4.50``, ``45.0``, ``120``, ``10,250``."""
    if abs(value) < 10:
        return f"{value:.2f}"
    return f"{value:.1f}" if abs(value) < 100 else f"{value:,.0f}"


def as_dict(measured: MeasuredWindows, machine: Mapping[str, object], timing: Timing) -> dict[str, object]:
    """Return the whole run as plain values: ``machine``, ``timing``, ``figures``, ``comparisons``."""
    return {
        "machine": dict(machine),
        "timing": asdict(timing),
        "figures": measured.to_dict(),
        "comparisons": [asdict(each) | {"load": each.load.name, "met": each.met} for each in compare(measured)],
    }


def restart_text(measured: Restart) -> str:
    """Return how soon the broker was ready, as a few lines."""
    starts = ", ".join(f"{seconds:.2f}" for seconds in measured.ready_s)
    goal = f" (goal: {GOAL_S:g} s, {VERDICTS[measured.met][1]})" if measured.met is not None else ""
    return (
        f"journal of {measured.games} games: {measured.journal_bytes / 1e6:.0f} MB, "
        f"written in {measured.built_s:.1f} s\n"
        f"ready after {starts} s; best {measured.best_s:.2f} s{goal}"
    )


def restart_as_dict(measured: Restart, machine: Mapping[str, object]) -> dict[str, object]:
    """Return how soon the broker was ready, for programs."""
    return {"machine": dict(machine), **asdict(measured), "best_s": measured.best_s, "goal_met": measured.met}


def watched_text(measured: WatchFigures) -> str:
    """Return what spectators cost the players of a game, as a few lines."""
    goal = f" (goal: {WATCHED_TO_ALONE:g}, {VERDICTS[measured.met][1]})" if measured.met is not None else ""
    moves = sum(len(window.trips_ns) for window in measured.alone + measured.watched)
    return "\n".join(
        [
            f"one game, players who think {measured.think_ms:g} ms, {moves} moves in all; round trip of a move:",
            _watched_line("no spectators", measured.alone),
            _watched_line(f"{measured.spectators} spectators", measured.watched),
            f"p50 x {short(measured.growth(50))}, p99 x {short(measured.ratio)}{goal}",
        ]
    )


def watched_as_dict(measured: WatchFigures, machine: Mapping[str, object], timing: Timing) -> dict[str, object]:
    """Return what spectators cost the players of a game, for programs."""
    return {
        "machine": dict(machine),
        "timing": asdict(timing),
        "spectators": measured.spectators,
        "think_ms": measured.think_ms,
        "events": measured.events,
        "alone": _watched_figures(measured.alone),
        "watched": _watched_figures(measured.watched),
        "p99_ratio": measured.ratio,
        "goal": WATCHED_TO_ALONE,
        "met": measured.met,
    }


def pages_text(measured: Paged) -> str:
    """Return what the page costs, as a few lines."""
    moves = sum(len(window.trips_ns) for window in measured.alone + measured.opened)
    mbytes = measured.news_bytes / 1e6
    return "\n".join(
        [
            f"games at a natural pace, {moves} moves in all; round trip of a move:",
            _watched_line("no open page", measured.alone),
            _watched_line(f"{measured.pages} open pages", measured.opened),
            f"p99 x {short(measured.ratio)}{_goal(measured, 'pages', PAGES_TO_ALONE)}; they were sent {mbytes:.1f} MB",
            f"standings of {measured.games} games: first after {measured.standings_first_s:.1f} s, then at most "
            f"{measured.slowest_ms:.0f} ms{_goal(measured, 'standings', STANDINGS_MS)}",
            f"first view: {measured.view_bytes} bytes{_goal(measured, 'view', VIEW_BYTES)}",
        ]
    )


def pages_as_dict(measured: Paged, machine: Mapping[str, object], timing: Timing) -> dict[str, object]:
    """Return what the page costs, for programs."""
    return {
        "machine": dict(machine),
        "timing": asdict(timing),
        "pages": measured.pages,
        "alone": _watched_figures(measured.alone),
        "opened": _watched_figures(measured.opened),
        "p99_ratio": measured.ratio,
        "news_bytes": measured.news_bytes,
        "games": measured.games,
        "standings_first_s": measured.standings_first_s,
        "standings_ms": list(measured.standings_ms),
        "view_bytes": measured.view_bytes,
        "met": measured.met,
    }


def _goal(measured: Paged, name: str, limit: float) -> str:
    met = measured.met[name]
    return "" if met is None else f" (goal: {limit:g}, {VERDICTS[met][1]})"


def _watched_line(name: str, windows: Sequence[WatchWindow]) -> str:
    middle, high = (short(round_trip_ms(windows, percent)) for percent in (50, 99))
    return f"  {name + ':':18} p50 {middle:>5} ms, p99 {high:>5} ms, broker busy {busy(windows):.2f}"


def _watched_figures(windows: Sequence[WatchWindow]) -> dict[str, object]:
    return {
        "round_trip_ms": {str(percent): round_trip_ms(windows, percent) for percent in PERCENTILES},
        "broker_busy": busy(windows),
        "moves": sum(len(window.trips_ns) for window in windows),
    }
