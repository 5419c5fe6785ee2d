"""What players do while their game waits for another master."""

import pytest

from tests.broker.house import House, over, turn
from tests.broker.house import move as moves
from tests.broker.play.successors import FIRST, MOVERS, RESTORE, game, restored
from ugs.broker.state.phases import Phase
from ugs.broker.verdict import Cause, Verdict
from ugs.wire.extensions import Family, Moved, PastLeft, PastMove, Views
from ugs.wire.messages import LeaveGame, Logout, Message, Move, PlayerLeftGame


@pytest.fixture
def house() -> House:
    """Games wait twenty seconds for a master, and there may be two."""
    return House(master_grace_s=20, masters_per_game=2)


class TestMovesMeanwhile:
    """Moves without a master are held back, and handed over after the answer."""

    def test_a_move_goes_to_the_new_one(self, house: House) -> None:
        master, ann, ben = game(house, "ann", "ben")
        master.is_lost()
        ann.says(moves("g1", b"<move>late</move>"))
        other = house.leader("other", RESTORE)
        assert other.hears() == [restored(house)]
        other.says(turn("g1", "ann"))
        assert other.hears() == [moves("g1", b"<move>late</move>")]
        assert ann.hears() == ben.hears() == []
        assert house.game().phase is Phase.ANSWER
        assert house.game().history.moves == 1

    def test_also_one_that_comes_while_it_takes_the_game_over(self, house: House) -> None:
        master, ann, _ben = game(house, "ann", "ben")
        master.is_lost()
        other = house.leader("other", RESTORE)
        other.hears()
        ann.says(moves("g1"))
        other.says(turn("g1", "ann"))
        assert other.hears() == [moves("g1")]

    def test_several_come_in_their_order_one_at_a_time(self, house: House) -> None:
        families = (RESTORE, MOVERS)
        master, ann, ben, cat = game(house, "ann", "ben", "cat", families=families)
        master.says(Views("g1", ("ann", "ben", "cat"), (), ()))
        master.is_lost()
        cat.says(moves("g1"))
        other = house.leader("other", *families, players=(3, 3))
        ann.says(moves("g1"))
        other.hears()
        ben.hears()
        other.says(Views("g1", ("ann", "ben", "cat"), (), ()))
        assert other.hears() == [Moved("g1", "cat", b"<move/>")]
        other.says(Views("g1", ("ann", "ben", "cat"), (), ()))
        assert other.hears() == [Moved("g1", "ann", b"<move/>")]
        assert ben.hears() == []

    def test_one_is_too_late_when_the_new_master_asks_another_player(self, house: House) -> None:
        families = (RESTORE, MOVERS)
        master, ann, ben = game(house, "ann", "ben", families=families)
        master.is_lost()
        ann.says(moves("g1"))
        other = house.leader("other", *families)
        other.says(turn("g1", "ben"))
        assert ann.hears() == [turn("g1", "ben")]
        assert ben.hears() == [turn("g1", "ben")]
        assert house.game().turn.held == {}

    def test_a_new_one_that_can_have_several_movers_may_ask_more_of_them(self, house: House) -> None:
        master, ann, ben = game(house, "ann", "ben")
        house.passes(10)
        master.is_lost()
        other = house.leader("other", RESTORE, MOVERS)
        other.says(Views("g1", ("ann", "ben"), (), ()))
        assert (ann.hears(), ben.hears()) == ([], [turn("g1", "ben")])
        assert house.clock() == 30


class TestLeavingMeanwhile:
    """The successor is told of players who have left."""

    def test_a_player_may_leave_while_there_is_no_master(self, house: House) -> None:
        master, ann, ben, cat = game(house, "ann", "ben", "cat")
        ann.says(moves("g1"))
        master.is_lost()
        cat.says(LeaveGame("g1"))
        other = house.leader("other", RESTORE, players=(3, 3))
        happened = (PastMove("ann", b"<move/>"), PastLeft("cat", "left"))
        assert other.hears() == [restored(house, *happened, nicks=("ann", "ben", "cat"))]
        other.says(turn("g1", "ben"))
        assert ann.hears() == ben.hears() == [turn("g1", "ben")]
        assert cat.hears() == []

    def test_a_player_may_leave_while_it_takes_the_game_over(self, house: House) -> None:
        master, _ann, ben, cat = game(house, "ann", "ben", "cat")
        master.is_lost()
        other = house.leader("other", RESTORE, players=(3, 3))
        other.hears()
        cat.says(LeaveGame("g1"))
        assert other.hears() == [PlayerLeftGame("cat", "g1")]
        other.says(turn("g1", "ann"))
        assert ben.hears() == []

    def test_when_the_one_to_move_has_left_the_next_state_is_news(self, house: House) -> None:
        master, ann, ben, cat = game(house, "ann", "ben", "cat")
        master.is_lost()
        ann.says(Logout())
        other = house.leader("other", RESTORE, players=(3, 3))
        other.says(turn("g1", "cat"))
        assert ben.hears() == cat.hears() == [turn("g1", "cat")]

    def test_a_move_that_was_held_back_goes_with_its_player(self, house: House) -> None:
        master, ann, ben, _cat = game(house, "ann", "ben", "cat")
        master.is_lost()
        ann.says(moves("g1"))
        ann.says(LeaveGame("g1"))
        other = house.leader("other", RESTORE, players=(3, 3))
        other.says(turn("g1", "ben"))
        assert ben.hears() == [turn("g1", "ben")]
        assert not any(isinstance(one, Move) for one in other.hears())

    def test_the_last_one_is_told_by_the_new_master_that_it_has_won(self, house: House) -> None:
        master, ann, ben = game(house, "ann", "ben")
        master.is_lost()
        ann.says(LeaveGame("g1"))
        assert house.game().phase is Phase.AWAY
        other = house.leader("other", RESTORE)
        other.says(over("g1", "ben", losers=("ann",)))
        assert ben.hears() == [over("g1", "ben", losers=("ann",))]
        assert house.results[0].verdict == Verdict(Cause.LEFT, "ann")

    def test_when_all_have_left_nothing_is_handed_over(self, house: House) -> None:
        master, *players = game(house, "ann", "ben")
        master.is_lost()
        for peer in players:
            peer.says(Logout())
        assert house.results[0].verdict == Verdict(Cause.MASTER_LOST, "m")
        assert house.leader("other", RESTORE).hears() == []

    def test_the_same_when_all_leave_while_it_is_taken_over(self, house: House) -> None:
        master, *players = game(house, "ann", "ben")
        master.is_lost()
        other = house.leader("other", RESTORE)
        for peer in players:
            peer.says(Logout())
        assert house.results[0].verdict == Verdict(Cause.MASTER_LOST, "other")
        other.hears()
        other.says(turn("g1", "ann"))
        assert other.hears() == []


def test_a_cut_line_of_a_player_and_a_lost_master_at_the_same_time(house: House) -> None:
    ann, _ben = house.guest("ann", Family.SESSION), house.player("ben")
    master = house.leader("m", RESTORE)
    master.says(turn("g1", "ann", FIRST))
    ann.is_lost()
    master.is_lost()
    other = house.leader("other", RESTORE)
    other.says(turn("g1", "ann"))
    again = house.returns(ann.token)
    heard: list[Message] = again.hears()
    assert heard == [turn("g1", "ann", FIRST)]
    again.says(moves("g1"))
    assert other.hears()[-1] == moves("g1")
