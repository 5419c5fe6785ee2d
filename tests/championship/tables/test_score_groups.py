"""The rounds of a Swiss by score."""

from tests.championship.tables.played import Contest
from ugs.championship.tables.score_groups import SwissRoundShown

SEVEN = ("ann", "bob", "cem", "dan", "eve", "fay", "gus")


def rounds_of(contest: Contest) -> list[SwissRoundShown]:
    (section,) = contest.tables
    assert section.swiss is not None
    return section.swiss


def test_games_stand_under_the_points_that_their_players_had_before_the_round() -> None:
    rounds = rounds_of(Contest(SEVEN, format="swiss", rounds=3).play())
    assert [[group.points for group in one.groups] for one in rounds] == [[0.0], [1.0, 0.0], [2.0, 1.0, 0.5]]
    floated = [paired for paired in rounds[1].groups[0].games if paired.points != [1.0, 1.0]]
    assert [(paired.game.nicks, paired.points) for paired in floated] == [(["gus", "cem"], [0.5, 1.0])]


def test_who_sits_out_stands_below_the_round() -> None:
    assert [one.byes for one in rounds_of(Contest(SEVEN, format="swiss", rounds=3).play())] == [
        ["gus"],
        ["fay"],
        ["eve"],
    ]


def test_a_corrected_result_counts_in_the_rounds_behind_it() -> None:
    contest = Contest(SEVEN[:4], format="swiss", rounds=2).play(2)
    contest.correct("g1", {"": "drawn"}, "both agreed")
    contest.play()
    assert [group.points for group in rounds_of(contest)[1].groups] == [1.0, 0.5]
