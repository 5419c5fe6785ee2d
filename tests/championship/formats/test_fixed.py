"""Schedules whose fixtures are all known beforehand."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from tests.championship.playing import names, plan
from ugs.championship.formats.fixed import FixedSchedule, FixtureOffers
from ugs.championship.formats.format_contract import Fixture
from ugs.championship.formats.round_robin import RoundRobin
from ugs.championship.pairing.groups import Game
from ugs.championship.pairing.rounds import Rounds

AB, CD, AC = ("a", "b"), ("c", "d"), ("a", "c")


def of(field: Sequence[str], rounds: Sequence[Sequence[Game]]) -> FixedSchedule:
    """A schedule of these rounds, by places."""
    one = RoundRobin(plan(), field, 2, lambda _: True)
    one.take(Rounds.of(2, rounds))
    return one


def schedule() -> FixedSchedule:
    """Two rounds of a field of four."""
    return of("abcd", [[(0, 1), (2, 3)], [(0, 2)]])


def test_whatever_the_free_can_play_is_open_the_first_round_first() -> None:
    one = schedule()
    assert list(one.open_fixtures("abcd")) == [Fixture(1, AB), Fixture(2, CD), Fixture(3, AC, 2)]
    assert list(one.open_fixtures({"a", "c", "somebody else"})) == [Fixture(3, AC, 2)]
    assert list(one.open_fixtures("a")) == []


def test_what_is_begun_is_not_open_any_more_and_not_finished_before_it_is_settled() -> None:
    one = schedule()
    for fixture in list(one.open_fixtures("abcd")):
        one.begin(fixture)
        assert fixture not in one.open_fixtures("abcd")
    unfinished = one.finished
    for number, nicks in enumerate([AB, CD, AC], 1):
        one.settle(Fixture(number, nicks), {})
    assert (unfinished, one.finished) == (False, True)
    assert one.total == 3
    assert one.placing() is None
    assert one.byes() == ()


def test_a_leaver_takes_its_open_fixtures_along() -> None:
    one = schedule()
    one.begin(Fixture(1, AB))
    assert list(one.withdraw("a")) == [Fixture(3, AC, 2)]
    assert list(one.withdraw("a")) == []
    assert list(one.open_fixtures("abcd")) == [Fixture(2, CD)]


def test_among_few_free_players_of_a_large_field_the_same_fixtures_are_found() -> None:
    field = names(40)
    one = of(field, [list(combinations(range(40), 2))])
    few = ["p07", "p03", "p31"]
    found = list(one.open_fixtures(few))
    assert [fixture.nicks for fixture in found] == [("p03", "p07"), ("p03", "p31"), ("p07", "p31")]
    assert found == [fixture for fixture in one.open_fixtures(field) if set(fixture.nicks) <= set(few)]


def test_offers_are_found_only_as_far_as_they_are_read() -> None:
    looked: list[int] = []

    def found() -> Iterator[Fixture]:
        for number in range(1, 6):
            looked.append(number)
            yield Fixture(number, AB)

    def look() -> FixtureOffers:
        looked.clear()
        return FixtureOffers(found())

    offers = look()
    assert next(iter(offers)).number == 1
    assert bool(offers)
    assert looked == [1]
    assert [fixture.number for fixture in offers] == [1, 2, 3, 4, 5]
    assert len(look()) == 5
    assert look()[-1].number == 5
    assert [fixture.number for fixture in look()[1:3]] == [2, 3]
    assert not FixtureOffers(iter(()))


def test_who_withdraws_before_the_games_are_drawn_is_not_in_them() -> None:
    one = RoundRobin(plan(), "abc", 3, lambda _: True)
    assert (one.finished, one.total, one.open_fixtures("abc")) == (False, 0, ())
    assert one.withdraw("b") == one.withdraw("z") == []
    one.draw_now()
    assert [fixture.nicks for fixture in one.open_fixtures("abc")] == [("a", "c")]


def test_when_all_but_one_withdraw_before_that_it_is_finished() -> None:
    one = RoundRobin(plan(), "abc", 2, lambda _: True)
    one.withdraw("b")
    one.withdraw("a")
    assert one.finished
    one.withdraw("c")
    one.draw_now()
    assert one.finished
