"""What ``ugs bench`` does: each function measures one thing and prints it, as text or as JSON."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict

import typer

from ugs.bench import paced_report, report
from ugs.bench.figures import MeasuredWindows, NothingMeasured
from ugs.bench.flat import measure_flat
from ugs.bench.goals import BROKER, LATENCY_DELIVERIES, STANDINGS_GAMES
from ugs.bench.idle import measure_idle
from ugs.bench.latency import measure_latency
from ugs.bench.load import Load, Timing
from ugs.bench.login_rush import measure_logins
from ugs.bench.nodes import measure_nodes, nodes_as_dict, nodes_text
from ugs.bench.pages import measure_pages
from ugs.bench.restart import measure_restart
from ugs.bench.run import BenchFailed, WindowStep, measure, profile
from ugs.bench.site_copy import measure_site
from ugs.bench.targets import TARGETS, Target, TargetFailed
from ugs.bench.watched import measure_watched
from ugs.commands.failure import failure
from ugs.distributions import what_to_install
from ugs.journal.journal_error import JournalError
from ugs.places import Place
from ugs.terminal import output, progress


@contextmanager
def failures() -> Iterator[None]:
    """Report errors of the block without a traceback."""
    try:
        yield
    except (BenchFailed, NothingMeasured, TargetFailed, JournalError) as error:
        raise failure("ugs bench", error) from error


def restart(games: int, rounds: int, as_json: bool) -> None:
    """How soon a server is ready on a journal of that many games."""
    with progress() as bar:
        task = bar.add_task("writing games", total=games)
        measured = measure_restart(games, rounds, lambda written: bar.update(task, completed=written))
    if as_json:
        typer.echo(json.dumps(report.restart_as_dict(measured, report.machine()), indent=2))
    else:
        typer.echo(report.restart_text(measured))


def watched(spectators: int, think_ms: float, payload: int, timing: Timing, as_json: bool) -> None:
    """What spectators cost the players of a game."""
    with progress() as bar:
        task = bar.add_task("rounds", total=timing.rounds)
        measured = measure_watched(spectators, think_ms, payload, timing, lambda done: bar.update(task, completed=done))
    if as_json:
        typer.echo(json.dumps(report.watched_as_dict(measured, report.machine(), timing), indent=2))
    else:
        typer.echo(report.watched_text(measured))


def pages(pages: int, think_ms: float, timing: Timing, as_json: bool) -> None:
    """What open pages cost the players of games."""
    with progress() as bar:
        task = bar.add_task("starting", total=None)
        measured = measure_pages(
            pages, STANDINGS_GAMES, think_ms, timing, lambda step: bar.update(task, description=step)
        )
    if as_json:
        typer.echo(json.dumps(report.pages_as_dict(measured, report.machine(), timing), indent=2))
    else:
        typer.echo(report.pages_text(measured))


def latency(rate: int, load: Load, timing: Timing, as_json: bool) -> None:
    """How soon players have the states that follow, at that many deliveries a second."""
    with progress() as bar:
        task = bar.add_task("rounds", total=timing.rounds)
        measured = measure_latency(rate, load, timing, lambda done: bar.update(task, completed=done))
    if as_json:
        typer.echo(json.dumps(paced_report.latency_as_dict(measured, report.machine(), timing), indent=2))
    else:
        typer.echo(paced_report.latency_text(measured))


def flat(largest: int, timing: Timing, as_json: bool) -> None:
    """What a message costs beside few and beside up to ``largest`` of everything."""
    with progress() as bar:
        task = bar.add_task("starting", total=None)
        measured = measure_flat(largest, LATENCY_DELIVERIES, timing, lambda step: bar.update(task, description=step))
    if as_json:
        typer.echo(json.dumps(paced_report.flat_as_dict(measured, report.machine(), timing), indent=2))
    else:
        typer.echo(paced_report.flat_text(measured))


def site(place: Place, rounds: int, as_json: bool) -> None:
    """How long a copy of the site takes."""
    with progress() as bar:
        task = bar.add_task("rounds", total=rounds)
        measured = measure_site(place, rounds, lambda done: bar.update(task, completed=done))
    typer.echo(json.dumps(measured.as_dict(report.machine()), indent=2) if as_json else measured.as_text())


def idle(players: int, as_json: bool) -> None:
    """What memory an idle player takes."""
    measured = measure_idle(players)
    if as_json:
        typer.echo(json.dumps(paced_report.idle_as_dict(measured, report.machine()), indent=2))
    else:
        typer.echo(paced_report.idle_text(measured))


def logins(players: int, as_json: bool) -> None:
    """What happens when that many players log in at once on a busy machine."""
    measured = measure_logins(players, os.cpu_count() or 1)
    if as_json:
        typer.echo(json.dumps(paced_report.logins_as_dict(measured, report.machine()), indent=2))
    else:
        typer.echo(paced_report.logins_text(measured))


def nodes(journal: str, load: Load, timing: Timing, quota: int, as_json: bool) -> None:
    """What a delivery costs nodes of a cluster."""
    with progress() as bar:
        task = bar.add_task("rounds", total=timing.rounds)
        measured = measure_nodes(journal, load, timing, lambda done: bar.update(task, completed=done), quota)
    typer.echo(json.dumps(nodes_as_dict(measured, report.machine()), indent=2) if as_json else nodes_text(measured))


def cluster(workers: int, timing: Timing, as_json: bool) -> None:
    """What it costs to hand out work to that many simulated workers of a cluster."""
    try:
        from ugs.dask_pool.front import NoFront, measure_front
    except ModuleNotFoundError as error:
        raise failure("ugs bench", f"--cluster: {error}: {what_to_install(error)}") from error
    with progress() as bar:
        task = bar.add_task("starting", total=None)
        try:
            measured = measure_front(workers, timing.seconds, lambda step: bar.update(task, description=step))
        except NoFront as error:
            raise failure("ugs bench", error) from error
    if as_json:
        figures = {**asdict(measured), "calls_per_core": measured.calls_per_core, "met": measured.met}
        typer.echo(json.dumps({"machine": report.machine(), "front": figures}, indent=2))
    else:
        typer.echo(measured.as_text())


def relay(loads: list[Load], targets: list[Target], timing: Timing, processes: int, as_json: bool) -> None:
    """What a delivery costs, for each load and target."""
    machine = report.machine()
    with progress() as bar:
        task = bar.add_task("starting")

        def show(step: WindowStep) -> None:
            bar.update(
                task, description=f"{step.target.name}, {step.load.name}", completed=step.number - 1, total=step.of
            )

        measured = MeasuredWindows(measure(loads, targets, timing, processes=processes, on_step=show))
    if as_json:
        typer.echo(json.dumps(report.as_dict(measured, machine, timing), indent=2))
        return
    output(report.TABLE_WIDTH).print(report.table(measured, machine))


def profiled(load: Load, timing: Timing, processes: int) -> None:
    """Where the broker spends its time."""
    typer.echo(profile(load, TARGETS[BROKER], timing, processes))
