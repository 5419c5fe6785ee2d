"""The claims about ratings, on simulated contests of known strengths. With the profile deep there are so many that
chance hardly moves the shares."""

import random
from collections.abc import Callable, Sequence
from itertools import combinations
from math import exp
from typing import TypeAlias

import pytest

from tests.profile import sized
from ugs.standings.elo import MEAN, SCALE, Z_95, Fit, fit_elo
from ugs.standings.significance import likely_between, likely_each, more_between, more_each

Points: TypeAlias = dict[tuple[str, str], tuple[float, float]]

CONTESTS = sized(quick=40, deep=400)
AGAIN = sized(quick=300, deep=3000)
SLACK = sized(quick=0.07, deep=0.025)
"""How far a share may be from what it should be."""


def contest(strengths: Sequence[float], advantage: float, rounds: int, chance: random.Random) -> Points:
    """The points of each pair in each order of seats; ``advantage`` is that of the first seat."""
    scores = {}
    for one, other in combinations(range(len(strengths)), 2):
        for first, second in ((one, other), (other, one)):
            share = 1 / (1 + exp(strengths[second] - strengths[first] - advantage))
            won = sum(chance.random() < share for _ in range(rounds))
            scores[f"p{first}", f"p{second}"] = (float(won), float(rounds - won))
    return scores


@pytest.mark.parametrize("advantage_elo", [0, 100, 300])
def test_the_intervals_hold_the_truth_whatever_the_first_seat_is_worth(advantage_elo: int) -> None:
    chance = random.Random(advantage_elo)
    strengths = [chance.gauss(0, 0.8) for _ in range(8)]
    mean = sum(strengths) / len(strengths)
    inside = tries = advantage_inside = 0
    for _ in range(CONTESTS):
        fit = fit_elo(contest(strengths, advantage_elo / SCALE, 4, chance), seats=True)
        for number, strength in enumerate(strengths):
            elo = fit.elo(f"p{number}")
            inside += elo.low <= MEAN + SCALE * (strength - mean) <= elo.high
            tries += 1
        found = fit.seat_advantage
        assert found is not None
        advantage_inside += found.low <= advantage_elo <= found.high
    assert 0.95 - SLACK <= inside / tries <= 1
    assert 0.95 - 2 * SLACK <= advantage_inside / CONTESTS <= 1


def test_without_the_first_seat_in_the_model_the_intervals_would_be_wrong() -> None:
    chance = random.Random(300)
    strengths = [chance.gauss(0, 0.8) for _ in range(8)]
    mean = sum(strengths) / len(strengths)
    inside = tries = 0
    for _ in range(CONTESTS):
        scores: Points = {}
        for (one, other), (won, lost) in contest(strengths, 300 / SCALE, 25, chance).items():
            pair, points = ((one, other), (won, lost)) if one < other else ((other, one), (lost, won))
            before = scores.get(pair, (0.0, 0.0))
            scores[pair] = (before[0] + points[0], before[1] + points[1])
        fit = fit_elo(scores)
        for number, strength in enumerate(strengths):
            elo = fit.elo(f"p{number}")
            inside += elo.low <= MEAN + SCALE * (strength - mean) <= elo.high
            tries += 1
    assert inside / tries < 0.85


def told_apart(fit: Fit, one: str, other: str) -> bool:
    """Whether the two can be told apart."""
    difference, error = fit.difference(one, other)
    return abs(difference) >= Z_95 * error


@pytest.mark.parametrize(("estimate", "chance_of_it"), [(more_between, 0.5), (likely_between, 0.8)])
def test_so_many_more_games_between_two_tell_them_apart_as_often_as_is_said(
    estimate: Callable[[float, float], int | None], chance_of_it: float
) -> None:
    """The present results stay, the present difference is the true one, and the further games are played many times."""
    chance = random.Random(7)
    scores = {("a", "b"): (33.0, 25.0), ("b", "c"): (20.0, 20.0), ("c", "a"): (18.0, 22.0)}
    difference, error = fit_elo(scores).difference("a", "b")
    more = estimate(difference, error)
    assert more is not None
    share = 1 / (1 + exp(-difference / SCALE))
    apart = 0
    for _ in range(AGAIN):
        won = sum(chance.random() < share for _ in range(more))
        apart += told_apart(fit_elo({**scores, ("a", "b"): (33.0 + won, 25.0 + more - won)}), "a", "b")
    assert apart / AGAIN == pytest.approx(chance_of_it, abs=SLACK)


@pytest.mark.parametrize(("estimate", "chance_of_it"), [(more_each, 0.5), (likely_each, 0.8)])
def test_so_many_more_games_of_each_tell_two_apart_as_often_as_is_said(
    estimate: Callable[[float, float, float], int | None], chance_of_it: float
) -> None:
    """All go on as before: each pair plays its share of the further games."""
    chance = random.Random(8)
    scores = {("a", "b"): (21.0, 19.0), ("b", "c"): (20.0, 20.0), ("c", "a"): (17.0, 23.0)}
    fit = fit_elo(scores)
    difference, error = fit.difference("a", "b")
    more = estimate(difference, error, 80)
    assert more is not None
    apart = 0
    for _ in range(AGAIN // 3):
        after = {}
        for (one, other), (won, lost) in scores.items():
            share = 1 / (1 + exp(-fit.difference(one, other)[0] / SCALE))
            gained = sum(chance.random() < share for _ in range(more // 2))
            after[one, other] = (won + gained, lost + more // 2 - gained)
        apart += told_apart(fit_elo(after), "a", "b")
    assert apart / (AGAIN // 3) == pytest.approx(chance_of_it, abs=2 * SLACK)
