"""Whether the ratings of two neighbours differ significantly, and about how many more games that would take.

Two players differ significantly when the difference of their ratings is at least 1.96 times its standard error: between
equally strong players a difference that large occurs by chance in one of twenty comparisons.

The estimates assume that the present difference is the true one, so they give only the order of magnitude. There are
two: the number of games that is as likely as not to be enough, and the number that is enough in four of five cases.
Players without a chain of games between them cannot be compared at all.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, erf, sqrt
from typing import Literal, TypeAlias

from ugs.standings.elo import SCALE, Z_95, Fit, expected
from ugs.standings.skill import FIRST_SIGMA, Skill

LIKELY = 0.8
"""The chance that a contest of the larger size shows a significant difference."""
MAX_MORE_GAMES = 10_000
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
    """About how many more games between the two would be as likely as not to show a significant difference. None: more
    than 10 000, not known, or not needed."""
    more_each: int | None = None
    """The same, if all players go on as before: games of each of the two."""
    more_between_80: int | None = None
    """The same as ``more_between`` with a chance of 80 %."""
    more_each_80: int | None = None
    comparable: bool = True
    """Whether a chain of games joins the two. If not, the difference means nothing."""


Compare: TypeAlias = Callable[[str, str], Neighbours | None]


def neighbours(order: Iterable[str], compare: Compare) -> list[Neighbours]:
    """Compare each player with the next in ``order``; pairs that ``compare`` returns None for are left out."""
    found = (compare(first, second) for first, second in pairwise(order))
    return [each for each in found if each is not None]


Groups: TypeAlias = Mapping[str, int]
"""The group of each player; a chain of games joins those of the same group."""


def joined(games: Iterable[Iterable[str]]) -> dict[str, int]:
    """The groups of players; ``games`` are the players of each."""
    above: dict[str, str] = {}

    def top(nick: str) -> str:
        while (one := above.setdefault(nick, nick)) != nick:
            # Each look shortens the way for the next one.
            above[nick] = nick = above[one]
        return nick

    for nicks in games:
        first, *others = map(top, nicks)
        for other in others:
            # Looked up again: the player before may have been joined with this one.
            above[top(other)] = first
    number: dict[str, int] = {}
    return {nick: number.setdefault(top(nick), len(number)) for nick in list(above)}


def _strangers(groups: Groups | None, first: str, second: str) -> bool:
    return groups is not None and groups.get(first) != groups.get(second)


def by_elo(fit: Fit, rated: dict[str, int], groups: Groups | None = None) -> Compare:
    """Comparisons by Elo; ``rated`` is the number of rated games of each player. Without ``groups`` all can be
    compared."""

    def compare(first: str, second: str) -> Neighbours | None:
        if first not in fit or second not in fit:
            return None
        difference, error = fit.difference(first, second)
        if _strangers(groups, first, second):
            return Neighbours(first, second, "elo", difference, error, False, comparable=False)
        if abs(difference) >= Z_95 * error:
            return Neighbours(first, second, "elo", difference, error, True)
        each = (rated[first] + rated[second]) / 2
        between, more = more_between(difference, error), more_each(difference, error, each)
        often = likely_between(difference, error), likely_each(difference, error, each)
        return Neighbours(first, second, "elo", difference, error, False, between, more, *often)

    return compare


def by_skill(skills: dict[str, Skill], rated: dict[str, int], groups: Groups | None = None) -> Compare:
    """Comparisons by openskill's ratings, whose errors are assumed to be independent."""

    def compare(first: str, second: str) -> Neighbours | None:
        if first not in skills or second not in skills:
            return None
        one, other = skills[first], skills[second]
        difference = one.mu - other.mu
        error = sqrt(one.sigma**2 + other.sigma**2)
        if _strangers(groups, first, second):
            return Neighbours(first, second, "openskill", difference, error, False, comparable=False)
        if abs(difference) >= Z_95 * error:
            return Neighbours(first, second, "openskill", difference, error, True)
        known = (one.sigma, rated[first]), (other.sigma, rated[second])
        more, often = more_by_skill(difference, *known), likely_by_skill(difference, *known)
        return Neighbours(first, second, "openskill", difference, error, False, None, more, None, often)

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
    return _least(lambda more: abs(difference) >= Z_95 * _error_by_skill(one, other, more))


def likely_between(difference: float, error: float) -> int | None:
    """As :func:`more_between`, with a chance of 80 % instead of even odds."""
    share = expected(difference)
    # By squares of Elo points: the formula is for strengths.
    gained = share * (1 - share) / SCALE**2

    def error_after(more: int) -> float:
        return 1 / sqrt(error**-2 + more * gained)

    return _least(lambda more: _chance(difference, error, error_after(more)) >= LIKELY)


def likely_each(difference: float, error: float, games: float) -> int | None:
    """As :func:`more_each`, with a chance of 80 % instead of even odds."""
    return _least(lambda more: _chance(difference, error, error * sqrt(games / (games + more))) >= LIKELY)


def likely_by_skill(difference: float, one: tuple[float, int], other: tuple[float, int]) -> int | None:
    """As :func:`more_by_skill`, with a chance of 80 % instead of even odds."""
    now = _error_by_skill(one, other, 0)
    return _least(lambda more: _chance(difference, now, _error_by_skill(one, other, more)) >= LIKELY)


def _error_by_skill(one: tuple[float, int], other: tuple[float, int], more: int) -> float:
    def variance(known: tuple[float, int]) -> float:
        sigma, games = known
        gained = max(0.0, sigma**-2 - FIRST_SIGMA**-2) / games
        return 1 / (sigma**-2 + more * gained)

    return sqrt(variance(one) + variance(other))


def _chance(difference: float, error: float, later: float) -> float:
    """The chance that a difference is significant once its standard error has fallen from ``error`` to ``later``, if
    it is the true one. What is known by now stays, so that only the later games scatter."""
    scatter = later * sqrt(max(0.0, 1 - (later / error) ** 2))
    beyond = abs(difference) - Z_95 * later
    if scatter == 0:
        return float(beyond >= 0)
    return 0.5 * (1 + erf(beyond / scatter / sqrt(2)))


def _least(apart: Callable[[int], bool]) -> int | None:
    """The least number of games that satisfies this; None if it is too many."""
    if not apart(MAX_MORE_GAMES):
        return None
    low, high = 0, MAX_MORE_GAMES
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if apart(middle) else (middle, high)
    return high


def _capped(games: float) -> int | None:
    return None if games > MAX_MORE_GAMES else max(1, ceil(games))
