"""Masters that fail: silence, strikes, lost connections; and old masters that can read few messages."""

import pytest

from tests.broker.house import CHESS, House, Peer, move, over, thank, turn
from ugs.broker.events import Garbled, Misread
from ugs.broker.state.connection import PeerState
from ugs.broker.verdict import Cause, Outcome, Verdict
from ugs.wire.extensions import Family
from ugs.wire.messages import (
    BeginGame,
    Error,
    GameMasterLogin,
    GameState,
    LeaveGame,
    LoginResponse,
    Logout,
    PlayerLeftGame,
    PlayerResult,
    Result,
)

WON, LOST, DRAWN, VOID = Outcome.WON, Outcome.LOST, Outcome.DRAWN, Outcome.VOID


def outcomes(house: House) -> list[Outcome]:
    """What the last game counts, seat by seat."""
    return [seat.outcome for seat in house.results[-1].seats]


class TestSilence:
    """A game whose master does not answer is void: no one's fault among the players, no thanks, idle at once."""

    def test_no_answer_to_begin_game(self, house: House) -> None:
        house.master("m")
        ann, ben = house.players("ann", "ben")
        house.passes(10)
        assert ann.hears() == ben.hears() == [Error("game void: the game master did not begin it")]
        assert outcomes(house) == [VOID, VOID]
        assert house.results[0].verdict == Verdict(Cause.NO_BEGINNING, "m")

    @pytest.mark.parametrize("nicks", [("ann", "ben"), ("ann", "ben", "cat")])
    def test_no_answer_to_a_move(self, house: House, nicks: tuple[str, ...]) -> None:
        _master, ann, *others = house.table(*nicks)
        ann.says(move("g1"))
        house.passes(30)
        for peer in (ann, *others):
            assert peer.hears() == [Error("game void: the game master does not answer")]
        assert outcomes(house) == [VOID] * len(nicks)
        assert house.results[0].verdict == Verdict(Cause.MASTER_SILENT, "m")
        assert set(house.rows().values()) == {(0, 0, 0)}

    def test_no_answer_to_a_leave_counts_for_nobody_not_even_for_the_leaver(self, house: House) -> None:
        _master, ann, ben, cat = house.table("ann", "ben", "cat")
        ann.says(LeaveGame("g1"))
        house.passes(30)
        assert ben.hears() == cat.hears() == [Error("game void: the game master does not answer")]
        assert ann.hears() == []
        assert outcomes(house) == [VOID] * 3
        assert house.results[0].seats[0].departure is Cause.LEFT

    def test_a_late_answer_is_ignored(self, house: House) -> None:
        master, ann, _ben = house.table("ann", "ben")
        ann.says(move("g1"))
        house.passes(30)
        master.hears()
        ann.hears()
        master.says(turn("g1", "ben"))
        assert master.hears() == ann.hears() == []

    def test_void_players_are_idle_at_once_and_soon_meet_again(self, house: House) -> None:
        """Soon: a bot that has played enough logs out before that, and loses nothing."""
        master = house.master("m")
        ann, ben = house.players("ann", "ben")
        house.passes(10)
        assert ann.state is ben.state is PeerState.IDLE
        assert master.hears() == [BeginGame("g1", ("ann", "ben"))]
        house.passes(1)
        assert master.hears() == [BeginGame("g2", ("ben", "ann"))]

    def test_who_has_said_something_meets_others_at_once(self, house: House) -> None:
        master = house.master("m")
        peers = house.players("ann", "ben")
        house.passes(10.25)
        for peer in peers:
            peer.says(LeaveGame("g1"))
        house.passes(0.5)
        assert len(master.hears()) == 1
        house.passes(0.25)
        assert master.hears() == [BeginGame("g2", ("ben", "ann"))], "at the next look"

    def test_who_logs_out_after_a_void_game_has_lost_nothing(self, house: House) -> None:
        house.master("m")
        ann, ben = house.players("ann", "ben")
        house.passes(10)
        ann.says(Logout())
        ben.says(Logout())
        assert [result.verdict.void for result in house.results] == [True]


class TestStrikes:
    """After three silences in a row, in any of its games, the master has to go."""

    def test_the_third_silence_in_a_row_closes_it(self, house: House) -> None:
        master = house.master("m")
        ann, ben = house.players("ann", "ben")
        house.passes(21)
        assert not master.is_closed()
        ann.hears()
        house.passes(11)
        assert master.hears()[-1] == Error("silent 3 times in a row")
        assert master.is_closed()
        assert [result.verdict.cause for result in house.results] == [Cause.NO_BEGINNING] * 3
        assert ann.state is ben.state is PeerState.IDLE, "it got no fourth game"

    def test_an_answer_in_between_makes_it_good(self, house: House) -> None:
        master = house.master("m")
        ann, ben = house.players("ann", "ben")
        house.passes(22)
        master.says(over("g3", "ann", losers=("ben",)))
        thank("g3", ann, ben)
        house.passes(31.9)
        assert not master.is_closed()
        house.passes(0.1)
        assert master.is_closed()

    def test_a_wrong_answer_is_none(self) -> None:
        house = House(master_strikes=1)
        master = house.master("m")
        house.players("ann", "ben")
        master.says(turn("g1", "eve"))
        house.passes(10)
        assert master.is_closed()

    def test_silence_after_a_leave_counts_and_the_player_still_wins(self) -> None:
        house = House(master_strikes=1)
        master, ann, ben = house.table("ann", "ben")
        ann.says(LeaveGame("g1"))
        house.passes(30)
        assert master.is_closed()
        assert ben.hears() == [GameState("g1", None, (lost("ann"), won("ben")))]
        assert outcomes(house) == [LOST, WON]

    def test_its_other_games_go_with_it(self) -> None:
        house = House(master_strikes=1)
        master = house.master("m")
        _ann, _ben, cat, dan = house.players("ann", "ben", "cat", "dan")
        master.says(turn("g2", "cat"))
        house.passes(10)
        assert cat.hears()[-1] == dan.hears()[-1] == Error("game void: the game master is gone")
        assert [result.verdict.cause for result in house.results] == [Cause.NO_BEGINNING, Cause.MASTER_LOST]

    def test_its_name_and_place_are_free(self) -> None:
        house = House(master_strikes=1)
        house.master("m")
        house.players("ann", "ben")
        house.passes(10)
        again = house.master("m")
        house.passes(1)
        assert again.hears() == [BeginGame("g2", ("ben", "ann"))]


def lost(nick: str) -> PlayerResult:
    """This player has lost."""
    return PlayerResult(nick, Result.LOSER)


def won(nick: str) -> PlayerResult:
    """This player has won."""
    return PlayerResult(nick, Result.WINNER)


def goes(house: House, master: Peer, how: str) -> None:
    """A master's connection comes to its end in one of these ways."""
    match how:
        case "lost":
            master.is_lost()
        case "logout":
            master.says(Logout())
        case "rubbish":
            house.happens(Garbled(master.conn, "not XML at byte 0"))
        case "too many mistakes":
            for _ in range(31):
                house.happens(Misread(master.conn, "unknown type 'gmaeState'"))


WAYS = {
    "lost": "",
    "logout": "",
    "rubbish": ": the game master's document was refused",
    "too many mistakes": ": the game master sent too many wrong messages",
}
"""Each with what its players are sent of it."""


class TestLoss:
    """A master whose connection is gone."""

    @pytest.mark.parametrize("how", WAYS)
    def test_its_games_are_void_at_once(self, house: House, how: str) -> None:
        master, ann, ben = house.table("ann", "ben")
        goes(house, master, how)
        assert ann.hears() == ben.hears() == [Error(f"game void: the game master is gone{WAYS[how]}")]
        assert house.results[0].verdict == Verdict(Cause.MASTER_LOST, "m")
        assert outcomes(house) == [VOID, VOID]
        assert ann.state is ben.state is PeerState.IDLE

    @pytest.mark.parametrize("how", WAYS)
    def test_with_a_grace_they_wait_for_another_one_that_can_restore_them(self, how: str) -> None:
        house = House(master_grace_s=20)
        master, ann, ben = house.table("ann", "ben", families=[Family.RESTORE])
        goes(house, master, how)
        house.passes(19.9)
        assert ann.hears() == []
        assert ann.state is PeerState.PLAYING
        house.passes(0.1)
        assert ann.hears() == ben.hears() == [Error(f"game void: the game master is gone{WAYS[how]}")]

    @pytest.mark.parametrize("how", WAYS)
    def test_games_that_nobody_could_restore_wait_for_nobody(self, how: str) -> None:
        house = House(master_grace_s=20)
        master, ann, ben = house.table("ann", "ben")
        goes(house, master, how)
        assert ann.hears() == ben.hears() == [Error(f"game void: the game master is gone{WAYS[how]}")]

    @pytest.mark.parametrize("grace", [0, 20])
    def test_whatever_it_was_about_to_do(self, grace: int) -> None:
        house = House(master_grace_s=grace)
        master = house.leader("m", Family.RESTORE)
        *_others, eve, _fay, gil, _hal = house.players("ann", "ben", "cat", "dan", "eve", "fay", "gil", "hal")
        master.says(turn("g2", "cat"))
        master.says(turn("g3", "eve"))
        eve.says(move("g3"))
        gil.says(LeaveGame("g4"))
        master.says(turn("g4", "hal"))
        master.is_lost()
        house.passes(grace)
        assert [result.verdict.cause for result in house.results] == [Cause.MASTER_LOST] * 4
        assert {result.game_id for result in house.results} == {"g1", "g2", "g3", "g4"}

    @pytest.mark.parametrize("grace", [0, 20])
    def test_not_even_one_who_had_left_before_has_lost(self, grace: int) -> None:
        house = House(master_grace_s=grace)
        master, ann, _ben, _cat = house.table("ann", "ben", "cat", families=[Family.RESTORE])
        ann.says(Logout())
        master.is_lost()
        assert len(house.results) == (not grace)
        house.passes(grace)
        assert outcomes(house) == [VOID] * 3
        assert "ann" not in house.rows(), "ann has gone and has no result"

    def test_a_game_that_all_leave_while_it_waits_for_its_master_is_void(self) -> None:
        house = House(master_grace_s=20)
        master, ann, ben = house.table("ann", "ben", families=[Family.RESTORE])
        master.is_lost()
        ann.says(LeaveGame("g1"))
        ben.says(Logout())
        assert outcomes(house) == [VOID, VOID]
        assert house.results[0].verdict == Verdict(Cause.MASTER_LOST, "m")
        assert master.mail == []

    def test_a_game_that_is_over_does_not_need_it_any_more(self, house: House) -> None:
        master, ann, ben = house.table("ann", "ben")
        master.says(over("g1", "ann", losers=("ben",)))
        master.is_lost()
        thank("g1", ann, ben)
        assert house.rows() == {"ann": (1, 0, 0), "ben": (0, 1, 0)}

    def test_another_master_takes_the_players(self) -> None:
        house = House(masters_per_game=2)
        master, _ann, _ben = house.table("ann", "ben")
        other = house.master("other")
        master.is_lost()
        house.passes(1)
        assert [type(message) for message in other.hears()] == [BeginGame]


class TestQuietMaster:
    """With ``quiet_master`` a master is told only what old masters can read, and its games end when a player leaves."""

    @pytest.fixture
    def house(self) -> House:
        """Chess masters are old, those of other games are not."""
        return House(game_types={CHESS: {"quiet_master": True}})

    @pytest.mark.parametrize("company", [2, 3])
    def test_when_a_player_leaves_the_server_ends_the_game_and_the_others_win(self, house: House, company: int) -> None:
        nicks = ("ann", "ben", "cat")[:company]
        master, ann, *others = house.table(*nicks)
        ann.says(LeaveGame("g1"))
        assert master.hears() == []
        assert all(peer.hears() == [GameState("g1", None, (lost("ann"), *map(won, nicks[1:])))] for peer in others)
        assert outcomes(house) == ([LOST, WON] if company == 2 else [LOST, DRAWN, DRAWN])
        assert house.results[0].verdict == Verdict(Cause.LEFT, "ann", by_server=True)
        thank("g1", *others)

    def test_even_before_it_has_begun(self, house: House) -> None:
        master = house.master("m")
        ann, ben = house.players("ann", "ben")
        ann.is_lost()
        assert ben.hears() == [GameState("g1", None, (lost("ann"), won("ben")))]
        assert [type(message) for message in master.hears()] == [BeginGame]

    def test_and_when_a_player_is_too_slow(self, house: House) -> None:
        master, _ann, ben = house.table("ann", "ben")
        house.passes(30)
        assert ben.hears() == [GameState("g1", None, (lost("ann"), won("ben")))]
        assert house.results[0].verdict == Verdict(Cause.TIMEOUT, "ann", by_server=True)
        assert master.hears() == []

    def test_what_it_says_of_such_a_game_is_ignored(self, house: House) -> None:
        master, ann, ben = house.table("ann", "ben")
        ann.says(LeaveGame("g1"))
        ben.hears()
        master.says(turn("g1", "ann"))
        assert master.hears() == ben.hears() == []

    def test_late_moves_do_not_reach_it(self, house: House) -> None:
        master, ann, ben = house.table("ann", "ben")
        master.says(turn("g1", "ben"))
        ann.says(LeaveGame("g1"))
        ben.says(move("g1"))
        assert master.hears() == []

    def test_errors_do_not_reach_it_but_count(self, house: House) -> None:
        master, *_players = house.table("ann", "ben")
        for _ in range(30):
            master.says(turn("g9", "ann"))
        assert len(house.noted("wrong message")) == 30
        assert not master.is_closed()
        master.says(turn("g9", "ann"))
        assert master.is_closed()
        assert master.hears() == []

    def test_it_is_not_told_why_it_is_closed(self, house: House) -> None:
        master = house.master("m")
        house.players("ann", "ben")
        master.hears()
        house.passes(31)
        assert [type(message) for message in master.hears()] == [BeginGame, BeginGame]
        house.passes(1)
        assert master.is_closed()
        assert master.hears() == []

    def test_a_refused_login_is_answered(self, house: House) -> None:
        house.master("m")
        peer = house.connects()
        peer.says(GameMasterLogin("m", CHESS, "2", "2"))
        assert [type(message) for message in peer.hears()] == [LoginResponse]

    def test_the_shutdown_is_kept_from_it(self, house: House) -> None:
        quiet, other = house.master("m"), house.master("n", game_type="go")
        house.is_asked_to_stop()
        assert quiet.hears() == []
        assert len(other.hears()) == 1
        assert quiet.is_closed()
        assert other.is_closed()

    def test_a_game_it_ends_itself_ends_as_any_other(self, house: House) -> None:
        master, _ann, _ben = house.table("ann", "ben")
        master.says(over("g1", "ann", losers=("ben",)))
        assert house.results[0].verdict == Verdict(Cause.FINISHED)

    def test_a_player_it_removes_ends_the_game_too(self, house: House) -> None:
        master, ann, ben = house.table("ann", "ben")
        master.says(PlayerLeftGame("ann", "g1"))
        assert ann.hears() == [Error("removed by the game master")]
        assert ben.hears() == [GameState("g1", None, (lost("ann"), won("ben")))]
