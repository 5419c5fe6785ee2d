"""The sequential test: its likelihoods, and that its error rates are those it states."""

from math import log, sqrt
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.profile import sized
from ugs.match.counts import scores
from ugs.match.elo_difference import ELO_OF_DEVIATION, expected
from ugs.match.sprt import MAX_ELO, RARE, Decision, Model, Sprt, WrongTest

PAIRS = (379, 10170, 21828, 10640, 343)
RUNS = sized(quick=30, deep=2000)
LOOK_EVERY = 4
"""Pairs between two looks of a simulated match at its test."""


def test_a_known_match_is_accepted_with_normalised_elo_0_and_2() -> None:
    test = Sprt(0, 2)
    assert test.ratio(PAIRS) == pytest.approx(2.9455, abs=0.0001)
    assert test.bounds == pytest.approx((-2.9444, 2.9444), abs=0.0001)
    assert test.decide(test.ratio(PAIRS)) is Decision.ELO1


def test_elo_of_the_usual_kind_asks_for_more() -> None:
    assert Sprt(0, 2, model=Model.LOGISTIC).ratio(PAIRS) == pytest.approx(3.1257, abs=0.0001)


def test_nothing_is_decided_without_games() -> None:
    assert Sprt(0, 10).ratio((0, 0, 0)) == 0
    assert Sprt(0, 10).decide(0) is Decision.OPEN


def test_bounds_are_those_of_alpha_and_beta() -> None:
    test = Sprt(0, 10, alpha=0.01, beta=0.2)
    low, high = test.bounds
    assert (low, high) == (log(0.2 / 0.99), log(0.8 / 0.01))
    assert (test.decide(low), test.decide(high)) == (Decision.ELO0, Decision.ELO1)


@pytest.mark.parametrize(
    "wrong", [{"elo0": 5}, {"elo1": -1}, {"elo1": 201}, {"alpha": 0}, {"beta": 0.5}, {"elo0": float("nan")}]
)
def test_a_test_that_cannot_be_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(WrongTest, match=next(iter(wrong))):
        Sprt(wrong.get("elo0", 0), wrong.get("elo1", 5), wrong.get("alpha", 0.05), wrong.get("beta", 0.05))


def likelihood(seen: list[float], shares: list[float]) -> float:
    return sum(count * log(share) for count, share in zip(seen, shares, strict=True))


@given(
    counts=st.lists(st.integers(0, 500), min_size=3, max_size=3)
    | st.lists(st.integers(0, 500), min_size=5, max_size=5),
    elo=st.floats(-MAX_ELO, MAX_ELO - 1),
    model=st.sampled_from(Model),
)
def test_shares_obey_the_hypothesis_and_none_nearby_are_likelier(counts: list[int], elo: float, model: Model) -> None:
    seen = [count or RARE for count in counts]
    shares = Sprt(elo, MAX_ELO, model=model)._most_likely([count / sum(seen) for count in seen], elo)
    worth = scores(counts)

    def gap(candidate: list[float]) -> float:
        mean = sum(share * score for share, score in zip(candidate, worth, strict=True))
        if model is Model.LOGISTIC:
            return mean - expected(elo)
        variance = sum(share * (score - mean) ** 2 for share, score in zip(candidate, worth, strict=True))
        games = 2 if len(counts) == 5 else 1
        return mean - 0.5 - elo / ELO_OF_DEVIATION * sqrt(games * variance)

    assert sum(shares) == pytest.approx(1)
    assert min(shares) > 0
    assert gap(shares) == pytest.approx(0, abs=1e-5)
    best = likelihood(seen, shares)
    chance = Random(1)
    for _ in range(5):
        near = [share * chance.uniform(0.99, 1.01) for share in shares]
        near = [share / sum(near) for share in near]
        if abs(gap(near)) < 1e-6:
            assert likelihood(seen, near) <= best + 1e-3 * sum(seen)


@given(counts=st.lists(st.integers(0, 500), min_size=5, max_size=5))
def test_both_sides_see_the_same_test(counts: list[int]) -> None:
    test = Sprt(-20, 20)
    assert test.ratio(counts) == pytest.approx(-test.ratio(counts[::-1]), abs=1e-3)


def matches(test: Sprt, elo: float, draws: float, chance: Random) -> tuple[Decision, int]:
    """Play pairs of independent games until the test decides; returns that, and the pairs."""
    edge = elo / ELO_OF_DEVIATION * sqrt(1 - draws)
    shares = ((1 - draws - edge) / 2, draws, (1 - draws + edge) / 2)
    counts = [0] * 5
    while (decision := test.decide(test.ratio(counts))) is Decision.OPEN:
        for _ in range(LOOK_EVERY):
            counts[sum(chance.choices(range(3), shares, k=2))] += 1
    return decision, sum(counts)


@pytest.mark.parametrize("draws", [0.0, 0.4])
@pytest.mark.parametrize("truth", ["elo0", "elo1"])
def test_error_rates_and_mean_length_are_those_of_the_theory(truth: str, draws: float) -> None:
    test = Sprt(0, 40)
    elo, wrong = (test.elo0, Decision.ELO1) if truth == "elo0" else (test.elo1, Decision.ELO0)
    chance = Random(f"{truth} {draws}")
    ended = [matches(test, elo, draws, chance) for _ in range(RUNS)]
    errors = sum(decision is wrong for decision, _ in ended) / RUNS
    assert errors <= 0.05 + 3 * sqrt(0.05 * 0.95 / RUNS)
    apart = (test.elo1 - test.elo0) / ELO_OF_DEVIATION * sqrt(2)
    expected_pairs = (1 - 2 * 0.05) * test.bounds[1] / (apart**2 / 2)
    mean = sum(pairs for _, pairs in ended) / RUNS
    assert mean == pytest.approx(expected_pairs, rel=0.1 + 3 * 0.7 / sqrt(RUNS))  # a length spreads by 0.7 of its mean
