"""A master is lost in a running game, and another one takes it over: players notice only the pause."""

import pytest

from tests.broker.house import House, over, thank, turn
from tests.broker.house import move as moves
from tests.broker.play.successors import FIRST, MOVERS, RESTORE, TABLE, VIEWS, VOID, game, restored, seed_of
from ugs.broker.effects import RecordBegin, RecordEntry
from ugs.broker.state.connection import PeerState
from ugs.broker.state.phases import Phase
from ugs.broker.values.record import EntryKind
from ugs.broker.verdict import Cause, Outcome, Verdict
from ugs.wire.extensions import (
    Advertise,
    Failed,
    Family,
    NewTable,
    OfferedOption,
    Offers,
    PastMove,
    RefusalReason,
    Restore,
    Start,
    View,
    Views,
    Visibility,
)
from ugs.wire.messages import BeginGame, Choice, Error, GameMasterLogin, Logout


@pytest.fixture
def house() -> House:
    """Games wait twenty seconds for a master, and there may be two."""
    return House(master_grace_s=20, masters_per_game=2)


class TestTheSeed:
    """All chance of a game comes from it, if its master can restore games."""

    def test_the_master_gets_it_with_the_begin(self, house: House) -> None:
        house.players("ann", "ben")
        master = house.leader("m", RESTORE)
        assert master.hears() == [BeginGame("g1", ("ann", "ben"), (), 0, seed_of(house))]

    def test_others_get_none(self, house: House) -> None:
        house.players("ann", "ben")
        master = house.leader("m", VIEWS)
        assert master.hears() == [BeginGame("g1", ("ann", "ben"))]

    def test_every_game_has_another_one(self, house: House) -> None:
        house.leader("m", RESTORE)
        house.players("ann", "ben", "cat", "dan")
        seeds = [one.seed for one in house.records if isinstance(one, RecordBegin)]
        assert len(set(seeds)) == 2


class TestAnotherMaster:
    """A successor gets the game with all that has happened in it."""

    def test_one_that_is_there_gets_it_at_once(self, house: House) -> None:
        master, ann, ben = game(house, "ann", "ben")
        other = house.leader("other", RESTORE)
        ann.says(moves("g1", b"<move>1</move>"))
        master.says(turn("g1", "ben"))
        ann.hears()
        ben.hears()
        master.is_lost()
        assert other.hears() == [restored(house, PastMove("ann", b"<move>1</move>"))]
        assert house.clock() == 10
        assert ann.hears() == ben.hears() == []

    def test_one_that_comes_later_gets_it_then(self, house: House) -> None:
        master, ann, ben = game(house, "ann", "ben")
        master.is_lost()
        house.passes(19)
        other = house.leader("other", RESTORE)
        assert other.hears() == [restored(house)]
        other.says(turn("g1", "ann"))
        house.passes(20)
        assert ann.hears() == ben.hears() == [], "they know that state"
        ann.says(moves("g1"))
        assert other.hears() == [moves("g1")]
        other.says(over("g1", "ann", losers=("ben",)))
        thank("g1", ann, ben)
        (result,) = house.results
        assert (result.master, result.verdict, result.moves) == ("other", Verdict(Cause.FINISHED), 1)
        assert house.rows() == {"ann": (1, 0, 0), "ben": (0, 1, 0)}

    def test_the_lost_one_may_come_back_under_its_name(self, house: House) -> None:
        master, _ann, _ben = game(house, "ann", "ben")
        master.is_lost()
        assert house.leader("m", RESTORE).hears() == [restored(house)]

    def test_the_least_busy_one_gets_it(self, house: House) -> None:
        house = House(master_grace_s=20, masters_per_game=3)
        master = house.leader("m", RESTORE)
        house.players("ann", "ben")
        busy = house.leader("busy", RESTORE)
        house.players("cat", "dan")
        idle = house.leader("idle", RESTORE)
        for peer in (master, busy, idle):
            peer.hears()
        master.is_lost()
        assert (busy.hears(), idle.hears()) == ([], [restored(house)])

    def test_one_that_cannot_restore_gets_none(self, house: House) -> None:
        master, ann, _ben = game(house, "ann", "ben")
        master.is_lost()
        other = house.leader("other", TABLE, VIEWS, MOVERS)
        house.passes(20)
        assert ann.hears() == [VOID]
        house.passes(1)
        assert [type(one) for one in other.hears()] == [BeginGame], "the players' next one"

    @pytest.mark.parametrize("size", [(4, 4), (2, 2)])
    def test_one_that_does_not_take_this_number_of_players_gets_none(self, house: House, size: tuple[int, int]) -> None:
        master, *_players = game(house, "ann", "ben", "cat")
        other = house.leader("other", RESTORE, players=size)
        master.is_lost()
        assert other.hears() == []
        assert house.game().phase is Phase.AWAY

    def test_one_that_leads_as_many_as_it_may_gets_it_when_it_has_room(self) -> None:
        house = House(master_grace_s=100, masters_per_game=2, max_games_per_master=1)
        master = house.leader("m", RESTORE)
        house.players("ann", "ben")
        other = house.leader("other", RESTORE)
        cat, dan = house.players("cat", "dan")
        other.hears()
        master.is_lost()
        assert other.hears() == []
        other.says(over("g2", "cat", losers=("dan",)))
        assert other.hears() == [restored(house)]
        thank("g2", cat, dan)
        assert other.hears() == [], "it has no room for a new one"

    def test_one_of_another_game_type_gets_none(self, house: House) -> None:
        master, *_players = game(house, "ann", "ben")
        master.is_lost()
        assert house.leader("other", RESTORE, game_type="go").hears() == []

    def test_all_games_of_a_lost_one_are_handed_over(self, house: House) -> None:
        master = house.leader("m", RESTORE)
        house.players("ann", "ben", "cat", "dan")
        other = house.leader("other", RESTORE)
        master.is_lost()
        assert [one.game_id for one in other.hears() if isinstance(one, Restore)] == ["g1", "g2"]

    def test_it_stands_in_the_record(self, house: House) -> None:
        master, *_players = game(house, "ann", "ben")
        master.is_lost()
        house.leader("other", RESTORE)
        away, back = house.entries()[-2:]
        assert (away, back) == (
            RecordEntry("g1", EntryKind.AWAY),
            RecordEntry("g1", EntryKind.RESTORED, text="other"),
        )

    def test_a_state_from_the_lost_one_on_another_connection_is_refused(self, house: House) -> None:
        master, _ann, _ben = game(house, "ann", "ben")
        master.is_lost()
        house.leader("other", RESTORE)
        again = house.leader("m", RESTORE)
        again.says(turn("g1", "ben"))
        assert again.hears_error() == "gameState: gameId id 'g1': you lead no such game"


class TestItsAnswer:
    """The successor answers with the present state of the game."""

    def test_a_state_that_nobody_has_heard_is_told_to_all(self, house: House) -> None:
        master, ann, ben = game(house, "ann", "ben")
        ann.says(moves("g1"))
        master.is_lost()
        other = house.leader("other", RESTORE)
        other.says(turn("g1", "ben", b"<gameState>second</gameState>"))
        assert ann.hears() == ben.hears() == [turn("g1", "ben", b"<gameState>second</gameState>")]

    def test_one_that_has_been_told_is_not_told_again_but_the_clock_begins_anew(self, house: House) -> None:
        master, ann, ben = game(house, "ann", "ben")
        house.passes(29)
        master.is_lost()
        other = house.leader("other", RESTORE)
        entries = len(house.entries())
        other.says(turn("g1", "ann", b"<gameState>first, in other words</gameState>"))
        assert ann.hears() == ben.hears() == []
        assert house.clock() == 30
        assert len(house.entries()) == entries

    def test_a_state_that_asks_another_player_is_told(self, house: House) -> None:
        master, ann, ben = game(house, "ann", "ben")
        master.is_lost()
        other = house.leader("other", RESTORE)
        other.says(turn("g1", "ben"))
        assert ann.hears() == ben.hears() == [turn("g1", "ben")]

    def test_before_the_first_state_it_begins_the_game(self, house: House) -> None:
        ann, ben = house.players("ann", "ben")
        house.leader("m", RESTORE).is_lost()
        other = house.leader("other", RESTORE)
        assert other.hears() == [restored(house)]
        other.says(turn("g1", "ann"))
        assert ann.hears() == ben.hears() == [turn("g1", "ann")]

    def test_it_may_be_the_end(self, house: House) -> None:
        master, ann, ben = game(house, "ann", "ben")
        ann.says(moves("g1"))
        master.is_lost()
        other = house.leader("other", RESTORE)
        other.says(over("g1", "ann", losers=("ben",)))
        thank("g1", ann, ben)
        assert house.rows() == {"ann": (1, 0, 0), "ben": (0, 1, 0)}

    def test_it_may_be_views(self, house: House) -> None:
        master, ann, ben = game(house, "ann", "ben", families=(RESTORE, VIEWS))
        ann.says(moves("g1"))
        master.is_lost()
        other = house.leader("other", RESTORE, VIEWS)
        other.says(Views("g1", ("ben",), (), (View("ben", FIRST),)))
        assert ann.hears() == [turn("g1", "ben")]
        assert ben.hears() == [turn("g1", "ben", FIRST)]

    def test_a_wrong_one_is_none(self, house: House) -> None:
        master, _ann, _ben = game(house, "ann", "ben")
        master.is_lost()
        other = house.leader("other", RESTORE)
        other.hears()
        other.says(turn("g1", "eve"))
        assert "not a player" in other.hears_error()
        assert house.game().phase is Phase.TAKING

    def test_it_may_decline_and_the_game_is_void(self, house: House) -> None:
        master, ann, ben = game(house, "ann", "ben")
        master.is_lost()
        other = house.leader("other", RESTORE)
        other.says(Failed(RefusalReason.INVALID_GAME, "I do not know these rules", "g1"))
        assert ann.hears() == ben.hears() == [Error(f"{VOID.text}: I do not know these rules")]
        assert house.results[0].verdict == Verdict(Cause.MASTER_LOST, "other")
        assert [seat.outcome for seat in house.results[0].seats] == [Outcome.VOID] * 2
        assert house.noted("game declined")[0]["reason"] == "I do not know these rules"

    def test_its_silence_is_one_and_the_game_is_void(self, house: House) -> None:
        master, ann, _ben = game(house, "ann", "ben")
        master.is_lost()
        other = house.leader("other", RESTORE)
        house.passes(10)
        assert ann.hears() == [VOID]
        assert other.master.silences == 1

    def test_too_many_silences_and_it_goes_itself(self) -> None:
        house = House(master_grace_s=20, masters_per_game=2, master_strikes=1)
        master, ann, _ben = game(house, "ann", "ben")
        other = house.leader("other", RESTORE)
        master.is_lost()
        house.passes(10)
        assert other.is_closed()
        assert ann.hears() == [VOID]


class TestTheGrace:
    """A game without a successor is void when the grace is over."""

    def test_then_the_game_is_void_and_nobody_has_lost(self, house: House) -> None:
        master, ann, ben = game(house, "ann", "ben")
        master.is_lost()
        house.passes(19.9)
        assert ann.state is PeerState.PLAYING
        house.passes(0.1)
        assert ann.hears() == ben.hears() == [VOID]
        (result,) = house.results
        assert result.verdict == Verdict(Cause.MASTER_LOST, "m")
        assert [seat.outcome for seat in result.seats] == [Outcome.VOID] * 2

    def test_a_master_that_comes_then_is_too_late(self, house: House) -> None:
        master, *_players = game(house, "ann", "ben")
        master.is_lost()
        house.passes(20)
        other = house.leader("other", RESTORE)
        house.passes(1)
        (begin,) = other.hears()
        assert isinstance(begin, BeginGame)
        assert begin.game_id == "g2"

    def test_meanwhile_nobody_is_too_slow(self, house: House) -> None:
        master, ann, _ben = game(house, "ann", "ben")
        house.passes(29)
        master.is_lost()
        house.passes(19)
        house.leader("other", RESTORE)
        house.passes(9)
        assert ann.state is PeerState.PLAYING


class TestTwice:
    """A master that takes a game over may be lost as well."""

    def test_before_it_has_answered(self, house: House) -> None:
        master, ann, _ben = game(house, "ann", "ben")
        ann.says(moves("g1"))
        master.is_lost()
        house.leader("second", RESTORE).is_lost()
        house.passes(19)
        third = house.leader("third", RESTORE)
        assert third.hears() == [restored(house, PastMove("ann", b"<move/>"))]
        third.says(turn("g1", "ben"))
        assert ann.hears() == [turn("g1", "ben")]

    def test_after_it_has_played_on(self, house: House) -> None:
        master, ann, ben = game(house, "ann", "ben")
        ann.says(moves("g1"))
        master.is_lost()
        second = house.leader("second", RESTORE)
        second.says(turn("g1", "ben"))
        ben.says(moves("g1"))
        second.says(turn("g1", "ann"))
        second.says(Logout())
        third = house.leader("third", RESTORE)
        assert third.hears() == [restored(house, PastMove("ann", b"<move/>"), PastMove("ben", b"<move/>"))]
        third.says(turn("g1", "ann"))
        ann.hears()
        ann.says(moves("g1"))
        assert third.hears() == [moves("g1")]


class TestOptions:
    """The options of a game hold for its successor as well."""

    MODE = (OfferedOption("mode", "ADULT", "STANDARD ADULT"),)

    def test_it_gets_them(self, house: House) -> None:
        house.players("ann", "ben")
        master = house.leader("m", RESTORE, TABLE, options=self.MODE)
        master.is_lost()
        other = house.leader("other", RESTORE, TABLE)
        assert other.hears() == [Restore("g1", ("ann", "ben"), (Choice("mode", "ADULT"),), 0, seed_of(house), ())]

    def test_it_begins_from_the_same_set_up(self, house: House) -> None:
        house.players("ann", "ben")
        master = house.leader("m", RESTORE, TABLE, setup="players = 2")
        assert master.hears() == [BeginGame("g1", ("ann", "ben"), (), 0, seed_of(house), "players = 2")]
        house.leader("knows no set-ups", RESTORE)
        master.is_lost()
        other = house.leader("other", RESTORE, TABLE, setup="players = 3")
        assert other.hears() == [Restore("g1", ("ann", "ben"), (), 0, seed_of(house), (), "players = 2")]

    def test_one_that_knows_no_options_does_not_get_such_a_game(self, house: House) -> None:
        house.players("ann", "ben")
        house.leader("m", RESTORE, TABLE, options=self.MODE).is_lost()
        assert house.leader("other", RESTORE).hears() == []

    def test_one_gets_nothing_before_it_has_told_its_own(self, house: House) -> None:
        master, *_players = game(house, "ann", "ben")
        master.is_lost()
        other = house.greets(RESTORE, TABLE)
        other.says(GameMasterLogin("other", "chess", "2", "2"))
        other.hears()
        other.says(Offers(()))
        assert other.hears() == [restored(house)]

    def test_one_that_plays_no_seats_gets_no_game_in_which_the_master_plays_one(self) -> None:
        house = House(master_grace_s=20, masters_per_game=3)
        master = house.leader("m", RESTORE, TABLE)
        ada = house.guest("ada", Family.LOBBY)
        ada.says(Advertise(NewTable("Friday", 2, Visibility.PUBLIC, computers=1)))
        ada.says(Start())
        house.leader("plays none", RESTORE, TABLE).says(Offers((), plays_seats=False))
        other = house.leader("other", RESTORE, TABLE)
        master.is_lost()
        assert [type(message) for message in other.hears()] == [Restore]

    def test_telling_them_again_gives_it_nothing_twice(self, house: House) -> None:
        master, *_players = game(house, "ann", "ben")
        master.is_lost()
        other = house.leader("other", RESTORE, TABLE)
        other.hears()
        other.says(Offers(self.MODE))
        assert other.hears() == []


class TestWhoMayHaveIt:
    """A master takes a game over only if it can do all that the game has needed so far."""

    def test_hidden_hands_need_views(self, house: House) -> None:
        master, ann, _ = game(house, "ann", "ben", families=(RESTORE, VIEWS))
        view = View("ann", b"<gameState>hers</gameState>")
        master.says(Views("g1", ("ann",), (), (view, View("", FIRST))))
        master.is_lost()
        without, with_views = house.leader("m2", RESTORE), house.leader("m3", RESTORE, VIEWS)
        assert without.hears() == []
        assert [type(message) for message in with_views.hears()] == [Restore]
        assert ann.hears()[-1] == turn("g1", "ann", view.payload)

    def test_several_movers_need_movers(self, house: House) -> None:
        master, *_ = game(house, "ann", "ben", families=(RESTORE, MOVERS))
        master.is_lost()
        assert house.leader("m2", RESTORE).hears() == []
        assert [type(message) for message in house.leader("m3", RESTORE, MOVERS).hears()] == [Restore]
