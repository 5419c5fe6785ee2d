"""What the shell may ask the broker: whose silence a timer judges, and which requests only ask for a list."""

from tests.broker.house import House, over, turn
from ugs.broker.events import Timer, TimerKind
from ugs.broker.state.phases import Phase
from ugs.broker.views.awaited import AWAITED
from ugs.wire.extensions import Advertise, Family, ListPlayers, ListTables
from ugs.wire.messages import Move


def awaited(house: House) -> list[int]:
    return house.broker.awaited(Timer(TimerKind.GAME, "g1"))


def test_a_newcomer_has_to_log_in(house: House) -> None:
    assert house.broker.awaited(Timer(TimerKind.LOGIN, 7)) == [7]


def test_who_has_to_come_back_may_be_any_newcomer(house: House) -> None:
    house.guest("ann", Family.SESSION).is_lost()
    house.player("ben")
    one, other = house.connects(), house.connects()
    for kind in (TimerKind.GRACE, TimerKind.RETURN):
        assert sorted(house.broker.awaited(Timer(kind, "ann"))) == [one.conn, other.conn]


def test_timers_that_judge_nobody(house: House) -> None:
    house.table("ann", "ben")
    assert house.broker.awaited(Timer(TimerKind.DRAIN, "")) == []
    assert house.broker.awaited(Timer(TimerKind.GAME, "unknown")) == []


def test_a_game_from_its_begin_to_the_last_thank_you(house: House) -> None:
    ann, ben = house.player("ann"), house.player("ben")
    master = house.master("m")
    assert awaited(house) == [master.conn]
    master.says(turn("g1", "ben"))
    assert awaited(house) == [ben.conn]
    ben.says(Move("g1", b""))
    assert awaited(house) == [master.conn]
    house.disk_is_slow = True
    master.says(over("g1", "ann", losers=("ben",)))
    assert awaited(house) == []
    house.disk_catches_up()
    assert sorted(awaited(house)) == sorted([ann.conn, ben.conn])


def test_every_phase_says_who() -> None:
    assert set(AWAITED) == set(Phase)


def test_lists_are_told_from_what_changes_something(house: House) -> None:
    assert {ListTables, ListPlayers} <= house.broker.lists
    assert not {Advertise, Move} & house.broker.lists
