"""What ``ugs check`` does: tries a program and writes what has come of it."""

import os
import sys
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from functools import partial
from shutil import which
from typing import Any, Final

import trio
import typer

from ugs.address import read_listening
from ugs.check.case import Case, CaseFinding, CaseVerdict, Level, NoProgram, failures
from ugs.check.findings_output import as_junit, as_tap, finding_lines, left_out, summary, table_of_cases
from ugs.check.suites import SUITES, of_bots, of_masters
from ugs.check.whole_check import Where, check_bot, check_master, check_own_bot
from ugs.commands.failure import WRONG_USAGE, failure
from ugs.commands.stop_signals import STOP_SIGNALS
from ugs.match.games import find_game
from ugs.match.match_settings import WrongMatch
from ugs.match.own_programs import check_program
from ugs.printable import safe

COMMAND: Final = "ugs check"
STOPPED: Final = 130
"""Exit code after Ctrl-C."""
PER_LINE: Final = 60
"""Cases that are a dot each on a line."""
DOTS: Final = {CaseVerdict.PASSED: ".", CaseVerdict.FAILED: "F", CaseVerdict.SKIPPED: "s", CaseVerdict.BLOCKED: "b"}

OWN_GAME: Final = '--master "CMD {address}" names it'
"""What to do about a game that is not installed."""

Check = Callable[[Where, Sequence[Case], Callable[[CaseFinding], None]], Coroutine[Any, Any, list[CaseFinding]]]


def run_bot(
    game: str,
    master: str,
    command: list[str],
    listen: str | None,
    only: list[str],
    timeout: float,
    output: str,
    *,
    lenient: bool,
) -> None:
    """Try a bot, of an installed game or of one that the program ``master`` leads."""
    try:
        found = None if master else find_game(_named(game), OWN_GAME)
        if master:
            check_program("--master", master)
    except WrongMatch as error:
        raise failure(COMMAND, error, WRONG_USAGE) from None

    async def check(where: Where, cases: Sequence[Case], show: Callable[[CaseFinding], None]) -> list[CaseFinding]:
        if found is None:
            return await check_own_bot(where, master, game, cases, show)
        return await check_bot(where, found, cases, show)

    _run(check, _chosen(of_bots(), only), _where(command, listen, timeout), output, "ugs check bot", lenient=lenient)


def _named(game: str) -> str:
    if not game:
        raise failure(COMMAND, 'give --game NAME, or --master "CMD {address}" for a game of your own', WRONG_USAGE)
    return game


def run_master(
    game_type: str,
    command: list[str],
    listen: str | None,
    only: list[str],
    timeout: float,
    output: str,
    *,
    lenient: bool,
) -> None:
    """Try a game master."""

    async def check(where: Where, cases: Sequence[Case], show: Callable[[CaseFinding], None]) -> list[CaseFinding]:
        return await check_master(where, game_type, cases, show)

    if len(command) == 1 and "/" not in command[0] and which(command[0]) is None:
        why = f"{command[0]!r}: there is no such program; a game type follows --game-type, the command of a master --"
        raise failure(COMMAND, why, WRONG_USAGE)
    name = "ugs check master"
    _run(check, _chosen(of_masters(), only), _where(command, listen, timeout), output, name, lenient=lenient)


def list_cases(side: str) -> None:
    """Print the table of the cases of bots or masters."""
    typer.echo(table_of_cases(SUITES[side]()))


def _where(command: list[str], listen: str | None, timeout: float) -> Where:
    if (listen is None) != bool(command):
        raise failure(COMMAND, "give -- CMD... or --listen HOST:PORT, one of them", WRONG_USAGE)
    if listen is None:
        return Where(command, timeout_s=timeout)
    try:
        address = read_listening(listen)
    except ValueError as error:
        raise failure(COMMAND, f"--listen {listen!r}: {error}", WRONG_USAGE) from None
    return Where(listen=address, ask=partial(_print, COMMAND), timeout_s=timeout)


def _print(who: str, text: str) -> None:
    typer.echo(f"{who}: {text}", err=True)


def _chosen(cases: list[Case], patterns: list[str]) -> list[Case]:
    """The cases of these names, with those that all others depend on."""
    if not patterns:
        return cases
    found = [case for case in cases if any(fnmatchcase(case.name, pattern) for pattern in patterns)]
    if not found:
        raise failure(COMMAND, f"--only {', '.join(patterns)}: no such case; see `ugs check cases`", WRONG_USAGE)
    return [case for case in cases if case.basic or case.run is None or case in found]


def _run(check: Check, cases: list[Case], where: Where, output: str, name: str, *, lenient: bool) -> None:
    """Try the cases, write what has come of them, and end the command."""
    show = _Shown() if output == "console" else lambda finding: None
    found: list[CaseFinding] = []
    try:
        stopped = trio.run(_until_signal, partial(check, where, cases, show), found)
    except* NoProgram as group:
        raise failure(COMMAND, _first(group)) from None
    except* BrokenPipeError:  # the reader of our lines has seen enough
        # Else Python would fail once more when it flushes standard output at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(1) from None
    if stopped:
        typer.echo("stopped", err=True)
        raise typer.Exit(STOPPED)
    _write(found, output, name)
    raise typer.Exit(1 if failures(found, Level.MUST if lenient else None) else 0)


def _first(group: BaseExceptionGroup[NoProgram]) -> str:
    one: BaseException = group
    while isinstance(one, BaseExceptionGroup):
        # Each nursery on the way wraps the error in one group more.
        one = one.exceptions[0]
    return str(one)


async def _until_signal(check: Callable[[], Coroutine[Any, Any, list[CaseFinding]]], found: list[CaseFinding]) -> bool:
    """Check; whether that was stopped."""
    stopped = False
    with trio.open_signal_receiver(*STOP_SIGNALS) as signals:
        async with trio.open_nursery() as nursery:

            @nursery.start_soon
            async def stop() -> None:
                nonlocal stopped
                async for _ in signals:
                    stopped = True
                    nursery.cancel_scope.cancel()

            found += await check()
            nursery.cancel_scope.cancel()
    return stopped


class _Shown:
    """Cases as they come: a letter each, and those that fail in full."""

    def __init__(self) -> None:
        self._letters = 0

    def __call__(self, finding: CaseFinding) -> None:
        if finding.verdict is CaseVerdict.FAILED:
            typer.echo("\n" * bool(self._letters) + "\n".join(finding_lines(finding, brief=True)) + "\n")
            self._letters = 0
            return
        typer.echo(DOTS[finding.verdict], nl=False)
        self._letters += 1
        if self._letters == PER_LINE:
            typer.echo("")
            self._letters = 0


def _write(found: list[CaseFinding], output: str, name: str) -> None:
    # Who reads this may have gone, as head does.
    with suppress(BrokenPipeError):
        if output == "junit":
            typer.echo(as_junit(found, name))
        elif output == "tap":
            typer.echo(as_tap(found))
        else:
            typer.echo("\n" + "".join(f"{line}\n" for line in left_out(found)) + safe(summary(found)))
