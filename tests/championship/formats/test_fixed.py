"""Schedules whose fixtures are all known beforehand."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from tests.championship.playing import names, plan
from ugs.championship.formats.fixed import AHEAD, FixedSchedule, FixtureOffers
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


def cycles(field: Sequence[str] = "abcd", repeats: int = 3) -> FixedSchedule:
    """Every pairing of these so often."""
    return RoundRobin(plan(repeats=repeats), list(field), 2)


def begins(one: FixedSchedule, *pairs: str) -> None:
    """These games begin, the first of each pairing that is open."""
    for pair in pairs:
        one.begin(next(iter(one.open_fixtures(pair))))


def pairs_of(one: FixedSchedule, free: str, others: str | None = None) -> list[str]:
    """Who can meet, in the order of the offers, while the others are waited for; None: nobody is."""
    offers = one.open_fixtures(free) if others is None else one.open_fixtures(free, lambda: others)
    return ["".join(sorted(fixture.nicks)) for fixture in offers]


def test_a_pairing_is_one_game_ahead_of_the_others_of_its_players_at_most() -> None:
    one = cycles()
    begins(one, "ad", "bc")
    assert pairs_of(one, "ad", "bc") == ["ad"], "one game ahead"
    begins(one, "ad")
    assert pairs_of(one, "ad", "bc") == []
    assert pairs_of(one, "ad") == ["ad"], "nobody is waited for unless that is wanted"
    assert pairs_of(one, "ad", "xy") == ["ad"], "those who are not there are not waited for"
    assert pairs_of(one, "abd", "c") == ["ab", "bd", "ab", "bd"]
    begins(one, "ab", "ac")
    assert pairs_of(one, "ad", "bc") == [], "d has not met b and c"
    begins(one, "bd", "cd")
    assert pairs_of(one, "ad", "bc") == ["ad"]


def test_who_is_not_ahead_goes_on_while_others_wait() -> None:
    one = cycles("abcde")
    begins(one, "ab", "ab", "ac", "ad", "ae", "bc")
    assert pairs_of(one, "abc", "de") == ["ac", "bc"]
    assert pairs_of(one, "ab", "cde") == [], "b has not met d and e"


def test_one_who_has_gone_holds_nobody_back() -> None:
    one = cycles()
    begins(one, "ad", "ad", "ab", "bd")
    assert pairs_of(one, "ad", "bc") == []
    one.withdraw("c")
    assert pairs_of(one, "ad", "bc") == ["ad"]


def test_openings_are_cycles_too() -> None:
    openings = ({"name": "one", "text": "x"}, {"name": "two", "text": "y"})
    one = RoundRobin(plan(openings=openings), ["a", "b", "c"], 2)
    begins(one, "ab", "ab")
    assert pairs_of(one, "ab", "c") == []
    assert len(pairs_of(one, "ab")) == 2


def test_in_games_of_three_all_mates_have_to_be_there() -> None:
    openings = ({"name": "one", "text": "x"},)
    one = RoundRobin(plan(openings=openings), list("abcd"), 3)
    games = [set(fixture.nicks) for fixture in one.open_fixtures("abcd")]
    while games.count(set("abc")) > 2:
        begins(one, "abc")
        games.remove(set("abc"))
    assert "abc" not in pairs_of(one, "abc", "d")
    assert "abc" in pairs_of(one, "abc", "")


@given(entrants=st.integers(2, 6), repeats=st.integers(1, 4), tables=st.integers(1, 4), random=st.randoms())
def test_whoever_is_slow_all_games_are_played_and_no_pairing_is_far_ahead(
    entrants: int, repeats: int, tables: int, random: Random
) -> None:
    field = names(entrants)
    one = RoundRobin(plan(repeats=repeats), field, 2)
    running: list[Fixture] = []
    met: Counter[frozenset[str]] = Counter()
    while not one.finished:
        busy = {nick for fixture in running for nick in fixture.nicks}
        free = [nick for nick in field if nick not in busy]
        offers = one.open_fixtures(free, lambda: field) if len(running) < tables else ()
        if fixture := next(iter(offers), None):
            for nick in fixture.nicks:
                others = [frozenset({nick, other}) for other in field if other != nick]
                assert met[frozenset(fixture.nicks)] <= min(met[pair] for pair in others) + AHEAD
            met[frozenset(fixture.nicks)] += 1
            one.begin(fixture)
            running.append(fixture)
        else:
            one.settle(running.pop(random.randrange(len(running))), {})
    assert met.total() == one.total
