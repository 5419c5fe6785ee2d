"""How results become counts."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.standings.results import DRAWN, LOST, VOID, WON, drawn, forfeit, game, void, won
from ugs.broker.values.standings import LiveStandings, Row
from ugs.broker.verdict import Cause, GameResult, Outcome, Verdict
from ugs.standings.counts import RANK, Pair, ResultTally, column_of, points


def tally(*results: GameResult) -> ResultTally:
    counted = ResultTally()
    for result in results:
        counted.add(result)
    return counted


def test_games_of_two_fill_both_sides_of_the_cross_table() -> None:
    counted = tally(won("ann", "ben"), won("ann", "ben"), drawn("ben", "ann"), won("cat", "ann"))
    assert counted.cross["ann"] == {"ben": Pair(won=2, drawn=1), "cat": Pair(lost=1)}
    assert counted.cross["ben"] == {"ann": Pair(lost=2, drawn=1)}
    assert counted.cross["cat"] == {"ann": Pair(won=1)}
    assert counted.rows() == [Row("ann", 2, 1, 1), Row("cat", 1, 0, 0), Row("ben", 0, 2, 1)]


def test_in_a_game_of_more_the_better_outcome_beats_the_other_and_equals_draw() -> None:
    counted = tally(game(("ann", WON), ("ben", LOST), ("cat", LOST)))
    assert counted.cross["ann"] == {"ben": Pair(won=1), "cat": Pair(won=1)}
    assert counted.cross["ben"] == {"ann": Pair(lost=1), "cat": Pair(drawn=1)}


def test_who_left_a_drawn_game_is_beaten_by_those_who_drew() -> None:
    left = game(("ann", DRAWN), ("ben", DRAWN), ("cat", LOST), departures={"cat": Cause.LEFT})
    counted = tally(left)
    assert counted.cross["ann"] == {"ben": Pair(drawn=1), "cat": Pair(won=1)}
    assert counted.faults == {"cat": {"left": 1}}


def test_a_game_that_everybody_left_gives_nobody_anything_and_rates_nobody() -> None:
    all_gone = game(("ann", LOST), ("ben", LOST), departures={"ann": Cause.LEFT, "ben": Cause.TIMEOUT})
    counted = tally(all_gone)
    assert counted.cross["ann"]["ben"] == counted.cross["ben"]["ann"] == Pair(neither=1)
    assert counted.rated == []
    assert counted.games == 1
    assert [points(row) for row in counted.rows()] == [0, 0]


def test_a_void_game_is_seen_but_counts_nothing_not_even_the_fault_of_who_had_left() -> None:
    lost = game(("ann", VOID), ("ben", VOID), verdict=Verdict(Cause.MASTER_LOST, "m"), departures={"ben": Cause.LEFT})
    counted = tally(lost, void("ann", "cat"))
    assert (counted.games, counted.void, counted.forfeits) == (0, 2, 0)
    assert counted.void_of == {"ann": 2, "ben": 1, "cat": 1}
    assert not counted.faults
    assert not counted.cross
    assert not counted.rated


def test_a_forfeit_counts_as_a_game_but_is_not_rated() -> None:
    counted = tally(forfeit("ann", "ben"), won("ben", "ann"))
    assert (counted.games, counted.forfeits) == (1, 1)
    assert counted.cross["ann"]["ben"] == Pair(won=1, lost=1)
    assert counted.rated == [won("ben", "ann")]
    assert counted.faults == {"ben": {"forfeit": 1}}


@pytest.mark.parametrize("cause", [Cause.TIMEOUT, Cause.LEFT, Cause.LOGOUT, Cause.DISCONNECTED, Cause.REMOVED])
def test_a_fault_is_counted_once_whether_the_seat_or_the_verdict_tells_it(cause: Cause) -> None:
    by_verdict = game(("ann", WON), ("ben", LOST), verdict=Verdict(cause, "ben"))
    by_seat = game(("ann", WON), ("ben", LOST), departures={"ben": cause})
    by_both = game(("ann", WON), ("ben", LOST), verdict=Verdict(cause, "ben"), departures={"ben": cause})
    assert tally(by_verdict, by_seat, by_both).faults == {"ben": {cause.value: 3}}


def test_who_has_not_played_has_a_line_if_named_before() -> None:
    assert ResultTally(["ben", "ann"]).rows() == [Row("ann"), Row("ben")]


def test_the_better_outcome_wins_the_pair() -> None:
    assert [column_of(*pair) for pair in ((WON, LOST), (LOST, WON), (WON, DRAWN), (DRAWN, LOST), (LOST, LOST))] == [
        "won",
        "lost",
        "won",
        "won",
        "drawn",
    ]


NICKS = st.sampled_from("abcdef")
SEATS = st.lists(NICKS, min_size=2, max_size=4, unique=True)


@st.composite
def any_result(draw: st.DrawFn) -> GameResult:
    """A game as the broker may report it: void for all players or for none."""
    nicks = draw(SEATS)
    if draw(st.integers(0, 5)) == 0:
        return void(*nicks)
    outcomes = st.sampled_from([WON, LOST, DRAWN])
    return game(*((nick, draw(outcomes)) for nick in nicks))


RESULTS = st.lists(any_result(), max_size=30)


@given(RESULTS)
def test_the_cross_table_is_antisymmetric(results: list[GameResult]) -> None:
    cross = tally(*results).cross
    for one, met in cross.items():
        for other, pair in met.items():
            back = cross[other][one]
            assert (pair.won, pair.drawn, pair.neither) == (back.lost, back.drawn, back.neither)
            assert one != other


@given(RESULTS)
def test_won_lost_and_drawn_are_those_of_the_standings_that_players_are_sent(results: list[GameResult]) -> None:
    table = LiveStandings()
    for result in results:
        table.count(result)
    assert tally(*results).rows() == table.rows()


@given(RESULTS, st.randoms(use_true_random=False))
def test_the_order_of_games_changes_no_count(results: list[GameResult], chance: Random) -> None:
    other = list(results)
    chance.shuffle(other)
    one, two = tally(*results), tally(*other)
    assert one.rows() == two.rows()
    assert (one.cross, one.faults, one.void_of) == (two.cross, two.faults, two.void_of)


@given(st.lists(st.tuples(SEATS.map(lambda nicks: nicks[:2]), st.booleans()), max_size=30))
def test_the_points_of_games_of_two_add_up_to_the_games(results: list[tuple[list[str], bool]]) -> None:
    counted = tally(*(drawn(*nicks) if even else won(*nicks) for nicks, even in results))
    assert sum(points(row) for row in counted.rows()) == counted.games == len(results)


def test_outcomes_have_ranks_as_far_as_they_count() -> None:
    assert set(RANK) == set(Outcome) - {VOID}
