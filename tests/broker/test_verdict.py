"""What follows from causes and outcomes."""

from ugs.broker.verdict import POINTS, Outcome


def test_every_outcome_has_its_worth() -> None:
    assert set(POINTS) == set(Outcome)
