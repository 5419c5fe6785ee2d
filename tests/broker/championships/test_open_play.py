"""Open play before an announced championship begins."""

from tests.broker.cup import asked, begun, comes, plays
from tests.broker.house import CHESS, House
from ugs.broker.values.questions import WhyAsked

EVENING = "2030-05-01T20:00"


def test_players_meet_until_the_hour_and_the_championship_begins_with_all_of_them(house: House) -> None:
    house.plans(begins_at=EVENING, begins_in_s=5, open_play=True)
    master = house.master()
    peers = comes(house, "a", "b")
    assert asked(master) == [{"a", "b"}]
    house.passes(5)
    assert begun(house) == [("cup", ["a", "b"])]
    plays(house, master, peers, games=1)
    assert house.broker.games[0].setting.championship is not None
    plays(house, master, peers, games=1)
    (row, _) = house.broker.server.types[CHESS].open_standings.rows()
    assert (row.nick, row.won) == ("a", 1), "the open game, not that of the championship"


def test_a_player_is_told_of_the_championship_while_it_waits(house: House) -> None:
    house.plans(first=3, open_play=True)
    house.master()
    comes(house, "a")
    found = house.is_asked(WhyAsked("a"))["found"]
    assert isinstance(found, list)
    assert found[0]["why"] == [
        "1 player waits; a game takes 2 players",
        "championship cup has not begun: 1 of 3 players are here",
        "open play goes on until cup begins",
    ]


def test_one_that_is_complete_does_not_wait_for_one_that_is_not(house: House) -> None:
    house.plans(name="late", begins_at=EVENING, begins_in_s=1000, open_play=True)
    house.plans(name="early", first=2, open_play=True)
    comes(house, "a", "b")
    assert begun(house) == [("early", ["a", "b"])]
    assert [one.name for one in house.broker.server.types[CHESS].coming] == ["late"]


def test_one_whose_hour_has_come_does_not_wait_for_one_that_has_not_begun(house: House) -> None:
    house.plans(name="late", begins_at=EVENING, begins_in_s=1000)
    house.plans(name="early", begins_at=EVENING, begins_in_s=100)
    comes(house, "a", "b")
    house.passes(100)
    assert begun(house) == [("early", ["a", "b"])]
    assert house.broker.server.types[CHESS].coming[0].name == "late"
