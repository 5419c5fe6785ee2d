"""Whether the ratings of two neighbours differ significantly, and about how many more games that would take.

Two players can be told apart when the difference of their ratings is at least 1.96 times its standard error: between
equally strong players a difference that large occurs by chance in one of twenty comparisons.

The estimates assume that the present difference is the true one, so they give only the order of magnitude.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, sqrt
from typing import Literal, TypeAlias

from ugs.standings.elo import SCALE, Z_95, Fit, expected
from ugs.standings.skill import FIRST_SIGMA, Skill

MOST_MORE_GAMES = 10_000
"""Larger estimates are given as None."""


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Two players next to each other in the standings, compared by their ratings."""

    first: str
    second: str
    by: Literal["elo", "openskill"]
    difference: float
    """The rating of the first minus that of the second; below 0 when the places and the ratings disagree."""
    standard_error: float
    distinguishable: bool
    more_between: int | None = None
    """About how many more games between the two would tell them apart. None: more than 10 000, not known, or not
    needed."""
    more_each: int | None = None
    """The same, if all players go on as before: games of each of the two."""


Compare: TypeAlias = Callable[[str, str], Neighbours | None]


def neighbours(order: Iterable[str], compare: Compare) -> list[Neighbours]:
    """Compare each player with the next in ``order``; pairs that ``compare`` returns None for are left out."""
    found = (compare(first, second) for first, second in pairwise(order))
    return [each for each in found if each is not None]


def by_elo(fit: Fit, rated: dict[str, int]) -> Compare:
    """Comparisons by Elo; ``rated`` is the number of rated games of each player."""

    def compare(first: str, second: str) -> Neighbours | None:
        if first not in fit or second not in fit:
            return None
        difference, error = fit.difference(first, second)
        if abs(difference) >= Z_95 * error:
            return Neighbours(first, second, "elo", difference, error, True)
        each = (rated[first] + rated[second]) / 2
        between, more = more_between(difference, error), more_each(difference, error, each)
        return Neighbours(first, second, "elo", difference, error, False, between, more)

    return compare


def by_skill(skills: dict[str, Skill], rated: dict[str, int]) -> Compare:
    """Comparisons by openskill's ratings, whose errors are assumed to be independent."""

    def compare(first: str, second: str) -> Neighbours | None:
        if first not in skills or second not in skills:
            return None
        one, other = skills[first], skills[second]
        difference = one.mu - other.mu
        error = sqrt(one.sigma**2 + other.sigma**2)
        if abs(difference) >= Z_95 * error:
            return Neighbours(first, second, "openskill", difference, error, True)
        more = more_by_skill(difference, (one.sigma, rated[first]), (other.sigma, rated[second]))
        return Neighbours(first, second, "openskill", difference, error, False, None, more)

    return compare


def more_between(difference: float, error: float) -> int | None:
    """The number of games between two players until their difference, in Elo points, becomes significant; None if too
    many.

    Each game adds ``p (1 - p)`` to 1 / variance, where p is the share of points that the difference predicts.
    """
    if difference == 0:
        return None
    lead, present = abs(difference) / SCALE, error / SCALE
    share = expected(difference)
    return _capped(((Z_95 / lead) ** 2 - 1 / present**2) / (share * (1 - share)))


def more_each(difference: float, error: float, games: float) -> int | None:
    """The number of games of each of two players until their difference becomes significant; None if too many.

    Assumes that the variance falls in proportion to the number of games; each has played ``games`` so far.
    """
    return None if difference == 0 else _capped(games * ((Z_95 * error / difference) ** 2 - 1))


def more_by_skill(difference: float, one: tuple[float, int], other: tuple[float, int]) -> int | None:
    """The same for two players given as (sigma, number of games); assumes that 1 / variance of each grows by as much
    per game as so far."""

    def variance(known: tuple[float, int], more: int) -> float:
        sigma, games = known
        gained = max(0.0, sigma**-2 - FIRST_SIGMA**-2) / games
        return 1 / (sigma**-2 + more * gained)

    def apart(more: int) -> bool:
        return abs(difference) >= Z_95 * sqrt(variance(one, more) + variance(other, more))

    if not apart(MOST_MORE_GAMES):
        return None
    low, high = 0, MOST_MORE_GAMES
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if apart(middle) else (middle, high)
    return high


def _capped(games: float) -> int | None:
    return None if games > MOST_MORE_GAMES else max(1, ceil(games))
