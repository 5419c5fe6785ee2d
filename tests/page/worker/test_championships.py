"""The order in which a championship is shown."""

from ugs.championship.tables.scheduled_games import ScheduledGame
from ugs.page.worker.championships import _rounds


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
