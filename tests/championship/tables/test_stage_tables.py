"""The stages of a championship: what each is, who stands where in it, who went on."""

from typing import Any

from tests.championship.playing import names
from tests.championship.tables.played import Contest
from ugs.championship.tables import stage_tables
from ugs.championship.tables.stage_tables import PlacedLine, StageHead, stage_heads

SIX = ("ann", "bob", "cem", "dan", "eve", "fay")
SWISS: dict[str, Any] = {"format": "swiss", "rounds": 2, "go_on": 4}
CUP: dict[str, Any] = {"format": "knock-out", "best_of": 3}


def test_each_stage_that_has_begun_is_named_with_who_goes_on() -> None:
    contest = Contest(SIX, format="stages", stages=(SWISS, CUP)).play(2)
    assert stage_heads(contest.one.whole_schedule) == [StageHead(1, "Swiss, 2 rounds", "the first 4 go on", "running")]
    first, second = stage_heads(contest.play(5).one.whole_schedule)
    assert first.state == "over"
    assert second == StageHead(2, "knock-out of 4, best of 3", "", "running")
    assert [one.state for one in stage_heads(contest.play().one.whole_schedule)] == ["over", "over"]


def test_groups_are_counted_and_rounds_of_a_swiss_are_those_that_it_takes() -> None:
    groups = ({"groups": 2, "go_on": 1, "repeats": 2}, CUP)
    heads = stage_heads(Contest(SIX, format="stages", stages=groups).one.whole_schedule)
    assert [(one.words, one.goes_on) for one in heads] == [
        ("2 groups, each pairing 2 times", "the first of each group goes on")
    ]
    one = Contest(SIX, format="stages", stages=({"format": "swiss", "play_off": True},)).one.whole_schedule
    assert [(head.words, head.goes_on) for head in stage_heads(one)] == [("Swiss, 3 rounds", "")]


def test_other_formats_have_no_stages() -> None:
    assert stage_heads(Contest(SIX, format="swiss").one.whole_schedule) == []
    assert stage_heads(None) == []


def test_a_swiss_stage_has_a_table_beside_its_rounds_and_who_went_on() -> None:
    contest = Contest(SIX, format="stages", stages=(SWISS, CUP))
    contest.play(6)
    swiss, cup = contest.tables
    assert swiss.places is not None
    assert swiss.swiss is not None
    assert swiss.places.lines[:3] == [
        PlacedLine(1, "ann", 2.0, 2, 0, 0, ""),
        PlacedLine(2, "cem", 2.0, 2, 0, 0, ""),
        PlacedLine(3, "bob", 1.0, 1, 1, 0, ""),
    ]
    assert swiss.through == [line.nick for line in swiss.places.lines[:4]]
    assert (swiss.stage, cup.stage, cup.places, cup.through) == (1, 2, None, [])


def test_its_points_are_those_of_the_stage_and_byes_count() -> None:
    contest = Contest(SIX[:5], format="stages", stages=(SWISS, CUP)).play()
    places = contest.tables[0].places
    assert places is not None
    assert sum(line.points for line in places.lines) == 4 + 2 * 0.5
    assert sum(line.won for line in places.lines) == 4


def test_who_is_disqualified_is_last_without_a_place() -> None:
    contest = Contest(SIX, format="stages", stages=(SWISS, CUP)).play()
    contest.disqualify("ann")
    places = contest.tables[0].places
    assert places is not None
    assert [line.place for line in places.lines] == [1, 2, 3, 4, 5, None]
    assert places.lines[-1].out == "disqualified by eve: cheated"


def test_larger_games_and_fields_without_a_cross_table_have_places(monkeypatch: Any) -> None:
    monkeypatch.setattr(stage_tables, "MAX_LINES", 4)
    stages = ({"go_on": 3}, {"format": "round-robin"})
    first, second = Contest(names(6), format="stages", seats=3, stages=stages).play().tables
    assert first.places is not None
    assert second.places is not None
    assert (first.cross, len(first.places.lines), first.places.more) == (None, 4, 2)


def test_a_knock_out_that_others_follow_has_who_went_on() -> None:
    stages = ({"format": "knock-out", "go_on": 2}, {"format": "round-robin"})
    cup, last = Contest(SIX[:4], format="stages", stages=stages).play().tables
    assert cup.tree is not None
    assert sorted(cup.through) == ["ann", "bob"]
    assert last.cross is not None


def test_a_league_has_no_stages() -> None:
    league = Contest(SIX[:4], format="league", divisions=2, rounds=1, promoted=1).play().tables
    assert [(one.stage, one.places, one.through) for one in league] == [(0, None, [])] * 2
