"""How results become rows of the standings, and how the rows are ordered."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.profile import sized
from ugs.broker.values.standings import LiveStandings, Row
from ugs.broker.verdict import Cause, GameResult, Outcome, SeatResult, Verdict
from ugs.wire.messages import ChampionRow, ChampionsList

WON, LOST, DRAWN, VOID = Outcome.WON, Outcome.LOST, Outcome.DRAWN, Outcome.VOID


def game(**outcomes: Outcome) -> GameResult:
    """A finished game that counts so for each player."""
    seats = tuple(SeatResult(nick, outcome) for nick, outcome in outcomes.items())
    return GameResult("g1", "chess", "m", seats, Verdict(Cause.FINISHED), 7, 1000.0, 1060.0)


def told(standings: LiveStandings) -> list[tuple[str, int, int]]:
    """What a championsList says."""
    return [(row.nick, row.won, row.lost) for row in standings.champions_list().rows]


def test_standings_begin_empty() -> None:
    assert LiveStandings().champions_list() == ChampionsList(())
    assert len(LiveStandings()) == 0


def test_a_player_who_enters_has_a_row_of_zeros_and_entering_twice_changes_nothing() -> None:
    standings = LiveStandings()
    standings.enter("ann")
    before = standings.champions_list()
    standings.enter("ann")
    assert standings.champions_list() is before
    assert before.rows == (ChampionRow("ann", 0, 0),)
    assert "ann" in standings
    assert "ben" not in standings


def test_results_are_counted_whether_or_not_their_players_have_entered() -> None:
    standings = LiveStandings()
    standings.enter("ann")
    standings.count(game(ann=WON, ben=LOST))
    standings.count(game(ben=DRAWN, cat=DRAWN))
    assert standings.rows() == [Row("ann", 1, 0, 0), Row("cat", 0, 0, 1), Row("ben", 0, 1, 1)]
    assert [row.played for row in standings.rows()] == [1, 1, 2]


def test_a_void_game_leaves_no_trace() -> None:
    standings = LiveStandings()
    standings.count(game(ann=VOID, ben=VOID))
    assert standings.rows() == []
    assert standings.version == 0


def test_a_player_who_has_played_stays_and_one_who_has_not_goes() -> None:
    standings = LiveStandings()
    standings.count(game(ann=DRAWN, ben=DRAWN))
    standings.enter("cat")
    for nick in ("ann", "cat", "nobody"):
        standings.leave(nick)
    assert told(standings) == [("ann", 0, 0), ("ben", 0, 0)]


def test_a_line_can_be_struck_and_an_outcome_taken_back() -> None:
    standings = LiveStandings()
    standings.count(game(ann=WON, ben=LOST))
    standings.credit("ann", WON, times=-1)
    standings.strike("ben")
    assert standings.rows() == [Row("ann")]


def test_the_version_grows_with_what_can_be_told_and_a_draw_is_nothing_to_tell() -> None:
    standings = LiveStandings()
    standings.count(game(ann=WON, ben=LOST))
    version, message = standings.version, standings.champions_list()
    standings.count(game(ann=DRAWN, ben=DRAWN))
    assert (standings.version, standings.champions_list()) == (version, message)
    standings.count(game(ann=WON, ben=LOST))
    assert standings.version > version


@pytest.mark.parametrize("outcome", [WON, LOST, DRAWN])
def test_an_outcome_adds_one_to_its_own_column(outcome: Outcome) -> None:
    standings = LiveStandings()
    standings.credit("ann", outcome)
    (row,) = standings.rows()
    assert {column: getattr(row, column.value) for column in (WON, LOST, DRAWN)} == {
        column: int(column is outcome) for column in (WON, LOST, DRAWN)
    }


@settings(derandomize=True, max_examples=sized(quick=50, deep=400), deadline=None)
@given(st.lists(st.tuples(st.sampled_from("abcdé☃"), st.sampled_from(Outcome)), max_size=60))
def test_the_order_holds_after_any_results(outcomes: list[tuple[str, Outcome]]) -> None:
    standings = LiveStandings()
    for nick, outcome in outcomes:
        standings.credit(nick, outcome)
        rows = standings.rows()
        assert rows == sorted(rows, key=lambda row: (-row.won, row.lost, row.nick))
        assert told(standings) == [(row.nick, row.won, row.lost) for row in rows]
    assert sum(row.played for row in standings.rows()) == sum(outcome is not VOID for _, outcome in outcomes)


class TestFewRows:
    """A list has at most this many rows, and the row of the player that gets it."""

    def standings(self) -> LiveStandings:
        known = LiveStandings()
        for place, nick in enumerate(("ann", "ben", "cat", "dan")):
            known.enter(nick)
            known.credit(nick, Outcome.LOST, place)
        return known

    def test_the_best_are_told(self) -> None:
        rows = self.standings().champions_list(2).rows
        assert [row.nick for row in rows] == ["ann", "ben"]

    @pytest.mark.parametrize(
        ("nick", "told"),
        [
            ("ann", ["ann", "ben"]),
            ("ben", ["ann", "ben"]),
            ("cat", ["ann", "ben", "cat"]),
            ("dan", ["ann", "ben", "dan"]),
            ("eve", ["ann", "ben"]),
        ],
    )
    def test_ones_own_row_is_always_there(self, nick: str, told: list[str]) -> None:
        assert [row.nick for row in self.standings().champions_list_for(nick, 2).rows] == told

    def test_players_that_need_no_row_of_their_own_share_one_list(self) -> None:
        known = self.standings()
        assert known.champions_list_for("ann", 2) is known.champions_list_for("ben", 2) is known.champions_list(2)
        assert known.champions_list_for("dan", 4) is known.champions_list(4)
