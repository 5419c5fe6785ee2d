"""What the page is told by the server, in words for people."""

from tests.why.records import over
from ugs.page.server.play.person_state import GamePlayed, PersonPhase, PersonSeat
from ugs.page.server.play.server_messages import steps_of
from ugs.why.player_account import own_account
from ugs.wire.extensions import Account, GameTypeInfo, GameTypes, GameVerdict, Warn, WarningScope, WarningState

ACCOUNT = """game g1 (pig-dice)
  the master declined: I play no seats
  began 2026-11-29T08:00:00.123456Z; 0 moves; master m7
  first seat: tom
  last exchanges:
    #1 08:00:00 +0.000 s  tom -> server (its seat: left)"""


def test_what_is_left_of_a_time_is_in_tenths_of_a_second() -> None:
    seat = PersonSeat()
    steps_of(seat, Warn(WarningScope.CLOCK, WarningState.IDLE, 4.99956))
    assert seat.notes == ["your time runs out: 5 s left"]


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
