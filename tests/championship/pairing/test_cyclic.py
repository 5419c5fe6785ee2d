"""Groups for very many entrants."""

from collections import Counter
from itertools import combinations

import pytest

from tests.profile import sized
from ugs.championship.balance import balance
from ugs.championship.formats.format_contract import Fixture
from ugs.championship.pairing.cyclic import cyclic_groups, skolem
from ugs.championship.pairing.groups import is_cyclic, least_games
from ugs.championship.pairing.rounds import RoundRobinGames


@pytest.mark.parametrize("order", [order for order in range(8, 200) if order % 4 < 2])
def test_places_in_pairs_have_each_distance_once(order: int) -> None:
    pairs = skolem(order)
    assert sorted(later - sooner for sooner, later in pairs) == list(range(1, order + 1))
    assert sorted(place for pair in pairs for place in pair) == list(range(1, 2 * order + 1))


@pytest.mark.parametrize("entrants", sized(quick=[121, 128, 150, 151], deep=list(range(121, 200))))
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_every_two_meet_and_all_sit_everywhere_equally_often(entrants: int, seats: int) -> None:
    games = cyclic_groups(entrants, seats)
    fixtures = [Fixture(number, tuple(map(str, game))) for number, game in enumerate(games, start=1)]
    fair = balance(fixtures, list(map(str, range(entrants))), seats)
    assert fair.meetings_least >= 1
    assert fair.games_least == fair.games_most
    assert fair.seats_apart == 0
    assert all(len({*game}) == seats for game in games)
    wasted = fair.games_most / least_games(entrants, seats)
    assert wasted <= {3: 1.16, 4: 1.6, 5: 1.8}[seats]


def test_repeats_have_other_pairs_meet_twice() -> None:
    met: Counter[tuple[int, ...]] = Counter()
    for game in cyclic_groups(130, 4, 3):
        met.update(combinations(sorted(game), 2))
    assert len(met) == 130 * 129 // 2
    assert min(met.values()) >= 3


def test_a_round_robin_of_a_large_field_is_made_of_them() -> None:
    assert is_cyclic(130, 3)
    assert not is_cyclic(120, 3)
    assert not is_cyclic(130, 7)
    assert not is_cyclic(130, 2)
    rounds = RoundRobinGames(130, 3, 1).draw()
    assert len(rounds) == len(cyclic_groups(130, 3))
    assert len({rounds.game(index) for index in range(len(rounds))}) == len(rounds)
