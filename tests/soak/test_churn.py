"""What rounds of trouble prove on a machine that is too busy, and what is told of them."""

from types import SimpleNamespace
from typing import cast

import pytest

from ugs.broker.verdict import Cause, Verdict
from ugs.journal.row_reader import GameSummary
from ugs.soak.churn import LATE_EARLY_US, Churn
from ugs.soak.report import churn_text
from ugs.soak.summary import Summary, Violation

BEGAN, ENDED = 100_000_000, 120_000_000


@pytest.mark.parametrize(
    ("late", "is_busy"),
    [
        ([], False),
        ([BEGAN - LATE_EARLY_US - 1, ENDED + LATE_EARLY_US + 1], False),
        ([BEGAN - LATE_EARLY_US], True),
        ([1, BEGAN + 1], True),
        ([ENDED + LATE_EARLY_US], True),
    ],
)
def test_a_loss_is_judged_where_the_machine_had_time_for_it(late: list[int], is_busy: bool) -> None:
    game = GameSummary("g", "t", "m", (), Verdict(Cause.DISCONNECTED), 5, BEGAN, ENDED)
    churn = cast(Churn, SimpleNamespace(_late=late))
    assert Churn._was_busy(churn, game) is is_busy


def test_what_could_not_be_judged_is_counted() -> None:
    assert "not judged" not in churn_text(Summary(7))
    text = churn_text(Summary(7, unjudged=3))
    assert "3 losses not judged" in text
    assert text.endswith("all invariants held")
    assert churn_text(Summary(7, violations=[Violation("something")])).endswith("--seed 7")
