"""The fit of the Bradley-Terry model, compared with closed forms, a published analysis, a simple search and
simulation."""

import random
from math import exp, log, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ugs.standings.elo import MAX_PLAYERS, MEAN, SCALE, Z_95, Scores, expected, fit_elo

HARDLY_ANY_PRIOR = 1e-6

CITATIONS = {
    ("Biometrika", "Comm Statist"): (730.0, 33.0),
    ("Biometrika", "JASA"): (498.0, 320.0),
    ("Biometrika", "JRSS-B"): (221.0, 284.0),
    ("Comm Statist", "JASA"): (68.0, 813.0),
    ("Comm Statist", "JRSS-B"): (17.0, 276.0),
    ("JASA", "JRSS-B"): (142.0, 325.0),
}
"""How often statistics journals cited each other (Stigler 1994), the example with which Bradley-Terry software is
usually shown. The published strengths relative to the first journal, with their standard errors, are below."""


@pytest.mark.parametrize(
    ("journal", "strength", "error"),
    [("Comm Statist", -2.94907, 0.10255), ("JASA", -0.47957, 0.06059), ("JRSS-B", 0.26895, 0.07083)],
)
def test_the_published_analysis_of_citations_comes_out(journal: str, strength: float, error: float) -> None:
    found, uncertain = fit_elo(CITATIONS, HARDLY_ANY_PRIOR).difference(journal, "Biometrika")
    assert found / SCALE == pytest.approx(strength, abs=6e-6)
    assert uncertain / SCALE == pytest.approx(error, abs=6e-6)


@pytest.mark.parametrize(("won", "lost"), [(30, 10), (1, 1), (2.5, 7.5), (900, 100)])
def test_of_two_players_the_difference_is_the_logarithm_of_the_odds(won: float, lost: float) -> None:
    fit = fit_elo({("a", "b"): (won, lost)}, HARDLY_ANY_PRIOR)
    difference, error = fit.difference("a", "b")
    games = won + lost
    assert difference == pytest.approx(400 * log(won / lost) / log(10), rel=1e-4, abs=1e-3)
    assert error == pytest.approx(SCALE / sqrt(games * (won / games) * (lost / games)), rel=1e-4)
    a, b = fit.elo("a"), fit.elo("b")
    assert (a.value + b.value) / 2 == pytest.approx(MEAN)
    # Each is half the difference away from the average of the two, and so is its uncertainty.
    assert a.value - a.low == pytest.approx(Z_95 * error / 2, rel=1e-6)
    assert a.high - a.value == pytest.approx(a.value - a.low)


def test_of_two_players_the_prior_does_what_its_equation_says() -> None:
    # With s = -t the gradient is zero where 2 w - 2 n / (1 + exp(-2 s)) + 1 - 2 / (1 + exp(-s)) = 0: bisected here.
    won, games = 10.0, 10.0
    low, high = 0.0, 20.0
    for _ in range(100):
        middle = (low + high) / 2
        gradient = 2 * won - 2 * games / (1 + exp(-2 * middle)) + 1 - 2 / (1 + exp(-middle))
        low, high = (middle, high) if gradient > 0 else (low, middle)
    difference, error = fit_elo({("a", "b"): (won, games - won)}).difference("a", "b")
    assert difference == pytest.approx(SCALE * 2 * low, rel=1e-9)
    assert 200 < difference < 800
    assert error < 400


def climbed(scores: Scores) -> dict[str, float]:
    """The maximum found by a simple search, one strength at a time, in ever smaller steps."""
    at = {nick: 0.0 for pair in scores for nick in pair}

    def log_likelihood() -> float:
        total = 0.0
        for (one, other), (won, lost) in scores.items():
            share = 1 / (1 + exp(at[other] - at[one]))
            total += won * log(share) + lost * log(1 - share)
        return total + sum(0.5 * log(1 / (1 + exp(-x))) + 0.5 * log(1 / (1 + exp(x))) for x in at.values())

    step, best = 1.0, log_likelihood()
    while step > 1e-7:
        moved = False
        for nick in at:
            for way in (step, -step):
                at[nick] += way
                if log_likelihood() > best:
                    best, moved = log_likelihood(), True
                else:
                    at[nick] -= way
        if not moved:
            step /= 2
    return at


SMALL: list[Scores] = [
    {("a", "b"): (3, 1), ("b", "c"): (2, 2), ("a", "c"): (1, 0)},
    {("a", "b"): (5, 0), ("b", "c"): (5, 0)},
    {("a", "b"): (1.5, 0.5), ("c", "d"): (4, 1)},
    {("a", "b"): (2, 1), ("b", "c"): (2, 1), ("c", "a"): (2, 1), ("a", "d"): (0, 3)},
]


@pytest.mark.parametrize("scores", SMALL)
def test_a_plain_search_finds_the_same_top(scores: Scores) -> None:
    fit, top = fit_elo(scores), climbed(scores)
    for one in top:
        for other in top:
            if one != other:
                assert fit.difference(one, other)[0] == pytest.approx(SCALE * (top[one] - top[other]), abs=0.01)


def test_a_player_that_only_won_or_only_lost_has_a_finite_rating_with_a_wide_interval() -> None:
    few, many = fit_elo({("a", "b"): (3, 0)}), fit_elo({("a", "b"): (300, 0)})
    assert 1500 < few.elo("a").value < many.elo("a").value < 3000
    assert few.elo("a").low < 1500


def test_players_who_never_met_are_compared_through_the_average_only() -> None:
    fit = fit_elo({("a", "b"): (50, 50), ("c", "d"): (50, 50)})
    difference, error = fit.difference("a", "c")
    assert difference == pytest.approx(0, abs=1e-6)
    assert error > 250
    assert error > 4 * fit.difference("a", "b")[1]


PAIRS = [(one, other) for one in "abcde" for other in "abcde" if one < other]
SCORES = st.dictionaries(
    st.sampled_from(PAIRS), st.tuples(st.integers(0, 8), st.integers(0, 8)).filter(any), min_size=1
).map(lambda found: {pair: (won / 2, lost / 2) for pair, (won, lost) in found.items()})


@given(SCORES, st.permutations("abcde"))
def test_other_names_for_the_players_change_nothing_else(scores: Scores, names: list[str]) -> None:
    name = dict(zip("abcde", names, strict=True))
    one = fit_elo(scores)
    other = fit_elo({(name[a], name[b]): points for (a, b), points in scores.items()})
    for nick in {nick for pair in scores for nick in pair}:
        there, here = other.elo(name[nick]), one.elo(nick)
        assert (there.value, there.low, there.high) == pytest.approx((here.value, here.low, here.high), abs=1e-6)


@given(SCORES, st.randoms(use_true_random=False))
def test_the_order_of_results_does_not_matter(scores: Scores, chance: random.Random) -> None:
    items = list(scores.items())
    chance.shuffle(items)
    turned = {(b, a): (lost, won) for (a, b), (won, lost) in items}
    one, other = fit_elo(scores), fit_elo(turned)
    for nick in {nick for pair in scores for nick in pair}:
        assert one.elo(nick).value == pytest.approx(other.elo(nick).value, abs=1e-6)
        assert one.elo(nick).low == pytest.approx(other.elo(nick).low, abs=1e-6)


def assert_at_the_top(scores: Scores) -> None:
    """At the maximum each player has as many points as expected, its drawn game against the imagined average player
    included. So the points beyond expectation against the others give its strength relative to that player."""
    fit = fit_elo(scores)
    nicks = sorted({nick for pair in scores for nick in pair})
    surplus = dict.fromkeys(nicks, 0.0)
    for (one, other), (won, lost) in scores.items():
        beyond = won - (won + lost) * expected(fit.difference(one, other)[0])
        surplus[one] += beyond
        surplus[other] -= beyond
    places = {nick: -log(1 / (0.5 + found) - 1) for nick, found in surplus.items()}
    for nick in nicks[1:]:
        apart = fit.difference(nick, nicks[0])[0] / SCALE
        assert places[nick] - places[nicks[0]] == pytest.approx(apart, abs=1e-5)


@given(SCORES)
def test_expected_points_equal_actual_points(scores: Scores) -> None:
    assert_at_the_top(scores)


def test_a_step_that_would_lead_far_past_the_top_is_cut() -> None:
    lopsided = {("b", "a"): (1000.0, 0.0), ("c", "a"): (0.0, 10.0), ("d", "a"): (0.0, 10.0), ("d", "c"): (0.0, 1e5)}
    scores = lopsided | {("e", "b"): (0.0, 1e4), ("e", "d"): (0.0, 1000.0)}
    assert_at_the_top(scores)
    fit = fit_elo(scores)
    assert sorted("abcde", key=lambda nick: -fit.elo(nick).value) == ["b", "a", "c", "d", "e"]


def test_the_intervals_hold_the_truth_about_as_often_as_they_say() -> None:
    chance = random.Random(20)
    strengths = {f"p{number}": chance.gauss(0, 0.8) for number in range(8)}
    mean = sum(strengths.values()) / len(strengths)
    inside = apart_inside = tries = pairs = 0
    for _ in range(150):
        scores = {}
        for one in strengths:
            for other in strengths:
                if one < other:
                    share = 1 / (1 + exp(strengths[other] - strengths[one]))
                    won = sum(chance.random() < share for _ in range(6))
                    scores[one, other] = (float(won), float(6 - won))
        fit = fit_elo(scores)
        for nick, strength in strengths.items():
            elo = fit.elo(nick)
            inside += elo.low <= MEAN + SCALE * (strength - mean) <= elo.high
            tries += 1
        for one, other in scores:
            difference, error = fit.difference(one, other)
            truth = SCALE * (strengths[one] - strengths[other])
            apart_inside += abs(difference - truth) <= Z_95 * error
            pairs += 1
    assert 0.93 <= inside / tries <= 0.97
    assert 0.93 <= apart_inside / pairs <= 0.97


def test_four_hundred_points_are_ten_to_one() -> None:
    assert expected(400) == pytest.approx(10 / 11)
    assert expected(-400) == pytest.approx(1 / 11)
    assert expected(1e9) == 1
    assert expected(-1e9) == 0


def test_who_was_not_in_the_fit_has_no_rating() -> None:
    fit = fit_elo({("a", "b"): (1, 1)})
    assert "a" in fit
    assert "z" not in fit
    with pytest.raises(KeyError):
        fit.elo("z")


def test_too_many_players_are_refused() -> None:
    with pytest.raises(ValueError, match=f"at most {MAX_PLAYERS}"):
        fit_elo({("a", f"p{number}"): (1, 0) for number in range(MAX_PLAYERS)})
