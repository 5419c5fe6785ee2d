"""What follows from causes and outcomes."""

from ugs.broker.verdict import POINTS, Cause, GameResult, Outcome, SeatResult, Verdict, in_short


def test_every_outcome_has_its_worth() -> None:
    assert set(POINTS) == set(Outcome)


def test_a_headline_says_who_won_and_why_if_the_master_said_it() -> None:
    seats = (SeatResult("pam", Outcome.WON, None), SeatResult("kim", Outcome.LOST, None))
    result = GameResult("g1", "go", "referee", seats, Verdict(Cause.FINISHED), 9, 0.0, 60.0)
    assert in_short(result, "enough points") == "pam won: enough points"
    assert in_short(result, "") == "pam won"
