"""What ``ugs soak`` does: each function carries out one kind of trouble and prints what it showed."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

import trio
import typer

from ugs.commands.failure import failure
from ugs.distributions import missing
from ugs.printable import meant
from ugs.soak import long_games, report
from ugs.soak.attacks import ATTACKS, Attack
from ugs.soak.churn import Churn
from ugs.soak.churn_settings import CHURN, FAULTS
from ugs.soak.cluster.cluster_trial import ClusterTrial, short_folder
from ugs.soak.cluster.database_process import PROGRAMS, DatabaseFailed
from ugs.soak.cluster.kill_table import kill_line, table
from ugs.soak.costs import report as cost_report
from ugs.soak.costs.measure import measure_costs
from ugs.soak.costs.scene import Cost
from ugs.soak.costs.table import COSTS
from ugs.soak.measure import measure_all
from ugs.soak.rehearsal import Rehearsal, RehearsalTally, rehearsal_text
from ugs.soak.server_process import SoakFailed
from ugs.soak.summary import Summary

_Row = TypeVar("_Row", Attack, Cost)


@contextmanager
def failures() -> Iterator[None]:
    """Report errors of the block without a traceback."""
    try:
        yield
    except (SoakFailed, DatabaseFailed, OSError) as error:
        raise failure("ugs soak", error) from error


def list_attacks() -> None:
    """Print all ways to attack."""
    typer.echo(report.listed())


def list_costs() -> None:
    """Print all costs."""
    typer.echo(cost_report.listed())


def attacks_named(names: list[str]) -> list[Attack]:
    """The attacks of these names, all for none. Raises typer.BadParameter for an unknown name."""
    return _named("attack", names, ATTACKS)


def costs_named(names: list[str]) -> list[Cost]:
    """The costs of these names, all for none. Raises typer.BadParameter for an unknown name."""
    return _named("cost", names, COSTS)


def _named(kind: str, names: list[str], known: Mapping[str, _Row]) -> list[_Row]:
    unknown = [name for name in names if name not in known]
    if unknown:
        hint = meant(unknown[0], known)
        raise typer.BadParameter(f"no {kind} {unknown[0]!r}{hint}; see ugs soak --list", param_hint="--only")
    return [known[name] for name in dict.fromkeys(names)] or list(known.values())


def show_costs(costs: list[Cost], as_json: bool) -> bool:
    """Measure these costs; whether all stayed within the bounds."""
    if not as_json:
        typer.echo(cost_report.heading())
    measured = []
    for one in measure_costs(costs):
        measured.append(one)
        if not as_json:
            typer.echo(cost_report.line_of(one))
    good = not any(one.broken for one in measured)
    if as_json:
        typer.echo(json.dumps({"costs": [one.as_dict() for one in measured], "within": good}, indent=2))
    else:
        typer.echo(cost_report.summary(measured))
    return good


def play_long_games(games: int, moves: int, payload: int, journal: bool, as_json: bool) -> bool:
    """Let very many long games be played; whether all ended as they should."""
    long_result = long_games.play(
        games,
        moves,
        payload,
        journal=journal,
        seen=lambda mark: None if as_json else typer.echo(long_games.line_of(mark)),
    )
    typer.echo(json.dumps(asdict(long_result), indent=2) if as_json else long_games.summary(long_result))
    return long_result.good


def attack(attacks: list[Attack], minutes: float, as_json: bool) -> bool:
    """Attack in these ways; whether all stayed within their bounds."""
    if not as_json:
        typer.echo(report.heading())
    findings = measure_all(attacks, minutes, lambda finding: None if as_json else typer.echo(report.lines_of(finding)))
    good = not any(finding.broken for finding in findings)
    if as_json:
        typer.echo(json.dumps({"findings": [finding.as_dict() for finding in findings], "within": good}, indent=2))
    else:
        typer.echo(report.summary(findings))
    return good


def rehearse(minutes: float, seed: int) -> bool:
    """Rehearse a public address; whether everything held."""

    def one_round(now: Summary, tally: RehearsalTally) -> None:
        beside = (
            f"; {tally.attacks[-1].attack}: witness p99 {tally.attacks[-1].trips.p99_ms:.1f} ms"
            if tally.attacks
            else ""
        )
        typer.echo(report.round_line(now) + beside)

    with TemporaryDirectory(prefix="ugs-soak-rehearsal-") as directory:
        rehearsal = Rehearsal(Path(directory), seed)
        try:
            summary = trio.run(rehearsal.run, minutes * 60, one_round)
        finally:
            rehearsal.close()
    typer.echo(rehearsal_text(rehearsal.tally))
    typer.echo(report.churn_text(summary))
    return not summary.violations


def churn(minutes: float, seed: int, as_json: bool, *, faults: bool) -> bool:
    """Let peers come, go and crash; returns whether everything held."""
    with TemporaryDirectory(prefix="ugs-soak-churn-") as directory:
        trouble = Churn(Path(directory), seed, FAULTS if faults else CHURN)
        try:
            summary = trio.run(
                trouble.run, minutes * 60, lambda now: None if as_json else typer.echo(report.round_line(now))
            )
        finally:
            trouble.close()
    typer.echo(json.dumps(asdict(summary), indent=2) if as_json else report.churn_text(summary))
    return not summary.violations


def kill_cluster(minutes: float, seed: int, games: int, as_json: bool) -> bool:
    """Kill each part of a cluster in turn while witnesses play; returns whether nothing was lost. Raises SoakFailed and
    DatabaseFailed."""
    if not PROGRAMS:
        raise SoakFailed("no PostgreSQL here: apt-get install postgresql")
    if lacking := missing("psycopg"):
        raise SoakFailed(f"a journal in PostgreSQL {lacking}")
    with short_folder() as folder:
        trial = ClusterTrial(folder, seed, games)
        summary = trio.run(trial.run, minutes * 60, lambda kill: None if as_json else typer.echo(kill_line(kill)))
    typer.echo(json.dumps(asdict(summary), indent=2) if as_json else table(summary))
    return summary.good
