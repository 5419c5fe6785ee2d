"""The sequential test of two hypotheses about a match: is the first bot better by ``elo0`` or by ``elo1``?

After each observation the logarithm of the ratio of two likelihoods is compared with two bounds. Nothing is assumed of
draws: each likelihood is that of the most likely distribution of scores under its hypothesis (the generalised test).

Under a hypothesis about Elo the mean score is given. Then the most likely share of a score that occurred with frequency
``f`` is ``f / (1 + m d)``, where ``d`` is how far the score lies above that mean, and the multiplier ``m`` makes the
mean right. Under a hypothesis about normalised Elo the mean lies a given number of deviations above one half. This is
not linear in the shares, but its gradient is; ``d`` comes from the gradient at the shares found last, until they stay.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from math import log, sqrt
from typing import Final

from ugs.match.counts import GAMES_OF, check, scores
from ugs.match.elo_difference import ELO_OF_DEVIATION, expected

RARE: Final = 1e-3
"""Stands for a score that did not occur, so that no hypothesis is impossible because of it."""
STEPS: Final = 100
"""Steps of a search; each stops long before."""
CLOSE: Final = 1e-11
"""Part of a multiplier, and :data:`STILL` of all observations, that is as good as nothing."""
STILL: Final = 1e-8
MAX_ELO: Final = 200.0
"""Beyond it a few games show the difference without a test; much farther out, some counts leave the search nowhere to
go."""


class Model(Enum):
    """What ``elo0`` and ``elo1`` are."""

    NORMALISED = "normalised"
    LOGISTIC = "logistic"


class Decision(Enum):
    """What a test has come to."""

    OPEN = "open"
    ELO0 = "H0 accepted"
    ELO1 = "H1 accepted"


class WrongTest(ValueError):
    """There is no such test. The text names the parameter and what is allowed."""


@dataclass(frozen=True, slots=True)
class Sprt:
    """A test. ``alpha`` is the chance to accept H1 where H0 is true, ``beta`` that to accept H0 where H1 is true."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: Model = Model.NORMALISED

    def __post_init__(self) -> None:
        """Raises WrongTest."""
        if not -MAX_ELO <= self.elo0 < self.elo1 <= MAX_ELO:
            allowed = f"elo0 must be less than elo1, both from {-MAX_ELO:g} to {MAX_ELO:g}"
            raise WrongTest(f"elo0={self.elo0:g} elo1={self.elo1:g}: {allowed}")
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < value < 0.5:
                raise WrongTest(f"{name}={value:g}: allowed: between 0 and 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """Where the test ends: at or below the first with H0, at or above the second with H1."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    def ratio(self, counts: Sequence[int]) -> float:
        """The logarithm of likelihood under H1 through likelihood under H0. Raises WrongCounts."""
        check(counts)
        if not any(counts):
            return 0.0
        seen = [count or RARE for count in counts]
        number = sum(seen)
        shares = [count / number for count in seen]
        under0, under1 = (self._most_likely(shares, elo) for elo in (self.elo0, self.elo1))
        return sum(count * log(one / other) for count, one, other in zip(seen, under1, under0, strict=True))

    def decide(self, ratio: float) -> Decision:
        """What this ratio means."""
        low, high = self.bounds
        if low < ratio < high:
            return Decision.OPEN
        return Decision.ELO1 if ratio >= high else Decision.ELO0

    def _most_likely(self, shares: Sequence[float], elo: float) -> list[float]:
        worth = scores([0] * len(shares))
        if self.model is Model.LOGISTIC:
            mean = expected(elo)
            return _with_mean_zero(shares, [score - mean for score in worth])
        return _with_advantage(shares, worth, elo / ELO_OF_DEVIATION * sqrt(GAMES_OF[len(shares)]))


def _with_advantage(shares: Sequence[float], worth: Sequence[float], advantage: float) -> list[float]:
    """The most likely shares whose mean lies ``advantage`` deviations above one half."""
    found = [1 / len(shares)] * len(shares)
    for _ in range(STEPS):
        mean = sum(share * score for share, score in zip(found, worth, strict=True))
        variance = sum(share * (score - mean) ** 2 for share, score in zip(found, worth, strict=True))
        deviation = sqrt(variance)
        above = [score - 0.5 - advantage * (deviation + (score - mean) ** 2 / deviation) / 2 for score in worth]
        before, found = found, _with_mean_zero(shares, above)
        if max(abs(one - other) for one, other in zip(before, found, strict=True)) < STILL:
            break
    return found


def _with_mean_zero(shares: Sequence[float], above: Sequence[float]) -> list[float]:
    """The most likely shares that make the mean of ``above``, which has values of both signs, 0.

    That mean falls as the multiplier grows, from plus to minus infinity between the two multipliers where a share
    would become infinite. Newton's steps find its zero; where they are too long, the middle is tried instead.
    """
    low, high = -1 / max(above), -1 / min(above)
    multiplier, stride = 0.0, high - low
    for _ in range(STEPS):
        value = slope = 0.0
        for share, height in zip(shares, above, strict=True):
            part = height / (1 + multiplier * height)
            value += share * part
            slope -= share * part * part
        low, high = (multiplier, high) if value > 0 else (low, multiplier)
        step = -value / slope
        if not low < multiplier + step < high or abs(step) > stride / 2:
            step = (low + high) / 2 - multiplier
        if abs(step) <= CLOSE * abs(multiplier):
            break
        multiplier, stride = multiplier + step, abs(step)
    found = [share / (1 + multiplier * height) for share, height in zip(shares, above, strict=True)]
    # They add up to 1 but for rounding.
    return [share / sum(found) for share in found]
