"""Parts of a schedule: their numbers, and what is remembered of them."""

from tests.championship.playing import names, plan
from ugs.championship.formats.composite import SPAN, SchedulePart, later
from ugs.championship.formats.format_contract import Fixture
from ugs.championship.formats.round_robin import RoundRobin
from ugs.championship.pairing.rounds import RoundRobinGames


def part() -> SchedulePart:
    """The third part, of three players, after four rounds."""
    return SchedulePart(2, RoundRobin(plan(), names(3), 2), "group C", 4)


def test_numbers_and_rounds_are_unique_in_the_whole_and_come_back() -> None:
    inside = Fixture(1, ("p01", "p02"), 1)
    outside = part().outside(inside)
    assert outside == Fixture(2 * SPAN + 1, ("p01", "p02"), 5, "group C")
    back = part().inside(outside)
    assert (back.number, back.round, back.nicks) == (1, 1, inside.nicks)


def test_players_with_equal_points_stand_in_the_order_of_their_own_games() -> None:
    one = part()
    one.credit(("p01", "p02"), {"p02": 1.0})
    one.credit(("p01", "p03"), {"p01": 1.0})
    assert one.ties(names(3)) == [["p02", "p01"], ["p03"]]
    assert one.ranking({"p02"}) == ["p01", "p03"]
    one.credit(("p01", "p02"), {"p02": 1.0}, -1)
    assert one.worth("p02") == 0


def test_only_games_that_were_played_are_looked_at_and_kept() -> None:
    """The order of a thousand without a game took seconds, and a place in memory for each two of them."""
    many = SchedulePart(0, RoundRobin(plan(), names(60), 2, later), "", 0)
    many.credit(("p01", "p02"), {"p02": 1.0})
    assert many.ranking()[0] == "p02"
    assert sum(map(len, many.against.values())) == 2


def test_a_game_of_three_that_is_forfeited_is_no_meeting_of_those_who_stayed() -> None:
    """They had the points of each other among their tie-breaks, for a game that was not played."""
    one = SchedulePart(0, RoundRobin(plan(), names(3), 3), "", 0, tie_breaks=("buchholz",))
    one.credit(names(3), {"p01": 0.0})
    assert one.met == {}
    one.credit(names(3), {"p01": 0.0, "p02": 1.0, "p03": 0.0})
    assert {nick: sorted(others) for nick, others in one.met.items()} == {
        "p01": ["p02", "p03"],
        "p02": ["p01", "p03"],
        "p03": ["p01", "p02"],
    }


def test_parts_wait_to_be_told_to_draw() -> None:
    assert later(RoundRobinGames(3, 2, 1))
