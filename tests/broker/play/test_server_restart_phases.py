"""The server is killed in each phase of a game."""

from collections.abc import Callable

import pytest

from tests.broker.house import House, Peer, over, turn
from tests.broker.house import move as moves
from tests.broker.play.revived import BEN, FIRST, RESTORE, SESSION, game, restored
from ugs.broker.effects import RecordResult
from ugs.broker.state.connection import PeerState
from ugs.broker.state.phases import Phase
from ugs.wire.messages import LeaveGame


@pytest.fixture
def house() -> House:
    """Games wait a minute for a master."""
    return House(master_grace_s=60)


def has_begun(_master: Peer, _ann: Peer, _ben: Peer) -> None:
    """The master has been asked to lead it."""


def ann_is_to_move(master: Peer, _ann: Peer, _ben: Peer) -> None:
    master.says(turn("g1", "ann", FIRST))


def ann_has_moved(master: Peer, ann: Peer, _ben: Peer) -> None:
    master.says(turn("g1", "ann", FIRST))
    ann.says(moves("g1"))


def ben_has_left(master: Peer, _ann: Peer, ben: Peer) -> None:
    master.says(turn("g1", "ann", FIRST))
    ben.says(LeaveGame("g1"))


def the_master_is_lost(master: Peer, _ann: Peer, _ben: Peer) -> None:
    master.says(turn("g1", "ann", FIRST))
    master.is_lost()


SCENES: dict[Phase, Callable[[Peer, Peer, Peer], None]] = {
    Phase.BEGUN: has_begun,
    Phase.TURN: ann_is_to_move,
    Phase.ANSWER: ann_has_moved,
    Phase.ALONE: ben_has_left,
    Phase.AWAY: the_master_is_lost,
}
"""What happens in a game of ann and ben before the server is killed."""


class TestEveryPhase:
    """A game goes on from any phase in which the server is killed."""

    @pytest.mark.parametrize("restarts", [1, 2])
    @pytest.mark.parametrize("phase", SCENES)
    def test_it_goes_on(self, house: House, phase: Phase, restarts: int) -> None:
        ann, ben = house.guest("ann", SESSION), house.guest("ben", SESSION)
        master = house.leader("m", RESTORE)
        SCENES[phase](master, ann, ben)
        assert house.game().phase is phase
        for _ in range(restarts):
            house = house.again()
            back = house.returns(ann.token)
            assert house.game().phase is Phase.AWAY
        new = house.leader("new", RESTORE)
        house.returns(ben.token)
        told = back.hears()
        assert told == ([] if phase is Phase.BEGUN else [turn("g1", "ann", FIRST)])
        new.says(turn("g1", "ann", BEN))
        news = phase in (Phase.BEGUN, Phase.ANSWER, Phase.ALONE)
        assert back.hears() == ([turn("g1", "ann", BEN)] if news else [])
        back.says(moves("g1"))
        new.says(over("g1", "ann", losers=("ben",)))
        assert back.hears() == [over("g1", "ann", losers=("ben",))]
        assert house.again().rows() == {"ann": (1, 0, 0), "ben": (0, 1, 0)}

    def test_while_it_is_taken_over(self, house: House) -> None:
        master, ann, ben = game(house, "ann", "ben")
        master.is_lost()
        house.leader("second", RESTORE)
        assert house.game().phase is Phase.TAKING
        again = house.again()
        third = again.leader("third", RESTORE)
        assert third.hears() == [restored(house)]
        third.says(turn("g1", "ann"))
        assert again.returns(ann.token).hears() == again.returns(ben.token).hears() == [turn("g1", "ann", FIRST)]

    def test_with_its_result_on_the_way_to_the_disk_it_may_come_to_another_one(self, house: House) -> None:
        master, ann, _ben = game(house, "ann", "ben")
        house.disk_is_slow = True
        steps = len(house.diary)
        master.says(over("g1", "ann", losers=("ben",)))
        assert house.game().phase is Phase.CLOSING
        again = house.again(steps)
        assert again.returns(ann.token).hears() == [turn("g1", "ann", FIRST)]
        again.disk_is_slow = False
        again.leader("new", RESTORE).says(over("g1", "ben", losers=("ann",)))
        assert again.rows() == {"ben": (1, 0, 0), "ann": (0, 1, 0)}

    def test_with_its_result_on_the_disk_it_is_over_although_nobody_has_been_told(self, house: House) -> None:
        master, ann, _ben = game(house, "ann", "ben")
        house.disk_is_slow = True
        master.says(over("g1", "ann", losers=("ben",)))
        assert ann.hears() == []
        again = house.again()
        assert again.broker.games == []
        back = again.returns(ann.token)
        assert back.state is PeerState.IDLE
        assert back.standings() == [{"ann": (1, 0), "ben": (0, 1)}]

    def test_after_the_end_no_thanks_are_owed_any_more(self, house: House) -> None:
        master, ann, _ben = game(house, "ann", "ben")
        master.says(over("g1", "ann", losers=("ben",)))
        again = house.again()
        assert again.returns(ann.token).state is PeerState.IDLE

    def test_a_result_is_recorded_in_one_life_only(self, house: House) -> None:
        master, _ann, _ben = game(house, "ann", "ben")
        master.says(over("g1", "ann", losers=("ben",)))
        again = house.again()
        assert not any(isinstance(one, RecordResult) for step in again.diary for one in step)
