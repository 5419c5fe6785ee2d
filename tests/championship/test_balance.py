"""What is said about the fairness of fixtures."""

from ugs.championship.balance import Balance, balance
from ugs.championship.formats.format_contract import Fixture


def test_it_counts_games_meetings_and_seats() -> None:
    fixtures = [Fixture(1, ("a", "b")), Fixture(2, ("a", "c")), Fixture(3, ("a", "b"))]
    assert balance(fixtures, "abcd", 2) == Balance(
        games=3, games_least=0, games_most=3, meetings_least=0, meetings_most=2, never_met=4, seats_apart=3
    )


def test_where_all_have_met_the_least_meeting_counts() -> None:
    fixtures = [Fixture(1, ("a", "b", "c")), Fixture(2, ("b", "c", "a"))]
    assert balance(fixtures, "abc", 3) == Balance(
        games=2, games_least=2, games_most=2, meetings_least=2, meetings_most=2, never_met=0, seats_apart=1
    )


def test_no_fixtures_are_in_balance() -> None:
    assert balance([], "ab", 2) == Balance(0, 0, 0, 0, 0, 1, 0)
