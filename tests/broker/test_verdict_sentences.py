"""Verdicts in words."""

from ugs.broker.verdict import Cause, GameResult, Outcome, SeatResult, Verdict
from ugs.broker.verdict_sentences import fault_of, in_short, sentence


def test_a_headline_says_who_won_and_why_if_the_master_said_it() -> None:
    seats = (SeatResult("pam", Outcome.WON, None), SeatResult("kim", Outcome.LOST, None))
    assert in_short(seats, "enough points", with_program=False) == "pam won: enough points"
    assert in_short(seats, "", with_program=True) == "pam won"


def test_what_all_players_have_lost_the_computer_has_won_if_it_played() -> None:
    lost, drew = (SeatResult("kim", Outcome.LOST, None),), (SeatResult("kim", Outcome.DRAWN, None),)
    assert in_short(lost, "row completed", with_program=True) == "the computer won: row completed"
    assert in_short(lost, "row completed", with_program=False) == "no player won: row completed"
    assert in_short(drew, "board full", with_program=True) == "kim drew: board full"


def test_headline_and_account_name_the_same_winner() -> None:
    lost = (SeatResult("kim", Outcome.LOST, None),)
    over = GameResult("g", "go", "m", lost, Verdict(Cause.FINISHED), 9, 0.0, 1.0)
    assert sentence(over, with_program=True) == "the computer won, as judged by the game master 'm'"
    assert sentence(over) == "no player won, as judged by the game master 'm'"


def test_what_an_organiser_has_voided_is_no_fault_of_the_server() -> None:
    assert fault_of(Verdict(Cause.VOIDED)) == "by order of the organiser: it counts for no player"
    assert fault_of(Verdict(Cause.MASTER_LOST, "m")) == "the fault of the game master m: it counts for no player"


def test_who_is_out_of_a_game_at_a_table_is_named_whatever_the_nick() -> None:
    """A nick with braces would be taken for a form."""
    seats = (SeatResult("{eve}", Outcome.VOID, Cause.TIMEOUT), SeatResult("{0}", Outcome.VOID, None))
    ended = {
        cause: GameResult("g", "go", "m", seats, Verdict(cause, who), 9, 0.0, 1.0)
        for cause, who in ((Cause.CANCELLED, "{eve}"), (Cause.NOT_VIABLE, None))
    }
    assert [sentence(one) for one in ended.values()] == [
        "{eve} is out (timeout); {eve} had set up its table, so it ended for all",
        "{eve} is out (timeout); too few seats were left at its table to go on",
    ]
