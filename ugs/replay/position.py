"""The last position of a replay: has the player answered there in time, and otherwise than with the move that was
refused? Whether the rules allow the answer is asked in :mod:`ugs.check.move_verdict`. No I/O."""

from ugs.broker.verdict import Cause
from ugs.record.game import GameRecord
from ugs.replay.comparison import Similarity
from ugs.replay.player import Compared, PlayerReport

MOVE = "<move"
"""How a move is written, as a report shows it."""


def judged(report: PlayerReport, record: GameRecord, nick: str) -> str:
    """What is wrong with the player's last answer, without the rules; empty if nothing is. A move that was refused is
    wrong when it comes again."""
    last = report.compared[-1] if report.compared else None
    if last is None:
        return report.failure or f"{nick} was never asked in this game"
    if not last.now.startswith(MOVE):
        return (report.failure or f"no move: the player {last.now}") + strayed(report)
    verdict = record.result.verdict if record.result is not None else None
    refused = verdict is not None and verdict.cause is Cause.ILLEGAL_MOVE and verdict.culprit == nick
    if refused and last.number and last.similarity is not Similarity.DIFFERENT:
        return f"the move that was refused, again: {last.now}"
    return ""


def strays(report: PlayerReport) -> dict[int, Compared]:
    """The moves before the last answer that are not those of the record, each by its number in the game."""
    earlier = report.compared[:-1]
    return {
        one.number: one
        for one in earlier
        if one.number and one.similarity is Similarity.DIFFERENT and one.now.startswith(MOVE)
    }


def strayed(report: PlayerReport) -> str:
    """Why the player may have been confused; empty if it has moved as in the record before."""
    number = min(strays(report), default=0)
    if not number:
        return ""
    return (
        f"; its move {number} was not that of the record, which goes on all the same: a program that "
        "chooses by chance needs the chance that it had in the game"
    )
