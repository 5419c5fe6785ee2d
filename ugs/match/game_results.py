"""What has come of a game: read off the log of the server, or its journal."""

from collections.abc import Mapping

from ugs.broker.values.record import read_reason
from ugs.broker.verdict import Cause, Fault, GameResult, Outcome
from ugs.broker.verdict_sentences import repeats
from ugs.match.game_log import GameEnd
from ugs.match.match_file import bot_of
from ugs.match.planner import PlannedGame
from ugs.match.score import FAULT_OF, OTHER_FAULT, ScoredGame


def of_log(planned: PlannedGame, end: GameEnd, late: Mapping[str, str]) -> ScoredGame:
    """What has come of a game. ``late`` are bots whose connection was ended since they thought for too long, with the
    sentence about it: for the server they have crashed."""
    event, left = end.event, end.left
    cause, culprit = Cause(event["verdict"]), event["culprit"] or ""
    by_player, reason = event["fault"] == Fault.PLAYER, event.get("reason") or ""
    if by_player and culprit:
        left = {**left, culprit: left.get(culprit, cause)}
    left = {nick: Cause.TIMEOUT if nick in late else why for nick, why in left.items()}
    return ScoredGame(
        planned,
        end.game_id,
        {bot_of(nick): Outcome(outcome) for nick, outcome in event["outcomes"].items()},
        Cause.TIMEOUT if by_player and culprit in late else cause,
        bot_of(culprit) if by_player else "",
        late.get(culprit) or ("" if repeats(cause, *read_reason(reason)) else reason),
        event["moves"],
        {bot_of(nick): FAULT_OF.get(why, OTHER_FAULT) for nick, why in left.items()},
    )


def of_journal(planned: PlannedGame, result: GameResult) -> ScoredGame:
    """What has come of a game, read from the journal of the server."""
    verdict = result.verdict
    by_player = verdict.fault is Fault.PLAYER and verdict.culprit
    left = {bot_of(seat.nick): seat.departure for seat in result.seats if seat.departure is not None}
    if by_player:
        left.setdefault(bot_of(verdict.culprit or ""), verdict.cause)
    return ScoredGame(
        planned,
        result.game_id,
        {bot_of(seat.nick): seat.outcome for seat in result.seats},
        verdict.cause,
        bot_of(verdict.culprit or "") if by_player else "",
        "",
        result.moves,
        {bot: FAULT_OF.get(why, OTHER_FAULT) for bot, why in left.items()},
    )
