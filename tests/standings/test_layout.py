"""Which columns are shown, and with which texts."""

import pytest

from tests.standings.results import drawn, forfeit, game, void, won
from ugs.broker.verdict import Cause, Outcome
from ugs.standings.compute import ChampionshipFacts, standings_of
from ugs.standings.elo import Elo
from ugs.standings.layout import (
    OF_TWO,
    apart_remarks,
    columns,
    cross_table_grid,
    csv_rows,
    heading,
    number,
    remarks,
    standings_grid,
)
from ugs.standings.significance import Neighbours
from ugs.standings.standings import GivenUp, LeftEntrant, Standings

PLAIN = ["#", "nick", "won", "lost", "drawn", "points", "games"]


def titles(standings: Standings) -> list[str]:
    return [column.title for column in columns(standings)]


def test_columns_that_would_say_nothing_are_left_out() -> None:
    bare = standings_of([won("ann", "ben")], "chess", ratings=False)
    assert titles(bare) == PLAIN
    assert titles(standings_of([won("ann", "ben")], "chess")) == [*PLAIN, "skill", "Elo", "95 %"]
    three = [game(("a", Outcome.WON), ("b", Outcome.LOST), ("c", Outcome.LOST))]
    assert titles(standings_of(three, "hearts")) == [*PLAIN, "skill"]


def test_draws_of_two_in_games_of_more_are_explained() -> None:
    three = [game(("a", Outcome.WON), ("b", Outcome.LOST), ("c", Outcome.LOST))]
    assert OF_TWO in remarks(standings_of(three, "hearts"))
    assert OF_TWO not in remarks(standings_of([won("ann", "ben"), drawn("ann", "ben")], "chess"))


def test_a_championship_shows_its_tie_breaks_in_order_and_what_went_wrong() -> None:
    cup = ChampionshipFacts("cup", "over", ("wins", "head-to-head"), byes={"ann": 1})
    late = game(("ann", Outcome.WON), ("ben", Outcome.LOST), departures={"ben": Cause.TIMEOUT})
    found = standings_of([late, late, void("ann", "ben")], "chess", cup, ratings=False)
    assert titles(found) == [*PLAIN, "wins", "head-to-head", "byes", "void", "faults"]
    assert standings_grid(found).rows == (
        ("1", "ann", "2", "0", "0", "3", "2", "2", "–", "1", "1", ""),
        ("2", "ben", "0", "2", "0", "0", "2", "0", "–", "0", "1", "2 timeout"),
    )


@pytest.mark.parametrize(
    ("value", "text"), [(0, "0"), (3.0, "3"), (0.5, "0.5"), (1.25, "1.25"), (1234567.5, "1234567.5"), (None, "–")]
)
def test_numbers_have_no_trailing_zeros(value: float | None, text: str) -> None:
    assert number(value) == text


def test_what_could_move_a_cursor_is_written_out() -> None:
    wild, written = "a\x1b[2Jb\nc\u202ed", r"a\u{1b}[2Jb\nc\u{202e}d"
    found = standings_of([won(wild, "zoë ☃")], f"go{wild}")
    cross = cross_table_grid(found, 2)
    assert cross is not None
    assert [row[1] for row in standings_grid(found).rows] == [written, "zoë ☃"]
    assert [row[1] for row in cross.rows] == [written, "zoë ☃"]
    assert heading(found) == f"go{written}: 1 game"
    assert all(wild not in sentence for sentence in remarks(found))
    assert any(written in sentence for sentence in remarks(found))


def test_the_cross_table_goes_by_the_order_of_the_places() -> None:
    found = standings_of([won("ben", "ann"), won("ben", "ann"), drawn("ann", "cat")], "chess", ratings=False)
    grid = cross_table_grid(found, 10)
    assert grid is not None
    assert grid.columns == ("#", "nick", "1", "2", "3")
    assert grid.rows == (
        ("1", "ben", "", "", "2-0-0"),
        ("2", "cat", "", "", "0-0-1"),
        ("3", "ann", "0-2-0", "0-0-1", ""),
    )
    assert cross_table_grid(found, 2) is None
    assert cross_table_grid(standings_of([], "chess"), 10) is None


def test_games_that_both_lost_stand_in_brackets() -> None:
    both = game(("ann", Outcome.LOST), ("ben", Outcome.LOST))
    grid = cross_table_grid(standings_of([both, won("ann", "ben")], "chess"), 10)
    assert grid is not None
    assert [row[2:] for row in grid.rows] == [("", "1-0-0(1)"), ("0-1-0(1)", "")]


def test_the_heading_tells_what_has_been_played() -> None:
    assert heading(standings_of([won("ann", "ben")], "chess")) == "chess: 1 game"
    cup = ChampionshipFacts("cup", "paused", ())
    results = [won("ann", "ben"), drawn("ann", "ben"), forfeit("ann", "ben"), void("ann", "ben")]
    assert heading(standings_of(results, "chess", cup)) == "cup (chess), paused: 2 games, 1 forfeit, 1 void"


def test_remarks_tell_who_cannot_be_told_apart_who_left_and_what_was_not_played() -> None:
    found = Standings(
        "chess",
        10,
        (),
        neighbours=(
            Neighbours("ann", "ben", "elo", 12.4, 30.2, False, 312, 1187, 704, 2381),
            Neighbours("ben", "cat", "elo", 300.0, 30.0, True),
            Neighbours("cat", "dan", "openskill", -0.01, 1.25, False),
            Neighbours("dan", "eve", "openskill", 1.0, 1.25, False, None, 1),
            Neighbours("eve", "fay", "elo", 0.2, 400.0, False, comparable=False),
        ),
        seat_advantage=Elo(-0.3, -10.2, 20.1),
        left=(
            LeftEntrant("fay", "went home", False),
            LeftEntrant("gus", "", True),
            LeftEntrant("hal", "cheated", False, "eve", disqualified=True),
        ),
        given_up=(GivenUp(3, ("ann", "eve")),),
        notes=("and so on",),
    )
    apart = "cannot be distinguished yet"
    assert remarks(found) == [
        f"ann and ben {apart}: +12 Elo, standard error 30. "
        "At this difference about 310 more games between them would do with even odds, 700 with a chance of 80 %",
        f"cat and dan {apart}: 0.0 mu, standard error 1.2. "
        "At this difference more than 10000 more games would be needed",
        f"dan and eve {apart}: +1.0 mu, standard error 1.2. "
        "At this difference about 1 more game of each would do with even odds",
        "1 more pair of neighbours cannot be distinguished: the page marks and lists them, "
        "--format json has the numbers",
        "the first seat is worth 0 Elo (-10 to +20), which the ratings leave out",
        "fay is out (has left: went home); its results stand",
        "gus is out (has left); its results are struck",
        "hal is out (disqualified by eve: cheated); it has no place, and its results stand for the others",
        "game 3 was not played: ann, eve",
        "and so on",
    ]
    assert apart_remarks(found)[3] == "eve and fay cannot be compared: no chain of games joins them"


def test_the_csv_has_all_columns_always_and_leaves_empty_what_there_is_not() -> None:
    head, first, second = csv_rows([standings_of([won("ann", "ben")], "chess", ratings=False)])
    assert first == ["chess", None, 1, "ann", 1, 0, 0, "1", 1, 0, 0, *[None] * 3, 0, "", 0, "", *[None] * 6]
    assert len(head) == len(first) == len(second)
    rated = dict(zip(head, csv_rows([standings_of([won("ann", "ben")], "chess")])[1], strict=True))
    assert isinstance(rated["elo_low"], float)
