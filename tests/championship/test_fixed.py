"""Schedules whose fixtures are all known beforehand."""

from collections.abc import Iterator

from tests.championship.playing import names, plan
from ugs.championship.fixed import FixedSchedule, Offers, in_rounds
from ugs.championship.schedule import Fixture

AB, CD, AC = ("a", "b"), ("c", "d"), ("a", "c")


def schedule() -> FixedSchedule:
    """Two rounds of a field of four."""
    return FixedSchedule(plan(), "abcd", 2, [[AB, CD], [AC]])


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
    rounds = [[(one, other) for one in field for other in field if one < other]]
    one = FixedSchedule(plan(), field, 2, rounds)
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

    def look() -> Offers:
        looked.clear()
        return Offers(found())

    offers = look()
    assert next(iter(offers)).number == 1
    assert bool(offers)
    assert looked == [1]
    assert [fixture.number for fixture in offers] == [1, 2, 3, 4, 5]
    assert len(look()) == 5
    assert look()[-1].number == 5
    assert [fixture.number for fixture in look()[1:3]] == [2, 3]
    assert not Offers(iter(()))


def test_games_are_put_into_the_first_round_that_has_room() -> None:
    assert in_rounds([(0, 1), (0, 2), (2, 3), (1, 3), (1, 2)]) == [[0, 2], [1, 3], [4]]
