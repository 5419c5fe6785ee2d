"""What everybody may know of a running server, and what nobody is told."""

import json
from typing import Any

import pytest

from tests.broker.acts.acting import acts
from tests.broker.cup import comes
from tests.broker.house import CHESS, House, over, turn
from ugs import printable
from ugs.broker.championships import fixtures
from ugs.broker.values.questions import ActKind, PublicAsked, PublicWhyAsked
from ugs.broker.views.public import MAX_NAMED, public
from ugs.championship.formats.format_contract import Schedule
from ugs.wire.extensions import Advertise, Family, Join, NewTable, Visibility
from ugs.wire.messages import GameMasterLogin, PlayerLogin

LOBBY = (Family.SESSION, Family.LOBBY)


def told(house: House) -> Any:
    """What is told of the server; it can be written as JSON."""
    facts = house.is_asked(PublicAsked())
    assert json.loads(json.dumps(facts)) == facts
    return facts


def why(house: House, name: str) -> Any:
    """Why one waits, as everybody may know it."""
    return house.is_asked(PublicWhyAsked(name))


def test_a_new_server_has_nothing_to_tell() -> None:
    facts = told(House())
    assert (facts["games"], facts["game_types"], facts["championships"]) == ([], [], [])


def test_running_games_are_told_as_spectators_may_see_them() -> None:
    house = House(watch_delay_s=10.0)
    master, *_ = house.table("ann", "ben")
    master.says(turn("g1", "ann"))
    (game,) = told(house)["games"]
    assert (game["game"], game["nicks"], game["moves"], game["delay_s"]) == ("g1", ["ann", "ben"], 0, 10.0)


def test_a_pool_says_who_waits_and_why() -> None:
    house = House()
    house.player("ann")
    (pool,) = told(house)["game_types"]
    assert (pool["waiting"], pool["why"]) == (["ann"], [f"there is no game master for {CHESS}"])
    house.master("m")
    (pool,) = told(house)["game_types"]
    assert pool["why"] == ["1 player waits; a game takes 2 players"]
    assert [master["name"] for master in pool["masters"]] == ["m"]


def test_nobody_waits_in_a_pool_without_players() -> None:
    house = House()
    house.master("m")
    (pool,) = told(house)["game_types"]
    assert (pool["waiting"], pool["why"]) == ([], [])


def test_lists_are_bounded_and_what_is_left_out_is_counted() -> None:
    house = House()
    house.players(*(f"p{number}" for number in range(MAX_NAMED + 3)))
    (pool,) = told(house)["game_types"]
    assert (len(pool["waiting"]), pool["more_waiting"]) == (MAX_NAMED, 3)


@pytest.mark.parametrize("visibility", list(Visibility))
def test_a_private_table_is_nobodys_business(visibility: Visibility) -> None:
    house = House()
    house.leader("m")
    ann = house.guest("ann", *LOBBY)
    invited = ("ben",) if visibility is Visibility.PRIVATE else ()
    ann.says(Advertise(NewTable("Friday", 2, visibility, invited=invited)))
    public = visibility is Visibility.PUBLIC
    (pool,) = told(house)["game_types"]
    assert [table["name"] for table in pool["tables"]] == (["Friday"] if public else [])
    assert ("private table" in why(house, "ann")["found"][0]["why"][0]) is not public
    ben = house.guest("ben", *LOBBY)
    ben.says(Join("g1"))
    assert [game["game"] for game in told(house)["games"]] == (["g1"] if public else [])
    (found,) = why(house, "ben")["found"]
    assert ("game" in found) is public
    assert ("g1" in json.dumps(found)) is public


def test_a_table_that_all_have_left_without_a_word_is_not_listed() -> None:
    """It was until their sessions were over: who sat down there waited in vain."""
    house = House()
    house.leader("m")
    ann = house.guest("ann", *LOBBY, Family.SESSION)
    ann.says(Advertise(NewTable("Friday", 2, Visibility.PUBLIC)))

    def tables() -> int:
        (pool,) = told(house)["game_types"]
        return len(pool["tables"])

    ann.is_lost()
    house.passes(4.9)
    assert tables() == 1
    house.passes(0.2)
    assert tables() == 0
    house.returns(ann.token, *LOBBY, Family.SESSION)
    assert tables() == 1


def test_why_one_waits_is_told_without_addresses() -> None:
    house = House()
    house.table("ann", "ben")
    for name in ("ann", "m"):
        (found,) = why(house, name)["found"]
        assert "peers" not in found
        assert "192.0.2" not in json.dumps(found)
    assert why(house, "zoe") == {"ok": False, "error": "no player or game master 'zoe' is here"}


def test_logins_that_were_refused_are_not_told() -> None:
    house = House()
    house.player("ann")
    house.master("m")
    for login in (PlayerLogin("ann", CHESS), GameMasterLogin("ann", CHESS, "2", "1"), PlayerLogin("m", "")):
        house.connects(address="203.0.113.9:77").says(login)
    for name, kind in (("ann", "player"), ("m", "master")):
        (found,) = why(house, name)["found"]
        assert (found["kind"], found["name"]) == (kind, name)
        assert "203.0.113.9" not in json.dumps(found)


def test_a_player_and_a_master_may_have_one_name() -> None:
    house = House()
    house.player("ann")
    house.master("ann")
    assert [one["kind"] for one in why(house, "ann")["found"]] == ["player", "master"]


def test_a_championship_tells_who_is_missing_and_who_is_away() -> None:
    house = House()
    house.plans(entrants=("ann", "ben", "cat"), return_s=60.0)
    comes(house, "ann")
    (cup,) = told(house)["championships"]
    assert (cup["state"], cup["entrants"], cup["missing"]) == ("announced", 3, ["ben", "cat"])
    assert cup["here"] == 1
    house.master()
    peers = comes(house, "ben", "cat")
    peers["cat"].is_lost()
    (cup,) = told(house)["championships"]
    assert (cup["state"], cup["remaining"], cup["running"], cup["missing"]) == ("running", 3, 1, [])
    assert cup["away"] == [{"nick": "cat", "left_s": 60.0}]
    assert cup["here"] == 0, "its field is fixed"


def test_a_championship_whose_type_is_paused_has_the_reason() -> None:
    house = House()
    house.plans(entrants=("ann", "ben"))
    assert told(house)["championships"][0].get("paused_type", "") == ""
    acts(house, ActKind.PAUSE, game_type=CHESS)
    assert told(house)["championships"][0]["paused_type"] == "the organiser has paused chess: because"


def test_a_paused_game_type_has_the_reason() -> None:
    house = House()
    house.master()
    assert told(house)["game_types"][0].get("paused", "") == ""
    acts(house, ActKind.PAUSE, game_type=CHESS)
    assert told(house)["game_types"][0]["paused"] == "because"
    acts(house, ActKind.RESUME, game_type=CHESS)
    assert told(house)["game_types"][0].get("paused", "") == ""


def test_a_championship_of_the_first_who_come_tells_how_many_are_here() -> None:
    house = House()
    house.plans(first=5)
    assert [cup["here"] for cup in told(house)["championships"]] == [0]
    comes(house, "ann", "ben")
    assert [cup["here"] for cup in told(house)["championships"]] == [2]
    assert told(house)["game_types"][0]["championship"] == "cup"


def test_what_is_still_to_come_is_known_from_the_schedule() -> None:
    house = House()
    house.plans(entrants=("ann", "ben", "cat"))
    house.master()
    cup = house.broker.server.championships["cup"]
    assert known(cup.schedule) is None
    comes(house, "ann", "ben", "cat")
    assert known(cup.schedule) == (3, 2)
    fixtures.give_up(cup)
    assert known(cup.schedule) is None


def known(schedule: Schedule | None) -> tuple[int | None, int] | None:
    """How many games there are, and how many more can begin when all of ann, ben and cat are free."""
    return None if schedule is None else (schedule.total, len(schedule.open_fixtures(["ann", "ben", "cat"])))


def test_readers_are_shown_lengths_of_time_and_no_ids_of_games() -> None:
    house = House(move_timeout_s=5400.0, thank_you_timeout_s=90.0)
    master, *_ = house.table("ann", "ben")
    master.says(turn("g1", "ann"))
    (found,) = why(house, "ben")["found"]
    assert (found["game"], found["why"]) == ("g1", ["it is the turn of ann within 1 h 30 min"])
    master.says(over("g1", "ann", losers=("ben",)))
    (found,) = why(house, "ben")["found"]
    assert found["why"] == [
        "ben owes a thank you for its last game, which is over; it is closed 1 min 30 s after the end"
    ]


def test_readers_are_shown_what_others_do_without_ids_of_their_games() -> None:
    house = House()
    master = house.master()
    house.plans(entrants=("ann", "ben", "cat"))
    comes(house, "ann", "ben", "cat")
    (game,) = house.broker.games
    (idle,) = {"ann", "ben", "cat"} - set(game.seats)
    others = [nick for nick in ("ann", "ben", "cat") if nick != idle]
    (found,) = why(house, idle)["found"]
    begin = f"championship cup: of those whom {idle} may still meet, "
    assert found["why"] == [begin + ", ".join(f"{nick} is in a game" for nick in others)]
    assert told(house)["game_types"][0]["why"] == found["why"]
    master.says(over(game.id, game.seats[0], losers=(game.seats[1],)))
    (found,) = why(house, idle)["found"]
    assert found["why"] == [begin + ", ".join(f"{nick} owes a thank you for its last game" for nick in others)]


def test_no_page_makes_the_broker_compare_names(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """With as many types that wait as types that are led, that took half a second."""
    monkeypatch.setattr(printable, "get_close_matches", lambda *_: pytest.fail("compared"))
    for number in range(9):
        house.master(f"m{number}", game_type=f"a long name of a game {number}")
        house.player(f"p{number}", game_type=f"a long name of a gome {number}")
    told = public(house.broker.server)
    waits = [one.why for one in told.game_types if one.waiting]
    assert len(waits) == 9
    assert "games of a long name of a game 0" in waits[0][0]
