"""What is drawn elsewhere is what would be drawn at once, and what is small is drawn in no time."""

import pickle
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.championship.playing import Player, names, plan
from tests.profile import sized
from ugs.championship.due_draws import Drawing, Request, described, is_large
from ugs.championship.formats.format_contract import Schedule
from ugs.championship.formats.format_table import make
from ugs.championship.pairing import groups
from ugs.championship.pairing.rounds import GauntletGames, RoundRobinGames
from ugs.championship.pairing.swiss_round import SwissRound
from ugs.championship.plan import Plan

DRAWING: dict[str, dict[str, Any]] = {
    "round-robin": {"repeats": 2},
    "gauntlet": {"repeats": 3, "champion": "p03"},
    "swiss": {"rounds": 5},
}


def elsewhere(request: Request) -> Drawing:
    """What another process returns."""
    there: Request = pickle.loads(pickle.dumps(request))
    drawing: Drawing = pickle.loads(pickle.dumps(there.draw()))
    return drawing


class Patient(Player):
    """Has everything drawn elsewhere before each step."""

    def step(self) -> None:
        """See :class:`Player`."""
        while self.schedule.wanted is not None:
            assert not self.schedule.finished
            assert not list(self.schedule.open_fixtures(self.free))
            self.schedule.take(elsewhere(self.schedule.wanted))
        super().step()


def schedules(wanted: Plan, entrants: int, seats: int) -> tuple[Schedule, Schedule]:
    """The same one twice: it draws at once, and it has everything drawn elsewhere."""
    field = names(entrants)
    return make(wanted, field, seats), make(wanted, field, seats, lambda _: True)


@pytest.mark.parametrize("form", DRAWING)
@given(data=st.data(), seed=st.integers(0, 2**32))
@settings(max_examples=sized(quick=15, deep=150), deadline=None)
def test_drawn_elsewhere_it_is_the_same_championship(form: str, data: st.DataObject, seed: int) -> None:
    entrants = data.draw(st.integers(3, 24))
    seats = data.draw(st.integers(2, min(5, entrants)))
    players = []
    for schedule, kind in zip(
        schedules(plan(format=form, **DRAWING[form]), entrants, seats), (Player, Patient), strict=True
    ):
        if schedule.wanted is not None:
            schedule.take(elsewhere(schedule.wanted))
        players.append(kind(schedule, Random(seed), voids=0.1, leaving=0.02, given_up=0.05).to_the_end())
    at_once, later = players
    assert later.calls == at_once.calls
    assert later.schedule.byes() == at_once.schedule.byes()
    assert later.schedule.total == at_once.schedule.total


def test_what_has_been_asked_for_does_not_change_any_more() -> None:
    _, schedule = schedules(plan(format="swiss", rounds=3), 8, 2)
    first = schedule.wanted
    assert isinstance(first, SwissRound)
    before = pickle.dumps(first)
    schedule.draw_now()
    for fixture in schedule.open_fixtures(schedule.field):
        schedule.begin(fixture)
        schedule.settle(fixture, {fixture.nicks[0]: 1.0})
    assert pickle.dumps(first) == before
    assert schedule.wanted != first


def test_who_leaves_before_the_draw_is_not_in_it() -> None:
    _, schedule = schedules(plan(format="swiss", rounds=3), 5, 2)
    assert schedule.withdraw("p02") == []
    assert isinstance(schedule.wanted, SwissRound)
    assert (schedule.wanted.order, schedule.wanted.byes) == (("p01", "p03", "p04", "p05"), ())
    schedule.draw_now()
    assert [set(one.nicks) for one in schedule.open_fixtures(schedule.field)] == [{"p01", "p04"}, {"p03", "p05"}]


def test_when_too_few_are_left_nothing_has_to_be_drawn() -> None:
    _, schedule = schedules(plan(format="swiss", rounds=3), 2, 2)
    schedule.withdraw("p02")
    assert schedule.wanted is None
    assert schedule.finished


def test_formats_that_find_their_games_on_the_way_want_nothing() -> None:
    for form in ("knock-out", "ladder"):
        _, schedule = schedules(plan(format=form), 1000, 2)
        assert schedule.wanted is None
    with pytest.raises(NotImplementedError, match="Ladder never wants anything"):
        schedule.take(())


def a_round(entrants: int, seats: int) -> Request:
    """The first round of a Swiss tournament."""
    _, schedule = schedules(plan(format="swiss"), entrants, seats)
    assert schedule.wanted is not None
    return schedule.wanted


@pytest.mark.parametrize(
    ("request_", "large"),
    [
        (a_round(48, 2), False),
        (a_round(50, 2), True),
        (a_round(16, 4), False),
        (a_round(20, 4), True),
        (RoundRobinGames(45, 2, 2), False),
        (RoundRobinGames(45, 2, 3), True),
        (RoundRobinGames(7, 3, 1), False),
        (RoundRobinGames(8, 4, 1), True),
        (RoundRobinGames(7, 3, 2), True),
        (GauntletGames(1000, 2, 2), False),
        (GauntletGames(1000, 2, 3), True),
        (GauntletGames(9, 3, 1), True),
    ],
)
def test_small_fields_are_drawn_at_once(request_: Request, large: bool) -> None:
    assert is_large(request_) is large


def test_the_search_for_small_groups_is_over_in_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundred exchanges take less than a millisecond."""
    exchanges = 0
    exchange = groups._Search._exchange

    def counted(search: groups._Search) -> list[tuple[int, int, int]] | None:
        nonlocal exchanges
        exchanges += 1
        return exchange(search)

    monkeypatch.setattr(groups._Search, "_exchange", counted)
    for kind in (RoundRobinGames, GauntletGames):
        for entrants in range(3, 12):
            for seats in range(3, entrants + 1):
                for repeats in (1, 2, 3):
                    if not is_large(wanted := kind(entrants, seats, repeats)):
                        exchanges = 0
                        wanted.draw()
                        assert exchanges < 1000, wanted


def test_what_is_drawn_is_told_to_people() -> None:
    assert described(a_round(9, 2)) == "round 1 for 8 players"
    assert described(RoundRobinGames(300, 4, 1)) == "all games for 300 players"
