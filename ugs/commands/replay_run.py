"""What ``ugs replay`` does: shows a recorded game, or lets a master or a player play it again.

The functions take the game as the user named it and the data directory, if one was named; they raise what
:func:`failures` reports.
"""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Final, cast

import trio
import typer

from ugs.check.move_verdict import JudgingGame, NotJudged, first_illegal, verdict_on
from ugs.check.whole_check import game_of_type
from ugs.commands.failure import FAILED, failure
from ugs.commands.picture_output import canvas
from ugs.journal.journal_error import JournalError
from ugs.pictures.recorded import UnknownViewer, seat_called
from ugs.places import Place
from ugs.printable import safe
from ugs.record.escapes import unescape_body
from ugs.record.game import GameRecord
from ugs.record.validation import RecordError
from ugs.replay.dialogue import Dialogue
from ugs.replay.master import MasterReplay, MasterReport
from ugs.replay.player import PlayerReplay, PlayerReport
from ugs.replay.position import judged, strayed, strays
from ugs.replay.program import ReplayFailed, converse
from ugs.replay.report import master_lines, player_lines
from ugs.replay.screen import in_place, keyboard, one_by_one, step
from ugs.replay.script import master_script, player_script
from ugs.replay.show import frames, show
from ugs.replay.source import NotReplayable, find
from ugs.terminal import output

REPLAY_ENDS: Final = "here the replay ends, as a server that shuts down: what the program writes about that is no fault"


@contextmanager
def failures() -> Iterator[None]:
    """Report errors of the block without a traceback; Ctrl-C ends it, in any task."""
    try:
        yield
    except (JournalError, RecordError, NotReplayable, ReplayFailed, UnknownViewer) as error:
        raise failure("ugs replay", error) from None
    except BaseExceptionGroup as group:
        if group.split(KeyboardInterrupt)[1] is not None:
            raise
        raise typer.Abort from None


def payloads(game: str, data_dir: Place | None, speed: float, *, full: bool) -> None:
    """Show every payload; if ``full``, none of them shortened."""
    record = find(game, data_dir)
    show(record, speed=speed, width=output().width, full=full, write=typer.echo, sleep=time.sleep)


def pictures(game: str, data_dir: Place | None, viewer: str | None, speed: float, *, steps: bool) -> None:
    """Show every position as ``viewer`` saw it; if ``steps``, wait for a key at each of them."""
    record = find(game, data_dir)
    screen = canvas()
    seen = frames(record, seat_called(record, viewer))
    if steps and screen.is_terminal and sys.stdin.isatty():
        with keyboard() as keys:
            step(screen, seen, keys)
    elif screen.is_terminal and speed > 0:
        in_place(screen, seen, speed, time.sleep)
    else:
        one_by_one(screen, seen, speed, time.sleep)


def words(game: str, data_dir: Place | None, viewer: str | None, speed: float) -> None:
    """Show what happened in the words of the game, as ``viewer`` saw it, without pictures."""
    record = find(game, data_dir)
    seen = frames(record, seat_called(record, viewer), brief=True)
    one_by_one(canvas(), (replace(frame, picture=None) for frame in seen), speed, time.sleep)


def against_master(command: list[str], timeout: float, game: str, data_dir: Place | None) -> None:
    """Let the master that ``command`` starts lead the game again, and print in what its states differ."""
    record = find(game, data_dir)
    if record.result is None:
        typer.echo("this game still runs: its seed is not known yet, so what hangs on chance differs", err=True)
    script = master_script(record)

    async def talk(dialogue: Dialogue) -> MasterReport:
        return await MasterReplay(dialogue, record, script).run()

    report, program = trio.run(partial(converse, command, timeout, talk))
    _print(master_lines(report, program), same=report.same)


def against_player(command: list[str], timeout: float, game: str, data_dir: Place | None, nick: str) -> None:
    """Let the player that ``command`` starts play for ``nick`` again, and print in what its moves differ."""
    _, report, program = _played_again(command, timeout, game, data_dir, nick)
    _print(player_lines(report, program), same=report.same)


def in_last_position(command: list[str], timeout: float, game: str, data_dir: Place | None, nick: str) -> None:
    """Let the player that ``command`` starts play for ``nick`` again, and look at its answer in the last position, and
    whether those before that are not in the record are legal."""
    record, report, program = _played_again(command, timeout, game, data_dir, nick)
    illegal, unknown = _illegal_before(record, report, nick)
    wrong = illegal or judged(report, record, nick)
    if not wrong:
        last = report.compared[-1]
        # Who strayed remembers another game than that of the record, where its mistake may not come.
        stray = strayed(report)
        doubt = f"{stray}. So this answer proves little{unknown or ', except that no earlier one was illegal'}"
        try:
            refusal = verdict_on(_rules_of(record), record, nick, last.number, unescape_body(last.now))
        except NotJudged as why:
            typer.echo(safe(f"it answers in time: {last.now}"))
            typer.echo(safe(f"whether that is legal is not known: {why}"))
            return
        if not refusal:
            typer.echo(safe(f"it answers legally and in time: {last.now}{doubt if stray else ''}"))
            return
        wrong = f"not legal: {last.now}: {refusal}{stray}"
    # With a failure the dialogue has stopped short, and what the program wrote may be the reason.
    end = [] if report.failure else [REPLAY_ENDS]
    _print(iter([safe(wrong), *end, *map(safe, program)]), same=False)


def _illegal_before(record: GameRecord, report: PlayerReport, nick: str) -> tuple[str, str]:
    """Which of the answers before the last one is illegal, and why; empty if none is known to be. And why they could
    not all be judged, if they could not."""
    answers = {number: unescape_body(one.now) for number, one in strays(report).items()}
    if not answers:
        return "", ""
    try:
        found = first_illegal(_rules_of(record), record, nick, answers)
    except NotJudged as why:
        return "", f", and whether the earlier ones are legal is not known: {why}"
    if found is None:
        return "", ""
    number, refusal = found
    return f"its move {number} is illegal: {strays(report)[number].now}: {refusal}", ""


def _rules_of(record: GameRecord) -> JudgingGame:
    """The rules of the game, as they are installed here. Raises NotJudged."""
    game = game_of_type(record.game_type)
    if game is None:
        raise NotJudged(f"the rules of {record.game_type} are not installed here")
    return cast("JudgingGame", game)


def _played_again(
    command: list[str], timeout: float, game: str, data_dir: Place | None, nick: str
) -> tuple[GameRecord, PlayerReport, list[str]]:
    record = find(game, data_dir)
    script = player_script(record, nick)

    async def talk(dialogue: Dialogue) -> PlayerReport:
        return await PlayerReplay(dialogue, record, nick, script).run()

    return record, *trio.run(partial(converse, command, timeout, talk))


def _print(lines: Iterator[str], *, same: bool) -> None:
    for line in lines:
        typer.echo(line)
    if not same:
        raise typer.Exit(FAILED)
