"""The order in which a championship is shown."""

from ugs.championship.tables.scheduled_games import ScheduledGame
from ugs.page.worker.championships import _rounds, _rounds_in_all


def fixture(number: int, round_: int, state: str) -> ScheduledGame:
    return ScheduledGame(number, round_, "", ["ann", "bob"], state, "", {})


def test_what_is_played_comes_first_then_what_is_to_come_and_the_last_results() -> None:
    states = [(1, "played"), (2, "void"), (3, "played"), (3, "to come"), (4, "running"), (5, "to come"), (6, "to come")]
    found = _rounds([fixture(number, *one) for number, one in enumerate(states)])
    assert [(one.number, one.state) for one in found] == [
        (3, "running"),
        (4, "running"),
        (5, "to come"),
        (6, "to come"),
        (2, "over"),
        (1, "over"),
    ]


def test_only_rounds_of_a_swiss_are_counted_by_its_plan() -> None:
    """Those of a league are seasons, and its round 14 is not one of 2."""
    assert _rounds_in_all({"format": "swiss", "rounds": 5}) == 5
    assert _rounds_in_all({"format": "swiss", "rounds": 0}) is None
    assert [_rounds_in_all({"format": one, "rounds": 2}) for one in ("league", "ladder")] == [None, None]
