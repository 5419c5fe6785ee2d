"""What `ugs match` does: plays the match, shows how it stands, and writes what it has come to."""

import json
import os
import shlex
import sys
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import trio
import typer
from rich.console import Console
from rich.live import Live

from ugs.broker.verdict_sentences import with_why
from ugs.commands.demo_parts import how_it_ended
from ugs.commands.stop_signals import STOP_SIGNALS
from ugs.match.games import find_game
from ugs.match.match_file import NAME
from ugs.match.match_settings import MIN_BOTS, WrongMatch, parse_wanted, read_plan
from ugs.match.output import WRITERS
from ugs.match.packets import LOST, PacketOffered, as_text
from ugs.match.packets import NAME as PACKETS
from ugs.match.programs import MatchFailed, tail
from ugs.match.runner import Match
from ugs.match.terminal import cost_line, crowded, findings, line, live, place_line, rounded_up, table, time_lines
from ugs.path_faults import reason_of
from ugs.printable import safe, safe_lines
from ugs.terminal import UNBOUNDED
from ugs.unkept_folders import unkept_folder

FAILED, STOPPED = 1, 130
"""Exit codes: the match could not go on; it was stopped by hand."""
LINE_S: Final = 60.0
"""Seconds between two lines where there is no terminal."""
LOOK_S: Final = 0.2
SHOWN_FAULTS: Final = 20
SHOWN_PACKETS: Final = 3


def run_match(text: Mapping[str, Any], plan: Path | None, resume: bool) -> int:
    """Play the match of these options, and of a plan file below them; returns the exit code. Raises WrongMatch."""
    below = read_plan(plan) if plan is not None else {}
    directory = text.get("data_dir") or below.get("data_dir") or ""
    if resume:
        # A plan goes before what the match was.
        below = {**_of_before(directory), **below}
    _check_players({**below, **text}, from_options="bots" in text or plan is None)
    wanted = parse_wanted({**below, **text}, str(plan) if plan is not None else "command line")
    with ExitStack() as stack:
        if not wanted.data_dir:
            folder = stack.enter_context(unkept_folder("ugs-match"))
        else:
            folder = Path(directory).absolute()
            _make(folder)
        match = Match(wanted, folder, resume=resume)
        stack.callback(match.kept.close)
        first = wanted.line() + (" --resume" if resume else "")
        # Before JSON and other forms the line would be in the way of the program that reads them.
        typer.echo(safe(first), err=wanted.output != "table")
        if rounded := rounded_up(match):
            typer.echo(rounded, err=wanted.output != "table")
        warned = _warn_if_crowded(match)
        code = trio.run(_play, match)
        if not warned:  # without a limit it matters only where a bot has lost on time
            _warn_if_crowded(match)
        return code


def _warn_if_crowded(match: Match) -> bool:
    """Warn where more programs run than there are processors and a clock matters. Returns whether it has."""
    warning = "" if match.wanted.cluster else crowded(match, len(os.sched_getaffinity(0)))
    if warning:
        typer.echo(f"ugs match: {warning}", err=True)
    return bool(warning)


def _make(folder: Path) -> None:
    """Make the folder of a match, unless it exists. Raises WrongMatch."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WrongMatch(f"--data-dir {folder}: cannot be used: {reason_of(error)}") from None


def _check_players(values: Mapping[str, Any], *, from_options: bool) -> None:
    """Raise WrongMatch, in the words of the command line, where no game or fewer than two bots are named there."""
    if not from_options:
        return
    if not values.get("game"):
        raise WrongMatch("GAME is missing: the name of an installed game; see `ugs games`")
    bots = values.get("bots") or {}
    if len(bots) < MIN_BOTS:
        if not values.get("master"):
            find_game(str(values["game"]), 'add --master "CMD {address}"')  # if this is wrong, too, it comes first
        there = ", ".join(f"--bot {name}={how}" for name, how in bots.items()) or "none"
        raise WrongMatch(f"--bot NAME=HOW: at least {MIN_BOTS} are needed; there is {there}. See `ugs match --help`")


def _of_before(directory: str) -> dict[str, Any]:
    """What the match was that lies there. Raises WrongMatch."""
    if not directory:
        raise WrongMatch("--resume: --data-dir is missing: the folder of the match that is to go on")
    folder = Path(directory)
    try:
        with (folder / NAME).open(encoding="utf-8") as file:
            found: dict[str, Any] = json.loads(file.readline())["match"]
    except (OSError, ValueError, KeyError, TypeError):
        raise WrongMatch(f"--resume: {folder / NAME} is not there, or holds no match; name its --data-dir") from None
    return {key: value for key, value in found.items() if value is not None}


async def _play(match: Match) -> int:
    console, code = Console(stderr=True), 0
    failures: list[MatchFailed] = []
    with trio.open_signal_receiver(*STOP_SIGNALS) as signals:
        try:
            async with trio.open_nursery() as nursery:
                stopped = trio.Event()
                nursery.start_soon(_until_signal, signals, stopped, nursery.cancel_scope)
                nursery.start_soon(_show, console, match)
                await match.play()
                nursery.cancel_scope.cancel()
        except* MatchFailed as group:
            failures += _leaves(group)
    # What came after the last look of the task that shows them.
    write_notes(console, match)
    void = "" if failures or stopped.is_set() else all_void(match)
    _write(match, failed=bool(failures) or bool(void))
    for failure in failures[:1]:
        typer.echo(safe_lines(f"ugs match: {failure}"), err=True)
        if match.wanted.data_dir and match.score.counted:
            typer.echo(f"ugs match: {len(match.score.counted)} games are kept; go on with --resume", err=True)
        code = FAILED
    if void:
        typer.echo(safe_lines(f"ugs match: {void}"), err=True)
        code = FAILED
    if stopped.is_set():
        typer.echo("stopped" + ("; go on with --resume" if match.wanted.data_dir else ""), err=True)
        code = STOPPED
    return code


def all_void(match: Match) -> str:
    """Why no game of a match counts, for people; empty if one does, or if none was played."""
    games = match.score.counted
    if not games or not all(game.void for game in games):
        return ""
    log, code = match.directory / "master.log", match.progress.master_code
    why = with_why(games[-1].cause, games[-1].reason)
    text = f"all games were void ({len(games)}), the last one by: {why}"
    if code is not None:
        text += f"; the game master {how_it_ended(code)}"
    # Without --data-dir it is gone with its folder.
    end = "" if match.wanted.data_dir else tail(log)
    return f"{text}; see {log}" if match.wanted.data_dir else f"{text}\n{end}".rstrip()


def _leaves(group: ExceptionGroup[MatchFailed]) -> list[MatchFailed]:
    found: list[MatchFailed] = []
    for one in group.exceptions:
        found += _leaves(one) if isinstance(one, ExceptionGroup) else [one]
    return found


async def _until_signal(signals: AsyncIterator[int], stopped: trio.Event, scope: trio.CancelScope) -> None:
    """Ctrl-C ends the match."""
    async for _ in signals:
        stopped.set()
        scope.cancel()


async def _show(console: Console, match: Match) -> None:
    """Show the match as it goes on: on a terminal all of it, elsewhere a line a minute; remarks at once."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_show_notes, console, match)
        if console.is_terminal:
            with Live(console=console, refresh_per_second=4, get_renderable=lambda: live(match), transient=True):
                await trio.sleep_forever()
        await _show_lines(console, match)


async def _show_notes(console: Console, match: Match) -> None:
    while True:
        write_notes(console, match)
        await trio.sleep(LOOK_S)


def write_notes(console: Console, match: Match) -> None:
    """Write the remarks that have come since."""
    while match.progress.notes:
        text = f"ugs match: {match.progress.notes.popleft()}"
        console.print(safe_lines(text), markup=False, highlight=False, soft_wrap=True)


async def _show_lines(console: Console, match: Match) -> None:
    while not match.progress.running and not match.copies.awaited:  # noqa: ASYNC110  (no event shows when bots are awaited)
        await trio.sleep(LOOK_S)
    shown, then = list[str](), trio.current_time() + LINE_S
    while True:
        awaited = match.copies.awaited
        if (not awaited or awaited == shown) and trio.current_time() < then:
            shown = awaited and shown  # who starts a program by hand needs the address at once, each time
            await trio.sleep(LOOK_S)
            continue
        shown, then = awaited, trio.current_time() + LINE_S
        text = " | ".join([line(match), *findings(match.score)])
        console.print(safe(text), markup=False, highlight=False, soft_wrap=True)


def _write(match: Match, *, failed: bool) -> None:
    """Write what the match has come to."""
    wanted = match.wanted
    offered = match.packets
    if offered:
        (match.directory / PACKETS).write_text(as_text(offered), encoding="utf-8")
    if wanted.output != "table":
        typer.echo(WRITERS[wanted.output](match))
        return
    if failed and all(game.void for game in match.score.counted):
        return  # a table of zeros in front of the reason helps no reader
    console = Console(width=None if sys.stdout.isatty() else UNBOUNDED, highlight=False)
    console.print(table(match.score))
    for text in (*findings(match.score), place_line(match)):
        if text:
            console.print(safe(text), markup=False)
    if match.cost is not None and match.cost.games:
        console.print(cost_line(match.cost), markup=False)
    for text in time_lines(match):
        console.print(safe(text), markup=False)
    for text in fault_lines(match):
        console.print(safe_lines(text), markup=False)
    if text := lost_games(match, offered):
        console.print(safe(text), markup=False, soft_wrap=True)
    if shown := [one for one in offered if one.at_fault][:SHOWN_PACKETS]:
        console.print("packets for the writers of bots:", markup=False)
        console.print(safe_lines(as_text(shown)).rstrip(), markup=False, soft_wrap=True)
        if len(offered) > len(shown):
            listed = safe(str(match.directory / PACKETS))
            console.print(f"… {len(offered) - len(shown)} more in {listed}", markup=False)


def fault_lines(match: Match) -> Iterator[str]:
    """The first games that were lost by a fault, and where what the bot wrote meanwhile lies. Of a match that is not
    kept the end of it is shown instead, once for each bot."""
    kept, shown = bool(match.wanted.data_dir), set[str]()
    for result, path in match.faults[:SHOWN_FAULTS]:
        whose = ", ".join(f"{bot}: {fault}" for bot, fault in result.faults.items())
        because = f" ({result.reason})" if result.reason else ""
        beside = f"; it wrote {path}" if kept and path.exists() else ""
        bot = path.stem.partition("-")[2]
        wrote = "" if kept or result.reason or bot in shown else tail(path)
        text = f"game {result.planned.number} ({result.game_id}): {whose}{because}{beside}"
        yield "\n  ".join([f"{text}; its last lines:", *wrote.splitlines()]) if wrote else text
        if wrote:
            shown.add(bot)
    if match.faults and not kept:
        yield "with --data-dir DIR these games are kept, with what bots wrote, for ugs replay and ugs why"


def lost_games(match: Match, offered: Sequence[PacketOffered]) -> str:
    """Where the games are listed that the first bot has lost, or else another one, and how one is looked at; empty
    where there are none."""
    for bot in match.wanted.bots:
        lost = [one for one in offered if one.bot == bot and (one.why == LOST or one.at_fault)]
        if lost:
            listed = shlex.quote(str(match.directory / PACKETS))
            server = shlex.quote(str(match.directory / "server"))
            # Games of other machines are in no journal here.
            look = "" if match.wanted.cluster else f"; look: ugs replay {lost[0].game_id} --data-dir {server}"
            return f"games that {bot} has lost ({len(lost)}): {listed}{look}"
    return ""
