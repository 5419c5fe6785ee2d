"""The command ``ugs soak``: its options. What it does is in :mod:`ugs.commands.soak_run`."""

import random
import sys
from typing import Annotated

import typer

from ugs.commands.failure import FAILED
from ugs.commands.option_groups import OptionGroup, with_groups

MINUTES = {"attacks": 5.0, "cluster": 10.0}
"""By kind of trouble, where --minutes is not given."""
CHURN_MINUTES = 2.0
"""Those of the other kinds."""
LONG_GAMES = 1_000
CLUSTER_GAMES = 100


class TroubleOptions(OptionGroup):
    """What happens to the server."""

    attacks: Annotated[
        bool, typer.Option("--attacks", help="Attack a server in all known ways, one after another.")
    ] = False
    churn: Annotated[
        bool, typer.Option("--churn", help="Let players, masters and the server come, go, crash and come back.")
    ] = False
    faults: Annotated[
        bool,
        typer.Option(
            "--faults",
            help="Like --churn, with failing lines, a full or slow disk, jumping clocks and a master that answers "
            "garbage; the default with --minutes alone.",
        ),
    ] = False
    rehearsal: Annotated[
        bool,
        typer.Option(
            "--rehearsal",
            help="A public address: fifty bots over TLS who own their names, faults, impostors, attackers in turn.",
        ),
    ] = False
    costs: Annotated[
        bool,
        typer.Option("--costs", help="Measure what the most expensive message of each kind costs, within its limits."),
    ] = False
    long_games: Annotated[
        bool, typer.Option("--long-games", help="Let very many long games be played from one address, without sockets.")
    ] = False
    cluster: Annotated[
        bool,
        typer.Option(
            "--cluster",
            help="A server, a standby, and a database with a replica: each part is killed in turn.",
        ),
    ] = False


class LoadOptions(OptionGroup):
    """What is played there."""

    games: Annotated[
        int | None,
        typer.Option(min=1, help="With --long-games and --cluster: how many at once.  [default: 1000, and 100]"),
    ] = None
    moves: Annotated[int, typer.Option(min=1, help="With --long-games: moves of each game.")] = 2_000
    payload: Annotated[
        int, typer.Option(min=0, max=500_000, help="With --long-games: bytes of a move and of a state.")
    ] = 0
    journal: Annotated[
        bool, typer.Option("--journal/--no-journal", help="With --long-games: whether the server keeps one.")
    ] = True


class SpanOptions(OptionGroup):
    """How long it takes, and what of it happens."""

    minutes: Annotated[
        float | None,
        typer.Option(
            min=0,
            help="Minutes in all; each attack gets its share.  "
            "[default: 5 for --attacks, 10 for --cluster, 2 for the others]",
        ),
    ] = None
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Only this attack, or this cost; may be repeated."),
    ] = None
    seed: Annotated[
        int | None,
        typer.Option(
            min=0, help="With --churn, --faults and --cluster: plans the same troubles again.  [default: made up]"
        ),
    ] = None


@with_groups
def soak(
    *,
    trouble: TroubleOptions,
    load: LoadOptions,
    span: SpanOptions,
    listing: Annotated[
        bool, typer.Option("--list", help="List the attacks (with --costs: the costs), and end.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")] = False,
) -> None:
    """Prove that no peer spoils it for others: attack a real server beside calm games, or crash everything.

    With --attacks, every attack meets a server of its own, used by calm players and a real game master; its settings
    are the defaults, except for a second master where the attack needs one. Printed are the round trips of their moves,
    alone and attacked; the longest time that one message held the server up; the server's memory before, at its peak
    and after; and how the server dealt with the attacker. With --churn, rounds of trouble each end with a comparison of
    the accounts of journal, server and players. With --faults, the lines of players are cut, delayed or half-open, the
    disk is full or slow, server and master stand still, and one master answers garbage.

    With --long-games, no server is started: a broker in this process, with default settings and a real journal, is sent
    the messages of a thousand games of two thousand moves, all from one address. Printed are the memory on the way, and
    how many games a limit has ended: none.

    With --costs, no server is started: a broker in this process is filled with as many peers, games and tables as the
    limits let in, and gets the most expensive message of each kind. Printed are microseconds of processor time.

    With --cluster, calm players with sessions play on a server and a standby, with a PostgreSQL database and its
    replica. Server, standby, database, replica, connections and game master are killed in turn, and the primary fails
    over. Printed is a table of what that cost: results lost or doubled, losses, void games, pauses.

    The exit code is 1 when a bound or an invariant is broken. `ugs example organiser.md` explains how to read them.

    Examples:

        ugs soak --attacks

        ugs soak --only list-players --only errors --minutes 1

        ugs soak --churn --minutes 30 --seed 7

        ugs soak --minutes 120

        ugs soak --rehearsal --minutes 60

        ugs soak --costs

        ugs soak --long-games

        ugs soak --long-games --games 100 --payload 4096 --no-journal

        ugs soak --cluster --minutes 60

        ugs soak --list
    """
    if listing:
        from ugs.commands import soak_run

        soak_run.list_costs() if trouble.costs else soak_run.list_attacks()
        return
    if not _run(trouble, load, span, as_json):
        raise typer.Exit(FAILED)


def _run(trouble: TroubleOptions, load: LoadOptions, span: SpanOptions, as_json: bool) -> bool:
    """Make the one kind of trouble that is wanted; returns whether everything held. Raises typer.BadParameter unless it
    is one kind."""
    from ugs.commands import soak_run

    kind = _kind(trouble, span)
    if kind == "long_games":
        return soak_run.play_long_games(load.games or LONG_GAMES, load.moves, load.payload, load.journal, as_json)
    if kind == "costs":
        return soak_run.show_costs(soak_run.costs_named(span.only or []), as_json)
    if not sys.platform.startswith("linux"):
        raise typer.BadParameter("ugs soak runs on Linux only: it reads the memory of other processes")
    chosen = soak_run.attacks_named(span.only or [])
    planned = random.randrange(1_000_000) if span.seed is None else span.seed
    minutes = MINUTES.get(kind, CHURN_MINUTES) if span.minutes is None else span.minutes
    with soak_run.failures():
        if kind == "rehearsal":
            return soak_run.rehearse(minutes, planned)
        if kind == "cluster":
            return soak_run.kill_cluster(minutes, planned, load.games or CLUSTER_GAMES, as_json)
        if kind == "attacks":
            return soak_run.attack(chosen, minutes, as_json)
        return soak_run.churn(minutes, planned, as_json, faults=kind == "faults")


def _kind(trouble: TroubleOptions, span: SpanOptions) -> str:
    """The option of the one kind of trouble that is wanted. Raises typer.BadParameter unless it is one."""
    wanted = {name for name in TroubleOptions.__annotations__ if getattr(trouble, name)}
    if span.only:
        wanted.add("attacks")
    if trouble.costs:
        wanted.discard("attacks")  # --only names costs then
    if not wanted and span.minutes is not None:
        wanted.add("faults")
    if len(wanted) != 1:
        kinds = "--attacks, --churn, --faults, --rehearsal, --costs, --long-games, --cluster and --list"
        raise typer.BadParameter(f"one of {kinds} is wanted")
    return wanted.pop()
