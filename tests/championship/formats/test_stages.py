"""Groups, then a knock-out; play-offs where players are level."""

from collections.abc import Mapping
from random import Random

import pytest

from tests.championship.playing import Player, names, plan
from ugs.championship.formats.composite import later
from ugs.championship.formats.format_contract import Fixture, Schedule
from ugs.championship.formats.format_table import make
from ugs.championship.formats.stages import Stages, _seeded
from ugs.championship.plan import PlanError


def stages(entrants: int, *parts: Mapping[str, object], seats: int = 2) -> Stages:
    """A championship in these stages."""
    made = make(plan(format="stages", stages=tuple(map(dict, parts))), names(entrants), seats)
    assert isinstance(made, Stages)
    return made


def win(schedule: Schedule, fixture: Fixture, winner: str | None = None) -> None:
    """Play a game: this one wins, or else the better seed; an empty nick stands for a drawn game."""
    schedule.begin(fixture)
    first = min(fixture.nicks) if winner is None else winner
    half = dict.fromkeys(fixture.nicks, 0.5)
    schedule.settle(fixture, {nick: float(nick == first) for nick in fixture.nicks} if first else half)


def best_win(schedule: Schedule) -> list[Fixture]:
    """Play all that is open, over and over, the better seed winning; return the games."""
    played: list[Fixture] = []
    while offers := schedule.open_fixtures(schedule.field):
        for fixture in list(offers):
            win(schedule, fixture)
            played.append(fixture)
    return played


GROUPS = {"groups": 2, "go_on": 2}
CUP = {"format": "knock-out", "third_place": True}


def test_the_best_of_each_group_go_on_and_do_not_meet_at_once_again() -> None:
    schedule = stages(8, GROUPS, CUP)
    assert {(fixture.label, fixture.round) for fixture in schedule.open_fixtures(schedule.field)} == {
        (f"group {letter}", number) for letter in "AB" for number in (1, 2, 3)
    }
    games = best_win(schedule)
    assert schedule.finished
    cup = [(fixture.label, fixture.round, {*fixture.nicks}) for fixture in games[12:]]
    assert cup == [
        ("semi-final", 4, {"p01", "p03"}),
        ("semi-final", 4, {"p02", "p04"}),
        ("final", 5, {"p01", "p02"}),
        ("third place", 5, {"p03", "p04"}),
    ]
    assert list(schedule.placing())[:2] == ["p01", "p02"]
    assert sorted(schedule.placing()) == list(schedule.field)
    assert len(games) == schedule.total == 16


@pytest.mark.parametrize("groups", [2, 3, 4, 5, 8])
def test_as_few_as_possible_of_one_group_meet_in_the_first_round(groups: int) -> None:
    through = [[f"{group}-{place}" for place in (1, 2)] for group in range(groups)]
    order = _seeded(through)
    assert [nick[-1] for nick in order] == ["1"] * groups + ["2"] * groups
    full = 1 << (len(order) - 1).bit_length()
    met = [(order[at], order[full - 1 - at]) for at in range(full // 2) if full - 1 - at < len(order)]
    assert all(one[0] != other[0] for one, other in met)


def test_who_is_level_at_the_line_plays_off() -> None:
    schedule = stages(6, {"groups": 2, "go_on": 1, "play_off": True}, {"format": "knock-out"})
    for fixture in list(schedule.open_fixtures(schedule.field)):
        win(schedule, fixture, "" if fixture.label == "group A" else None)
    offers = list(schedule.open_fixtures(schedule.field))
    assert {fixture.label for fixture in offers} == {"play-off"}
    assert len(offers) == 3, "all three are level"
    for fixture in offers:
        win(schedule, fixture, max(fixture.nicks))
    (final,) = schedule.open_fixtures(schedule.field)
    assert {*final.nicks} == {max(schedule.parts[0].schedule.field), "p02"}


def test_the_first_place_of_the_last_stage_is_played_off() -> None:
    schedule = stages(3, {"play_off": True})
    for fixture in list(schedule.open_fixtures(schedule.field)):
        win(schedule, fixture, "")
    offers = list(schedule.open_fixtures(schedule.field))
    assert len(offers) == 3
    for fixture in offers:
        win(schedule, fixture, max(fixture.nicks))
    assert schedule.finished
    assert list(schedule.placing()) == ["p03", "p02", "p01"]


def test_without_play_offs_the_points_among_the_level_ones_decide_then_the_seeding() -> None:
    schedule = stages(4, {"go_on": 2}, {"format": "knock-out"})
    for fixture in list(schedule.open_fixtures(schedule.field)):  # p04 beats p03, and both beat p01 or p02
        beats = {("p01", "p02"): "p01", ("p01", "p03"): "p03", ("p01", "p04"): "p01", ("p02", "p03"): "p02"}
        pair = (min(fixture.nicks), max(fixture.nicks))
        win(schedule, fixture, beats.get(pair, "p04"))
    (final,) = schedule.open_fixtures(schedule.field)
    assert {*final.nicks} == {"p01", "p04"}


def test_who_leaves_in_a_group_loses_what_is_left_and_does_not_go_on() -> None:
    schedule = stages(8, GROUPS, CUP)
    first = next(iter(schedule.open_fixtures(schedule.field)))
    gone = min(first.nicks)
    win(schedule, first)
    dropped = schedule.withdraw(gone)
    assert len(dropped) == 2
    best_win(schedule)
    assert schedule.finished
    assert gone not in list(schedule.placing())[:4]


def test_a_group_result_can_be_corrected_until_the_next_stage_has_begun() -> None:
    schedule = stages(6, {"groups": 2, "go_on": 1}, {"format": "knock-out"})
    games = list(schedule.open_fixtures(schedule.field))
    for fixture in games[:-1]:
        win(schedule, fixture)
    lost = max(games[0].nicks)
    assert schedule.not_correctable(games[0]) == ""
    schedule.correct(games[0], {min(games[0].nicks): 1.0}, {lost: 1.0})
    assert schedule.parts[games[0].number // 1_000_000].points[lost] >= 1
    win(schedule, games[-1])
    assert "has begun" in schedule.not_correctable(games[0])


def test_a_field_that_does_not_fit_is_refused_with_its_stage() -> None:
    with pytest.raises(PlanError, match="stage 1: 3 for 2 groups in games of 2; allowed: 4 or more"):
        stages(3, GROUPS, CUP)
    with pytest.raises(PlanError, match="stage 2: 2 for 1 groups in games of 3; allowed: 3 or more"):
        stages(9, {"groups": 2, "go_on": 1}, {"format": "knock-out"}, seats=3)
    with pytest.raises(PlanError, match="go_on = 2: all of a group would go on"):
        stages(4, GROUPS, CUP)


def test_groups_of_three_seats_then_a_swiss() -> None:
    schedule = stages(12, {"groups": 3, "go_on": 2}, {"format": "swiss", "rounds": 2}, seats=3)
    player = Player(schedule, Random(3)).to_the_end()
    assert [fixture for fixture in player.begun if fixture.label.startswith("group")]
    assert len([fixture for fixture in player.begun if not fixture.label]) == 4
    assert sorted(schedule.placing()) == list(schedule.field)


def test_a_stage_is_drawn_elsewhere_where_that_takes_time() -> None:
    keys = plan(format="stages", stages=({"groups": 2, "go_on": 2}, {"format": "knock-out"}))
    schedule = make(keys, names(30), 3, later)
    assert schedule.wanted is not None
    assert schedule.open_fixtures(schedule.field) == ()
    assert not schedule.finished
    schedule.take(schedule.wanted.draw())
    assert schedule.open_fixtures(schedule.field) == ()
    schedule.draw_now()
    assert schedule.open_fixtures(schedule.field)


def test_each_part_has_its_stage_who_went_on_and_the_order_that_they_were_taken_from() -> None:
    schedule = stages(8, GROUPS, CUP)
    assert [(part.stage, part.order, part.through) for part in schedule.parts] == [(1, (), ())] * 2
    best_win(schedule)
    first, second, cup = schedule.parts
    assert (first.stage, second.stage, cup.stage) == (1, 1, 2)
    assert first.through == tuple(first.order[:2]) == ("p01", "p04")
    assert cup.through == ()


def test_who_has_left_stands_last_in_its_group_and_who_leaves_later_keeps_its_place() -> None:
    schedule = stages(8, GROUPS, CUP)
    best_of_b = schedule.parts[1].schedule.field[0]
    for fixture in list(schedule.open_fixtures(schedule.field))[:-1]:
        win(schedule, fixture)
    schedule.withdraw(best_of_b)
    best_win(schedule)
    assert schedule.standing(schedule.parts[1])[-1] == best_of_b
    assert best_of_b not in schedule.parts[1].through
    schedule.withdraw("p01")
    assert schedule.standing(schedule.parts[0])[0] == "p01"


def test_a_play_off_decides_the_order_of_its_group() -> None:
    schedule = stages(3, {"play_off": True, "go_on": 2}, {"format": "knock-out"})
    for fixture in list(schedule.open_fixtures(schedule.field)):
        win(schedule, fixture, "")
    for fixture in list(schedule.open_fixtures(schedule.field)):
        win(schedule, fixture, max(fixture.nicks))
    assert [(part.label, part.stage) for part in schedule.parts] == [("", 1), ("play-off", 1), ("", 2)]
    for part in schedule.parts[:2]:
        assert [*schedule.standing(part)] == ["p03", "p02", "p01"]
    assert schedule.parts[0].through == ("p03", "p02")


def test_byes_on_request_have_the_rounds_of_the_whole() -> None:
    schedule = stages(8, {"go_on": 4}, {"format": "swiss", "rounds": 3})
    assert "only one that is a Swiss" in schedule.cannot_sit_out(8)
    assert schedule.asked_to_sit_out() == []
    while len(schedule.parts) == 1:
        win(schedule, next(iter(schedule.open_fixtures(schedule.field))))
    assert schedule.cannot_sit_out(8) == "round = 8: allowed: those that are not drawn, 9 to 10"
    assert schedule.cannot_sit_out(9) == ""
    schedule.sit_out("p01", 9)
    assert schedule.asked_to_sit_out() == [("p01", 9)]
    best_win(schedule)
    assert (9, "p01") in schedule.byes()
    assert "only a first stage" in schedule.not_enterable()
    assert not schedule.may_come_late(99)


def test_tie_breaks_decide_who_goes_on_before_the_seeding() -> None:
    def through(**keys: object) -> tuple[str, ...]:
        """p03 is first; p02 and p04 are level and have drawn."""
        schedule = stages(4, {"format": "swiss", "rounds": 2, "go_on": 2, **keys}, {"format": "knock-out"})
        while len(schedule.parts) == 1:
            for fixture in list(schedule.open_fixtures(schedule.field)):
                win(schedule, fixture, "p03" if "p03" in fixture.nicks and fixture.round == 1 else "")
        return tuple(schedule.parts[0].through)

    assert through() == ("p03", "p02")
    assert through(tie_breaks=["buchholz"]) == ("p03", "p04"), "it met the winner"
