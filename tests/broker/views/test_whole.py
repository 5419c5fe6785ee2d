"""What is public about all nodes of a cluster."""

from dataclasses import replace
from typing import Any

import pytest

from tests.broker.house import CHESS, House
from ugs.broker.events import NickClaimed, NodesSeen
from ugs.broker.values.node_overview import NodeCounts, NodeOverview, OtherNode
from ugs.broker.values.questions import PublicAsked, PublicWhyAsked, ServerAsked
from ugs.broker.values.replies import MasterHere, PublicServer, RunningGame, TypeHere
from ugs.broker.views.public import MAX_GAMES
from ugs.broker.views.whole import MAX_MORE
from ugs.wire.extensions import (
    Family,
    GameTypeInfo,
    GameTypes,
    ListGames,
    ListGameTypes,
    ListPlayers,
    PlayerInfo,
    Players,
    RunningGames,
    WatchableGame,
)
from ugs.wire.messages import PlayerLogin

GAME = RunningGame("far", "go", "", ("eve", "fay"), 7, 10.0, 0.0, 2)
MASTER = MasterHere("m", "", 1, None, 2, 2)
POOL = TypeHere("go", 1, 3, ("gil",), 0, 0, ("1 player waits",), (MASTER,), False, 0, (), "")
PUBLIC = PublicServer(False, False, (GAME,), 4, (POOL,), 0, (), 0)
THERE = NodeOverview(NodeCounts(5, 3, 1, 1), PUBLIC, (GameTypeInfo("go", 2, 2, True, False, (), "b"),))


def sees(house: House, overview: NodeOverview = THERE) -> None:
    """The node is shown another one, as it was a second ago."""
    house.happens(NodesSeen((OtherNode("b", overview, 1.0),), 5.0))


@pytest.fixture
def house() -> House:
    """Node a, with a master of the id that one at node b has, too."""
    found = House(node="a")
    found.master("m")
    sees(found)
    return found


def asked(house: House) -> Any:
    return house.is_asked(PublicAsked(whole=True))


def why(house: House, name: str) -> Any:
    return house.is_asked(PublicWhyAsked(name))


def test_the_whole_is_what_all_nodes_show_each_with_its_name(house: House) -> None:
    house.passes(2)
    facts = asked(house)
    assert [(one["game_type"], one["node"]) for one in facts["game_types"]] == [(CHESS, "a"), ("go", "b")]
    assert [(one["game"], one["node"], one["running_s"]) for one in facts["games"]] == [("far", "b", 13.0)]
    assert (facts["node"], facts["more_games"]) == ("a", 4)
    here: Any = house.is_asked(PublicAsked())
    assert [one["game_type"] for one in here["game_types"]] == [CHESS]
    server: Any = house.is_asked(ServerAsked())
    assert [(one["node"], one["games"], one["masters"]) for one in server["nodes"]] == [("a", 0, 1), ("b", 5, 1)]


def test_what_was_not_seen_for_long_is_forgotten(house: House) -> None:
    house.passes(5)
    assert [one["node"] for one in asked(house)["game_types"]] == ["a"]
    sees(house)
    assert len(asked(house)["game_types"]) == 2


def test_masters_of_one_id_are_told_apart_by_their_nodes(house: House) -> None:
    found = why(house, "m")["found"]
    assert [(one["kind"], one["game_type"], one["node"]) for one in found] == [
        ("master", CHESS, "a"),
        ("master", "go", "b"),
    ]
    (gil,) = why(house, "gil")["found"]
    assert (gil["node"], gil["why"]) == ("b", ["gil waits at node b", "1 player waits"])
    (eve,) = why(house, "eve")["found"]
    assert (eve["node"], eve["game"]) == ("b", "far")
    assert not why(house, "ann")["ok"]


def test_lists_of_the_lobby_and_of_spectators_are_of_the_whole(house: House) -> None:
    ann = house.greets(Family.LOBBY)
    ann.says(PlayerLogin("ann", CHESS))
    house.happens(NickClaimed("ann", watches=False))
    ann.mail.clear()
    ann.says(ListGameTypes())
    types = ann.mail.pop()
    assert isinstance(types, GameTypes)
    assert [(one.game_type, one.node) for one in types.games] == [(CHESS, "a"), ("go", "b")]
    ann.says(ListPlayers("1"))
    assert ann.mail.pop() == Players(
        (
            PlayerInfo("ann", CHESS, 0.0, 0.0, "CONNECTED", "ACTIVE", "WAITING", node="a"),
            PlayerInfo("eve", "go", 11.0, 0.0, "CONNECTED", "ACTIVE", "PLAYING", "far", "b"),
            PlayerInfo("fay", "go", 11.0, 0.0, "CONNECTED", "ACTIVE", "PLAYING", "far", "b"),
            PlayerInfo("gil", "go", 0.0, 0.0, "CONNECTED", "ACTIVE", "WAITING", node="b"),
        ),
        "1",
    )
    eve = house.greets(Family.WATCH)
    eve.says(ListGames())
    assert eve.mail.pop() == RunningGames((WatchableGame("far", "go", "eve, fay", 7, 2, "b"),))
    eve.says(ListGames(CHESS))
    assert eve.mail.pop() == RunningGames(())


def test_a_type_that_is_led_here_is_listed_as_it_is_here() -> None:
    house = House(node="a")
    house.master("m")
    sees(house, replace(THERE, offers=(replace(THERE.offers[0], game_type=CHESS),)))
    ann = house.greets(Family.LOBBY)
    ann.says(PlayerLogin("ann", CHESS))
    house.happens(NickClaimed("ann", watches=False))
    ann.mail.clear()
    ann.says(ListGameTypes())
    types = ann.mail.pop()
    assert isinstance(types, GameTypes)
    assert [(one.game_type, one.node) for one in types.games] == [(CHESS, "a")]


def test_a_list_of_players_has_room_for_those_who_are_here_first() -> None:
    house = House(node="a", list_rows=3)
    sees(house)
    ann = house.greets(Family.LOBBY)
    ann.says(PlayerLogin("ann", CHESS))
    house.happens(NickClaimed("ann", watches=False))
    ann.mail.clear()
    ann.says(ListPlayers())
    listed = ann.mail.pop()
    assert isinstance(listed, Players)
    assert [one.nick for one in listed.players] == ["ann", "eve", "fay"]


def test_lists_stay_bounded_and_what_is_left_out_is_counted(house: House) -> None:
    many = tuple(replace(GAME, game=f"g{number}") for number in range(3 * MAX_GAMES))
    sees(house, replace(THERE, public=replace(PUBLIC, games=many)))
    facts = asked(house)
    assert len(facts["games"]) == MAX_MORE * MAX_GAMES
    assert facts["more_games"] == 4 + MAX_GAMES


def test_without_a_cluster_there_is_nothing_of_it() -> None:
    house = House()
    house.master("m")
    assert asked(house) == house.is_asked(PublicAsked())
    assert "node" not in asked(house)
    assert "nodes" not in house.is_asked(ServerAsked())
