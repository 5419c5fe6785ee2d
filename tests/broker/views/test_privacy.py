"""Who may find a private table, or the game at it: all that players, spectators and visitors of the page can ask."""

from collections.abc import Callable

import pytest

from tests.broker.house import House, Peer, over, thank, turn
from tests.broker.views.test_public import told, why
from ugs.broker.views.privacy import is_in_private, is_open, may_find
from ugs.wire.extensions import (
    Advertise,
    Family,
    Join,
    ListGames,
    ListGameTypes,
    ListPlayers,
    ListTables,
    NewTable,
    Players,
    Say,
    Visibility,
    Wait,
    Watch,
    Why,
)
from ugs.wire.messages import Error, Extension, LeaveGame, Move, ThankYou

FAMILIES = (Family.LOBBY, Family.SESSION, Family.STATE, Family.REASON, Family.CLOCK, Family.CHAT)
ID = "g1"
LOOKS = pytest.mark.parametrize("begun", [False, True], ids=["a table", "a game"])


def friends(house: House, visibility: Visibility, *, begun: bool) -> dict[str, Peer]:
    """ann has set up a table and invited ben and dan; ben sits at it, and when the game has ``begun`` plays. eve is a
    stranger, dan was asked and did not come."""
    master = house.leader("m", Family.TABLE, players=(2, 3))
    there = {nick: house.guest(nick, *FAMILIES) for nick in ("ann", "ben", "dan", "eve")}
    seats = 2 if begun else 3
    there["ann"].says(Advertise(NewTable("Friday", seats, visibility, invited=("ben", "dan"))))
    there["ben"].says(Join(ID))
    if begun:
        master.hears()
        master.says(turn(ID, "ann", b"<gameState>among friends</gameState>"))
    for peer in there.values():
        peer.hears()
    return there


def ids_in(peer: Peer) -> list[str]:
    """The ids of places that the list of players tells this one, of ann and ben."""
    peer.says(ListPlayers())
    (answer,) = peer.hears()
    assert isinstance(answer, Players)
    assert {one.nick: one.play for one in answer.players}["eve"] == "WAITING"
    assert "WAITING" not in {one.play for one in answer.players if one.nick in ("ann", "ben")}
    return [one.game_id for one in answer.players if one.game_id]


@LOOKS
def test_the_list_of_players_tells_ids_to_those_who_may_know_them(begun: bool) -> None:
    there = friends(House(), Visibility.PRIVATE, begun=begun)
    assert {nick: ids_in(peer) for nick, peer in there.items()} == {
        "ann": [ID, ID],
        "ben": [ID, ID],
        "dan": [ID, ID],
        "eve": [],
    }


@LOOKS
def test_of_a_public_table_everybody_knows(begun: bool) -> None:
    there = friends(House(), Visibility.PUBLIC, begun=begun)
    assert ids_in(there["eve"]) == [ID, ID]


@LOOKS
@pytest.mark.parametrize(
    "asks",
    [ListPlayers, ListTables, ListGameTypes, Why, lambda: Say((), "g9", "hello"), lambda: Join("g9"), Wait],
    ids=["players", "tables", "types", "why", "say", "join", "wait"],
)
def test_no_answer_tells_a_stranger(asks: Callable[[], Extension], begun: bool) -> None:
    there = friends(House(), Visibility.PRIVATE, begun=begun)
    there["eve"].says(asks())
    heard = str(there["eve"].hears())
    assert heard != "[]"
    assert repr(ID) not in heard
    assert "Friday" not in heard


@LOOKS
def test_no_error_tells_a_stranger(begun: bool) -> None:
    house = House()
    there = friends(house, Visibility.PRIVATE, begun=begun)
    for message in (Move("g2", b"<move/>"), LeaveGame("g2"), ThankYou("g2")):
        there["eve"].says(message)
    assert [type(one) for one in there["eve"].hears()] == [Error] * 3
    assert not [one for one in there["eve"].hears() if ID in str(one)]


@LOOKS
def test_neither_spectators_nor_visitors_of_the_page_find_it(begun: bool) -> None:
    house = House()
    friends(house, Visibility.PRIVATE, begun=begun)
    watcher = house.greets(Family.WATCH)
    watcher.says(ListGames())
    watcher.says(Watch("", "chess"))
    assert repr(ID) not in str(watcher.hears())
    assert repr(ID) not in str(told(house))
    for nick in ("ann", "ben", "dan", "eve", "m"):
        assert ID not in str(why(house, nick))


def test_who_waits_in_a_championship_is_not_told_where_others_play_among_friends() -> None:
    house = House()
    house.plans(entrants=("ann", "eve", "zed"))
    master = house.leader("m", Family.TABLE)
    there = {nick: house.guest(nick, *FAMILIES) for nick in ("ann", "eve", "zed", "zoe")}
    for peer in there.values():
        peer.says(Wait())
    assert house.game().seats == ("eve", "zed")
    there["ann"].says(Advertise(NewTable("Friday", 2, Visibility.PRIVATE, invited=("zoe",))))
    there["zoe"].says(Join("g2"))
    assert house.game("g2").seats == ("ann", "zoe")
    master.says(over("g1", "eve", losers=("zed",)))
    thank("g1", there["eve"], there["zed"])
    assert is_in_private(there["ann"].player)
    (found,) = why(house, "eve")["found"]
    assert found["why"] == ["championship cup: of those whom eve may still meet, ann is at a private table"]


def test_a_player_who_left_is_no_stranger_only_while_it_was_invited() -> None:
    house = House()
    there = friends(house, Visibility.PRIVATE, begun=True)
    game = house.game(ID)
    assert not is_open(game)
    assert [may_find(there[nick].player, game) for nick in ("ann", "ben", "dan", "eve")] == [True, True, True, False]
