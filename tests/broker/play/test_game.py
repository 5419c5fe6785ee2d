"""A game that goes as it should, and messages about games that do not: turns, states, results, thanks."""

from collections.abc import Callable

import pytest

from tests.broker.house import House, Peer, move, over, thank, turn
from ugs.broker.effects import RecordResult, Send
from ugs.broker.state.connection import PeerState
from ugs.broker.state.model import REMEMBERED_GAMES
from ugs.broker.verdict import Cause, Outcome, Verdict
from ugs.wire.extensions import Family
from ugs.wire.messages import Error, GameState, LeaveGame, PlayerLeftGame, PlayerResult, Result, ThankYou

WON, LOST, DRAWN = Outcome.WON, Outcome.LOST, Outcome.DRAWN
W, L = Result.WINNER, Result.LOSER


def outcomes(house: House) -> dict[str, Outcome]:
    """What the last game counts for whom."""
    return {seat.nick: seat.outcome for seat in house.results[-1].seats}


def test_a_whole_game(house: House) -> None:
    master, ann, ben = house.table("ann", "ben")
    ann.says(move("g1", b"<move>e4</move>"))
    assert master.hears() == [move("g1", b"<move>e4</move>")]
    assert house.clock() == 30, "now the master has to answer"
    master.says(turn("g1", "ben", b"<gameState><!-- 1 --></gameState>"))
    assert ann.hears() == ben.hears() == [turn("g1", "ben", b"<gameState><!-- 1 --></gameState>")]
    house.passes(7)
    ben.says(move("g1"))
    master.hears()
    master.says(over("g1", "ben", losers=("ann",)))
    assert ann.hears() == ben.hears() == [over("g1", "ben", losers=("ann",))]
    assert ann.state is ben.state is PeerState.OWING
    thank("g1", ann)
    assert (ann.state, ben.state) == (PeerState.IDLE, PeerState.OWING)
    thank("g1", ben)
    result = house.results[0]
    assert (result.game_id, result.game_type, result.master) == ("g1", "chess", "m")
    assert (result.moves, result.began_at, result.ended_at) == (2, 1000, 1007)
    assert result.verdict == Verdict(Cause.FINISHED)
    assert outcomes(house) == {"ann": LOST, "ben": WON}


def test_the_result_is_recorded_before_anybody_hears_of_it(house: House) -> None:
    master, *_players = house.table("ann", "ben")
    effects = master.says(over("g1", "ann", losers=("ben",)))
    kinds = [type(effect) for effect in effects]
    assert kinds.index(RecordResult) < kinds.index(Send)


class TestTurns:
    """A move has no nick: the master must be able to trust that it comes from the player it named."""

    def test_only_the_player_who_was_named_may_move(self, house: House) -> None:
        master, ann, ben = house.table("ann", "ben")
        ben.says(move("g1"))
        assert ben.hears_error() == "move: gameId id 'g1': it is not your turn (it is ann's)"
        assert master.hears() == ann.hears() == []

    def test_and_only_once(self, house: House) -> None:
        master, ann, _ben = house.table("ann", "ben")
        ann.says(move("g1"))
        ann.says(move("g1"))
        assert ann.hears_error() == "move: gameId id 'g1': it is not your turn (the game master is asked)"
        assert master.hears() == [move("g1")]

    def test_nobody_may_before_the_first_state(self, house: House) -> None:
        master = house.master("m")
        ann, _ben = house.players("ann", "ben")
        master.hears()
        ann.says(move("g1"))
        assert "not your turn" in ann.hears_error()
        assert master.hears() == []

    def test_the_master_may_name_another_player_before_the_move_has_come(self, house: House) -> None:
        master, ann, ben = house.table("ann", "ben")
        master.says(turn("g1", "ben"))
        ann.says(move("g1"))
        assert isinstance(ann.hears()[-1], Error)
        ben.says(move("g1"))
        assert master.hears() == [move("g1")]

    def test_the_same_player_may_be_named_again_and_again(self, house: House) -> None:
        master, ann, _ben = house.table("ann", "ben")
        for _ in range(3):
            ann.says(move("g1"))
            assert master.hears() == [move("g1")]
            master.says(turn("g1", "ann"))
        assert house.game().history.moves == 3

    def test_a_move_in_another_game_than_ones_own_is_wrong(self, house: House) -> None:
        master, ann, _ben = house.table("ann", "ben")
        ann.says(move("g2"))
        assert ann.hears_error() == "move: gameId id 'g2': you are in no such game"
        assert master.hears() == []


WRONG_STATES: dict[str, tuple[GameState, str]] = {
    "nobody of that name to move": (turn("g1", "eve"), "gameState: nextPlayer nick 'eve': not a player in game g1"),
    "a leaver to move": (turn("g1", "dan"), "gameState: nextPlayer nick 'dan': not a player in game g1"),
    "one is missing": (over("g1", "ann", losers=("ben",)), "gameState: gameOver: no result for player nick 'cat'"),
    "nobody at all": (over("g1"), "gameState: gameOver: no result for player nick 'ann'"),
    "one twice": (
        over("g1", "ann", losers=("ben", "cat", "ben")),
        "gameState: gameOver player nick 'ben': listed twice",
    ),
    "a leaver twice": (
        over("g1", "ann", losers=("dan", "ben", "cat", "dan")),
        "gameState: gameOver player nick 'dan': listed twice",
    ),
    "a stranger": (
        over("g1", "ann", losers=("ben", "cat", "eve")),
        "gameState: gameOver player nick 'eve': not a player in game g1",
    ),
    "the nick in other letters": (
        over("g1", "Ann", losers=("ben", "cat")),
        "gameState: gameOver player nick 'Ann': not a player in game g1",
    ),
    "no game of its own": (turn("g7", "ann"), "gameState: gameId id 'g7': you lead no such game"),
}


@pytest.mark.parametrize(("state", "wrong"), WRONG_STATES.values(), ids=WRONG_STATES)
def test_a_wrong_state_is_answered_and_the_game_goes_on(house: House, state: GameState, wrong: str) -> None:
    master, *players, dan = house.table("ann", "ben", "cat", "dan")
    dan.says(LeaveGame("g1"))
    master.hears()
    master.says(state)
    assert master.hears_error() == wrong
    assert all(peer.hears() == [] for peer in players)
    assert house.results == []
    players[0].says(move("g1"))
    assert master.hears() == [move("g1")]


@pytest.mark.parametrize("listed_as", [None, L, W], ids=["not listed", "listed as loser", "listed as winner"])
def test_a_leaver_may_be_listed_and_has_lost_in_any_case(house: House, listed_as: Result | None) -> None:
    master, ann, ben, dan = house.table("ann", "ben", "dan")
    dan.says(LeaveGame("g1"))
    results = [PlayerResult("ann", W), PlayerResult("ben", L)]
    if listed_as is not None:
        results.append(PlayerResult("dan", listed_as))
    news = GameState("g1", None, tuple(results))
    master.says(news)
    assert ann.hears() == ben.hears() == [news]
    assert dan.hears() == []
    assert outcomes(house) == {"ann": WON, "ben": LOST, "dan": LOST}
    assert house.results[0].verdict == Verdict(Cause.FINISHED)


@pytest.mark.parametrize("same", [W, L])
def test_the_same_result_for_all_is_a_draw(house: House, same: Result) -> None:
    master, *_players = house.table("ann", "ben")
    master.says(GameState("g1", None, (PlayerResult("ann", same), PlayerResult("ben", same))))
    assert outcomes(house) == {"ann": DRAWN, "ben": DRAWN}
    assert house.results[0].verdict == Verdict(Cause.DRAW)
    assert house.rows() == {"ann": (0, 0, 1), "ben": (0, 0, 1)}


@pytest.mark.parametrize(("result", "outcome"), [(W, WON), (L, LOST)])
def test_where_a_player_has_left_equal_results_stand_as_given(house: House, result: Result, outcome: Outcome) -> None:
    master, _ann, _ben, cat = house.table("ann", "ben", "cat")
    cat.says(LeaveGame("g1"))
    master.says(GameState("g1", None, (PlayerResult("ann", result), PlayerResult("ben", result))))
    assert outcomes(house) == {"ann": outcome, "ben": outcome, "cat": LOST}
    assert house.results[0].verdict == Verdict(Cause.FINISHED)


@pytest.mark.parametrize(("result", "outcome"), [(W, WON), (L, LOST)])
def test_the_result_of_a_sole_remaining_player_stands_as_given(house: House, result: Result, outcome: Outcome) -> None:
    master, _ann, ben = house.table("ann", "ben")
    ben.says(LeaveGame("g1"))
    master.says(GameState("g1", None, (PlayerResult("ann", result),)))
    assert outcomes(house) == {"ann": outcome, "ben": LOST}
    assert house.results[0].verdict == Verdict(Cause.LEFT, "ben")


def test_more_than_one_may_win(house: House) -> None:
    master, *_players = house.table("ann", "ben", "cat")
    master.says(over("g1", "ann", "cat", losers=("ben",)))
    assert house.rows() == {"ann": (1, 0, 0), "cat": (1, 0, 0), "ben": (0, 1, 0)}


def test_a_game_may_be_over_before_anybody_has_moved(house: House) -> None:
    master = house.master("m")
    house.players("ann", "ben")
    master.says(over("g1", "ann", losers=("ben",)))
    assert house.rows() == {"ann": (1, 0, 0), "ben": (0, 1, 0)}


class TestClocks:
    """One clock per game, for the peer that must act."""

    def test_the_player_has_time_from_when_its_mail_has_gone_out(self) -> None:
        house = House(game_types={"chess": {"move_timeout_s": 3, "master_timeout_s": 4, "begin_timeout_s": 5}})
        master = house.master("m")
        ann, _ben = house.players("ann", "ben")
        assert (house.clock(), house.waits_for_writer[house.game().clock]) == (5, None)
        master.says(turn("g1", "ann"))
        assert (house.clock(), house.waits_for_writer[house.game().clock]) == (3, ann.conn)
        ann.says(move("g1"))
        assert (house.clock(), house.waits_for_writer[house.game().clock]) == (4, None)

    def test_a_wrong_message_of_the_player_does_not_stop_it(self, house: House) -> None:
        _master, ann, _ben = house.table("ann", "ben")
        house.passes(20)
        ann.says(move("g9"))
        assert house.clock() == 10

    def test_a_wrong_message_of_the_master_does_not_stop_it(self, house: House) -> None:
        master, ann, _ben = house.table("ann", "ben")
        ann.says(move("g1"))
        house.passes(20)
        master.says(turn("g1", "eve"))
        assert house.clock() == 10


class TestThanks:
    """After the end each player owes a thank you; an error is as good."""

    def test_an_error_counts_as_the_answer_and_is_noted(self, house: House) -> None:
        master, ann, _ben = house.table("ann", "ben")
        master.says(over("g1", "ann", losers=("ben",)))
        ann.says(Error("I should have had more time"))
        assert ann.state is PeerState.IDLE
        (note,) = house.noted("peer reports an error")
        assert (note["nick"], note["game"], note["text"]) == ("ann", "g1", "I should have had more time")

    def test_an_error_in_a_running_game_changes_nothing(self, house: House) -> None:
        master, ann, _ben = house.table("ann", "ben")
        ann.says(Error("what is this?"))
        master.says(Error("I am confused"))
        assert ann.hears() == master.hears() == []
        ann.says(move("g1"))
        assert master.hears() == [move("g1")]
        assert [note["game"] for note in house.noted("peer reports an error")] == ["g1", None]

    def test_thanks_for_another_game_do_not_count(self, house: House) -> None:
        master, ann, _ben = house.table("ann", "ben")
        master.says(over("g1", "ann", losers=("ben",)))
        ann.hears()
        ann.says(ThankYou("g0"))
        assert ann.hears_error() == "thank you: gameId id 'g0': you owe it for game g1"
        assert ann.state is PeerState.OWING

    def test_thanks_before_the_end_or_twice_are_wrong(self, house: House) -> None:
        master, ann, _ben = house.table("ann", "ben")
        ann.says(ThankYou("g1"))
        assert ann.hears_error() == "thank you: gameId id 'g1': this game is not over"
        master.says(over("g1", "ann", losers=("ben",)))
        ann.hears()
        thank("g1", ann)
        assert ann.hears() == []
        thank("g1", ann)
        assert ann.hears_error() == "thank you: gameId id 'g1': this game is over"

    def test_a_player_who_does_not_thank_is_closed_and_its_nick_is_free(self, house: House) -> None:
        master, ann, ben = house.table("ann", "ben")
        master.says(over("g1", "ann", losers=("ben",)))
        thank("g1", ann)
        ben.hears()
        house.passes(9.9)
        assert ben.hears() == []
        house.passes(0.1)
        assert ben.hears() == [Error("no thank you within 10 s after game g1")]
        assert ben.is_closed()
        assert not ann.is_closed()
        house.player("Ben")
        assert house.rows()["ben"] == (0, 1, 0)

    def test_all_who_do_not_thank_are_closed(self, house: House) -> None:
        master, *players = house.table("ann", "ben", "cat")
        master.says(over("g1", "ann", losers=("ben", "cat")))
        house.passes(10)
        assert [peer.is_closed() for peer in players] == [True] * 3
        assert house.timers == {}

    def test_a_player_who_is_lost_owes_nothing(self, house: House) -> None:
        master, ann, ben = house.table("ann", "ben")
        master.says(over("g1", "ann", losers=("ben",)))
        ben.is_lost()
        thank("g1", ann)
        house.passes(60)
        assert not ann.is_closed()


def closes(house: House, master: Peer) -> None:
    house.disk_is_slow = True
    master.says(over("g1", "ben", losers=("ann",)))


def is_over(_house: House, master: Peer) -> None:
    master.says(over("g1", "ben", losers=("ann",)))


def is_void(_house: House, master: Peer) -> None:
    master.is_lost()


class TestAMoveThatCrossesTheEnd:
    """The player who was asked when the game ended cannot know that it has: its move is ignored, once."""

    @pytest.mark.parametrize("ends", [closes, is_over, is_void])
    def test_it_is_ignored_once(self, house: House, ends: Callable[[House, Peer], None]) -> None:
        master, ann, _ben = house.table("ann", "ben")
        ends(house, master)
        ann.hears()
        ann.says(move("g1"))
        assert ann.hears() == []
        assert not ann.connection.errors, "it is no mistake"
        assert house.noted("ignored: the game did not wait for it")[0]["nick"] == "ann"
        ann.says(move("g1"))
        assert "g1" in ann.hears_error()

    def test_also_when_the_player_plays_the_next_game_already(self, house: House) -> None:
        master, ann, ben = house.table("ann", "ben")
        master.says(over("g1", "ben", losers=("ann",)))
        thank("g1", ann, ben)
        ann.hears()
        ann.says(move("g1"))
        assert ann.hears() == []
        ann.says(move("g1"))
        assert ann.hears_error() == "move: gameId id 'g1': this game is over"

    def test_while_the_result_is_on_its_way_to_the_disk_the_error_says_that_it_has_ended(self, house: House) -> None:
        house.disk_is_slow = True
        master, _ann, ben = house.table("ann", "ben")
        master.says(over("g1", "ben", losers=("ann",)))
        ben.says(move("g1"))
        assert ben.hears_error() == "move: gameId id 'g1': this game has ended"


class TestQuietPlayers:
    def test_players_of_old_programs_hear_nothing_of_a_void_game(self) -> None:
        house = House(quiet_players=True)
        cat = house.guest("cat", Family.STATE)
        master, ann = house.master(), house.player("ann")
        master.says(turn("g1", "ann"))
        for peer in (ann, cat):
            peer.hears()
        master.is_lost()
        assert ann.hears() == []
        assert cat.hears() == [Error("game void: the game master is gone")]
        assert (ann.state, cat.state) == (PeerState.IDLE, PeerState.IDLE)


class TestLateMessages:
    """Messages that cross with the end of a game: a player gets an error, a master gets nothing."""

    def test_a_player_hears_that_the_game_is_over(self, house: House) -> None:
        master, _ann, ben = house.table("ann", "ben")
        master.says(over("g1", "ben", losers=("ann",)))
        ben.hears()
        for late in (move("g1"), LeaveGame("g1")):
            ben.says(late)
            assert ben.hears_error() == f"{late.TYPE}: gameId id 'g1': this game is over"
        thank("g1", ben)
        for late in (move("g1"), LeaveGame("g1")):
            ben.says(late)
            assert ben.hears_error() == f"{late.TYPE}: gameId id 'g1': this game is over"
        assert master.hears() == []

    def test_the_same_when_the_game_was_void(self, house: House) -> None:
        master, _ann, ben = house.table("ann", "ben")
        master.is_lost()
        ben.hears()
        for late in (move("g1"), LeaveGame("g1"), ThankYou("g1")):
            ben.says(late)
            assert ben.hears_error() == f"{late.TYPE}: gameId id 'g1': this game is over"

    def test_also_when_it_plays_the_next_one_already(self, house: House) -> None:
        master, ann, ben = house.table("ann", "ben")
        master.says(over("g1", "ben", losers=("ann",)))
        thank("g1", ann, ben)
        ben.hears()
        ben.says(move("g1"))
        assert ben.hears_error() == "move: gameId id 'g1': this game is over"
        ben.says(LeaveGame("g1"))
        assert ben.hears_error() == "leaveGame: gameId id 'g1': this game is over"
        assert house.game("g2").present.keys() == {"ann", "ben"}

    def test_a_game_that_never_was_is_another_matter(self, house: House) -> None:
        ann = house.player("ann")
        for late in (move("g1"), LeaveGame("g1"), ThankYou("g1"), move("")):
            ann.says(late)
            assert ann.hears_error() == f"{late.TYPE}: gameId id {late.game_id!r}: you are in no such game"

    def test_a_master_is_not_told(self, house: House) -> None:
        master, _ann, _ben = house.table("ann", "ben")
        master.says(over("g1", "ben", losers=("ann",)))
        for late in (turn("g1", "ann"), over("g1", "ann", losers=("ben",)), PlayerLeftGame("ann", "g1")):
            master.says(late)
            assert master.hears() == []
        assert len(house.results) == 1
        assert len(house.noted("ignored: game has ended already")) == 3

    def test_but_a_game_of_another_master_is_none_of_its_business(self) -> None:
        house = House(masters_per_game=2)
        _master, ann, _ben = house.table("ann", "ben")
        other = house.master("other")
        other.says(turn("g1", "ben"))
        assert other.hears_error() == "gameState: gameId id 'g1': you lead no such game"
        other.says(PlayerLeftGame("ben", "g1"))
        assert other.hears_error() == "playerLeftGame: gameId id 'g1': you lead no such game"
        assert ann.hears() == []

    @pytest.mark.no_cover
    def test_the_broker_remembers_a_limited_number_of_games(self, house: House) -> None:
        master, ann, ben = house.table("ann", "ben")
        for number in range(1, REMEMBERED_GAMES + 2):
            master.says(over(f"g{number}", "ben", losers=("ann",)))
            thank(f"g{number}", ann, ben)
        master.hears()
        master.says(turn("g2", "ann"))
        assert master.hears() == []
        master.says(turn("g1", "ann"))
        assert "you lead no such game" in master.hears_error()
