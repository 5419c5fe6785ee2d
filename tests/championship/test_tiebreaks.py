"""The order of players, compared with standings whose tie-breaks are known.

Definitions: Sonneborn-Berger is the sum of the scores of the opponents a player has beaten and half the scores of those
it has drawn with. Buchholz is the sum of the scores of all its opponents. Direct encounter is the score in the games
among the tied players, which requires that all of them have met (FIDE handbook, tie-break regulations).
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.standings.results import drawn, game, score_table, won
from ugs.broker.verdict import GameResult, Outcome
from ugs.championship.plan import TieBreak
from ugs.championship.tiebreaks import (
    Placement,
    TiebreakScores,
    buchholz,
    head_to_head,
    placements,
    sonneborn_berger,
    wins,
)
from ugs.standings.counts import Pair, ResultTally, points

ALL: tuple[TieBreak, ...] = ("head-to-head", "sonneborn-berger", "buchholz", "wins")


def scores_of(results: Sequence[GameResult], byes: Mapping[str, int] | None = None) -> TiebreakScores:
    counted = ResultTally()
    for result in results:
        counted.add(result)
    rows, free = counted.rows(), byes or {}
    return TiebreakScores(
        {row.nick: points(row) + free.get(row.nick, 0) for row in rows},
        {row.nick: row.won for row in rows},
        counted.cross,
        free,
    )


def order(found: Sequence[Placement]) -> list[tuple[int, str]]:
    return [(each.place, each.nick) for each in found]


DOUBLE_ROUND = [
    *(won("A", "B"), won("A", "C"), won("A", "D"), won("B", "C"), won("B", "D"), won("C", "D")),
    *(won("B", "A"), won("A", "C"), won("D", "A"), won("C", "B"), won("B", "D"), won("C", "D")),
]
"""A double round robin of four that is used to explain Sonneborn-Berger: A and B have four points each."""


def test_sonneborn_berger_of_the_example_that_explains_it() -> None:
    scores = scores_of(DOUBLE_ROUND)
    assert scores.points == {"A": 4, "B": 4, "C": 3, "D": 1}
    assert {nick: sonneborn_berger(scores, nick) for nick in "ABCD"} == {"A": 11, "B": 9, "C": 6, "D": 4}
    assert order(placements(scores, ("sonneborn-berger",))) == [(1, "A"), (2, "B"), (3, "C"), (4, "D")]


def test_sonneborn_berger_separates_nobody_where_all_beat_the_same_points() -> None:
    ring = [("A", "B"), ("A", "C"), ("B", "C"), ("B", "D"), ("D", "A"), ("D", "C")]
    scores = scores_of([won(*pair) for pair in ring for _ in range(2)])
    assert {nick: sonneborn_berger(scores, nick) for nick in "ABCD"} == {"A": 8, "B": 8, "C": 0, "D": 8}
    assert order(placements(scores, ALL)) == [(1, "A"), (1, "B"), (1, "D"), (4, "C")]


CROSS = """
    * = 1 1 0
    = * = 1 1
    0 = * 1 1
    0 0 0 * 1
    1 0 0 0 *
"""
"""Worked out by hand: a 2.5, b 3, c 2.5, d 1, e 1. a beat c and d, drew with b: 2.5 + 1 + 3/2 = 5; c beat d and e,
drew with b: 1 + 1 + 3/2 = 3.5; b beat d and e, drew with a and c: 1 + 1 + 2.5/2 + 2.5/2 = 4.5; d beat e: 1; e beat a:
2.5."""


def test_all_tie_breaks_of_standings_worked_out_by_hand() -> None:
    scores = scores_of(score_table("abcde", CROSS))
    assert scores.points == {"a": 2.5, "b": 3, "c": 2.5, "d": 1, "e": 1}
    assert {nick: sonneborn_berger(scores, nick) for nick in "abcde"} == {"a": 5, "b": 4.5, "c": 3.5, "d": 1, "e": 2.5}
    assert {nick: buchholz(scores, nick) for nick in "abcde"} == {"a": 7.5, "b": 7, "c": 7.5, "d": 9, "e": 9}
    assert {nick: wins(scores, nick) for nick in "abcde"} == {"a": 2, "b": 2, "c": 2, "d": 1, "e": 1}
    assert head_to_head(scores, ["a", "c"]) == {"a": 1, "c": 0}
    assert head_to_head(scores, ["d", "e"]) == {"d": 1, "e": 0}


def test_the_order_of_the_tie_breaks_decides() -> None:
    scores = scores_of(score_table("abcde", CROSS))
    assert order(placements(scores, ("head-to-head",))) == [(1, "b"), (2, "a"), (3, "c"), (4, "d"), (5, "e")]
    assert order(placements(scores, ("sonneborn-berger",))) == [(1, "b"), (2, "a"), (3, "c"), (4, "e"), (5, "d")]
    assert order(placements(scores, ("wins", "buchholz"))) == [(1, "b"), (2, "a"), (2, "c"), (4, "d"), (4, "e")]
    assert order(placements(scores, ())) == [(1, "b"), (2, "a"), (2, "c"), (4, "d"), (4, "e")]


def test_buchholz_of_swiss_standings_worked_out_by_hand() -> None:
    # Three rounds of six: a 3, b 2, c 2, d 1, e 1, f 0. a met b, c, d: 5; b met e, a, f: 4; c met f, d, a: 4.
    rounds = [
        ("a", "d"),
        ("b", "e"),
        ("c", "f"),
        ("a", "b"),
        ("c", "d"),
        ("e", "f"),
        ("a", "c"),
        ("b", "f"),
        ("d", "e"),
    ]
    results = [won(*pair) for pair in rounds]
    scores = scores_of(results)
    assert scores.points == {"a": 3, "b": 2, "c": 2, "d": 1, "e": 1, "f": 0}
    assert {nick: buchholz(scores, nick) for nick in "abcdef"} == {"a": 5, "b": 4, "c": 4, "d": 6, "e": 3, "f": 5}
    assert order(placements(scores, ("buchholz",))) == [(1, "a"), (2, "b"), (2, "c"), (4, "d"), (5, "e"), (6, "f")]


def test_a_bye_is_a_win_against_somebody_with_as_many_points() -> None:
    scores = scores_of([won("a", "b"), won("b", "c"), drawn("a", "c")], {"c": 1})
    assert scores.points == {"a": 1.5, "b": 1, "c": 1.5}
    assert buchholz(scores, "c") == 1 + 1.5 + 1.5
    assert sonneborn_berger(scores, "c") == 0.75 + 1.5


def test_head_to_head_does_not_apply_where_some_have_not_met_or_not_as_often() -> None:
    not_all = scores_of([won("a", "x"), won("b", "x"), won("c", "x"), drawn("a", "b")])
    assert head_to_head(not_all, ["a", "b", "c"]) is None
    not_as_often = scores_of([drawn("a", "b"), drawn("a", "b"), drawn("a", "c"), drawn("b", "c")])
    assert head_to_head(not_as_often, ["a", "b", "c"]) is None
    placing = placements(scores_of([won("a", "x"), won("b", "x")]), ("head-to-head",))
    assert order(placing) == [(1, "a"), (1, "b"), (3, "x")]
    assert all(each.values == {"head-to-head": None} for each in placing)


def test_head_to_head_is_taken_again_among_those_it_leaves_equal() -> None:
    # All of a, b, c, d have 3 points. Among the four: a 2, b 1.5, c 1.5, d 1; then b beat c.
    among = [drawn("a", "b"), won("a", "c"), drawn("a", "d"), won("b", "c"), won("c", "d"), drawn("c", "d")]
    scores = TiebreakScores(dict.fromkeys("abcd", 3.0), dict.fromkeys("abcd", 0), scores_of(among).cross, {})
    assert head_to_head(scores, list("abcd")) is None  # b and d have not met, c and d twice
    among = [drawn("a", "b"), won("a", "c"), drawn("a", "d"), won("b", "c"), won("d", "b"), won("c", "d")]
    scores = TiebreakScores(dict.fromkeys("abcd", 3.0), dict.fromkeys("abcd", 0), scores_of(among).cross, {})
    assert head_to_head(scores, list("abcd")) == {"a": 2, "b": 1.5, "c": 1, "d": 1.5}
    found = placements(scores, ("head-to-head",))
    assert order(found) == [(1, "a"), (2, "d"), (3, "b"), (4, "c")]
    assert {each.nick: each.values["head-to-head"] for each in found} == {"a": 2, "b": 1.5, "c": 1, "d": 1.5}


def test_in_games_of_more_seats_tie_breaks_go_by_the_cross_table() -> None:
    first = game(("a", Outcome.WON), ("b", Outcome.LOST), ("c", Outcome.LOST))
    second = game(("b", Outcome.WON), ("a", Outcome.LOST), ("d", Outcome.LOST))
    scores = scores_of([first, second])
    assert scores.points == {"a": 1, "b": 1, "c": 0, "d": 0}
    assert buchholz(scores, "a") == 1 + 0 + 1 + 0
    assert sonneborn_berger(scores, "a") == 1 + 0 + 0 + 0 / 2
    assert sonneborn_berger(scores, "c") == 1 / 2


RESULTS = st.lists(
    st.tuples(st.lists(st.sampled_from("abcdef"), min_size=2, max_size=2, unique=True), st.booleans()), max_size=25
).map(lambda games: [drawn(*nicks) if even else won(*nicks) for nicks, even in games])


@given(RESULTS, st.permutations(ALL))
def test_places_go_by_points_and_are_shared_by_equals_only(results: list[GameResult], breaks: list[TieBreak]) -> None:
    scores = scores_of(results)
    found = placements(scores, breaks)
    assert sorted(each.nick for each in found) == sorted(scores.points)
    for number, each in enumerate(found, start=1):
        assert each.place <= number
        assert (each.place == number) or each.values == found[number - 2].values
    totals = [scores.points[each.nick] for each in found]
    assert totals == sorted(totals, reverse=True)


@given(RESULTS, st.randoms(use_true_random=False))
def test_the_order_of_games_changes_no_place(results: list[GameResult], chance: Random) -> None:
    other = list(results)
    chance.shuffle(other)
    assert placements(scores_of(results), ALL) == placements(scores_of(other), ALL)


@given(RESULTS)
def test_games_of_others_change_nothing_but_the_places_in_between(results: list[GameResult]) -> None:
    # Head-to-head is left out: somebody else who is equal on points and has not met the others ends it.
    breaks: tuple[TieBreak, ...] = ("sonneborn-berger", "buchholz", "wins")
    strangers = [won("x", "y"), drawn("y", "z"), won("z", "x")]
    mixed = [each.nick for each in placements(scores_of(results + strangers), breaks) if each.nick in "abcdef"]
    assert mixed == [each.nick for each in placements(scores_of(results), breaks)]


@pytest.mark.parametrize("name", ALL)
def test_every_tie_break_of_a_plan_is_known(name: TieBreak) -> None:
    found = placements(scores_of(DOUBLE_ROUND), (name,))
    assert all(set(each.values) == {name} for each in found)


def test_equal_points_are_equal_however_little_a_draw_is_worth() -> None:
    scores = TiebreakScores({"a": 1 + 6 * 0.4, "b": 3 + 0.4}, {"a": 1, "b": 3}, {}, {})
    assert scores.points["a"] != scores.points["b"], "as binary fractions go"
    assert order(placements(scores, ())) == [(1, "a"), (1, "b")]


def test_that_not_all_of_many_have_met_is_seen_at_once() -> None:
    """After the draw of a Swiss all are equal: each two of a thousand were looked at."""
    looked: list[str] = []

    class Cross(dict[str, dict[str, Pair]]):
        def get(self, nick: str, default: Any = None) -> Any:
            looked.append(nick)
            return super().get(nick, default)

    nicks = [f"p{number}" for number in range(100)]
    scores = TiebreakScores(dict.fromkeys(nicks, 1.0), dict.fromkeys(nicks, 0), Cross(), {})
    assert head_to_head(scores, nicks) is None
    assert len(looked) <= len(nicks)
