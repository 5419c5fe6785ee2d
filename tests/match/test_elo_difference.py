"""How much better one bot is, with intervals."""

from math import inf, isclose
from random import Random

import pytest

from tests.profile import sized
from ugs.match.elo_difference import ELO_OF_DEVIATION, compare, elo_of, expected

PAIRS = (379, 10170, 21828, 10640, 343)


def test_elo_and_share_of_the_points_are_inverse() -> None:
    assert isclose(expected(400), 10 / 11)
    assert all(isclose(elo_of(expected(elo)), elo, abs_tol=1e-9) for elo in (-300, -1, 0, 20, 500))
    assert (elo_of(0), elo_of(1)) == (-inf, inf)


def test_pairs_give_elo_normalised_elo_and_superiority() -> None:
    found = compare(PAIRS)
    assert found is not None
    assert (found.elo.value, found.elo.low, found.elo.high) == pytest.approx((1.595, 0.386, 2.803), abs=0.001)
    assert found.normalised.value == pytest.approx(3.051, abs=0.001)
    assert found.normalised.high - found.normalised.value == pytest.approx(2.313, abs=0.001)
    assert found.superiority == pytest.approx(0.9951, abs=0.0001)


def test_the_other_bot_sees_the_same_from_its_side() -> None:
    one, other = compare(PAIRS), compare(PAIRS[::-1])
    assert one is not None
    assert other is not None
    assert other.elo.low == pytest.approx(-one.elo.high)
    assert other.normalised.value == pytest.approx(-one.normalised.value)
    assert other.superiority == pytest.approx(1 - one.superiority)


def test_nothing_is_known_of_no_games() -> None:
    assert compare((0, 0, 0, 0, 0)) is None


@pytest.mark.parametrize(
    ("counts", "elo", "normalised", "superiority"),
    [
        ((0, 0, 1), inf, inf, 0.75),
        ((0, 0, 9), inf, inf, 1 - 1 / 1024),
        ((9, 0, 0), -inf, -inf, 1 / 1024),
        ((0, 9, 0), 0.0, 0.0, 0.5),
    ],
)
def test_games_that_all_ended_alike_say_nothing_of_how_sure_one_can_be(
    counts: tuple[int, ...], elo: float, normalised: float, superiority: float
) -> None:
    found = compare(counts)
    assert found is not None
    assert (found.elo.value, found.elo.low, found.elo.high) == (elo, -inf, inf)
    assert (found.normalised.value, found.normalised.low, found.normalised.high) == (normalised, -inf, inf)
    assert found.superiority == superiority


def test_intervals_hold_the_truth_in_95_of_100_matches() -> None:
    matches = sized(quick=300, deep=4000)
    chance = Random(5)
    shares = (0.1, 0.2, 0.2, 0.3, 0.2)
    mean = sum(share * place / 4 for place, share in enumerate(shares))
    deviation = sum(share * (place / 4 - mean) ** 2 for place, share in enumerate(shares)) ** 0.5
    elo, normalised = elo_of(mean), (mean - 0.5) / deviation * ELO_OF_DEVIATION / 2**0.5
    held = [0, 0]
    for _ in range(matches):
        drawn = chance.choices(range(5), shares, k=100)
        found = compare([drawn.count(place) for place in range(5)])
        assert found is not None
        held[0] += found.elo.low <= elo <= found.elo.high
        held[1] += found.normalised.low <= normalised <= found.normalised.high
    slack = 3 * (0.95 * 0.05 / matches) ** 0.5
    assert all(abs(count / matches - 0.95) < slack + 0.005 for count in held)
