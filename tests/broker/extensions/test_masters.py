"""What game masters may say beyond v4: labels, options, seats they play themselves, games they cannot lead."""

from dataclasses import replace

import pytest

from tests.broker.house import House, Peer, move, over, thank, turn
from ugs.broker.effects import RecordEntry
from ugs.broker.state.connection import PeerState
from ugs.broker.values.record import EntryKind, labels_text
from ugs.broker.verdict import Cause, Outcome, Verdict
from ugs.wire.extensions import (
    Advertise,
    Because,
    Cancel,
    Failed,
    Family,
    GameEnded,
    GameVerdict,
    Join,
    Label,
    Labels,
    NewTable,
    OfferedOption,
    Offers,
    RefusalReason,
    SeatKind,
    Start,
    Stop,
    Visibility,
)
from ugs.wire.messages import (
    BeginGame,
    Choice,
    Error,
    GameMasterLogin,
    GameState,
    LeaveGame,
    PlayerLeftGame,
    PlayerResult,
    Result,
)

TABLE, LOBBY = Family.TABLE, Family.LOBBY
HUMAN, PROGRAM = SeatKind.HUMAN, SeatKind.PROGRAM
MODE = OfferedOption("mode", "ADULT", "STANDARD ADULT")
LENGTH = OfferedOption("length", "7", "", 1, 9)


def game(house: House, *nicks: str) -> tuple[Peer, ...]:
    """A game of these, led by a master with tables; nothing has been told yet."""
    players = house.players(*nicks)
    master = house.leader("m", TABLE, players=(len(nicks), len(nicks)))
    master.hears()
    return master, *players


def with_program(house: House) -> tuple[Peer, Peer]:
    """A game g1 at a table of ada, against a seat that the master plays. Returns the master and ada."""
    ada = house.guest("ada", LOBBY)
    master = house.leader("m", TABLE)
    ada.says(Advertise(NewTable("Friday", 2, Visibility.PUBLIC)))
    ada.says(Start())
    master.says(Labels("g1", (Label("ada", "RED", HUMAN), Label("Rover", "BLUE", PROGRAM))))
    for peer in (master, ada):
        peer.hears()
    return master, ada


def results(**words: Result) -> tuple[PlayerResult, ...]:
    """What a master says of each."""
    return tuple(PlayerResult(nick, word) for nick, word in words.items())


class TestOffers:
    """A master with the family ``table`` tells its options, and gets no game before."""

    def test_it_gets_no_game_before(self, house: House) -> None:
        house.players("ann", "ben")
        master = house.greets(TABLE)
        master.says(GameMasterLogin("m", "chess", "2", "2"))
        master.hears()
        assert house.broker.games == []
        master.says(Offers(()))
        assert master.hears() == [BeginGame("g1", ("ann", "ben"))]

    def test_the_defaults_hold_where_nobody_has_chosen(self, house: House) -> None:
        house.players("ann", "ben")
        master = house.leader("m", TABLE, options=(MODE, LENGTH))
        options = (Choice("mode", "ADULT"), Choice("length", "7"))
        assert master.hears() == [BeginGame("g1", ("ann", "ben"), options)]

    def test_it_may_say_something_else_later_for_the_games_after_that(self, house: House) -> None:
        master, ann, ben = game(house, "ann", "ben")
        master.says(Offers((MODE,)))
        assert house.game().setting.options == {}
        master.says(over("g1", "ann", losers=("ben",)))
        thank("g1", ann, ben)
        assert house.game("g2").setting.options == {"mode": "ADULT"}

    def test_the_same_option_twice_is_wrong(self, house: House) -> None:
        master = house.greets(TABLE)
        master.says(GameMasterLogin("m", "chess", "2", "2"))
        master.hears()
        master.says(Offers((MODE, LENGTH, MODE)))
        assert master.hears_error() == "x-offers: option name 'mode': there twice"
        house.players("ann", "ben")
        assert house.broker.games == []

    def test_a_master_without_tables_is_told_no_options(self, house: House) -> None:
        house.players("ann", "ben")
        assert house.leader("m", Family.VIEWS).hears() == [BeginGame("g1", ("ann", "ben"))]


class TestLabels:
    """The master labels the seats of a game."""

    LABELS = (Label("ann", "RED", HUMAN), Label("ben", "BLUE", HUMAN))

    def test_they_are_recorded_once(self, house: House) -> None:
        master, *_players = game(house, "ann", "ben")
        master.says(Labels("g1", self.LABELS))
        assert house.entries()[-1] == RecordEntry("g1", EntryKind.LABELS, text=labels_text(self.LABELS))
        assert house.game().shown.labels == self.LABELS
        entries = len(house.entries())
        master.says(Labels("g1", self.LABELS))
        assert len(house.entries()) == entries

    WRONG: tuple[tuple[Labels, str], ...] = (
        (Labels("g7", LABELS), "x-labels: gameId id 'g7': you lead no such game"),
        (Labels("g1", (*LABELS, LABELS[0])), "x-labels: seat nick 'ann': there twice"),
        (Labels("g1", (Label("eve", "", HUMAN),)), "x-labels: seat nick 'eve': not a player in game g1"),
        (Labels("g1", (Label("ann", "", PROGRAM),)), "x-labels: seat nick 'ann': a player in game g1, not a program"),
    )

    @pytest.mark.parametrize(("labels", "wrong"), WRONG, ids=["game", "twice", "stranger", "no program"])
    def test_wrong_ones_change_nothing(self, house: House, labels: Labels, wrong: str) -> None:
        master, *_players = game(house, "ann", "ben")
        master.says(labels)
        assert master.hears_error() == wrong
        assert house.game().shown.labels == ()

    def test_the_seat_of_a_leaver_may_become_a_programs(self, house: House) -> None:
        master, ann, _ben, _cat = game(house, "ann", "ben", "cat")
        ann.says(LeaveGame("g1"))
        master.hears()
        master.says(Labels("g1", (Label("ann", "RED", PROGRAM),)))
        assert master.hears() == []
        assert house.game().shown.programs == {"ann"}

    def test_those_that_cross_with_the_end_of_the_game_are_ignored(self, house: House) -> None:
        master, *_players = game(house, "ann", "ben")
        master.says(over("g1", "ann", losers=("ben",)))
        master.hears()
        master.says(Labels("g1", self.LABELS))
        assert master.hears() == []


class TestPrograms:
    """Seats that the master plays are in its results and count for no player."""

    def test_the_master_is_told_how_many_seats_there_are(self, house: House) -> None:
        ada = house.guest("ada", LOBBY)
        master = house.leader("m", TABLE)
        ada.says(Advertise(NewTable("Friday", 2, Visibility.PUBLIC)))
        ada.says(Start())
        assert master.hears() == [BeginGame("g1", ("ada",), (), 2)]

    @pytest.mark.parametrize(
        ("ada_has", "rover_has", "outcome", "cause"),
        [
            (Result.WINNER, Result.LOSER, Outcome.WON, Cause.FINISHED),
            (Result.LOSER, Result.WINNER, Outcome.LOST, Cause.FINISHED),
            (Result.LOSER, Result.LOSER, Outcome.DRAWN, Cause.DRAW),
        ],
        ids=["wins", "loses", "draws"],
    )
    def test_a_player_against_a_program(
        self, house: House, ada_has: Result, rover_has: Result, outcome: Outcome, cause: Cause
    ) -> None:
        master, ada = with_program(house)
        end = GameState("g1", None, results(Rover=rover_has, ada=ada_has))
        master.says(end)
        assert ada.hears()[-1] == end
        (result,) = house.results
        assert [(seat.nick, seat.outcome) for seat in result.seats] == [("ada", outcome)]
        assert result.verdict == Verdict(cause)
        assert house.rows() == {"ada": (0, 0, 0)}, "a game in which a single player sits counts for nobody"

    def test_the_record_names_the_players_only(self, house: House) -> None:
        master, _ada = with_program(house)
        master.says(GameState("g1", None, results(Rover=Result.WINNER, ada=Result.LOSER)))
        (entry,) = [one for one in house.entries() if one.kind is EntryKind.OVER]
        assert entry.text == "0:loser"

    def test_a_program_need_not_be_listed_and_strangers_must_not(self, house: House) -> None:
        master, _ada = with_program(house)
        master.says(GameState("g1", None, results(Fido=Result.WINNER, ada=Result.LOSER)))
        assert master.hears_error() == "gameState: gameOver player nick 'Fido': not a player in game g1"
        master.says(over("g1", "ada"))
        assert house.results[0].verdict == Verdict(Cause.FINISHED)

    def test_without_labels_nobody_is_a_program(self, house: House) -> None:
        master, _ann, _ben = game(house, "ann", "ben")
        master.says(over("g1", "Rover", losers=("ann", "ben")))
        assert "'Rover': not a player" in master.hears_error()

    def test_a_player_who_is_alone_with_programs_plays_on(self, house: House) -> None:
        ada, bob = house.guest("ada", LOBBY), house.guest("bob", LOBBY)
        master = house.leader("m", TABLE, players=(2, 3))
        ada.says(Advertise(NewTable("Friday", 3, Visibility.PUBLIC, 1)))
        bob.says(Join("g1"))
        master.says(turn("g1", "ada"))
        bob.says(LeaveGame("g1"))
        assert house.game().turn.movers == (ada.player,)
        assert house.clock() == 30


class TestDeclining:
    """A master cannot begin a game."""

    def test_at_a_table_that_is_nobodys_fault_and_the_game_is_cancelled(self, house: House) -> None:
        ada, bob = house.guest("ada", LOBBY), house.guest("bob", LOBBY)
        master = house.leader("m", TABLE)
        ada.says(Advertise(NewTable("Friday", 2, Visibility.PUBLIC)))
        bob.says(Join("g1"))
        bob.hears()
        master.says(Failed(RefusalReason.INVALID_GAME, "not these two", "g1"))
        end = GameState("g1", None, results(ada=Result.LOSER, bob=Result.LOSER))
        assert bob.hears()[-1] == end
        assert bob.state is PeerState.OWING
        (result,) = house.results
        assert result.verdict == Verdict(Cause.DECLINED, "m", by_server=True)
        assert [seat.outcome for seat in result.seats] == [Outcome.VOID] * 2
        assert house.rows() == {"ada": (0, 0, 0), "bob": (0, 0, 0)}
        assert master.master.silences == 0

    def test_its_words_reach_those_at_the_table_by_all_ways(self, house: House) -> None:
        ada, bob = house.guest("ada", LOBBY), house.guest("bob", Family.LOBBY, Family.REASON)
        master = house.leader("m", TABLE)
        ada.says(Advertise(NewTable("Friday", 2, Visibility.PUBLIC)))
        bob.says(Join("g1"))
        bob.hears()
        master.says(Failed(RefusalReason.INVALID_GAME, "ADULT needs\x1b[2J four seats", "g1"))
        heard = bob.hears()
        (ended,) = [one for one in heard if isinstance(one, GameEnded)]
        assert ended.comment == "the game master cannot lead this game: ADULT needs\\u{1b}[2J four seats"
        (verdict,) = [one for one in heard if isinstance(one, GameVerdict)]
        assert (verdict.code, verdict.words) == ("INVALID_GAME", "ADULT needs\\u{1b}[2J four seats")

    def test_what_it_said_with_x_reason_counts_before_its_refusal(self, house: House) -> None:
        ada, bob = house.guest("ada", LOBBY), house.guest("bob", LOBBY)
        master = house.leader("m", TABLE, Family.REASON)
        ada.says(Advertise(NewTable("Friday", 2, Visibility.PUBLIC)))
        bob.says(Join("g1"))
        master.says(Because("g1", "no-board", "the board is broken"))
        master.says(Failed(RefusalReason.INVALID_GAME, "no", "g1"))
        (ended,) = [one for one in bob.hears() if isinstance(one, GameEnded)]
        assert ended.comment == "the game master cannot lead this game: the board is broken"

    def test_in_open_play_it_is_a_silence_since_all_was_as_it_had_offered_itself(self, house: House) -> None:
        master, ann, ben = game(house, "ann", "ben")
        master.says(Failed(RefusalReason.INVALID_GAME, "not today", "g1"))
        assert ann.hears() == ben.hears() == [Error("game void: the game master did not begin it: not today")]
        assert house.results[0].verdict == Verdict(Cause.NO_BEGINNING, "m")
        assert house.noted("game declined")[0]["reason"] == "not today"
        for game_id in ("g2", "g3"):
            house.passes(1)
            master.says(Failed(RefusalReason.INVALID_GAME, "not today", game_id))
        assert master.hears()[-1] == Error("declined or did not answer 3 games in a row")
        assert master.is_closed()
        assert house.noted("master silent") == []

    def test_nor_one_of_another_master(self, house: House) -> None:
        master, *_players = game(house, "ann", "ben")
        master.says(Failed(RefusalReason.INVALID_GAME, "no", "g7"))
        assert master.hears_error() == "x-failed: gameId id 'g7': you lead no such game"

    def test_one_that_has_ended_meanwhile_is_ignored(self, house: House) -> None:
        master, *_players = game(house, "ann", "ben")
        house.passes(10)
        master.hears()
        master.says(Failed(RefusalReason.INVALID_GAME, "no", "g1"))
        assert master.hears() == []


GIVES_UP = Failed(RefusalReason.INVALID_REQUEST, "its program has failed", "g1")
GIVEN_UP = Error("game void: the game master has given it up: its program has failed")


class TestGivingUp:
    """A master cannot lead a game on that has begun: that costs it what silence costs, but no one has to wait."""

    @pytest.mark.parametrize("family", [TABLE, Family.RESTORE, Family.REASON])
    @pytest.mark.parametrize("moved", [False, True], ids=["a player is to move", "the master is to answer"])
    def test_the_game_is_void_at_once_by_the_fault_of_the_master(
        self, house: House, family: Family, moved: bool
    ) -> None:
        ann, ben = house.players("ann", "ben")
        master = house.leader("m", family)
        master.says(turn("g1", "ann"))
        if moved:
            ann.says(move("g1"))
        for peer in (ann, ben, master):
            peer.hears()
        master.says(GIVES_UP)
        assert ann.hears() == ben.hears() == [GIVEN_UP]
        (result,) = house.results
        assert result.verdict == Verdict(Cause.GIVEN_UP, "m")
        assert [seat.outcome for seat in result.seats] == [Outcome.VOID] * 2
        assert house.noted("game given up")[0]["reason"] == "its program has failed"
        assert house.entries()[-1].text.endswith("; given-up: its program has failed"), "no player has asked for that"
        house.passes(1)
        assert house.game("g2").present.keys() == {"ann", "ben"}, "they meet again"

    def test_it_voids_what_a_leaver_has_lost_as_silence_does(self, house: House) -> None:
        master, ann, *_others = game(house, "ann", "ben", "cat")
        master.says(turn("g1", "ann"))
        ann.says(LeaveGame("g1"))
        master.says(GIVES_UP)
        assert house.results[0].verdict == Verdict(Cause.GIVEN_UP, "m")
        assert house.results[0].seats[0].departure is Cause.LEFT
        assert [seat.outcome for seat in house.results[0].seats] == [Outcome.VOID] * 3

    def test_the_last_one_wins_as_after_silence(self, house: House) -> None:
        master, ann, ben = game(house, "ann", "ben")
        master.says(turn("g1", "ann"))
        ann.says(LeaveGame("g1"))
        ben.hears()
        master.says(GIVES_UP)
        assert ben.hears()[-1] == GameState("g1", None, results(ann=Result.LOSER, ben=Result.WINNER))
        assert [seat.outcome for seat in house.results[0].seats] == [Outcome.LOST, Outcome.WON]

    @pytest.mark.parametrize("moved", [False, True])
    def test_the_last_one_wins_beside_programs_too(self, house: House, moved: bool) -> None:
        ada, bob = house.guest("ada", LOBBY), house.guest("bob", LOBBY)
        master = house.leader("m", TABLE, players=(2, 3))
        ada.says(Advertise(NewTable("Friday", 3, Visibility.PUBLIC, 1)))
        bob.says(Join("g1"))
        master.says(turn("g1", "ada"))
        bob.says(LeaveGame("g1"))
        if moved:
            ada.says(move("g1"))
        master.says(GIVES_UP)
        (result,) = house.results
        assert [(seat.nick, seat.outcome) for seat in result.seats] == [("ada", Outcome.WON), ("bob", Outcome.LOST)]

    def test_three_times_in_a_row_close_it_although_each_game_had_a_first_state(self, house: House) -> None:
        master, ann, ben = game(house, "ann", "ben")
        for number in (1, 2, 3):
            assert not master.is_closed()
            master.says(turn(f"g{number}", "ann"))
            master.says(replace(GIVES_UP, game_id=f"g{number}"))
            house.passes(1)
        assert master.hears()[-1] == Error("gave 3 games up in a row")
        assert master.is_closed()
        assert [result.verdict.cause for result in house.results] == [Cause.GIVEN_UP] * 3
        assert ann.state is ben.state is PeerState.IDLE, "it got no fourth game"

    def test_a_result_in_between_makes_it_good(self, house: House) -> None:
        master, ann, ben = game(house, "ann", "ben")
        for number in (1, 2, 3, 4):
            game_id = f"g{number}"
            master.says(turn(game_id, "ann"))
            if number == 3:
                master.says(over(game_id, "ann", losers=("ben",)))
                thank(game_id, ann, ben)
            else:
                master.says(replace(GIVES_UP, game_id=game_id))
            house.passes(1)
        assert not master.is_closed()

    def test_what_it_said_with_x_reason_counts_before_that(self, house: House) -> None:
        ann, _ben = house.players("ann", "ben")
        master = house.leader("m", Family.REASON)
        master.says(turn("g1", "ann"))
        master.says(Because("g1", "no-board", "the board is broken"))
        master.says(GIVES_UP)
        assert Error("game void: the game master has given it up: the board is broken") in ann.hears()

    def test_one_of_v4_has_no_such_word(self, house: House) -> None:
        master, *_players = house.table("ann", "ben")
        master.says(GIVES_UP)
        assert "x-failed" in master.hears_error()
        assert house.results == []


class TestStopping:
    """A game that is cancelled from outside."""

    def test_a_master_with_tables_is_told_to_stop(self, house: House) -> None:
        master, ada = with_program(house)
        ada.says(Cancel())
        assert master.hears() == [Stop("g1", "CANCELLED")]
        assert GameState("g1", None, results(ada=Result.LOSER)) in ada.hears()
        master.says(turn("g1", "ada"))
        assert master.hears() == [], "it may have crossed"

    @pytest.mark.parametrize("quiet", [False, True])
    def test_one_of_v4_hears_that_all_have_left_if_it_can(self, quiet: bool) -> None:
        house = House(quiet_master=quiet)
        ada, bob = house.guest("ada", LOBBY), house.guest("bob", LOBBY)
        master = house.master()
        ada.says(Advertise(NewTable("Friday", 2, Visibility.PUBLIC)))
        bob.says(Join("g1"))
        master.hears()
        ada.says(Cancel())
        assert master.hears() == ([] if quiet else [PlayerLeftGame("ada", "g1"), PlayerLeftGame("bob", "g1")])

    def test_later_messages_about_it_are_not_recorded(self, house: House) -> None:
        _master, ada = with_program(house)
        ada.says(Cancel())
        ada.says(Error("why?"))
        assert house.entries()[-1].kind is EntryKind.VERDICT
        assert ada.state is PeerState.IDLE
