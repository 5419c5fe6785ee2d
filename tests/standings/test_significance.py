"""When two neighbours can be told apart, and how many more games that would take."""

import random
from itertools import pairwise
from math import exp

import pytest

from tests.standings.results import played_by_strength, won
from ugs.standings.elo import SCALE, Z_95, fit_elo
from ugs.standings.significance import (
    MAX_MORE_GAMES,
    Neighbours,
    by_elo,
    by_skill,
    more_between,
    more_by_skill,
    more_each,
    neighbours,
)
from ugs.standings.skill import FIRST_SIGMA, Skill, skills


def test_a_clear_lead_is_told_and_needs_no_more_games() -> None:
    fit = fit_elo({("a", "b"): (90, 10)})
    found = by_elo(fit, {"a": 100, "b": 100})("a", "b")
    assert found is not None
    assert found.distinguishable
    assert (found.more_between, found.more_each) == (None, None)
    assert found.difference > 300


def test_a_lead_of_the_lower_one_is_told_with_its_sign() -> None:
    found = by_elo(fit_elo({("a", "b"): (10, 90)}), {"a": 100, "b": 100})("a", "b")
    assert found is not None
    assert found.distinguishable
    assert found.difference < 0


def test_the_games_between_two_that_are_asked_for_do_tell_them_apart() -> None:
    """If that many more games have the predicted shares, the difference stays and its error is small enough; with one
    game fewer it is not."""
    fit = fit_elo({("a", "b"): (13, 8), ("b", "c"): (11, 9), ("a", "c"): (12, 10)})
    difference, error = fit.difference("a", "b")
    more = more_between(difference, error)
    assert more is not None
    share = 1 / (1 + exp(-difference / SCALE))

    def enough(games: int) -> bool:
        again = fit_elo(
            {
                ("a", "b"): (13 + games * share, 8 + games * (1 - share)),
                ("b", "c"): (11, 9),
                ("a", "c"): (12, 10),
            }
        )
        value, uncertain = again.difference("a", "b")
        assert value == pytest.approx(difference, abs=1e-6)
        return abs(value) >= Z_95 * uncertain

    assert enough(more)
    assert not enough(more - 1)


def test_the_games_of_each_that_are_asked_for_do_tell_them_apart() -> None:
    """The same results, repeated that many times; because of the prior this is only approximate."""
    scores = {("a", "b"): (22, 18), ("b", "c"): (21, 19), ("a", "c"): (23, 17)}
    difference, error = fit_elo(scores).difference("a", "b")
    more = more_each(difference, error, 80)
    assert more is not None
    times = (80 + more) / 80
    value, uncertain = fit_elo({pair: (w * times, lost * times) for pair, (w, lost) in scores.items()}).difference(
        "a", "b"
    )
    assert abs(value) / (Z_95 * uncertain) == pytest.approx(1, abs=0.05)


def test_equal_ratings_would_need_games_without_end() -> None:
    assert more_between(0, 50) is None
    assert more_each(0, 50, 100) is None
    assert more_between(0.1, 50) is None  # some millions
    assert more_by_skill(0, (2.0, 50), (2.0, 50)) is None


def test_at_least_one_more_game_is_asked_for() -> None:
    error = 100.0
    assert more_each(error * Z_95 * (1 - 1e-12), error, 10) == 1


def test_games_of_more_seats_go_by_sigma() -> None:
    held = {"a": Skill(30, 2, 24), "b": Skill(26, 2, 20), "c": Skill(10, 2, 4), "d": Skill(10, 2, 4)}
    compare = by_skill(held, dict.fromkeys("abcd", 40))
    first, second, third = neighbours("abcd", compare)
    assert (first.distinguishable, second.distinguishable, third.distinguishable) == (False, True, False)
    assert first.standard_error == pytest.approx(8**0.5)
    assert first.by == "openskill"
    assert first.more_between is None
    # Known of each: 1/4, of which 1/FIRST_SIGMA**2 before the first game; wanted: 2 variances of (4/1.96)**2 / 2.
    gained = (1 / 4 - FIRST_SIGMA**-2) / 40
    wanted = 2 / (4 / Z_95) ** 2
    assert first.more_each == pytest.approx((wanted - 1 / 4) / gained, abs=1)
    assert third.more_each is None


def test_more_games_by_sigma_end_at_the_cap() -> None:
    assert more_by_skill(0.001, (2.0, 10), (2.0, 10)) is None
    asked = more_by_skill(1.0, (2.0, 100), (2.0, 100))
    assert asked is not None
    assert 0 < asked <= MAX_MORE_GAMES


def test_who_has_no_rating_is_left_out() -> None:
    fit = fit_elo({("a", "b"): (1, 1)})
    found = neighbours(["a", "new", "b"], by_elo(fit, {"a": 2, "b": 2}))
    assert found == []
    assert neighbours(["a", "new"], by_skill(skills([won("a", "b")]), {"a": 1, "b": 1})) == []


def test_equal_players_are_told_apart_about_once_in_twenty_comparisons() -> None:
    chance = random.Random(3)
    pairings = [(one, other) for one in range(4) for other in range(one)] * 15
    told = tries = 0
    for _ in range(150):
        scores: dict[tuple[str, str], tuple[float, float]] = {}
        for result in played_by_strength([0.0] * 4, pairings, chance):
            winner, loser = (seat.nick for seat in result.seats)
            pair = (min(winner, loser), max(winner, loser))
            first, second = scores.get(pair, (0.0, 0.0))
            scores[pair] = (first + (pair[0] == winner), second + (pair[1] == winner))
        compare = by_elo(fit_elo(scores), {f"p{number}": 45 for number in range(4)})
        for one, other in pairwise(["p0", "p1", "p2", "p3"]):
            found = compare(one, other)
            assert isinstance(found, Neighbours)
            told += found.distinguishable
            tries += 1
    assert 0.02 <= told / tries <= 0.08
