"""What a match has shown, in words: who is better, or about how many more games would show it. No I/O."""

from collections.abc import Iterator
from math import ceil, sqrt
from typing import Final

from ugs.match.counts import Moments, moments
from ugs.match.elo_difference import SIGMAS
from ugs.match.score import MatchScore
from ugs.match.sprt import Decision, Model, Sprt
from ugs.standings.layout import significance_remark
from ugs.standings.significance import MAX_MORE_GAMES

ENOUGH: Final = 30
"""Pairs, or games, from which on the intervals of Elo are good: they come from the normal approximation of a mean."""
OFTEN: Final = 0.8416
"""Standard errors by which a difference has to be clear of the bound to be seen with a chance of 80 %."""
ALIKE: Final = 5
"""Observations that have all ended alike, and are enough: a fair coin shows one side so often in 3 % of all cases."""
SHOWN_PAIRS: Final = 3
"""Pairs of neighbours that are spoken of in a match of more than two bots."""


def conclusion(score: MatchScore) -> Iterator[str]:
    """A sentence for each pair of bots: of two bots one, of more those of the first neighbours in the standings."""
    counts = score.counts
    if counts is None:
        yield from _neighbours(score) if score.counted else ()
        return
    known = moments(counts)
    if known is None:
        return
    first, second = score.lines
    if score.sprt is not None:
        yield _of_test(first, second, score, score.sprt, known)
    else:
        yield _of_counts(first, second, "pairs" if score.in_pairs else "games", known)


def _of_counts(first: str, second: str, each: str, known: Moments) -> str:
    """What the games of two show, or those of more in which these two were together."""
    return _of_interval(first, second, each, known) if known.deviation else _alike(first, second, each, known)


def _of_test(first: str, second: str, score: MatchScore, test: Sprt, known: Moments) -> str:
    """What the sequential test shows: where there is one it is its word that counts."""
    unit = "normalised Elo" if test.model is Model.NORMALISED else "Elo"
    low_first, high_first = (f"{one:+g} {unit} rather than {other:+g}" for one, other in _both_ways(test))
    if score.stopped == Decision.ELO1.value:
        how = "is better than" if test.elo1 > 0 else "is not worse than"
        return (
            f"{first} {how} {second}{'' if test.elo1 > 0 else ', or by too little'}, as the test shows ({high_first})"
        )
    if score.stopped == Decision.ELO0.value:
        how = "is worse than" if test.elo0 < 0 else "is not better than"
        return f"{first} {how} {second}{'' if test.elo0 < 0 else ', or by too little'}, as the test shows ({low_first})"
    low, high = test.bounds
    bound = high if score.ratio > 0 else low
    # The ratio grows with the games, at the same scores in proportion to them.
    more = ceil(known.number * (bound / score.ratio - 1)) * known.games_each if score.ratio else MAX_MORE_GAMES + 1
    return (
        f"whether {first} is better than {second} ({high_first}) is not decided yet: "
        f"{_more(more)} would decide it, if they go on as before"
    )


def _both_ways(test: Sprt) -> tuple[tuple[float, float], tuple[float, float]]:
    return (test.elo0, test.elo1), (test.elo1, test.elo0)


def _alike(first: str, second: str, each: str, known: Moments) -> str:
    """Where nothing spreads, only the number of observations speaks."""
    side = known.mean - 0.5
    if not side:
        return f"{first} and {second} cannot be distinguished: all {each} were level"
    if known.number >= ALIKE:
        return f"{first} is {'better' if side > 0 else 'worse'} than {second}: all {known.number} {each} ended alike"
    more = (ALIKE - known.number) * known.games_each
    return f"{first} and {second} cannot be distinguished yet: {_more(more)} would do, if all end like these"


def _of_interval(first: str, second: str, each: str, known: Moments) -> str:
    """What the interval of the share of the points shows."""
    side = known.mean - 0.5
    away = abs(side) / known.error
    if away > SIGMAS:
        word = "better" if side > 0 else "worse"
        if known.number >= ENOUGH:
            return f"{first} is {word} than {second} (95 %)"
        more = (ENOUGH - known.number) * known.games_each
        rough = f"fewer than {ENOUGH} {each} are a rough measure, {_more(more)} make it a good one"
        return f"{first} is probably {word} than {second}: {rough}"
    even, often = (_games(known, away, wanted) for wanted in (SIGMAS, SIGMAS + OFTEN))
    chance = f" with even odds, {_about(often)} with a chance of 80 %" if often <= MAX_MORE_GAMES else " with even odds"
    return (
        f"{first} and {second} cannot be distinguished yet: {_more(even)} would distinguish them"
        f"{chance if even <= MAX_MORE_GAMES else ''}, at this difference"
    )


def _games(known: Moments, away: float, wanted: float) -> int:
    """How many more games bring a difference that is ``away`` standard errors from 0 to as many as are ``wanted``;
    more than :data:`MAX_MORE_GAMES` where that is far off."""
    if away * sqrt(1 + MAX_MORE_GAMES / (known.number * known.games_each)) < wanted:
        return MAX_MORE_GAMES + 1
    return ceil(known.number * ((wanted / away) ** 2 - 1)) * known.games_each


def _neighbours(score: MatchScore) -> Iterator[str]:
    for two in score.standings().neighbours[:SHOWN_PAIRS]:
        together = moments(score.together(two.first, two.second)) if two.by == "openskill" else None
        if together is not None:
            yield _of_counts(two.first, two.second, "games", together)
        elif two.distinguishable:
            better, other = (two.first, two.second) if two.difference > 0 else (two.second, two.first)
            yield f"{better} is better than {other} (95 %)"
        else:
            yield significance_remark(two)


def _more(games: int) -> str:
    return f"about {_about(games)} more games" if games <= MAX_MORE_GAMES else f"more than {MAX_MORE_GAMES} more games"


def _about(count: int) -> int:
    """An estimate in two digits: more would suggest a precision that it does not have."""
    return int(float(f"{count:.2g}"))
