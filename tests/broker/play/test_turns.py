"""States of a master that waits for no move: who answers each of them has made no mistake."""

import pytest

from tests.broker.house import House, move, over, thank, turn
from ugs.broker.verdict import Cause
from ugs.wire.messages import Error, Move


@pytest.mark.parametrize("times", [2, 5])
def test_each_state_that_asks_again_may_be_answered(house: House, times: int) -> None:
    """In a rehearsal with a bad master a player that answered each of five states was thrown out for its moves, and
    lost."""
    ann, ben = house.players("ann", "ben")
    master = house.master()
    for peer in (master, ann, ben):
        peer.hears()
    for _ in range(times):
        master.says(turn("g1", "ann"))
    ann.hears()
    for _ in range(times):
        ann.says(move("g1"))
    assert master.hears() == [move("g1")]
    refused = Error("move: gameId id 'g1': it is not your turn (the game master is asked)")
    assert ann.hears() == [refused] * (times - 1)


def test_who_was_asked_and_then_another_has_crossed(house: House) -> None:
    ann, ben = house.players("ann", "ben")
    master = house.master()
    master.says(turn("g1", "ann"))
    master.says(turn("g1", "ben"))
    for peer in (master, ann, ben):
        peer.hears()
    ann.says(move("g1"))
    assert ann.hears_error() == "move: gameId id 'g1': it is not your turn (it is ben's)"
    ben.says(move("g1"))
    assert [type(message) for message in master.hears()] == [Move]
    ann.says(move("g1"))
    assert ann.hears_error() == "move: gameId id 'g1': it is not your turn (the game master is asked)"


@pytest.mark.parametrize("states", [5, 1])
def test_who_is_closed_has_sent_more_than_it_was_asked_for(states: int) -> None:
    house = House(max_errors_per_minute=10, variety_s=0)
    ann, ben = house.players("ann", "ben")
    master = house.master()
    for number in range(1, 6):
        game = f"g{number}"
        for _ in range(states):
            master.says(turn(game, "ann"))
        for _ in range(5):
            ann.says(move(game))
        master.says(over(game, "ann", losers=("ben",)))
        thank(game, ann, ben)
    causes = [result.verdict.cause for result in house.results]
    assert causes == ([Cause.FINISHED] * 5 if states == 5 else [Cause.FINISHED] * 2 + [Cause.WRONG_MESSAGES])
