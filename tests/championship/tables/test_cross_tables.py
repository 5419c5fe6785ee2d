"""Who got what against whom."""

import pytest

from tests.championship.playing import names
from tests.championship.tables.played import Contest
from ugs.broker.championships.ledgers import WORTH
from ugs.championship.tables.cross_tables import MAX_ROWS, CrossLine, cross_table, points_text
from ugs.championship.tables.scheduled_games import scheduled_games
from ugs.championship.tables.sections import sections

FIELD = ("ann", "bob", "cem")


def lines_of(contest: Contest) -> list[CrossLine]:
    (section,) = contest.tables
    assert section.cross is not None
    return section.cross.lines


def test_each_cell_is_what_the_row_got_against_the_column() -> None:
    contest = Contest(FIELD, format="round-robin").play(wins=lambda one: "" if "cem" in one.nicks else min(one.nicks))
    assert lines_of(contest) == [
        CrossLine("ann", ["", "½", "1"], 1.5, 2),
        CrossLine("cem", ["½", "", "½"], 1.0, 2),
        CrossLine("bob", ["0", "½", ""], 0.5, 2),
    ]


def test_who_met_several_times_has_its_points_and_those_of_the_other() -> None:
    """Points of so many games, ``1/2``, would look like a half."""
    contest = Contest(FIELD[:2], format="round-robin", repeats=3).play(2).play(1, lambda _: "")
    assert lines_of(contest) == [CrossLine("ann", ["", "2½–½"], 2.5, 3), CrossLine("bob", ["½–2½", ""], 0.5, 3)]


def test_the_columns_of_a_gauntlet_are_its_champion() -> None:
    (section,) = Contest(FIELD, format="gauntlet", champion="bob").play().tables
    assert section.cross is not None
    assert section.cross.columns == ["bob"]
    assert [(line.nick, line.cells) for line in section.cross.lines] == [("ann", ["1"]), ("bob", [""]), ("cem", ["0"])]


def test_entrants_whose_results_are_struck_have_no_row() -> None:
    contest = Contest(FIELD, format="round-robin", leavers="strike").play(1)
    contest.withdraw("cem")
    assert [line.nick for line in lines_of(contest)] == ["ann", "bob"]


def test_groups_and_divisions_have_a_table_each_with_their_names() -> None:
    field = ("ann", "bob", "cem", "dan", "eve", "fay")
    groups = Contest(field, format="stages", stages=({"groups": 2, "go_on": 1}, {"format": "knock-out"})).play().tables
    assert [(one.label, one.cross is not None) for one in groups] == [("group A", True), ("group B", True), ("", False)]
    assert groups[-1].tree is not None
    assert groups[-1].tree.champion == "ann"
    league = Contest(field[:4], format="league", divisions=2, rounds=1, promoted=1).play().tables
    assert [one.label for one in league] == ["season 1, division 1", "season 1, division 2"]


def test_large_fields_and_larger_games_have_none() -> None:
    field = names(MAX_ROWS + 1)
    assert cross_table(field, field, []) is None
    assert Contest(FIELD, format="round-robin", seats=3).play().tables == []


@pytest.mark.parametrize(("points", "text"), [(0, "0"), (0.5, "½"), (2.5, "2½"), (3.0, "3"), (1 / 3, "0.33")])
def test_points_are_written_as_people_write_them(points: float, text: str) -> None:
    assert points_text(points) == text


def test_rows_with_equal_points_stand_in_the_order_of_the_standings() -> None:
    contest = Contest(FIELD, format="round-robin").play(wins=lambda _: "")
    one = contest.one
    games = [*scheduled_games(contest.entries).values()]
    assert one.whole_schedule is not None
    for best in (("cem", "ann", "bob"), ("bob", "cem", "ann")):
        (section,) = sections(one.whole_schedule, one.ledger, games, WORTH, best)
        assert section.cross is not None
        assert tuple(line.nick for line in section.cross.lines) == best
