"""Whether two neighbours in a table can be told apart, and about how many more games that would take.

Two players are told apart when the difference of their ratings is at least 1.96 times its standard error: if they were
equally strong, so large a difference would come about by chance in one of twenty comparisons.

The estimates take the present difference for the true one; it is not, so they give the order of magnitude.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, sqrt
from typing import Literal, TypeAlias

from ugs.standings.elo import SCALE, Z_95, Fit, expected
from ugs.standings.skill import FIRST_SIGMA, Skill

MOST_MORE_GAMES = 10_000
"""More than this is not worth a number."""


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Two players with nobody between them in the table, compared by their ratings."""

    first: str
    second: str
    by: Literal["elo", "openskill"]
    difference: float
    """The rating of the first minus that of the second; below 0 when the table and the ratings see it differently."""
    standard_error: float
    distinguishable: bool
    more_between: int | None = None
    """About how many more games between the two would tell them apart; None: more than 10 000, or not known, or not
    needed."""
    more_each: int | None = None
    """The same, if everybody goes on as so far: games of each of the two."""


Compare: TypeAlias = Callable[[str, str], Neighbours | None]


def neighbours(order: Iterable[str], compare: Compare) -> list[Neighbours]:
    """Everybody with the one behind it, as far as ``compare`` knows both."""
    found = (compare(first, second) for first, second in pairwise(order))
    return [each for each in found if each is not None]


def by_elo(fit: Fit, rated: dict[str, int]) -> Compare:
    """Comparisons by Elo; ``rated`` are the rated games of each player."""

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
    """Comparisons by openskill's rating, whose errors are taken to be independent."""

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
    """Games between two players until their difference stands out, in Elo points. A game adds ``p (1 - p)`` to what is
    known of the difference (1 / variance), p being the share of points that the difference predicts."""
    if difference == 0:
        return None
    lead, present = abs(difference) / SCALE, error / SCALE
    share = expected(difference)
    return _capped(((Z_95 / lead) ** 2 - 1 / present**2) / (share * (1 - share)))


def more_each(difference: float, error: float, games: float) -> int | None:
    """Games of each of two players until their difference stands out, if the variance goes on falling with the number
    of games, of which each has had so many."""
    return None if difference == 0 else _capped(games * ((Z_95 * error / difference) ** 2 - 1))


def more_by_skill(difference: float, one: tuple[float, int], other: tuple[float, int]) -> int | None:
    """The same for two players of whom sigma and the number of games are given, if what is known of each
    (1 / variance) goes on growing by as much a game as so far."""

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
