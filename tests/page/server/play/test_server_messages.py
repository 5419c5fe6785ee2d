"""What the page is told by the server, in words for people."""

from dataclasses import replace

import pytest

from tests.why.records import over
from ugs.page.seen_positions import MovablePosition
from ugs.page.server.play.page_requests import asked
from ugs.page.server.play.person_state import CROSS, QUIET, SAME, DrawPosition, GamePlayed, PersonPhase, PersonSeat
from ugs.page.server.play.server_messages import steps_of
from ugs.pictures.contract import Offer
from ugs.why.player_account import own_account
from ugs.wire.extensions import (
    Account,
    Advertise,
    Advertised,
    Because,
    Cancel,
    Clock,
    ClockInfo,
    Failed,
    GameTypeInfo,
    GameTypes,
    GameVerdict,
    Invitation,
    ListGameTypes,
    ListTables,
    Ok,
    RefusalReason,
    Resend,
    SeatInfo,
    SeatKind,
    Seats,
    SeatState,
    SeatVerdict,
    Session,
    TableInfo,
    Tables,
    Visibility,
    Warn,
    WarningScope,
    WarningState,
)
from ugs.wire.messages import Error, GameState, Move, PlayerResult, Result

SEATS = tuple(SeatInfo(nick, SeatKind.HUMAN, SeatState.PLAYING) for nick in ("tom", "bob"))
ACCOUNT = """game g1 (pig-dice)
  the master declined: I play no seats
  began 2026-11-29T08:00:00.123456Z; 0 moves; master m7
  first seat: tom
  last exchanges:
    #1 08:00:00 +0.000 s  tom -> server (its seat: left)"""


def playing() -> PersonSeat:
    """Somebody in a game."""
    return PersonSeat(phase=PersonPhase.PLAYING, nick="tom", game_type="pig-dice", game=GamePlayed("g1", seats=SEATS))


def test_what_is_left_of_a_time_is_in_tenths_of_a_second() -> None:
    seat = PersonSeat()
    steps_of(seat, Warn(WarningScope.CLOCK, WarningState.IDLE, 4.99956))
    assert seat.view()["warned"] == "your time runs out: 5 s left"
    assert list(seat.notes) == [], "a line more would move the board just then"
    steps_of(seat, Warn(WarningScope.PLAYER, WarningState.IDLE, 4.99956))
    assert seat.notes == ["you have been silent for long: 5 s left"]


def test_a_warning_is_gone_with_the_next_position_and_with_the_end() -> None:
    seat = playing()
    steps_of(seat, Warn(WarningScope.CLOCK, WarningState.IDLE, 5.0))
    steps_of(seat, GameState("g1", "tom", None, b"<gameState/>"))
    assert seat.warned == ""
    steps_of(seat, Warn(WarningScope.CLOCK, WarningState.IDLE, 5.0))
    steps_of(seat, GameVerdict("g1", "finished", "none", "", ()))
    assert seat.warned == ""


@pytest.mark.parametrize(("turn", "mine"), [(None, True), (True, True), (False, False)])
def test_a_position_after_coming_back_is_to_be_answered_unless_it_was(turn: bool | None, mine: bool) -> None:
    """Without a turn there was no game: the first move of the next one could not be made, and was lost on time."""
    seat = playing()
    steps_of(seat, Session("t", "tom", True, 60, turn))
    steps_of(seat, GameState("g1", "tom", None, b"<gameState/>"))
    assert seat.game is not None
    assert (seat.game.next == "tom") is mine


def shown(seat: PersonSeat, payload: bytes = b"<gameState/>") -> bool:
    """Show it a position; whether it is to move there."""
    steps_of(seat, GameState("g1", "tom", None, payload))
    assert seat.game is not None
    return seat.game.next == "tom"


def moves(seat: PersonSeat) -> None:
    """Make the only move."""
    offers = (Offer("pass", b"<move/>"),)
    seat.drawn(MovablePosition("<svg/>", "", [], offers, 0))
    assert seat.game is not None
    assert asked(seat, {"do": "move", "number": seat.game.number, "offer": 0}) == [Move("g1", b"<move/>")]
    assert seat.game.next == ""


def test_a_move_that_a_master_refuses_by_its_state_alone_can_be_made_again() -> None:
    """The page took that for the state which it had answered: nothing could be clicked until the time was up."""
    seat = playing()
    assert shown(seat)
    moves(seat)
    assert shown(seat)
    assert seat.notes == ["you are asked again in the same position: your last move may not have been taken"]
    moves(seat)
    assert shown(seat, b"<gameState>2</gameState>")
    assert len(seat.notes) == 1


def test_a_state_that_was_requested_is_not_to_be_answered_once_more() -> None:
    seat = playing()
    assert shown(seat)
    moves(seat)
    steps_of(seat, Error("you send too much"))
    assert not shown(seat)
    assert shown(seat), "it was requested once"


def test_a_move_that_a_master_refuses_with_a_reason_can_be_made_again() -> None:
    seat = playing()
    assert shown(seat)
    moves(seat)
    steps_of(seat, Because("g1", "TAKEN", "column 3 is full", "tom"))
    assert shown(seat)
    assert seat.notes == ["column 3 is full"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("no move within 30 s: game g1 is lost", "no move within 30 s"),
        ("your move is refused: not on the board; game g1 is lost", "your move is refused: not on the board"),
        (
            "your move is refused: not on the board; game g1 is lost; that is the 3rd game in a row lost by your fault",
            "your move is refused: not on the board; that is the 3rd game in a row lost by your fault",
        ),
    ],
)
def test_who_has_lost_by_a_fault_sees_that_it_has_lost_and_why(text: str, told: str) -> None:
    seat = playing()
    assert steps_of(seat, Error(text)) == [Resend("g1", "still")]
    steps_of(seat, Failed(RefusalReason.NOT_PLAYING, "", ref="still"))
    game = seat.view()["game"]
    assert (game["over"], game["verdict"]) == (True, {"outcome": "lost", "told": told})
    assert list(seat.notes) == []


def test_who_was_too_slow_at_a_table_sees_that_the_game_does_not_count() -> None:
    """It read on its page that it had lost, its opponent that the game does not count."""
    seat = playing()
    steps_of(seat, Error("no move within 30 s: game g1 is void"))
    steps_of(seat, Failed(RefusalReason.NOT_PLAYING, "", ref="still"))
    assert seat.view()["game"]["verdict"] == {"outcome": "void", "told": "no move within 30 s"}


def test_a_rest_after_a_game_that_is_over_is_a_note_without_the_id() -> None:
    seat = playing()
    steps_of(seat, Error("game g1 is lost; that is the 3rd game in a row lost by your own fault"))
    assert seat.notes == ["that is the 3rd game in a row lost by your own fault"]


def test_other_errors_are_notes() -> None:
    seat = playing()
    steps_of(seat, Error("game g2 is lost"))
    steps_of(seat, Failed(RefusalReason.NOT_PLAYING, "", ref="still"))
    assert seat.notes == ["game g2 is lost"]
    assert seat.view()["game"]["verdict"] == {}


def test_who_has_given_up_sees_that_until_a_verdict_comes() -> None:
    seat = playing()
    assert steps_of(seat, Ok(ref="leave")) == []
    assert seat.view()["game"]["verdict"] == {"outcome": "given up"}
    steps_of(seat, GameVerdict("g1", "cancelled", "none", "tom has cancelled it", ()))
    assert seat.view()["game"]["verdict"]["told"] == "tom has cancelled it"


def test_who_has_set_up_the_table_cancels_its_game_and_asks_whether_that_has_ended() -> None:
    seat = playing()
    refused = Failed(RefusalReason.ADVERTISER_MAY_NOT_QUIT, "", ref="leave")
    assert steps_of(seat, refused) == [Cancel("cancel")]
    assert steps_of(seat, Ok(ref="cancel")) == [Resend("g1", "still")]
    steps_of(seat, Failed(RefusalReason.NOT_PLAYING, "", ref="still"))
    assert seat.view()["game"]["verdict"] == {"outcome": "given up"}


def test_who_has_ended_its_own_table_is_not_told_who_has() -> None:
    seat = playing()
    ended = "tom, who had set up its table, ended it"
    steps_of(seat, GameVerdict("g1", "cancelled", "none", ended, (), culprit="tom"))
    assert seat.view()["game"]["verdict"] == {"outcome": "", "told": "", "cause": "cancelled"}


def test_that_a_player_has_left_is_told_once_and_without_the_name_of_a_message() -> None:
    seat = playing()
    steps_of(
        seat, GameVerdict("g1", "left", "player", "bob left the game (leaveGame); tom won", (), words="player left")
    )
    assert seat.view()["game"]["verdict"]["told"] == "bob left the game; tom won"


def test_each_clock_of_the_server_has_a_number() -> None:
    """A warning brings what is left; who comes or says something leaves the clock as it is."""
    seat = PersonSeat(phase=PersonPhase.PLAYING, nick="ann", game=GamePlayed("g1"))
    told: list[tuple[str, float | None]] = []
    for message in (
        Clock("g1", (ClockInfo("ann", move_left_s=30.0),)),
        Error("it is not your turn"),
        Clock("g1", (ClockInfo("ann", move_left_s=30.0),)),
        Warn(WarningScope.CLOCK, WarningState.LOW, 5.0, "g1"),
        Warn(WarningScope.PLAYER, WarningState.IDLE, 900.0),
    ):
        steps_of(seat, message)
        assert seat.game is not None
        told.append((seat.game.clock["number"], seat.game.clock["move_left_s"]))
    assert told == [("g1/1", 30.0), ("g1/1", 30.0), ("g1/2", 30.0), ("g1/3", 5.0), ("g1/3", 5.0)]


def test_beside_the_end_of_a_game_stands_why_it_ended_and_nothing_else() -> None:
    seat = PersonSeat(phase=PersonPhase.OVER, nick="tom", game=GamePlayed("g1", over=True))
    steps_of(seat, Account("tom owes a thank you for game g1, which is over"))
    assert seat.account == ""
    steps_of(seat, Account(ACCOUNT, "g1"))
    assert seat.account == "the master declined: I play no seats\ntom"


def test_the_seats_of_an_account_as_the_journal_writes_it_are_found() -> None:
    seat = PersonSeat(phase=PersonPhase.OVER, nick="ann", game=GamePlayed("g1", over=True))
    steps_of(seat, Account(own_account(over(), "ann", 3, 0), "g1"))
    assert seat.account.split("\n")[-2:] == ["ann won", "bob lost (timeout)"]


def test_without_a_journal_the_account_is_sentences_and_kept() -> None:
    seat = PersonSeat(phase=PersonPhase.OVER, nick="tom", game=GamePlayed("g1", over=True))
    steps_of(seat, Account("rob won\nno one was at fault", "g1"))
    assert seat.account == "rob won\nno one was at fault"


def test_who_waits_is_told_what_for() -> None:
    seat = PersonSeat(phase=PersonPhase.WAITING, nick="tom")
    steps_of(seat, Account("nothing stands in the way of its next game"))
    assert seat.account == "nothing stands in the way of its next game"


def test_after_a_master_has_declined_no_seat_is_proposed_for_the_computer() -> None:
    seat = PersonSeat(phase=PersonPhase.PLAYING, nick="tom", game_type="pig-dice", game=GamePlayed("g1"))
    offers = GameTypes((GameTypeInfo("pig-dice", 2, 4, master=True, programs=True),))
    steps_of(seat, offers)
    assert seat.here["offered"]["proposed"] == 1
    steps_of(seat, GameVerdict("g1", "declined", "none", "m7 has declined the game", ()))
    steps_of(seat, offers)
    assert (seat.here["offered"]["proposed"], seat.here["offered"]["computers"]) == (0, True)


@pytest.mark.parametrize(("outcome", "all_lost"), [("lost", True), ("drawn", False)])
@pytest.mark.parametrize("programs", [0, 2])
def test_a_loss_of_all_players_is_no_draw_once_the_verdict_has_come(
    programs: int, outcome: str, all_lost: bool
) -> None:
    """Of a seat that was left, or of several seats, the master does not say which has won."""
    seats = [SeatInfo(nick, SeatKind.HUMAN, SeatState.PLAYING) for nick in ("ann", "bob", "cyd")]
    seats += [SeatInfo(f"rob {number}", SeatKind.PROGRAM, SeatState.PLAYING) for number in range(programs)]
    seat = PersonSeat(phase=PersonPhase.PLAYING, nick="ann", game_type="catan", game=GamePlayed("g1", seats=seats))
    lost = (PlayerResult("ann", Result.LOSER), PlayerResult("bob", Result.LOSER))
    first = steps_of(seat, GameState("g1", None, lost, b'<gameState round="9"/>'))
    verdict = GameVerdict("g1", "finished", "none", "", (SeatVerdict("ann", outcome), SeatVerdict("bob", outcome)))
    drawn = [step for step in [*first, *steps_of(seat, verdict)] if isinstance(step, DrawPosition)]
    assert (drawn[-1].shown.winners, drawn[-1].shown.all_lost) == (frozenset(), all_lost)


def offered(*, programs: bool, least: int = 2) -> GameTypes:
    return GameTypes((GameTypeInfo("pig-dice", least, 4, True, programs),))


@pytest.mark.parametrize(
    ("types", "needed"),
    [
        (offered(programs=False), 1),
        (offered(programs=False, least=3), 2),
        (offered(programs=True), 0),
        (GameTypes((GameTypeInfo("pig-dice", 0, 0, False, False),)), 0),
        (GameTypes(()), 0),
    ],
)
def test_a_game_is_to_be_begun_only_where_enough_players_are_there(types: GameTypes, needed: int) -> None:
    seat = PersonSeat(phase=PersonPhase.LOBBY, nick="tom", game_type="pig-dice")
    table = TableInfo("g1", "table of tom", "pig-dice", "tom", 4, 3, 0, Visibility.PRIVATE)
    assert ListGameTypes(QUIET) in steps_of(seat, Advertised(table))
    steps_of(seat, types)
    assert seat.view()["table"]["needed"] == needed
    names = ("tom", "bob", "eve")
    waiting = tuple(SeatInfo(nick, SeatKind.HUMAN, SeatState.JOINED) for nick in names)
    assert ListGameTypes(QUIET) in steps_of(seat, Seats("g1", "", waiting))
    assert seat.view()["table"]["needed"] == 0


def test_a_refusal_has_no_name_of_a_request() -> None:
    seat = PersonSeat(phase=PersonPhase.TABLE)
    steps_of(seat, Failed(RefusalReason.NO_MASTER, "x-start: 1 more player is needed: no game master plays"))
    steps_of(seat, Failed(RefusalReason.NO_MASTER, "the server: begins no game now"))
    assert seat.notes == ["1 more player is needed: no game master plays", "the server: begins no game now"]


def test_only_opponents_of_the_last_game_can_write_that_they_invite() -> None:
    seat = PersonSeat(phase=PersonPhase.OVER, nick="tom", game=GamePlayed("g1", seats=SEATS, over=True))
    table = TableInfo("g2", "a table", "pig-dice", "eve", 2, 1, 0, Visibility.PRIVATE, (), ("tom",))
    assert steps_of(seat, Invitation(table)) == []
    assert list(seat.notes) == []
    steps_of(seat, Invitation(replace(table, owner="bob")))
    assert seat.notes == ["bob has set up the same game again, and you are invited"]
    seat.phase = PersonPhase.PLAYING
    assert steps_of(seat, Invitation(replace(table, owner="bob"))) == []


def test_an_opponent_who_invites_without_end_costs_a_person_no_requests_and_one_line() -> None:
    """A list was asked for at each: soon the server had no more for its page, whatever the person wanted."""
    seat = PersonSeat(phase=PersonPhase.OVER, nick="tom", game=GamePlayed("g1", seats=SEATS, over=True))
    for number in range(100):
        table = TableInfo(f"t{number}", "a table", "pig-dice", "bob", 2, 1, 0, Visibility.PRIVATE, (), ("tom",))
        assert steps_of(seat, Invitation(table)) == []
    assert seat.notes == ["bob has set up the same game again, and you are invited"]
    assert [one["id"] for one in seat.here["tables"]] == ["t99"]


def test_who_is_refused_its_table_goes_to_that_of_an_opponent_only_when_it_likes() -> None:
    seat = PersonSeat(phase=PersonPhase.OVER, nick="tom", game=GamePlayed("g1", seats=SEATS, over=True))
    setting = {"do": "host", "seats": 2, "computers": 0, "options": {}}
    asked(seat, {"do": "same", "setting": setting})
    assert [type(step) for step in steps_of(seat, Tables((), SAME))] == [Advertise]
    steps_of(
        seat, Failed(RefusalReason.GAME_LIMIT, "x-advertise: as many tables are set up as there may be", ref="host")
    )
    table = TableInfo("g2", "a table", "pig-dice", "bob", 2, 1, 0, Visibility.PRIVATE, (), ("tom",))
    assert steps_of(seat, Invitation(table)) == []
    assert seat.notes[-1] == "bob has set up the same game again, and you are invited"


def test_it_goes_over_to_the_table_of_an_opponent_once_for_each() -> None:
    """Who set up its table and cancelled it, again and again, had the others invited as often."""
    seat = PersonSeat(phase=PersonPhase.OVER, nick="tom", game=GamePlayed("g1", seats=SEATS, over=True))
    asked(seat, {"do": "same", "setting": {"do": "host", "seats": 2, "computers": 0, "options": {}}})
    steps_of(seat, Tables((), SAME))
    invited = Invitation(TableInfo("g2", "a table", "pig-dice", "bob", 2, 1, 0, Visibility.PRIVATE, (), ("tom",)))
    assert steps_of(seat, invited) == [Cancel(CROSS), ListTables(SAME)]
    steps_of(seat, Ok(CROSS))
    assert [type(step) for step in steps_of(seat, Tables((), SAME))] == [Advertise]
    assert steps_of(seat, invited) == []


def test_a_full_table_that_was_forgotten_is_known_by_who_sits_there() -> None:
    """It is in no list of tables, and neither how many seats the computer has nor its options are known."""
    seat = PersonSeat(phase=PersonPhase.LOBBY, nick="tom", game_type="pig-dice")
    sitting = tuple(SeatInfo(nick, SeatKind.HUMAN, SeatState.JOINED) for nick in ("bob", "tom"))
    assert ListTables(QUIET) in steps_of(seat, Seats("t1", "", sitting))
    steps_of(seat, Tables(()))
    table = seat.view()["table"]
    assert (seat.phase, table["name"], table["owner"]) == (PersonPhase.TABLE, "table of bob", "bob")
    assert (table["seats"], table["nicks"]) == (2, ["bob", "tom"])
    steps_of(seat, Seats("t1", "", SEATS))
    assert seat.view()["game"]["setting"] == {}


def test_of_a_large_table_that_was_forgotten_the_owner_is_not_known() -> None:
    seat = PersonSeat(phase=PersonPhase.LOBBY, nick="tom", game_type="pig-dice")
    steps_of(seat, Seats("t1", "", (SeatInfo("bob", SeatKind.HUMAN, SeatState.JOINED),), 99))
    assert (seat.table["name"], seat.table["owner"]) == ("your table", "")


def test_the_seats_of_its_own_game_are_no_table() -> None:
    """In a large game only the seat is named that has changed."""
    seat = playing()
    seat.over()
    steps_of(seat, Seats("g1", "", (SeatInfo("bob", SeatKind.HUMAN, SeatState.DISCONNECTED),), 99))
    assert seat.phase is PersonPhase.OVER
