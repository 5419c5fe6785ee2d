"""Ratings for any number of seats are those of the library."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openskill.models import PlackettLuce

from tests.standings.results import DRAWN, LOST, WON, drawn, game, won
from ugs.broker.verdict import GameResult, Outcome
from ugs.standings.skill import FIRST_MU, FIRST_SIGMA, STEP, skills


def test_a_game_of_two_is_what_the_library_says() -> None:
    model = PlackettLuce()
    (ann,), (ben,) = model.rate([[model.rating()], [model.rating()]])  # in the order of their success
    found = skills([won("ann", "ben")])
    assert (found["ann"].mu, found["ann"].sigma, found["ann"].ordinal) == (ann.mu, ann.sigma, ann.ordinal())
    assert (found["ben"].mu, found["ben"].sigma, found["ben"].ordinal) == (ben.mu, ben.sigma, ben.ordinal())


def test_a_new_player_of_the_library_is_a_new_player_here() -> None:
    rating = PlackettLuce().rating()
    assert (rating.mu, rating.sigma) == (FIRST_MU, FIRST_SIGMA)


@pytest.mark.parametrize(
    ("outcomes", "ranks"),
    [
        ([WON, LOST, LOST, LOST], [1.0, 2.0, 2.0, 2.0]),
        ([LOST, LOST, WON], [2.0, 2.0, 1.0]),
        ([WON, WON, LOST], [1.0, 1.0, 2.0]),
        ([DRAWN, LOST, DRAWN], [1.0, 2.0, 1.0]),
        ([DRAWN, DRAWN], [1.0, 1.0]),
    ],
)
def test_winners_share_the_first_rank_and_losers_the_last(outcomes: list[Outcome], ranks: list[float]) -> None:
    model = PlackettLuce()
    nicks = "abcd"[: len(outcomes)]
    expected = model.rate([[model.rating()] for _ in nicks], ranks=ranks)
    found = skills([game(*zip(nicks, outcomes, strict=True))])
    for nick, (rating,) in zip(nicks, expected, strict=True):
        assert (found[nick].mu, found[nick].sigma) == (rating.mu, rating.sigma)


def test_a_long_series_is_what_the_library_says_game_by_game() -> None:
    chance = random.Random(7)
    model = PlackettLuce()
    held = {nick: model.rating() for nick in "abcdefg"}
    games: list[GameResult] = []
    for _ in range(200):
        nicks = chance.sample("abcdefg", chance.randint(2, 5))
        winner = chance.randrange(len(nicks))
        games.append(game(*((nick, WON if seat == winner else LOST) for seat, nick in enumerate(nicks))))
        ranks = [1.0 if seat == winner else 2.0 for seat in range(len(nicks))]
        rated = model.rate([[held[nick]] for nick in nicks], ranks=ranks)
        held |= {nick: team[0] for nick, team in zip(nicks, rated, strict=True)}
    found = skills(games)
    assert {nick: (each.mu, each.sigma) for nick, each in found.items()} == {
        nick: (rating.mu, rating.sigma) for nick, rating in held.items()
    }


SERIES = st.lists(st.permutations("abc"), max_size=12)


@given(SERIES)
def test_other_names_for_the_players_change_nothing_else(series: list[list[str]]) -> None:
    games = [won(nicks[0], nicks[1]) for nicks in series]
    renamed = [won(nicks[0].upper(), nicks[1].upper()) for nicks in series]
    assert {nick.upper(): each for nick, each in skills(games).items()} == skills(renamed)


@given(SERIES)
def test_where_a_player_sits_does_not_matter(series: list[list[str]]) -> None:
    games = [game((a, WON), (b, LOST), (c, LOST)) for a, b, c in series]
    turned = [game((c, LOST), (a, WON), (b, LOST)) for a, b, c in series]
    one, other = skills(games), skills(turned)
    assert one.keys() == other.keys()
    for nick, each in one.items():
        assert other[nick].mu == pytest.approx(each.mu, rel=1e-9)
        assert other[nick].sigma == pytest.approx(each.sigma, rel=1e-9)


def test_a_draw_between_equals_moves_neither() -> None:
    found = skills([drawn("a", "b")])
    assert found["a"].mu == pytest.approx(FIRST_MU)
    assert found["a"].mu == pytest.approx(found["b"].mu)


def test_progress_is_told_from_nothing_to_all() -> None:
    told: list[tuple[int, int]] = []
    skills([won("a", "b")] * (STEP + 1), lambda done, total: told.append((done, total)))
    assert told == [(0, STEP + 1), (STEP, STEP + 1), (STEP + 1, STEP + 1)]


def test_without_games_there_are_no_ratings() -> None:
    assert skills([]) == {}
