"""Which games a match consists of."""

from collections import Counter
from itertools import pairwise

import pytest

from ugs.match.match_settings import MatchSettings, WrongMatch
from ugs.match.planner import PlannedGame, Planner


def wanted(bots: int = 2, **more: object) -> MatchSettings:
    return MatchSettings.read({"game": "g", "bots": dict.fromkeys("abcdefgh"[:bots], "x"), **more})


def drawn(planner: Planner) -> list[PlannedGame]:
    """All games, each drawn as soon as it is given out."""
    games = []
    while (planned := planner.next()) is not None:
        games.append(planned)
        planner.settle(planned.number, dict.fromkeys(planned.bots, 0.5))
    assert planner.finished
    return games


def test_two_bots_exchange_seats_within_each_pair() -> None:
    planner = Planner(wanted(games=5), 2)
    assert planner.total == 6, "pairs are played to their end"
    games = drawn(planner)
    assert [one.bots for one in games] == [("a", "b"), ("b", "a")] * 3
    assert [one.group for one in games] == [1, 1, 2, 2, 3, 3]
    assert [one.number for one in games] == [1, 2, 3, 4, 5, 6]


def test_each_opening_is_played_in_all_orders_of_seats_before_the_next() -> None:
    games = drawn(Planner(wanted(games=6), 2, openings=2))
    assert [one.opening for one in games] == [1, 1, 2, 2, 1, 1]
    three = drawn(Planner(wanted(3, games=12), 3, openings=2))
    assert [len({one.bots for one in three if one.opening == opening}) for opening in (1, 2)] == [6, 6]


def test_fixed_seats_are_those_of_the_order_of_the_bots() -> None:
    games = drawn(Planner(wanted(3, games=6, seats="fixed"), 2))
    assert Counter(one.bots for one in games) == {("a", "b"): 2, ("a", "c"): 2, ("b", "c"): 2}
    assert len({one.group for one in games}) == 6


@pytest.mark.parametrize(("bots", "players"), [(3, 2), (4, 2), (3, 3), (4, 3), (5, 5)])
def test_every_bot_has_every_seat_equally_often(bots: int, players: int) -> None:
    games = drawn(Planner(wanted(bots, games=100), players))
    seats = [Counter(one.bots[seat] for one in games) for seat in range(players)]
    assert all(seat == seats[0] for seat in seats)
    orders = Counter(one.group for one in games)
    assert len(set(orders.values())) == 1, "every group is complete"
    for group in orders:
        assert len({frozenset(one.bots) for one in games if one.group == group}) == 1


def test_a_gauntlet_is_one_against_all_others() -> None:
    games = drawn(Planner(wanted(4, games=12, format="gauntlet"), 2))
    assert len(games) == 12
    assert all("a" in one.bots for one in games)


def test_rounds_of_a_swiss_wait_for_each_other() -> None:
    planner = Planner(wanted(4, games=6, format="swiss"), 2)
    first, second = planner.next(), planner.next()
    assert planner.next() is None
    assert not planner.finished
    for planned in (first, second):
        assert planned is not None
        assert planned.round == 1
        planner.settle(planned.number, {planned.bots[0]: 1.0})
    third = planner.next()
    assert third is not None
    assert third.round == 2
    assert set(third.bots) != set(first.bots) if first else None
    assert planner.total == 6


def test_who_has_lost_a_match_of_a_knock_out_is_out() -> None:
    planner = Planner(wanted(4, games=9, format="knock-out"), 2)
    games = []
    while (planned := planner.next()) is not None:
        games.append(planned)
        planner.settle(planned.number, {min(planned.bots): 1.0})
        assert not planner.places or planner.finished
    assert planner.finished
    assert list(planner.places)[:2] == ["a", "b"]
    assert [one.label for one in games] == ["semi-final"] * 4 + ["final"] * 2
    assert set(games[-1].bots) == {"a", "b"}


def test_results_in_another_order_give_the_same_games() -> None:
    def played(reverse: bool) -> list[PlannedGame]:
        planner, games = Planner(wanted(6, games=15, format="swiss"), 2), []
        while not planner.finished:
            running = []
            while (planned := planner.next()) is not None:
                running.append(planned)
            games += running
            for planned in running[::-1] if reverse else running:
                planner.settle(planned.number, {min(planned.bots): 1.0})
        return games

    assert played(reverse=True) == played(reverse=False)


def test_numbers_have_no_gaps_whatever_runs_at_once() -> None:
    planner = Planner(wanted(3, games=30), 2)
    given = [planner.next() for _ in range(planner.total)]
    assert planner.next() is None
    assert all(
        one is not None and other is not None and other.number == one.number + 1 for one, other in pairwise(given)
    )


def test_too_few_bots_for_a_game_are_refused() -> None:
    with pytest.raises(WrongMatch, match="seats = 3: the field has 2"):
        Planner(wanted(2), 3)
