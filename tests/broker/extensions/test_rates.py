"""Requests whose answers can be long have a rate, and the answers a length."""

import pytest

from tests.broker.house import CHESS, House, Peer, turn
from ugs.broker.state.allowance import OWN, spread
from ugs.wire.extensions import (
    Advertise,
    Cancel,
    Failed,
    Family,
    Invitation,
    Join,
    ListGames,
    ListGameTypes,
    ListPlayers,
    ListTables,
    NewTable,
    Players,
    Quit,
    RefusalReason,
    Resend,
    RunningGames,
    Say,
    Tables,
    Visibility,
    Watch,
)
from ugs.wire.messages import Extension, PlayerLogin

LOBBY, STATE, WATCH = Family.LOBBY, Family.STATE, Family.WATCH


def refusals(peer: Peer) -> list[RefusalReason]:
    """The reasons of all refusals that have come."""
    return [heard.code for heard in peer.hears() if isinstance(heard, Failed)]


def spent(peer: Peer) -> float:
    """The full lists that have gone off the allowance of a peer."""
    return 100 - OWN.of(peer.player).lists  # the default of list_burst


def player(house: House) -> Peer:
    ann = house.guest("ann", LOBBY, STATE)
    ann.hears()
    return ann


def spectator(house: House) -> Peer:
    return house.greets(WATCH)


def playing(house: House) -> Peer:
    ann = house.guest("ann", STATE)
    house.player("ben")
    house.master().says(turn("g1", "ann", b"<gameState>" + b"x" * 2048 + b"</gameState>"))
    ann.hears()
    return ann


@pytest.mark.parametrize(
    ("enter", "request_"),
    [
        (player, ListPlayers()),
        (player, ListGameTypes()),
        (playing, Resend("g1")),
        (spectator, Watch(game_type=CHESS)),
    ],
    ids=lambda value: getattr(value, "TYPE", ""),
)
def test_some_at_once_and_then_some_each_second(enter: object, request_: Extension) -> None:
    house = House(list_rows=1, list_burst=3, lists_per_s=2, login_attempts=100)
    assert callable(enter)
    peer: Peer = enter(house)
    most = 3 if isinstance(request_, ListPlayers | ListGameTypes | Resend) else 60
    for _ in range(most):
        peer.says(request_)
    assert RefusalReason.RATE_LIMIT not in refusals(peer)
    peer.says(request_)
    assert refusals(peer) == [RefusalReason.RATE_LIMIT]
    house.passes(0.5)
    peer.says(request_)
    assert RefusalReason.RATE_LIMIT not in refusals(peer)


def test_the_refusal_names_the_limit_and_when_to_ask_again() -> None:
    house = House(list_rows=1, list_burst=1, lists_per_s=0.5)
    ann = player(house)
    ann.says(ListPlayers())
    ann.hears()
    ann.says(ListPlayers("7"))
    text = "x-listPlayers: too many lists; allowed are 1 at once and 0.5 a second; ask again in 0.1 s"
    assert ann.hears() == [Failed(RefusalReason.RATE_LIMIT, text, ref="7")]
    house.passes(0.1)
    ann.says(ListPlayers())
    assert isinstance(ann.hears()[0], Players)


def test_a_list_counts_by_its_length() -> None:
    """One of a few rows counts a small part of one that is full, one that is full all of it."""
    house = House(list_rows=100, list_burst=1, lists_per_s=0.001)
    ann = player(house)
    for _ in range(19):
        ann.says(ListPlayers())
    assert refusals(ann) == []
    ann.says(ListPlayers())
    ann.says(ListPlayers())
    assert RefusalReason.RATE_LIMIT in refusals(ann)
    house = House(list_rows=100, list_burst=1, lists_per_s=0.001)
    ann = player(house)
    house.players(*(f"p{number}" for number in range(120)))
    ann.says(ListPlayers())
    ann.says(ListPlayers())
    assert refusals(ann) == [RefusalReason.RATE_LIMIT]


class TestAddresses:
    """The connections of one address share an allowance."""

    def test_one_uses_up_that_of_the_others_and_not_that_of_strangers(self) -> None:
        house = House(list_rows=1, list_burst_per_ip=2, lists_per_s_per_ip=0.5)
        ann, ben = [house.guest(nick, LOBBY, address=f"10.0.0.7:{port}") for port, nick in enumerate(("ann", "ben"))]
        cyd = house.guest("cyd", LOBBY, address="10.0.0.8:1")
        for peer in (ann, ben):
            peer.says(ListPlayers())
            peer.hears()
        ben.says(ListPlayers())
        limit = "2 at once and 0.5 a second; ask again in 0.1 s"
        text = f"x-listPlayers: too many lists from your address; allowed are {limit}"
        assert ben.hears() == [Failed(RefusalReason.RATE_LIMIT, text)]
        cyd.says(ListPlayers())
        assert refusals(cyd) == []

    def test_a_household_with_many_addresses_has_one_allowance(self) -> None:
        house = House(list_rows=1, list_burst_per_ip=2, lists_per_s_per_ip=0.5)
        peers = [house.guest(f"p{last}", LOBBY, address=f"[2001:db8::{last}]:1") for last in (1, 2, 3)]
        for peer in peers:
            peer.says(ListPlayers())
        assert [refusals(peer) for peer in peers] == [[], [], [RefusalReason.RATE_LIMIT]]

    def test_an_address_that_is_not_known_is_shared_by_nobody(self) -> None:
        house = House(list_rows=1, list_burst_per_ip=1)
        peers = [house.guest(nick, LOBBY, address="") for nick in ("ann", "ben")]
        for peer in peers:
            peer.says(ListPlayers())
            assert refusals(peer) == []

    @pytest.mark.no_cover
    def test_a_class_room_does_not_meet_it(self) -> None:
        """200 bots behind one address, of which each asks for a full list every second."""
        house = House()
        bots = [house.guest(f"bot{number}", LOBBY) for number in range(200)]
        for _ in range(5):
            for bot in bots:
                bot.says(ListPlayers())
            house.passes(1)
        assert [reason for bot in bots for reason in refusals(bot)] == []


class TestMessagesToMany:
    """What others are sent counts for the one who has caused it."""

    def test_invitations(self) -> None:
        house = House(list_rows=10, list_burst=1, lists_per_s=0.1)
        guests = [house.guest(f"p{number}", LOBBY) for number in range(10)]
        ann = player(house)
        ann.says(Advertise(NewTable("t", 3, Visibility.PUBLIC, invited=tuple(f"p{number}" for number in range(10)))))
        assert all(isinstance(guest.hears()[-1], Invitation) for guest in guests)
        ann.says(Cancel())
        assert refusals(ann) == []
        ann.says(Advertise(NewTable("t", 3, Visibility.PUBLIC)))
        assert refusals(ann) == [RefusalReason.RATE_LIMIT]

    def test_sitting_down_getting_up_and_cancelling(self) -> None:
        """By what those who sit there are told: who sits there, or that nobody does any more."""
        house = House(list_rows=1)
        ann, ben, cyd = player(house), house.guest("ben", LOBBY), house.guest("cyd", LOBBY)
        ann.says(Advertise(NewTable("t", 9, Visibility.PUBLIC)))
        ben.says(Join("g1"))
        cyd.says(Join("g1"))
        cyd.says(Quit())
        assert spent(cyd) == pytest.approx(spread(3, 3) + spread(2, 2))
        before = spent(ann)
        ann.says(Cancel())
        assert spent(ann) - before == pytest.approx(spread(1, 2))

    def test_leaving_is_not_refused_for_it(self) -> None:
        house = House(list_rows=10, list_burst=1, lists_per_s=0.001)
        ann, ben = player(house), house.guest("ben", LOBBY)
        ann.says(Advertise(NewTable("t", 9, Visibility.PUBLIC)))
        for _ in range(20):
            ben.says(Join("g1"))
            ben.says(Quit())
        assert RefusalReason.RATE_LIMIT in refusals(ben)
        assert len(ann.hears()) < 20
        assert ben.player.table is None

    def test_chat(self) -> None:
        house = House(list_rows=10, list_burst=1, lists_per_s=0.001)
        house.guest("ben", Family.CHAT)
        ann = house.guest("ann", Family.CHAT)
        for _ in range(30):
            ann.says(Say(("ben",), "", "x" * 1000))
        assert RefusalReason.RATE_LIMIT in refusals(ann)


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
        house = House(list_rows=1, list_burst=100)
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
