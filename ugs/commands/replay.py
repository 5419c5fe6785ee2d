"""The command ``ugs replay``.

Exit codes: 0 shown, or all the same; 1 something differs, or cannot be read or played; 2 wrong usage.
"""

import shlex
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated

import trio
import typer

from ugs.commands.drawing import canvas
from ugs.commands.failing import FAILED, failure
from ugs.journal.schema import JournalError
from ugs.pictures.recorded import UnknownViewer, seat_called
from ugs.record.game import GameRecord
from ugs.record.validation import RecordError
from ugs.replay.dialogue import Dialogue
from ugs.replay.master import MasterReplay, MasterReport
from ugs.replay.player import PlayerReplay, PlayerReport
from ugs.replay.program import ReplayFailed, converse
from ugs.replay.report import master_lines, player_lines
from ugs.replay.screen import in_place, keyboard, one_by_one, step
from ugs.replay.script import MasterStep, PlayerStep, master_script, player_script
from ugs.replay.show import frames, show
from ugs.replay.source import NotReplayable, find
from ugs.terminal import output


def replay(
    game: Annotated[str, typer.Argument(help="A file (.ugsg or .jsonl) with one game, or an id with --data-dir.")],
    command: Annotated[
        list[str] | None, typer.Argument(metavar="-- CMD...", help="With --as: the player's command line.")
    ] = None,
    data_dir: Annotated[
        Path | None, typer.Option(envvar="UGS_DATA_DIR", help="Directory in which a server keeps its journal.")
    ] = None,
    speed: Annotated[
        float | None, typer.Option(min=0, help="So many times as fast as it was played; 0: do not wait.  [default: 1]")
    ] = None,
    full: Annotated[bool, typer.Option("--full", help="Payloads instead of pictures, none of them shortened.")] = False,
    raw: Annotated[bool, typer.Option("--raw", help="Payloads instead of pictures.")] = False,
    steps: Annotated[bool, typer.Option("--step", help="On a terminal: wait for a key at each position.")] = False,
    viewer: Annotated[
        str | None, typer.Option(metavar="NICK", help="Show what this player saw.  [default: what everybody may see]")
    ] = None,
    master: Annotated[
        str | None, typer.Option(metavar="CMD", help="Let this game master lead the game again and compare its states.")
    ] = None,
    nick: Annotated[
        str | None, typer.Option("--as", metavar="NICK", help="Let CMD play for NICK again and compare its moves.")
    ] = None,
    timeout: Annotated[
        float, typer.Option(min=0.01, help="Seconds that a master or player may take to connect, or for an answer.")
    ] = 10.0,
) -> None:
    """Play a recorded game again: on the terminal, against a game master, or against a player.

    On the terminal every position is a picture, with the moves in words; with --raw, the payloads are shown instead.

    A master or player is started by its command line, in which {address}, {host} and {port} are replaced by where it
    is to connect to; the environment has the same as UGS_ADDRESS, UGS_HOST and UGS_PORT.

    Examples:

        ugs replay game.ugsg --speed 10

        ugs replay game.ugsg --step --viewer ann

        ugs replay 3f9a --data-dir data --master "ugs master tic-tac-toe --connect {address} --once"

        ugs replay game.ugsg --as ann -- ugs bot tic-tac-toe --nick ann --connect {address} --once
    """
    _check_usage(command, speed, shown=full or raw or steps or viewer is not None, master=master, nick=nick)
    if viewer is not None and (full or raw):
        raise typer.BadParameter(
            "pictures are seen by a viewer; --raw and --full show all payloads", param_hint="--viewer"
        )
    with _failures():
        record = find(game, data_dir)
        if master is not None:
            words = _words(master)
            _print_master(words, timeout, record, master_script(record))
        elif nick is not None:
            _print_player(command or [], timeout, record, nick, player_script(record, nick))
        else:
            rate = 1.0 if speed is None else speed
            if full or raw:
                show(record, speed=rate, width=output().width, full=full, say=typer.echo, sleep=time.sleep)
            else:
                _show_pictures(record, viewer, rate, steps=steps)


def _show_pictures(record: GameRecord, viewer: str | None, speed: float, *, steps: bool) -> None:
    """Raises UnknownViewer."""
    screen = canvas()
    seen = frames(record, seat_called(record, viewer))
    if steps and screen.is_terminal and sys.stdin.isatty():
        with keyboard() as keys:
            step(screen, seen, keys)
    elif screen.is_terminal and speed > 0:
        in_place(screen, seen, speed, time.sleep)
    else:
        one_by_one(screen, seen, speed, time.sleep)


def _check_usage(
    command: Sequence[str] | None, speed: float | None, *, shown: bool, master: str | None, nick: str | None
) -> None:
    """Raises typer.BadParameter."""
    if master is not None and nick is not None:
        raise typer.BadParameter("--master and --as exclude each other")
    if (nick is not None) != bool(command):
        raise typer.BadParameter("--as NICK and -- CMD... go together", param_hint="--as")
    if (master is not None or nick is not None) and (speed is not None or shown):
        options = "--speed, --full, --raw, --step and --viewer"
        raise typer.BadParameter(f"{options} are for showing a game, without --master and --as")
    if master is not None:
        _words(master)


def _words(command: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise typer.BadParameter(f"{command!r}: {error}", param_hint="--master") from None
    if not words:
        raise typer.BadParameter("the command is empty", param_hint="--master")
    return words


def _print_master(command: list[str], timeout: float, record: GameRecord, script: list[MasterStep]) -> None:
    async def talk(dialogue: Dialogue) -> MasterReport:
        return await MasterReplay(dialogue, record, script).run()

    report, program = trio.run(partial(converse, command, timeout, talk))
    _print(master_lines(report, program), same=report.same)


def _print_player(command: list[str], timeout: float, record: GameRecord, nick: str, script: list[PlayerStep]) -> None:
    async def talk(dialogue: Dialogue) -> PlayerReport:
        return await PlayerReplay(dialogue, record, nick, script).run()

    report, program = trio.run(partial(converse, command, timeout, talk))
    _print(player_lines(report, program), same=report.same)


def _print(lines: Iterator[str], *, same: bool) -> None:
    for line in lines:
        typer.echo(line)
    if not same:
        raise typer.Exit(FAILED)


@contextmanager
def _failures() -> Iterator[None]:
    """What fails in the block is told without a traceback; Ctrl-C ends it, in whatever task it came up."""
    try:
        yield
    except (JournalError, RecordError, NotReplayable, ReplayFailed, UnknownViewer) as error:
        raise failure("ugs replay", error) from None
    except BaseExceptionGroup as group:
        if group.split(KeyboardInterrupt)[1] is not None:
            raise
        raise typer.Abort from None
