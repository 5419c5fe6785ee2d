"""Schedules whose fixtures are all known beforehand."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random

from hypothesis import given
from hypothesis import strategies as st

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


def two_cycles(field: Sequence[str] = "abcd", **keys: object) -> FixedSchedule:
    """Every pairing of these twice."""
    return RoundRobin(plan(repeats=2, **keys), list(field), 2)


def begins(one: FixedSchedule, *pairs: str) -> None:
    """These games begin, the first of each pairing that is open."""
    for pair in pairs:
        one.begin(next(iter(one.open_fixtures(pair))))


def pairs_of(fixtures: Sequence[Fixture]) -> list[str]:
    """Who meets, in the order of the offers."""
    return ["".join(sorted(fixture.nicks)) for fixture in fixtures]


def test_a_pairing_is_not_repeated_before_its_players_have_met_the_others_who_are_there() -> None:
    one = two_cycles()
    begins(one, "ad", "bc")
    assert pairs_of(one.open_fixtures("ad", "bc".__contains__)) == []
    assert pairs_of(one.open_fixtures("ad")) == ["ad"], "nobody is waited for unless that is wanted"
    assert pairs_of(one.open_fixtures("ad", "xy".__contains__)) == ["ad"], "those who are not there are not waited for"
    assert pairs_of(one.open_fixtures("abd", "c".__contains__)) == ["ab", "bd"]
    begins(one, "bd", "ac")
    assert pairs_of(one.open_fixtures("ad", "bc".__contains__)) == []
    begins(one, "ab")
    assert pairs_of(one.open_fixtures("ad", "bc".__contains__)) == [], "d has not met c"
    begins(one, "cd")
    assert pairs_of(one.open_fixtures("ad", "bc".__contains__)) == ["ad"]


def test_who_has_met_all_goes_on_while_others_have_not() -> None:
    one = two_cycles("abcde")
    begins(one, "ab", "ac", "ad", "ae", "bc", "bd", "be")
    assert pairs_of(one.open_fixtures("abc", "de".__contains__)) == ["ab"]
    assert pairs_of(one.open_fixtures("acd", "be".__contains__)) == ["cd"]


def test_one_who_has_gone_holds_nobody_back() -> None:
    one = two_cycles()
    begins(one, "ad", "bc", "ab", "bd")
    one.withdraw("c")
    assert pairs_of(one.open_fixtures("ad", "bc".__contains__)) == ["ad"]


def test_each_opening_is_played_by_all_before_the_next() -> None:
    one = RoundRobin(plan(openings=({"name": "one", "text": "x"}, {"name": "two", "text": "y"})), ["a", "b", "c"], 2)
    begins(one, "ab", "ab", "ab")
    assert pairs_of(one.open_fixtures("ab", "c".__contains__)) == []
    assert len(one.open_fixtures("ab")) == 1


@given(entrants=st.integers(2, 7), repeats=st.integers(1, 3), tables=st.integers(1, 4), random=st.randoms())
def test_whoever_is_slow_all_games_are_played_and_no_pairing_is_a_cycle_ahead(
    entrants: int, repeats: int, tables: int, random: Random
) -> None:
    field = names(entrants)
    one = RoundRobin(plan(repeats=repeats), field, 2)
    running: list[Fixture] = []
    met: Counter[frozenset[str]] = Counter()
    while not one.finished:
        busy = {nick for fixture in running for nick in fixture.nicks}
        free = [nick for nick in field if nick not in busy]
        offers = one.open_fixtures(free, lambda _: True) if len(running) < tables else ()
        if fixture := next(iter(offers), None):
            for nick in fixture.nicks:
                others = [frozenset({nick, other}) for other in field if other != nick]
                assert met[frozenset(fixture.nicks)] == min(met[pair] for pair in others)
            met[frozenset(fixture.nicks)] += 1
            one.begin(fixture)
            running.append(fixture)
        else:
            one.settle(running.pop(random.randrange(len(running))), {})
    assert met.total() == one.total
