"""What is played when a championship is over."""

import pytest

from tests.broker.cup import asked, begun, comes, over_by_name, plays
from tests.broker.house import CHESS, House, Peer
from ugs.broker.effects import RecordAct
from ugs.broker.values.questions import Act, ActKind, Order, OrderKind, WhyAsked

OVER = "championship cup is over"


def paused(house: House) -> dict[str, str]:
    """The game types that are paused, and why."""
    return house.broker.server.condition.paused


def acts(house: House) -> list[tuple[str, str, str, str]]:
    """What was recorded as done by an organiser: kind, game type, who, why."""
    recorded = [effect for step in house.diary for effect in step if isinstance(effect, RecordAct)]
    return [(act.kind, act.game_type, act.who, act.why) for act in recorded]


def played_out(house: House, *, pause_after: bool = False) -> Peer:
    """A cup of two is played to its end; returns the master, which has been asked for that one game."""
    house.plans(first=2, pause_after=pause_after)
    master = house.master()
    peers = comes(house, "a", "b")
    assert len(asked(master)) == 1
    plays(house, master, peers, games=1)
    assert over_by_name(house) == ["cup"]
    return master


def test_players_meet_in_open_play_unless_the_plan_pauses_its_game_type(house: House) -> None:
    assert asked(played_out(house)) == [{"a", "b"}]
    assert paused(house) == {}


def test_a_plan_pauses_its_game_type_and_whoever_waits_reads_why(house: House) -> None:
    assert asked(played_out(house, pause_after=True)) == []
    assert paused(house) == {CHESS: OVER}
    found = house.is_asked(WhyAsked("a"))["found"]
    assert isinstance(found, list)
    assert any(OVER in line for line in found[0]["why"])


def test_the_pause_is_on_record_so_it_holds_in_the_next_life(house: House) -> None:
    played_out(house, pause_after=True)
    assert acts(house) == [("pause", CHESS, "", OVER)]
    later = house.again()
    assert paused(later) == {CHESS: OVER}
    later.plans(name="next", first=2)
    assert paused(later) == {}


def test_the_organiser_lets_players_meet_again(house: House) -> None:
    master = played_out(house, pause_after=True)
    house.is_asked(Act(ActKind.RESUME, "", "ada", "to play on", game_type=CHESS))
    assert asked(master) == [{"a", "b"}]


def test_the_next_championship_that_is_announced_ends_the_pause_and_begins(house: House) -> None:
    master = played_out(house, pause_after=True)
    house.plans(name="next", first=2)
    assert paused(house) == {}
    assert asked(master) == [{"a", "b"}]
    assert begun(house) == [("cup", ["a", "b"]), ("next", ["a", "b"])]
    assert acts(house)[-1] == ("resume", CHESS, "", "championship next is announced")


def test_one_that_was_announced_before_follows_without_a_pause(house: House) -> None:
    house.plans(name="next", entrants=("a", "b", "c"))
    played_out(house, pause_after=True)
    assert paused(house) == {}


def test_a_pause_of_the_organiser_stays(house: House) -> None:
    house.plans(first=2, pause_after=True)
    master, peers = house.master(), comes(house, "a", "b")
    house.is_asked(Act(ActKind.PAUSE, "", "ada", "supper", game_type=CHESS))
    plays(house, master, peers)
    assert paused(house) == {CHESS: "supper"}
    house.plans(name="next", first=2)
    assert paused(house) == {CHESS: "supper"}


@pytest.mark.parametrize("begins", [False, True])
def test_a_cancelled_one_pauses_only_if_it_had_begun(house: House, *, begins: bool) -> None:
    house.plans(first=2, pause_after=True)
    house.master()
    if begins:
        comes(house, "a", "b")
    house.is_asked(Order(OrderKind.CANCEL, "cup", "ada", "no light"))
    assert paused(house) == ({CHESS: OVER} if begins else {})
