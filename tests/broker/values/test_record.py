"""What entries of a record say in numbers."""

import pytest

from ugs.broker.values.record import audience_of, read_reason, read_verdict_reason, reason_text, seats_of, verdict_text
from ugs.broker.verdict import Cause, Reason, Verdict


def test_an_audience_is_a_number_and_a_list_of_seats() -> None:
    assert seats_of(0b1101) == [0, 2, 3]
    assert audience_of([0, 2, 3]) == 0b1101
    for seats in ([1, 0], [1, 1]):
        with pytest.raises(ValueError, match="ascend"):
            audience_of(seats)


@pytest.mark.parametrize(
    ("code", "text"), [("illegal-move", "99,18: outside"), ("board-full", ""), ("error", "game g1: wrong")]
)
def test_a_reason_that_was_written_is_read(code: str, text: str) -> None:
    assert read_reason(reason_text(code, text)) == (code, text)


def test_any_other_text_is_a_reason_too() -> None:
    assert read_reason("") == ("", "")
    assert read_reason("words alone") == ("words alone", "")


@pytest.mark.parametrize(
    "verdict",
    [Verdict(Cause.FINISHED), Verdict(Cause.ILLEGAL_MOVE, "ann; bob: x"), Verdict(Cause.LEFT, by_server=True)],
)
def test_what_the_master_said_is_read_from_the_text_of_a_verdict(verdict: Verdict) -> None:
    text = verdict_text(verdict, Reason("row-completed", "row; completed"))
    assert read_verdict_reason(text, verdict) == ("row-completed", "row; completed")
    assert read_verdict_reason(verdict_text(verdict), verdict) is None
