"""One round of pairs."""

from itertools import combinations
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.championship.pairing.test_matching import most_by_trying
from tests.championship.playing import names
from tests.profile import sized
from ugs.championship.pairing.swiss_pairs import swiss_pairs
from ugs.championship.seats import SeatCounts


def test_in_the_first_round_the_upper_half_meets_the_lower_half() -> None:
    field = names(8)
    points = dict.fromkeys(field, 0.0)
    met: dict[str, dict[str, int]] = {nick: {} for nick in field}
    pairs = swiss_pairs(field, points, met, SeatCounts(field, 2))
    assert pairs == [("p01", "p05"), ("p02", "p06"), ("p03", "p07"), ("p04", "p08")]


def test_equal_points_meet_and_one_too_many_meets_the_next_below() -> None:
    field = names(6)
    points = dict(zip(field, [2.0, 2.0, 2.0, 1.0, 1.0, 1.0], strict=True))
    met: dict[str, dict[str, int]] = {nick: {} for nick in field}
    pairs = swiss_pairs(field, points, met, SeatCounts(field, 2))
    assert sorted(abs(points[one] - points[other]) for one, other in pairs) == [0, 0, 1]


def test_nobody_gets_a_seat_too_often_where_others_have_the_same_points() -> None:
    field = names(4)
    points = dict.fromkeys(field, 1.0)
    met: dict[str, dict[str, int]] = {nick: {} for nick in field}
    seats = SeatCounts(field, 2)
    seats.add(("p01", "p02"))
    seats.add(("p03", "p04"))
    pairs = swiss_pairs(field, points, met, seats)
    assert all(seats.excess(pair) == 0 for pair in pairs)


@given(data=st.data(), seed=st.integers(0, 2**32))
@settings(max_examples=sized(quick=30, deep=200))
def test_no_two_meet_again_if_that_can_be_avoided(data: st.DataObject, seed: int) -> None:
    field = names(data.draw(st.sampled_from([2, 4, 6, 8, 10])))
    random = Random(seed)
    points = {nick: random.randrange(8) / 2 for nick in field}
    met: dict[str, dict[str, int]] = {nick: {} for nick in field}
    seats = SeatCounts(field, 2)
    for one, other in combinations(field, 2):
        if random.random() < 0.6:
            met[one][other] = met[other][one] = 1
            seats.add(random.sample([one, other], 2))
    order = sorted(field, key=lambda nick: -points[nick])
    pairs = swiss_pairs(order, points, met, seats)
    assert sorted(nick for pair in pairs for nick in pair) == field
    strangers = [(a, b) for a, b in combinations(range(len(field)), 2) if field[b] not in met[field[a]]]
    if 2 * most_by_trying(strangers[:24]) == len(field):
        assert not any(other in met[one] for one, other in pairs)


def test_a_large_round_has_no_rematch_and_no_seat_too_often() -> None:
    field = names(1000)
    random = Random(1)
    points = {nick: float(random.choice([0, 1, 1, 2, 2, 2, 3, 3, 4])) for nick in field}
    met: dict[str, dict[str, int]] = {nick: {} for nick in field}
    seats = SeatCounts(field, 2)
    for _ in range(5):
        order = random.sample(field, 1000)
        for one, other in zip(order[::2], order[1::2], strict=True):
            met[one][other] = met[other][one] = 1
            seats.add(seats.deal((one, other)))
    order = sorted(field, key=lambda nick: -points[nick])
    pairs = swiss_pairs(order, points, met, seats)
    assert not any(other in met[one] for one, other in pairs)
    wanted = [seats.wanted(nick) for nick in field]
    assert sum(seats.excess(pair) for pair in pairs) == abs(wanted.count([0]) - wanted.count([1])) // 2
    assert sum(abs(points[one] - points[other]) for one, other in pairs) < 100
