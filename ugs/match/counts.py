"""Scores of a match as counts: how often each score occurred, from the worst to the best of the first bot.

Three counts (trinomial) are single games: lost, drawn, won. Five counts (pentanomial) are pairs of games with seats
exchanged: 0, ½, 1, 1½ and 2 points. Games of a pair depend on each other, since both have the same opening; counted as
pairs, this makes no interval too wide or too narrow.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final, TypeAlias

Counts: TypeAlias = tuple[int, ...]
"""How often each score occurred; the scores are evenly spaced from 0 to 1."""

GAMES_OF: Final = {3: 1, 5: 2}
"""How many games one observation stands for, by the number of counts."""


class WrongCounts(ValueError):
    """These are no counts of a match. The text gives the reason."""


def check(counts: Sequence[int]) -> None:
    """Raises WrongCounts unless there are three or five counts, none below 0."""
    if len(counts) not in GAMES_OF or min(counts) < 0:
        raise WrongCounts(f"{list(counts)}: three counts of games or five counts of pairs are wanted, none below 0")


def scores(counts: Sequence[int]) -> list[float]:
    """The score that each count stands for, as a part of all points."""
    return [place / (len(counts) - 1) for place in range(len(counts))]


def counted(points: Iterable[float], places: int) -> Counts:
    """Count observations; each has from 0 to 1 of the points."""
    counts = [0] * places
    for share in points:
        counts[round(share * (places - 1))] += 1
    return tuple(counts)


@dataclass(frozen=True, slots=True)
class Moments:
    """Mean and spread of what was counted."""

    number: int
    """Observations: games, or pairs of them."""
    games_each: int
    """Games of one observation."""
    mean: float
    deviation: float
    """Standard deviation of one observation."""
    skewness: float
    kurtosis: float

    @property
    def error(self) -> float:
        """Standard error of the mean."""
        return self.deviation / sqrt(self.number)


def moments(counts: Sequence[int]) -> Moments | None:
    """Mean and spread; None when nothing was counted. Raises WrongCounts."""
    check(counts)
    number = sum(counts)
    if number == 0:
        return None
    worth = scores(counts)

    def average(power: int, about: float) -> float:
        return sum(count * (score - about) ** power for count, score in zip(counts, worth, strict=True)) / number

    mean = average(1, 0.0)
    deviation = sqrt(average(2, mean))
    # Where nothing spreads, skewness and kurtosis are those of a normal distribution.
    skewness = average(3, mean) / deviation**3 if deviation else 0.0
    kurtosis = average(4, mean) / deviation**4 if deviation else 3.0
    return Moments(number, GAMES_OF[len(counts)], mean, deviation, skewness, kurtosis)
