"""Games of very many seats: what they are limited to, and that nothing about them costs the square of their players."""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from tests.broker.house import CHESS, House, Peer, over, turn
from tests.profile import sized
from ugs.broker.state.model import MAX_LISTED_SEATS
from ugs.broker.views.why import explain
from ugs.championship.plan import MAX_SEATS
from ugs.wire.extensions import (
    Advertise,
    Clock,
    Failed,
    Family,
    GameVerdict,
    NewTable,
    RefusalReason,
    Seats,
    ShowClock,
    Visibility,
    Wait,
    Watch,
    Watching,
)
from ugs.wire.messages import GameMasterLogin, LeaveGame, LoginError, LoginResponse

LARGE: dict[str, Any] = {"max_seats": 4096, "variety_s": 0}
ALL = (Family.LOBBY, Family.REASON, Family.CLOCK)


def game(players: int, *families: Family, **settings: Any) -> tuple[House, Peer, list[Peer]]:
    """A game g1 of so many players, p0 to move."""
    house = House(**(LARGE | settings))
    master = house.master(players=(players, players))
    nicks = [f"p{number}" for number in range(players)]
    peers = [house.guest(nick, *families) if families else house.player(nick) for nick in nicks]
    if Family.LOBBY in families:
        for peer in peers:
            peer.says(Wait())
    master.hears()
    master.says(turn("g1", "p0"))
    for peer in peers:
        peer.hears()
    return house, master, peers


def said(peer: Peer, kind: type) -> list[Any]:
    return [one for one in peer.hears() if isinstance(one, kind)]


def test_a_master_that_wants_more_players_than_allowed_is_told_the_limit() -> None:
    house = House(game_types={CHESS: {"max_seats": 8}})
    told = []
    for peer in (house.connects(), house.greets(Family.TABLE)):
        peer.says(GameMasterLogin("m", CHESS, "2", "9"))
        *told, answer = peer.hears()
        assert answer == LoginResponse(LoginError.WRONG_GAME_TYPE_DESCRIPTION)
        text = "gameMasterLogin: playersMax '9': allowed here are at most 8 (setting max_seats)"
        assert told in ([], [Failed(RefusalReason.INVALID_REQUEST, text)])
    assert told
    house.master(players=(2, 8))
    assert House().broker.server.config.max_seats == 64


def test_a_table_has_at_most_as_many_seats() -> None:
    house = House(max_seats=3)
    guest = house.guest("ann", Family.LOBBY)
    guest.says(Advertise(NewTable("large", 4, Visibility.PUBLIC)))
    (failed,) = guest.hears()
    assert failed == Failed(
        RefusalReason.INVALID_REQUEST, "x-advertise: table seats '4': allowed for chess are at most 3"
    )


def test_so_have_the_games_of_a_championship() -> None:
    house = House(max_seats=3)
    assert house.plans(first=8, seats=4)["error"] == "seats = 4: allowed for chess are at most 3"
    assert house.plans(first=8, seats=3)["ok"]
    large = House(max_seats=4096)
    assert large.plans(first=400, seats=MAX_SEATS + 1)["error"] == "seats = 65: allowed for chess are at most 64"


def test_a_master_of_larger_games_leads_none_of_a_championship_and_players_are_told() -> None:
    house = House(max_seats=4096)
    house.plans(first=MAX_SEATS + 1)
    house.master(players=(MAX_SEATS + 1, MAX_SEATS + 1))
    house.players(*(f"p{number}" for number in range(MAX_SEATS + 1)))
    assert house.broker.games == []
    assert f"its games have at most {MAX_SEATS} players" in str(explain(house.broker.server, "p0"))


def test_where_a_master_takes_more_a_championship_has_games_of_as_many_as_it_may() -> None:
    house = House(max_seats=4096)
    house.plans(first=MAX_SEATS + 1)
    house.master(players=(2, 4096))
    house.players(*(f"p{number}" for number in range(MAX_SEATS + 1)))
    assert [len(one.seats) for one in house.broker.games] == [MAX_SEATS]


def test_nobody_is_told_of_all_seats_of_a_large_game() -> None:
    players = MAX_LISTED_SEATS + 6
    _house, master, peers = game(players, *ALL)
    peers[-1].says(LeaveGame("g1"))
    (seats,) = said(peers[0], Seats)
    assert (seats.total, [(one.nick, one.state) for one in seats.seats]) == (players, [(f"p{players - 1}", "QUIT")])
    peers[-1].hears()
    master.says(over("g1", "p0", losers=tuple(f"p{number}" for number in range(1, players - 1))))
    (verdict,) = said(peers[0], GameVerdict)
    assert [one.nick for one in verdict.seats] == [f"p{number}" for number in range(MAX_LISTED_SEATS)]


def test_at_the_begin_the_first_are_named() -> None:
    house = House(**LARGE)
    players = MAX_LISTED_SEATS + 1
    master = house.master(players=(players, players))
    peers = [house.guest(f"p{number}", Family.LOBBY) for number in range(players)]
    for peer in peers:
        peer.says(Wait())
    (seats,) = said(peers[0], Seats)
    assert (seats.total, len(seats.seats)) == (players, MAX_LISTED_SEATS)
    master.hears()
    spectator = house.greets(Family.WATCH)
    spectator.says(Watch("g1"))
    (watching,) = said(spectator, Watching)
    assert len(watching.seats) == MAX_LISTED_SEATS


def test_in_a_game_of_fewer_all_are_told_of_all() -> None:
    _house, _master, peers = game(3, Family.LOBBY)
    peers[-1].says(LeaveGame("g1"))
    (seats,) = said(peers[0], Seats)
    assert (seats.total, [one.nick for one in seats.seats]) == (0, ["p0", "p1", "p2"])


def test_of_clocks_everybody_hears_its_own_and_those_that_run() -> None:
    _house, _master, peers = game(MAX_LISTED_SEATS + 2, Family.CLOCK, time_s=60.0)
    peers[5].says(ShowClock())
    (clock,) = said(peers[5], Clock)
    assert [one.nick for one in clock.clocks] == ["p5", "p0"]


def steps(call: Callable[[], object]) -> int:
    """How many lines of Python run in the call."""
    count = 0

    def line(_frame: FrameType, event: str, _what: object) -> Any:
        nonlocal count
        count += event == "line"
        return line

    before = sys.gettrace()  # that of a measurement of coverage goes on afterwards
    sys.settrace(line)
    try:
        call()
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("families", [(), ALL])
def test_what_happens_in_a_game_costs_as_much_as_it_has_players(families: tuple[Family, ...]) -> None:
    cost = []
    for players in sized(quick=(50, 200), deep=(100, 400)):
        _house, master, peers = game(players, *families, time_s=60.0)
        leaves = steps(lambda: peers[-1].says(LeaveGame("g1")))  # noqa: B023 (called at once)
        states = steps(lambda: master.says(turn("g1", "p0")))  # noqa: B023
        ends = steps(lambda: master.says(over("g1", "p0", losers=tuple(f"p{one}" for one in range(1, players - 1)))))  # noqa: B023
        cost.append((leaves, states, ends))
    for few, many in zip(*cost, strict=True):
        assert many < 5 * few
