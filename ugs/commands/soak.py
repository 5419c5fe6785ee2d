"""The command ``ugs soak``."""

import json
import random
import sys
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import trio
import typer

from ugs.commands.failing import FAILED, failure
from ugs.printable import meant
from ugs.soak import report
from ugs.soak.attacks import ATTACKS, Attack
from ugs.soak.churn import Churn
from ugs.soak.manner import CHURN, FAULTS
from ugs.soak.measure import measure_all
from ugs.soak.rehearsal import Rehearsal, Tally, told
from ugs.soak.server import SoakFailed
from ugs.soak.summary import Summary

MINUTES = 5.0
CHURN_MINUTES = 2.0


def soak(
    attacks: Annotated[
        bool, typer.Option("--attacks", help="Attack a server in all known ways, one after another.")
    ] = False,
    churn: Annotated[
        bool, typer.Option("--churn", help="Let players, masters and the server come, go, crash and come back.")
    ] = False,
    faults: Annotated[
        bool,
        typer.Option(
            "--faults",
            help="As --churn, and lines fail, the disk is full or slow, clocks jump, a master answers garbage; "
            "meant when only --minutes is given.",
        ),
    ] = False,
    rehearsal: Annotated[
        bool,
        typer.Option(
            "--rehearsal",
            help="A public address: fifty bots over TLS who own their names, faults, impostors, attackers in turn.",
        ),
    ] = False,
    minutes: Annotated[
        float | None,
        typer.Option(
            min=0, help="Minutes in all; each attack gets its share.  [default: 5 for --attacks, 2 for the others]"
        ),
    ] = None,
    only: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Attack in this way only; as often as needed.")
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(min=0, help="With --churn and --faults: plans the same troubles again.  [default: made up]"),
    ] = None,
    listing: Annotated[bool, typer.Option("--list", help="List the attacks, and end.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")] = False,
) -> None:
    """Prove that nobody spoils it for others: attack a real server beside calm games, or let everything crash.

    With --attacks, every attack meets a server of its own, on which calm players and a real game master play; its
    settings are the defaults, but for a second master where the attack needs one. Printed are the round trips of their
    moves, alone and attacked; the longest time that one message held the server up; the server's memory before, at its
    peak and after; and how the server dealt with the attacker. With --churn, rounds of trouble each end with a
    comparison of what the journal, the server and the players say. With --faults, the lines of players are cut,
    delayed or half-open, the disk is full or slow, server and master stand still, and one master answers garbage.

    The exit code is 1 when a bound or an invariant is broken. docs/organiser.md tells how to read the figures.

    Examples:

        ugs soak --attacks

        ugs soak --only list-players --only errors --minutes 1

        ugs soak --churn --minutes 30 --seed 7

        ugs soak --minutes 120

        ugs soak --rehearsal --minutes 60

        ugs soak --list
    """
    if listing:
        typer.echo(report.listed())
        return
    faults = faults or (minutes is not None and not (attacks or only or churn or rehearsal))
    if [attacks or bool(only), churn, faults, rehearsal].count(True) != 1:
        raise typer.BadParameter("one of --attacks, --churn, --faults, --rehearsal and --list is wanted")
    if not sys.platform.startswith("linux"):
        raise typer.BadParameter("ugs soak runs on Linux only: it reads the memory of other processes")
    chosen = attacks_named(only or [])
    try:
        if rehearsal:
            good = _rehearse(
                CHURN_MINUTES if minutes is None else minutes, random.randrange(1_000_000) if seed is None else seed
            )
        elif not (churn or faults):
            good = _attack(chosen, MINUTES if minutes is None else minutes, as_json)
        else:
            made_up = random.randrange(1_000_000) if seed is None else seed
            good = _churn(CHURN_MINUTES if minutes is None else minutes, made_up, as_json, faults=faults)
    except (SoakFailed, OSError) as error:
        raise failure("ugs soak", error) from error
    if not good:
        raise typer.Exit(FAILED)


def attacks_named(names: list[str]) -> list[Attack]:
    """The attacks of these names, all for none. Raises typer.BadParameter for an unknown name."""
    unknown = [name for name in names if name not in ATTACKS]
    if unknown:
        hint = meant(unknown[0], ATTACKS)
        raise typer.BadParameter(f"no attack {unknown[0]!r}{hint}; see ugs soak --list", param_hint="--only")
    return [ATTACKS[name] for name in dict.fromkeys(names)] or list(ATTACKS.values())


def _attack(attacks: list[Attack], minutes: float, as_json: bool) -> bool:
    if not as_json:
        typer.echo(report.heading())
    findings = measure_all(attacks, minutes, lambda finding: None if as_json else typer.echo(report.lines_of(finding)))
    good = not any(finding.broken for finding in findings)
    if as_json:
        typer.echo(json.dumps({"findings": [finding.as_dict() for finding in findings], "within": good}, indent=2))
    else:
        typer.echo(report.summary(findings))
    return good


def _rehearse(minutes: float, seed: int) -> bool:
    def one_round(now: Summary, tally: Tally) -> None:
        beside = f"; {tally.heard[-1].attack}: witness p99 {tally.heard[-1].trips.p99_ms:.1f} ms" if tally.heard else ""
        typer.echo(report.round_line(now) + beside)

    with TemporaryDirectory(prefix="ugs-soak-rehearsal-") as directory:
        rehearsal = Rehearsal(Path(directory), seed)
        try:
            summary = trio.run(rehearsal.run, minutes * 60, one_round)
        finally:
            rehearsal.close()
    typer.echo(told(rehearsal.tally))
    typer.echo(report.churn_text(summary))
    return not summary.violations


def _churn(minutes: float, seed: int, as_json: bool, *, faults: bool) -> bool:
    with TemporaryDirectory(prefix="ugs-soak-churn-") as directory:
        churn = Churn(Path(directory), seed, FAULTS if faults else CHURN)
        try:
            summary = trio.run(
                churn.run, minutes * 60, lambda now: None if as_json else typer.echo(report.round_line(now))
            )
        finally:
            churn.close()
    typer.echo(json.dumps(asdict(summary), indent=2) if as_json else report.churn_text(summary))
    return not summary.violations
