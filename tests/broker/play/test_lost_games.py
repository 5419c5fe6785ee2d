"""A lost master with many games: they hear of it a few at a time, and the players notice nothing but the end."""

import pytest

from tests.broker.house import House, Peer, turn
from ugs.broker.events import TimerKind
from ugs.broker.play import intake
from ugs.broker.verdict import Cause
from ugs.wire.extensions import Family
from ugs.wire.messages import Error, LeaveGame, Logout, Move

VOID = Error("game void: the game master is gone")


@pytest.fixture(autouse=True)
def one_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(intake, "LOST_AT_ONCE", 1)


def three_games(house: House, *families: Family) -> tuple[Peer, list[Peer]]:
    """Three games of a master, in each of which the first player is asked to move."""
    players = [house.player(nick) for nick in ("ann", "ben", "cat", "dan", "eve", "fay")]
    master = house.leader("m", *families) if families else house.master("m")
    for game, nick in (("g1", "ann"), ("g2", "cat"), ("g3", "eve")):
        master.says(turn(game, nick))
    for player in players:
        player.hears()
    return master, players


def waits(house: House) -> bool:
    return any(timer.kind is TimerKind.LOST_GAMES for timer in house.timers)


def test_all_are_void_a_few_at_a_time(house: House) -> None:
    master, players = three_games(house)
    master.is_lost()
    assert [VOID in player.hears() for player in players] == [True, True, False, False, False, False]
    assert waits(house)
    house.passes(0)
    assert not waits(house)
    assert [VOID in player.hears() for player in players[2:]] == [True] * 4
    assert {result.verdict.cause for result in house.results} == {Cause.MASTER_LOST}


def test_players_may_move_and_leave_meanwhile(house: House) -> None:
    master, players = three_games(house)
    master.is_lost()
    players[2].says(Move("g2", b"<move/>"))
    players[4].says(LeaveGame("g3"))
    players[5].says(LeaveGame("g3"))
    house.passes(0)
    assert not any(isinstance(message, Error) and message != VOID for player in players for message in player.hears())
    assert {result.game_id: result.verdict.cause for result in house.results} == {
        "g1": Cause.MASTER_LOST,
        "g2": Cause.MASTER_LOST,
        "g3": Cause.LEFT,
    }
    assert not waits(house)


def test_a_successor_gets_them_a_few_at_a_time_too() -> None:
    house = House(master_grace_s=20, masters_per_game=2)
    master, players = three_games(house, Family.RESTORE)
    other = house.leader("other", Family.RESTORE)
    master.is_lost()
    assert len(other.hears()) == 1
    house.passes(0)
    assert len(other.hears()) == 2
    for game, nick in (("g1", "ann"), ("g2", "cat"), ("g3", "eve")):
        other.says(turn(game, nick))
    assert all(player.hears() == [] for player in players)


def test_a_game_type_may_be_forgotten_before_all_have_heard_of_it(house: House) -> None:
    master, players = three_games(house)
    house.disk_is_slow = True
    master.is_lost()
    for player in players:
        player.says(Logout())
    house.disk_catches_up()
    house.passes(0)
    assert not waits(house)
    assert not house.broker.games


def large_games(house: House) -> tuple[Peer, list[Peer]]:
    """Three games of four players each, in which the first player is asked to move."""
    master = house.master(players=(4, 4))
    players = [house.player(f"p{number}") for number in range(12)]
    for number in range(3):
        master.says(turn(f"g{number + 1}", f"p{4 * number}"))
    for player in players:
        player.hears()
    return master, players


@pytest.mark.parametrize(("seats", "at_once"), [(3, 1), (4, 1), (7, 1), (8, 2), (11, 2), (12, 3)])
def test_of_large_games_fewer_are_lost_at_once(
    house: House, seats: int, at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(intake, "LOST_AT_ONCE", 20)
    monkeypatch.setattr(intake, "MAX_LOST_SEATS", seats)
    master, players = large_games(house)
    master.is_lost()
    told = [VOID in player.hears() for player in players]
    assert told == [True] * (4 * at_once) + [False] * (12 - 4 * at_once)
    house.passes(0)
    assert [VOID in player.hears() for player in players] == [not one for one in told]
    assert [result.game_id for result in house.results] == ["g1", "g2", "g3"]
    assert not waits(house)
