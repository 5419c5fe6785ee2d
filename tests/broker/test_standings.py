"""How results become rows, and the one order of rows."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.profile import sized
from ugs.broker.standings import LiveStandings, Row
from ugs.broker.verdict import Cause, GameResult, Outcome, SeatResult, Verdict
from ugs.wire.messages import ChampionRow, ChampionsList

WON, LOST, DRAWN, VOID = Outcome.WON, Outcome.LOST, Outcome.DRAWN, Outcome.VOID


def game(**outcomes: Outcome) -> GameResult:
    """A finished game that counts so for each player."""
    seats = tuple(SeatResult(nick, outcome) for nick, outcome in outcomes.items())
    return GameResult("g1", "chess", "m", seats, Verdict(Cause.FINISHED), 7, 1000.0, 1060.0)


def told(table: LiveStandings) -> list[tuple[str, int, int]]:
    """What a championsList says."""
    return [(row.nick, row.won, row.lost) for row in table.champions_list().rows]


def test_a_table_begins_empty() -> None:
    assert LiveStandings().champions_list() == ChampionsList(())


def test_who_enters_stands_there_with_zeros_and_entering_twice_changes_nothing() -> None:
    table = LiveStandings()
    table.enter("ann")
    before = table.champions_list()
    table.enter("ann")
    assert table.champions_list() is before
    assert before.rows == (ChampionRow("ann", 0, 0),)
    assert "ann" in table
    assert "ben" not in table


def test_results_are_counted_whether_or_not_their_players_have_entered() -> None:
    table = LiveStandings()
    table.enter("ann")
    table.count(game(ann=WON, ben=LOST))
    table.count(game(ben=DRAWN, cat=DRAWN))
    assert table.rows() == [Row("ann", 1, 0, 0), Row("cat", 0, 0, 1), Row("ben", 0, 1, 1)]
    assert [row.played for row in table.rows()] == [1, 1, 2]


def test_a_void_game_leaves_no_trace() -> None:
    table = LiveStandings()
    table.count(game(ann=VOID, ben=VOID))
    assert table.rows() == []
    assert table.version == 0


def test_who_has_played_stays_and_who_has_not_goes() -> None:
    table = LiveStandings()
    table.count(game(ann=DRAWN, ben=DRAWN))
    table.enter("cat")
    for nick in ("ann", "cat", "nobody"):
        table.leave(nick)
    assert told(table) == [("ann", 0, 0), ("ben", 0, 0)]


def test_a_line_can_be_struck_and_an_outcome_taken_back() -> None:
    table = LiveStandings()
    table.count(game(ann=WON, ben=LOST))
    table.credit("ann", WON, times=-1)
    table.strike("ben")
    assert table.rows() == [Row("ann")]


def test_the_version_grows_with_what_can_be_told_and_a_draw_is_nothing_to_tell() -> None:
    table = LiveStandings()
    table.count(game(ann=WON, ben=LOST))
    version, message = table.version, table.champions_list()
    table.count(game(ann=DRAWN, ben=DRAWN))
    assert (table.version, table.champions_list()) == (version, message)
    table.count(game(ann=WON, ben=LOST))
    assert table.version > version


@pytest.mark.parametrize("outcome", [WON, LOST, DRAWN])
def test_an_outcome_adds_one_to_its_own_column(outcome: Outcome) -> None:
    table = LiveStandings()
    table.credit("ann", outcome)
    (row,) = table.rows()
    assert {column: getattr(row, column.value) for column in (WON, LOST, DRAWN)} == {
        column: int(column is outcome) for column in (WON, LOST, DRAWN)
    }


@settings(derandomize=True, max_examples=sized(quick=50, deep=400), deadline=None)
@given(st.lists(st.tuples(st.sampled_from("abcdé☃"), st.sampled_from(Outcome)), max_size=60))
def test_the_order_holds_after_any_results(outcomes: list[tuple[str, Outcome]]) -> None:
    table = LiveStandings()
    for nick, outcome in outcomes:
        table.credit(nick, outcome)
        rows = table.rows()
        assert rows == sorted(rows, key=lambda row: (-row.won, row.lost, row.nick))
        assert told(table) == [(row.nick, row.won, row.lost) for row in rows]
    assert sum(row.played for row in table.rows()) == sum(outcome is not VOID for _, outcome in outcomes)


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
