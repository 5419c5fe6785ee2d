"""Requests whose answers can be long have a rate, and the answers a length."""

import pytest

from tests.broker.house import CHESS, House, Peer
from ugs.wire.extensions import (
    Advertise,
    Failed,
    Family,
    ListGames,
    ListGameTypes,
    ListPlayers,
    ListTables,
    NewTable,
    Players,
    Reason,
    Resend,
    RunningGames,
    Tables,
    Visibility,
    Watch,
)
from ugs.wire.messages import Extension, PlayerLogin

LOBBY, STATE, WATCH = Family.LOBBY, Family.STATE, Family.WATCH


def refusals(peer: Peer) -> list[Reason]:
    """The reasons of all refusals that have come."""
    return [heard.code for heard in peer.hears() if isinstance(heard, Failed)]


def player(house: House) -> Peer:
    ann = house.guest("ann", LOBBY, STATE)
    ann.hears()
    return ann


def spectator(house: House) -> Peer:
    return house.greets(WATCH)


@pytest.mark.parametrize(
    ("enter", "request_"),
    [
        (player, ListPlayers()),
        (player, ListGameTypes()),
        (player, ListTables()),
        (player, Resend("g1")),
        (spectator, ListGames()),
        (spectator, Watch(game_type=CHESS)),
    ],
    ids=lambda value: getattr(value, "TYPE", ""),
)
def test_some_at_once_and_then_some_each_second(enter: object, request_: Extension) -> None:
    house = House(list_burst=3, lists_per_s=2, login_attempts=100)
    assert callable(enter)
    peer: Peer = enter(house)
    for _ in range(3):
        peer.says(request_)
    assert Reason.RATE_LIMIT not in refusals(peer)
    peer.says(request_)
    assert refusals(peer) == [Reason.RATE_LIMIT]
    house.passes(0.5)
    peer.says(request_)
    assert Reason.RATE_LIMIT not in refusals(peer)
    peer.says(request_)
    assert refusals(peer) == [Reason.RATE_LIMIT]


def test_the_refusal_names_the_limit() -> None:
    house = House(list_burst=1, lists_per_s=0.5)
    ann = player(house)
    ann.says(ListPlayers())
    ann.hears()
    ann.says(ListPlayers("7"))
    text = "x-listPlayers: too many lists; allowed are 1 at once and 0.5 a second"
    assert ann.hears() == [Failed(Reason.RATE_LIMIT, text, ref="7")]


def test_a_gateway_knows_by_itself_how_much_its_clients_may_ask() -> None:
    house = House(list_burst=1, lists_per_s=0.5)
    peer = house.greets(LOBBY, by_gateway=True)
    peer.says(PlayerLogin("ann", CHESS))
    for _ in range(5):
        peer.says(ListTables())
    assert refusals(peer) == []


class TestLength:
    def test_of_many_players_those_of_the_same_game_come_first(self) -> None:
        house = House(list_rows=3)
        house.players("cat", "dan", game_type="go")
        ann = player(house)
        house.players("ben", "eve")
        ann.says(ListPlayers())
        (answer,) = ann.hears()
        assert isinstance(answer, Players)
        assert [one.nick for one in answer.players] == ["ann", "ben", "eve"]

    def test_tables_and_games_are_cut_off(self) -> None:
        house = House(list_rows=1)
        for nick in ("bea", "cyd"):
            house.guest(nick, LOBBY).says(Advertise(NewTable(nick, 3, Visibility.PUBLIC)))
        ann = player(house)
        ann.says(ListTables())
        (tables,) = ann.hears()
        assert isinstance(tables, Tables)
        assert [table.name for table in tables.tables] == ["bea"]
        house.master(players=(2, 2))
        house.players("dan", "eve", "fay", "gus")
        sue = spectator(house)
        sue.says(ListGames())
        (games,) = sue.hears()
        assert isinstance(games, RunningGames)
        assert len(games.games) == 1
