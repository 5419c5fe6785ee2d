"""Elo for games of two: the Bradley-Terry model, fitted to all results at once.

In the model a player of strength s beats one of strength t with probability ``1 / (1 + exp(t - s))``. The fit finds the
strengths that make the results most likely; a draw counts as half a win for each side. The order and the dates of the
games do not matter, which is right for programs that do not change.

With ``seats``, the first player of each pair sat in the first seat, whose advantage is one more strength to be found:
it is added to that of the first player. Ratings are then those of players who have both seats equally often.

So that a player who has only won (or only lost) gets a finite rating, each player is given one drawn game against an
imagined player of average strength: a weak prior whose influence vanishes after a few games.

The uncertainty follows from the curvature of the likelihood at its maximum (the observed information). Its inverse is
the covariance of the strengths, which gives the intervals and the standard errors of differences.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import exp, log, log1p, sqrt
from typing import TypeAlias

from ugs.standings.linear import Matrix, Vector, cholesky, dot, inverse_columns, solve

MEAN = 1500.0
"""The average rating of all players."""

SCALE = 400 / log(10)
"""Elo points per unit of strength: 400 points are odds of ten to one."""

Z_95 = 1.959963984540054
"""The number of standard errors to either side that contains 95 % of a normal distribution."""

VIRTUAL_DRAWS = 1.0
"""Drawn games of each player against an imagined average player."""

SEAT_DRAWS = 4.0
"""Drawn games that hold the advantage of the first seat near 0 while little is known of it, so that what could be due
to either is put down to the players: their differences are held back eight times less."""

MAX_PLAYERS = 300
"""The work grows with the third power of the number of players; this many take a few seconds."""

NEAR_THE_TOP, AT_THE_TOP = 1e-6, 1e-16
"""The increase of the log-likelihood (times two) that a step of Newton's method predicts. Below the first value a whole
step is always safe; below the second the fit is done."""

MAX_STEPS = 100
"""Usually fewer than ten are needed."""

Scores: TypeAlias = Mapping[tuple[str, str], tuple[float, float]]
"""By pair of nicks: the points of the first and of the second in their games together. Without seats each pair is there
once, in either order; with seats each order is a pair of its own."""


@dataclass(frozen=True, slots=True)
class Elo:
    """A rating with its 95 % confidence interval, relative to the average of all players of the same fit."""

    value: float
    low: float
    high: float


class Fit:
    """Strengths and their covariance; made by :func:`fit_elo`."""

    def __init__(self, nicks: list[str], strengths: Vector, columns: Matrix) -> None:
        """``columns``: the dot products of two columns are the covariances, see
        :func:`ugs.standings.linear.inverse_columns`. What comes after the strengths of the ``nicks`` is the advantage
        of the first seat."""
        self._seat = strengths[len(nicks) :], columns[len(nicks) :]
        strengths, columns = strengths[: len(nicks)], columns[: len(nicks)]
        self._at = {nick: number for number, nick in enumerate(nicks)}
        self._strengths = strengths
        self._columns = columns
        self._mean = sum(strengths) / len(strengths) if strengths else 0.0
        # The columns add up like the strengths: this one belongs to their mean.
        self._mean_column = [sum(row) / len(row) for row in zip(*columns, strict=True)]

    def __contains__(self, nick: str) -> bool:
        return nick in self._at

    def elo(self, nick: str) -> Elo:
        """A player's rating. Raises KeyError for a player who was not in the fit."""
        at = self._at[nick]
        value = MEAN + SCALE * (self._strengths[at] - self._mean)
        reach = Z_95 * self._error(self._columns[at], self._mean_column)
        return Elo(value, value - reach, value + reach)

    @property
    def seat_advantage(self) -> Elo | None:
        """What the first seat is worth; None when it was not asked for."""
        (strengths, columns) = self._seat
        if not strengths:
            return None
        value, reach = SCALE * strengths[0], Z_95 * SCALE * sqrt(dot(columns[0], columns[0]))
        return Elo(value, value - reach, value + reach)

    def difference(self, one: str, other: str) -> tuple[float, float]:
        """How many Elo points ``one`` is above ``other``, and their standard error. Raises KeyError."""
        first, second = self._at[one], self._at[other]
        value = SCALE * (self._strengths[first] - self._strengths[second])
        return value, self._error(self._columns[first], self._columns[second])

    @staticmethod
    def _error(one: Vector, other: Vector) -> float:
        between = [a - b for a, b in zip(one, other, strict=True)]
        return SCALE * sqrt(dot(between, between))


def expected(difference: float) -> float:
    """The expected share of the points of a player against an opponent rated ``difference`` Elo points lower."""
    return _share(difference / SCALE)


def fit_elo(scores: Scores, virtual_draws: float = VIRTUAL_DRAWS, *, seats: bool = False) -> Fit:
    """The most likely strengths of all players in ``scores``, with ``seats`` and the advantage of the first seat.

    ``virtual_draws`` must be more than 0. Raises ValueError for more than :data:`MAX_PLAYERS` players.
    """
    nicks = sorted({nick for pair in scores for nick in pair})
    if len(nicks) > MAX_PLAYERS:
        raise ValueError(f"{len(nicks)} players: at most {MAX_PLAYERS} can be fitted")
    at = {nick: number for number, nick in enumerate(nicks)}
    # Always in this order: sums of floats depend on it.
    pairs = [(at[one], at[other], *points) for (one, other), points in sorted(scores.items())]
    problem = _Likelihood(pairs, [virtual_draws] * len(nicks) + [SEAT_DRAWS] * seats, seats=seats)
    strengths = [0.0] * (len(nicks) + seats)
    for _ in range(MAX_STEPS):
        gradient, information = problem.gradient_and_information(strengths)
        step = solve(cholesky(information), gradient)
        promised = dot(gradient, step)
        if promised < AT_THE_TOP:
            break
        strengths = _moved(strengths, step, problem.step_share(strengths, step) if promised > NEAR_THE_TOP else 1.0)
    _, information = problem.gradient_and_information(strengths)
    return Fit(nicks, strengths, inverse_columns(cholesky(information)))


def _moved(strengths: Vector, step: Vector, share: float) -> Vector:
    return [at + share * by for at, by in zip(strengths, step, strict=True)]


class _Likelihood:
    """The log-likelihood as a function of the strengths. It is strictly concave, so it has one maximum."""

    def __init__(self, pairs: list[tuple[int, int, float, float]], draws: Vector, *, seats: bool) -> None:
        """``draws``: imagined drawn games for each strength; with ``seats`` the last one is the advantage of the first
        seat."""
        self._size = len(draws)
        self._pairs = pairs
        self._draws = draws
        self._seats = seats

    def _lead(self, strengths: Vector, one: int, other: int) -> float:
        lead = strengths[one] - strengths[other]
        return lead + strengths[-1] if self._seats else lead

    def log_likelihood(self, strengths: Vector) -> float:
        """The logarithm of the likelihood."""
        total = 0.0
        for one, other, won, lost in self._pairs:
            lead = self._lead(strengths, one, other)
            total -= won * _log1pexp(-lead) + lost * _log1pexp(lead)
        held = zip(self._draws, strengths, strict=True)
        return total - sum(draws / 2 * (_log1pexp(at) + _log1pexp(-at)) for draws, at in held)

    def step_share(self, strengths: Vector, step: Vector) -> float:
        """The share of a step to take: far from the maximum a whole step may lead beyond it, to a lower value."""
        log_likelihood, share = self.log_likelihood(strengths), 1.0
        while self.log_likelihood(_moved(strengths, step, share)) < log_likelihood:
            share /= 2
        return share

    def gradient_and_information(self, strengths: Vector) -> tuple[Vector, Matrix]:
        """The first derivatives, and the second derivatives with the sign changed (the information)."""
        # An imagined draw is half a point against a strength of 0.
        gradient = [draws * (0.5 - _share(at)) for draws, at in zip(self._draws, strengths, strict=True)]
        information = [[0.0] * self._size for _ in strengths]
        for number, at in enumerate(strengths):
            information[number][number] = self._draws[number] * _share(at) * _share(-at)
        last = information[-1]
        for one, other, won, lost in self._pairs:
            share = _share(self._lead(strengths, one, other))
            surprise = won - (won + lost) * share
            gradient[one] += surprise
            gradient[other] -= surprise
            weight = (won + lost) * share * (1 - share)
            information[one][one] += weight
            information[other][other] += weight
            information[one][other] -= weight
            information[other][one] -= weight
            if self._seats:
                gradient[-1] += surprise
                last[-1] += weight
                for at, by in ((one, weight), (other, -weight)):
                    last[at] += by
                    information[at][-1] += by
        return gradient, information


def _share(lead: float) -> float:
    # Either way exp() gets no large number, which would overflow.
    return 1 / (1 + exp(-lead)) if lead >= 0 else exp(lead) / (1 + exp(lead))


def _log1pexp(x: float) -> float:
    """``log(1 + exp(x))`` without overflow."""
    return max(x, 0.0) + log1p(exp(-abs(x)))
