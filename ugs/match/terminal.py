"""A match as people see it: the table, its findings, and a line about the progress. No I/O."""

from collections.abc import Iterator
from math import isinf

from rich.console import Group
from rich.table import Table as Grid
from rich.text import Text

from ugs.broker.verdict import Cause
from ugs.durations import duration_text
from ugs.match.conclusion import ENOUGH, conclusion
from ugs.match.cost import MatchCost
from ugs.match.elo_difference import Comparison, Estimate
from ugs.match.planner import SETS
from ugs.match.runner import Match
from ugs.match.score import FAULT_OF, FAULTS, BotLine, MatchScore
from ugs.processor_time import ProcessorUse
from ugs.terminal import Column, grid


def live(match: Match) -> Group:
    """All of it, while it is played."""
    return Group(table(match.score), Text("\n".join([*findings(match.score), line(match)])))


def table(score: MatchScore) -> Grid:
    """The bots, the best first."""
    heads = ("won", "drawn", "lost", "points", "%", "crashes", "illegal", "time-outs", "other")  # the last: FAULTS
    return grid(
        ("bot", *(Column(head, right=True, whole=True) for head in heads)),
        (
            (
                one.bot,
                *map(str, (one.won, one.drawn, one.lost)),
                f"{one.points:g}",
                f"{100 * one.points / one.games:.1f}" if one.games else "-",
                *(str(one.faults[fault]) for fault in FAULTS),
            )
            for one in best_first(score)
        ),
    )


def best_first(score: MatchScore) -> list[BotLine]:
    """The lines of the bots by points; equal ones in the order of the bots."""
    return sorted(score.lines.values(), key=lambda one: -one.points)


def findings(score: MatchScore) -> Iterator[str]:
    """What the results show, in lines."""
    compared = score.comparison
    if compared is not None:
        yield from _compared(score, compared)
    elif len(score.lines) > 2 and score.counted:
        yield from _ratings(score)
    if score.sprt is not None:
        low, high = score.sprt.bounds
        test = f"{score.sprt.model.value} Elo {score.sprt.elo0:g} against {score.sprt.elo1:g}"
        yield f"SPRT ({test}): LLR {score.ratio:.2f} ({low:.2f} to {high:.2f}), {score.stopped or 'goes on'}"
    elif score.stopped:
        yield f"ended after {len(score.counted)} games, by --until best: {score.stopped}"
    yield from conclusion(score)


def _compared(score: MatchScore, compared: Comparison) -> Iterator[str]:
    first, second = score.lines
    each, points = ("pairs", "0, ½, 1, 1½, 2 points") if score.in_pairs else ("games", "0, ½, 1 point")
    of = f"{each} with {points} of it: {list(score.counts or ())}"
    if sum(map(bool, score.counts or ())) == 1 and isinf(compared.elo.low) and isinf(compared.elo.high):
        yield f"{first} against {second}: all {each} ended alike, so Elo has no interval"
    else:
        yield f"{first} against {second}: Elo {estimate(compared.elo)}, normalised {estimate(compared.normalised)}"
        if sum(score.counts or ()) < ENOUGH:
            yield f"fewer than {ENOUGH} {each}: intervals are rough"
    yield f"likelihood that {first} is better: {100 * compared.superiority:.1f} %; {of}"


def _ratings(score: MatchScore) -> Iterator[str]:
    standings = score.standings()
    for one in standings.players:
        if one.elo is not None:
            yield f"{one.place}. {one.nick}: Elo {one.elo.value:.0f} ({one.elo.low:.0f} to {one.elo.high:.0f})"
        elif one.rating is not None:
            yield f"{one.place}. {one.nick}: rating {one.rating.mu:.1f} ± {2 * one.rating.sigma:.1f}"


def estimate(one: Estimate) -> str:
    """A value with its interval."""
    return f"{number(one.value)} ({number(one.low)} to {number(one.high)})"


def number(value: float) -> str:
    """A number of Elo points, with its sign."""
    if isinf(value):
        return "∞" if value > 0 else "-∞"
    return f"{value:+.1f}"


def line(match: Match) -> str:
    """How far it is."""
    progress, done = match.progress, len(match.score.counted)
    text = f"{done} of {progress.total} games, {progress.running} running, {progress.per_second:.1f} a second"
    if progress.played and done < progress.total:
        left = (progress.total - done) / progress.per_second
        text += f", at most {duration_text(left, up=True)} left"
    waiting = match.copies.awaited
    if waiting:
        text += f"; waiting for {', '.join(waiting)} to log in at {progress.address}"
    return text


def time_lines(match: Match) -> Iterator[str]:
    """What bots that are programs have used of processors, and how long they had to wait for one."""
    for bot, (games, use) in match.times().items():
        if games and use != ProcessorUse():
            used, waited = (1000 * seconds / games for seconds in (use.used_s, use.waited_s))
            yield f"{bot}: {used:.1f} ms of processor time a game, ready and without a processor for {waited:.1f} ms"


def place_line(match: Match) -> str:
    """Who has won, where that is not a matter of points (knock-out); empty elsewhere, and before the end."""
    places = match.planner.places
    others = ", ".join(f"{place}. {bot}" for place, bot in enumerate(places[1:], 2))
    return f"{places[0]} has won the {match.wanted.format}; then {others}" if places else ""


def rounded_up(match: Match) -> str:
    """How many games a match has where they are more than were wanted; empty where not."""
    wanted, total = match.wanted, match.progress.total
    if wanted.cluster or wanted.format not in SETS or total <= wanted.games:
        return ""
    orders = f"all orders of {match.players} seats" if wanted.seats == "balanced" else "whole sets of pairings"
    return f"{total} games: {wanted.games} rounded up to {orders}"


def crowded(match: Match, processors: int) -> str:
    """A warning where more programs run than there are processors, and a clock matters: a limit of time was given that
    is not of processors, or a bot has lost on time; empty where not."""
    programs, wanted = match.copies.programs(match.players), match.wanted
    limits = wanted.time_limits
    usual = wanted.fields()["move_timeout_s"].default
    given = wanted.time or wanted.move_timeout_s != usual or (limits.set and limits.clock == "wall")
    late = any(line.faults[FAULT_OF[Cause.TIMEOUT]] for line in match.score.lines.values())
    if programs <= processors or not (given or late):
        return ""
    return (
        f"{programs} programs at once on {processors} processor{'s' if processors > 1 else ''}: wall clocks measure "
        "the others as well; take less --concurrency, or --clock cpu with --hard-ms"
    )


def cost_line(cost: MatchCost) -> str:
    """What it cost, and how many games bots and master alone could play."""
    each = 1000 / max(1, cost.games)
    limit = ", which is what the busiest of them can" if cost.limited_by_busiest else ""
    return (
        f"{cost.games / cost.seconds:.1f} games a second. A game took {each * cost.all_s:.1f} ms of processor time: "
        f"bots {each * cost.bots_s:.1f}, master {each * cost.master_s:.1f}, broker {each * cost.broker_s:.1f}, "
        f"this program {each * cost.runner_s:.1f}. Bots and master took {100 * cost.share:.0f} % of it; "
        f"alone they could play {cost.alone_per_second:.1f} a second{limit}, and "
        f"{100 * cost.reached:.0f} % of that was reached"
    )
