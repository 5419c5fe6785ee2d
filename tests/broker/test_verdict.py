"""What follows from causes and outcomes."""

from ugs.broker.verdict import POINTS, Outcome, points_of


def test_every_outcome_has_its_worth() -> None:
    assert set(POINTS) == set(Outcome)


def test_points_are_the_worth_of_all_games() -> None:
    assert points_of(won=3, drawn=1, lost=5) == 3.5
