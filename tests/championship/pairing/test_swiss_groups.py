"""One round of groups."""

from random import Random

import pytest

from tests.championship.playing import names
from ugs.championship.pairing.swiss_groups import swiss_groups
from ugs.championship.seats import SeatCounts


def test_in_the_first_round_the_strong_ones_come_to_different_groups() -> None:
    field = names(9)
    met: dict[str, dict[str, int]] = {nick: {} for nick in field}
    groups = swiss_groups(field, dict.fromkeys(field, 0.0), met, SeatCounts(field, 3), 3)
    assert [sorted(group) for group in groups] == [["p01", "p04", "p07"], ["p02", "p05", "p08"], ["p03", "p06", "p09"]]


@pytest.mark.parametrize(("entrants", "size"), [(9, 3), (12, 4), (21, 7), (40, 5), (140, 7)])
def test_where_all_play_everybody_gets_every_seat_once_in_a_cycle(entrants: int, size: int) -> None:
    field = names(entrants)
    random = Random(entrants)
    seats = SeatCounts(field, size)
    met: dict[str, dict[str, int]] = {nick: {} for nick in field}
    points = dict.fromkeys(field, 0.0)
    for _ in range(size):
        order = sorted(field, key=lambda nick: -points[nick])
        groups = swiss_groups(order, points, met, seats, size)
        assert sorted(nick for group in groups for nick in group) == field
        for group in groups:
            seats.add(group)
            points[random.choice(group)] += 1
            for one in group:
                for other in set(group) - {one}:
                    met[one][other] = met[one].get(other, 0) + 1
    assert all(set(had) == {1} for had in seats.had.values())


def test_nobody_meets_again_where_exchanging_players_helps() -> None:
    field = names(27)
    seats = SeatCounts(field, 3)
    met: dict[str, dict[str, int]] = {nick: {} for nick in field}
    points = dict.fromkeys(field, 0.0)
    for _ in range(3):
        for group in swiss_groups(field, points, met, seats, 3):
            seats.add(group)
            for one in group:
                for other in set(group) - {one}:
                    met[one][other] = met[one].get(other, 0) + 1
    assert max(times for others in met.values() for times in others.values()) == 1


def test_after_a_bye_there_may_be_too_few_of_a_seat_and_still_all_play() -> None:
    field = names(6)
    seats = SeatCounts(field, 3)
    for nick in field:
        seats.had[nick] = [0, 1, 1]
    met: dict[str, dict[str, int]] = {nick: {} for nick in field}
    groups = swiss_groups(field, dict.fromkeys(field, 0.0), met, seats, 3)
    assert sorted(nick for group in groups for nick in group) == field
