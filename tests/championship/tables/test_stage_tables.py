"""The stages of a championship: what each is, who stands where in it, who went on."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from tests.championship.playing import names
from tests.championship.tables.played import Contest
from ugs.broker.verdict import Cause, GameResult, Outcome, SeatResult, Verdict
from ugs.championship.formats.format_contract import Fixture
from ugs.championship.plan import TieBreak
from ugs.championship.tables import stage_tables
from ugs.championship.tables.stage_tables import PlacedLine, StageHead, stage_heads
from ugs.standings.compute import championship_facts, standings_of

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


ALL: tuple[TieBreak, ...] = ("buchholz", "head-to-head", "sonneborn-berger", "wins")


def standings_lines(contest: Contest) -> list[PlacedLine]:
    """The same as the standings of a Swiss alone have it."""
    results = []
    for one in contest.one.ledger.standing():
        seats = tuple(SeatResult(nick, Outcome(word)) for nick, word in one.outcomes.items())
        cause = Cause.FINISHED if one.game_id else Cause.FORFEIT
        results.append(GameResult(one.game_id, "chess", "m", seats, Verdict(cause), 1, 0.0, 1.0))
    facts = championship_facts(contest.entries, None, contest.one.byes)
    table = standings_of(results, "chess", facts, ratings=False)
    return [
        PlacedLine(one.place, one.nick, one.points, one.won, one.lost, one.drawn, one.out, {**one.tie_breaks})
        for one in table.players
    ]


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("seed", range(8))
def test_tie_breaks_of_a_stage_are_those_of_a_swiss_alone(seats: int, seed: int) -> None:
    """With drawn games, byes, a leaver and a result put right."""
    field = names(11)

    def played(**plan: Any) -> Contest:
        random = Random(seed)
        contest = Contest(field, seats=seats, **plan)

        def wins(fixture: Fixture) -> str:
            return random.choice(["", *fixture.nicks])

        contest.play(5, wins)
        contest.withdraw(random.choice(field))
        contest.play(4, wins)
        one = contest.one.ledger.standing()[1]
        nick = next(iter(one.outcomes))
        contest.correct(one.game_id, {"": "drawn"} if one.outcomes[nick] != "drawn" else {nick: "won"})
        return contest

    alone = played(format="swiss", rounds=4, tie_breaks=ALL)
    stage = played(format="stages", stages=({"format": "swiss", "rounds": 4, "tie_breaks": ALL},))
    assert [one.outcomes for one in stage.one.ledger.standing()] == [
        one.outcomes for one in alone.one.ledger.standing()
    ]
    (table,) = stage.tables
    assert table.places is not None
    assert table.places.tie_breaks == [*ALL]
    expected = {one.nick: replace(one, place=0) for one in standings_lines(alone)}
    assert {one.nick: replace(one, place=0) for one in table.places.lines} == expected
    places = {one.nick: one.place or 0 for one in standings_lines(alone)}
    there = [places[one.nick] for one in table.places.lines if not one.out]
    assert there == sorted(there)
