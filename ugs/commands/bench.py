"""The command ``ugs bench``: its options. What it does is in :mod:`ugs.commands.bench_run`."""

import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Any

import typer

from ugs.bench.goals import BROKER, TLS
from ugs.bench.load import DEFAULT_MOVES, MATRIX, Load, Timing
from ugs.bench.targets import TARGETS, Target, in_database
from ugs.commands.option_groups import OptionGroup, with_groups
from ugs.commands.place_option import named_place
from ugs.printable import meant

MAX_PAYLOAD = 1_000_000
"""Fits, with its envelope, into the largest message that a broker takes by default."""

WATCHED_ROUNDS = 10
"""Of a game at a natural pace: its moves are few, and the slowest of them count."""

FLAT_ROUNDS = 5
"""Of each of four comparisons with up to four servers."""

MIN_QUOTA = 10
"""Percent of a processor."""

OTHERS = ",".join(name for name in TARGETS if name not in (BROKER, TLS))


class TrafficOptions(OptionGroup):
    """The games that are played."""

    games: Annotated[int, typer.Option(min=1, help="Two-player games that run at once.")] = 100
    moves: Annotated[int, typer.Option(min=1, help="Moves per game; then the next game begins.")] = DEFAULT_MOVES
    payload: Annotated[
        int, typer.Option(min=0, max=MAX_PAYLOAD, help="Bytes inside <move> and inside <gameState>.")
    ] = 0
    masters: Annotated[int, typer.Option(min=1, help="Master connections that share the games.")] = 1
    uneven: Annotated[bool, typer.Option("--uneven", help="Games differ in length by up to a quarter.")] = False


class TargetOptions(OptionGroup):
    """What is measured beside the broker, and under which loads."""

    against: Annotated[
        str, typer.Option(metavar="LIST", help=f"Targets to compare with, by commas: {OTHERS},{TLS}; '' is none.")
    ] = OTHERS
    tls: Annotated[
        bool, typer.Option("--tls", help="Measure the broker with TLS, too: short for --against with tls.")
    ] = False
    matrix: Annotated[bool, typer.Option("--matrix", "--full", help="All loads that have goals, instead of one.")] = (
        False
    )


class WindowOptions(OptionGroup):
    """How long, and how often."""

    seconds: Annotated[float, typer.Option(min=0.1, help="Length of one measured window.")] = 3.0
    warm_up: Annotated[float, typer.Option(min=0.1, help="Seconds of play before each window.")] = 1.0
    rounds: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Windows per load and target; targets take turns.  [default: 3; 5 with --flat; 10 with --latency,"
            " --spectators and --pages]",
        ),
    ] = None


class SubjectOptions(OptionGroup):
    """What is measured instead of relayed traffic, if anything."""

    restart: Annotated[
        int,
        typer.Option(
            min=0,
            metavar="GAMES",
            help="Measure no traffic, but how soon the broker is ready on a journal of this many games, e.g. 100000.",
        ),
    ] = 0
    spectators: Annotated[
        int,
        typer.Option(
            min=0,
            metavar="N",
            help="Measure no traffic, but what this many spectators of one game cost its players, e.g. 1000.",
        ),
    ] = 0
    think_ms: Annotated[
        float,
        typer.Option(
            min=0,
            help="With --spectators and --pages: how long a player thinks, give or take a half.",
            show_default=False,
        ),
    ] = 0  # 0: 20, or 1500 with --pages
    pages: Annotated[
        int,
        typer.Option(
            min=0,
            metavar="N",
            help="Measure no traffic, but what this many open pages cost 100 games, e.g. 2000, and how soon"
            " standings of 100000 games are answered.",
        ),
    ] = 0
    latency: Annotated[
        int,
        typer.Option(
            min=0,
            metavar="RATE",
            help="Measure how soon a player has the state that follows its move at this many deliveries a second,"
            " e.g. 4000.",
        ),
    ] = 0
    flat: Annotated[
        int,
        typer.Option(
            min=0,
            metavar="N",
            help="Measure what a message costs beside 10, 100 and up to this many connections, pools, waiting players"
            " and rows of the standings, e.g. 5000.",
        ),
    ] = 0
    site: Annotated[
        Any,
        typer.Option(
            metavar="DIR|URL",
            help="Measure how long a copy of the site takes: of this data directory, or of a journal in a database.",
            parser=named_place,
        ),
    ] = None
    idle: Annotated[
        int,
        typer.Option(
            min=0, metavar="N", help="Measure the server's memory for each of this many idle players, e.g. 5000."
        ),
    ] = 0
    logins: Annotated[
        int,
        typer.Option(
            min=0,
            metavar="N",
            help="Let this many players log in at once and play, beside programs that want all processors, e.g. 9000.",
        ),
    ] = 0
    nodes: Annotated[
        int,
        typer.Option(
            min=0,
            max=2,
            metavar="2",
            help="With --journal: measure two nodes with a game type each, one alone, and one behind the other's door.",
        ),
    ] = 0
    quota: Annotated[
        int,
        typer.Option(
            min=0,
            max=100,
            metavar="PERCENT",
            help="With --nodes, as root: give each node and each load generator this part of a processor, where there"
            " are fewer processors than these, e.g. 25.",
        ),
    ] = 0
    journal: Annotated[
        str,
        typer.Option(
            metavar="URL",
            help="A database: measure the broker with its journal there, too; with --nodes, the nodes. It all stays.",
        ),
    ] = ""
    cluster: Annotated[
        int,
        typer.Option(
            min=0,
            metavar="N",
            help="Measure what it costs `ugs match --cluster` to hand out work to this many simulated workers,"
            " e.g. 1000, and what happens when the scheduler is killed.",
        ),
    ] = 0


@with_groups
def bench(
    *,
    traffic: TrafficOptions,
    targets: TargetOptions,
    windows: WindowOptions,
    processes: Annotated[
        int, typer.Option(min=1, max=2, help="1: one process plays all; 2: masters and players one each.")
    ] = 2,
    subject: SubjectOptions,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of the table.")] = False,
    profiled: Annotated[
        bool, typer.Option("--profile", help="Do not measure: run the broker under cProfile, print the top.")
    ] = False,
) -> None:
    """Measure what a relayed message costs the broker, beside two yardsticks under the same traffic.

    Starts `ugs serve`, a Trio relay without XML work (bare) and an asyncio and ElementTree broker (naive) in turns,
    lets scripted masters and players in processes of their own play as fast as they can, and prints the broker's
    processor time and memory, deliveries per second and round trips, with the goal beside each figure.
    `ugs example benchmark.md` prints how to read them.

    Examples:

        ugs bench

        ugs bench --matrix

        ugs bench --games 1000 --against bare --rounds 5

        ugs bench --payload 4096 --json > figures.json

        ugs bench --games 200 --against journal

        ugs bench --tls --against ''

        ugs bench --restart 100000

        ugs bench --spectators 1000

        ugs bench --pages 2000

        ugs bench --latency 4000

        ugs bench --flat 5000

        ugs bench --site data --rounds 1

        ugs bench --idle 5000

        ugs bench --logins 9000

        ugs bench --against journal --journal postgresql:///bench

        ugs bench --nodes 2 --journal postgresql:///bench

        ugs bench --nodes 2 --quota 25 --journal postgresql:///bench

        ugs bench --cluster 1000 --seconds 20

        ugs bench --profile
    """
    if not sys.platform.startswith("linux"):
        raise typer.BadParameter("ugs bench runs on Linux only: it reads other processes' processor clocks")
    timing = Timing(windows.seconds, windows.warm_up, windows.rounds or _usual_rounds(subject))
    load = Load(traffic.games, traffic.moves, traffic.payload, traffic.masters, traffic.uneven)
    from ugs.commands import bench_run

    if subject.nodes and not subject.journal:
        raise typer.BadParameter("needs a database of its own: --journal postgresql://…", param_hint="--nodes")
    if subject.quota and not subject.nodes:
        raise typer.BadParameter("is for --nodes 2", param_hint="--quota")
    if 0 < subject.quota < MIN_QUOTA:
        raise typer.BadParameter(f"from {MIN_QUOTA}: the system takes no less", param_hint="--quota")
    with bench_run.failures():
        measurements = _measurements(subject, load, timing, as_json)
        wanted = [measure for name, measure in measurements.items() if getattr(subject, name) not in (0, None)]
        if wanted:
            wanted[0]()
        elif profiled:
            bench_run.profiled(load, timing, processes)
        else:
            loads = [load]
            if targets.matrix:
                loads = [replace(each, moves=load.moves, masters=load.masters, uneven=load.uneven) for each in MATRIX]
            chosen = targets_named(f"{TLS},{targets.against}" if targets.tls else targets.against)
            if subject.journal:
                chosen.append(in_database(subject.journal))
            bench_run.relay(loads, chosen, timing, processes, as_json)


def _usual_rounds(subject: SubjectOptions) -> int:
    if subject.spectators or subject.pages or subject.latency:
        return WATCHED_ROUNDS
    return FLAT_ROUNDS if subject.flat else Timing().rounds


def _measurements(subject: SubjectOptions, load: Load, timing: Timing, as_json: bool) -> dict[str, Callable[[], None]]:
    """By the option that asks for it: how each subject is measured. The first one that is asked for counts."""
    from ugs.commands import bench_run

    think_ms = subject.think_ms
    return {
        "nodes": lambda: bench_run.nodes(subject.journal, load, timing, subject.quota, as_json),
        "restart": lambda: bench_run.restart(subject.restart, timing.rounds, as_json),
        "spectators": lambda: bench_run.watched(
            subject.spectators, think_ms or 20, load.payload_bytes, timing, as_json
        ),
        "pages": lambda: bench_run.pages(subject.pages, think_ms or 1500, timing, as_json),
        "latency": lambda: bench_run.latency(subject.latency, load, timing, as_json),
        "flat": lambda: bench_run.flat(subject.flat, timing, as_json),
        "site": lambda: bench_run.site(subject.site, timing.rounds, as_json),
        "idle": lambda: bench_run.idle(subject.idle, as_json),
        "logins": lambda: bench_run.logins(subject.logins, as_json),
        "cluster": lambda: bench_run.cluster(subject.cluster, timing, as_json),
    }


def targets_named(against: str) -> list[Target]:
    """The broker and the targets of a list with commas, each once. Raises typer.BadParameter for an unknown one."""
    names = dict.fromkeys([BROKER, *filter(None, (name.strip() for name in against.split(",")))])
    unknown = [name for name in names if name not in TARGETS]
    if unknown:
        wrong = f"no target {unknown[0]!r}{meant(unknown[0], TARGETS)}; there are {', '.join(TARGETS)}"
        raise typer.BadParameter(wrong, param_hint="--against")
    return [TARGETS[name] for name in names]
