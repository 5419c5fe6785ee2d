"""How much better one of two bots is, from counts of a match: Elo, normalised Elo, likelihood of superiority.

Elo is the share of the points to expect. How many games it takes to see a difference depends on the draws as well,
and so does not follow from it. Normalised Elo is the mean advantage of a game in standard deviations of a game, times
800/ln 10; the games that are needed follow from it alone. With two outcomes and small differences both are the same.

All intervals are 95 %, from the normal approximation of the mean, so they are good from about thirty pairs on.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import erf, inf, log, log10, sqrt
from typing import Final

from ugs.match.counts import Moments, moments

ELO_OF_DEVIATION: Final = 800 / log(10)
"""Normalised Elo of an advantage of one standard deviation of a game."""
SIGMAS: Final = 1.959963984540054
"""Standard errors on each side of a 95 % interval."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its 95 % interval; the ends may be infinite."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """How the first bot compares with the second."""

    elo: Estimate
    normalised: Estimate
    superiority: float
    """The chance that the first bot is the better one, if both were as likely to be before the match."""


def expected(elo: float) -> float:
    """The share of the points of a bot that is this much better."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of(share: float) -> float:
    """How much better a bot is that gets this share of the points; infinite where it gets all or none."""
    if not 0 < share < 1:
        return inf if share >= 1 else -inf
    return 400 * log10(share / (1 - share))


def compare(counts: Sequence[int]) -> Comparison | None:
    """The strength of the first bot by three or five counts; None when there are none. Raises WrongCounts."""
    known = moments(counts)
    return None if known is None else Comparison(_elo(known), _normalised(known), _superiority(known))


def _elo(known: Moments) -> Estimate:
    reach = SIGMAS * known.error
    if not known.deviation:  # all observations are the same: nothing is known of how they spread
        return Estimate(elo_of(known.mean), -inf, inf)
    return Estimate(elo_of(known.mean), elo_of(known.mean - reach), elo_of(known.mean + reach))


def _normalised(known: Moments) -> Estimate:
    """The advantage in deviations. Its own error also has that of the deviation, hence skewness and kurtosis."""
    if not known.deviation:
        side = known.mean - 0.5
        return Estimate(0.0 if side == 0 else inf if side > 0 else -inf, -inf, inf)
    advantage = (known.mean - 0.5) / known.deviation
    # By the delta method, since mean and deviation come from the same observations.
    variance = 1 - advantage * known.skewness + advantage**2 * (known.kurtosis - 1) / 4
    scale = ELO_OF_DEVIATION / sqrt(known.games_each)  # the mean of two games spreads by √2 less than one game
    reach = SIGMAS * sqrt(max(0.0, variance) / known.number)
    return Estimate(*(scale * value for value in (advantage, advantage - reach, advantage + reach)))


def _superiority(known: Moments) -> float:
    side = known.mean - 0.5
    if not known.deviation:
        # All observations are the same: as certain as a coin that has always shown the same side is no fair one.
        by_chance = 0.5 ** (known.number + 1)
        return 0.5 if side == 0 else 1 - by_chance if side > 0 else by_chance
    return 0.5 * (1 + erf(side / known.error / sqrt(2)))
