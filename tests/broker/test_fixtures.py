"""The bookkeeping of a championship, where a story through the door would be long: withdrawals and walkovers."""

import pytest

from ugs.broker.championship import Championship
from ugs.broker.standings import Table
from ugs.broker.verdict import Cause, GameResult, Outcome, SeatResult, Verdict


def result(nicks: str, *, void: bool = False) -> GameResult:
    """The first of these has won, or the game is void."""
    outcomes = [Outcome.VOID] * len(nicks) if void else [Outcome.WON] + [Outcome.LOST] * (len(nicks) - 1)
    verdict = Verdict(Cause.MASTER_LOST, "m") if void else Verdict(Cause.FINISHED)
    seats = tuple(map(SeatResult, nicks, outcomes))
    return GameResult(nicks, "chess", "m", seats, verdict, 0, 0.0, 0.0, championship=True)


def begins(one: Championship, nicks: str, size: int = 2) -> None:
    """The fixture of these players is being played; the game is called like them."""
    fixture = one.next_fixture(nicks, size, size)
    assert fixture is not None
    one.playing(nicks, fixture)


def plays(one: Championship, nicks: str) -> None:
    """These have met and the first has won."""
    begins(one, nicks)
    one.count(result(nicks))


def rows(one: Championship) -> dict[str, tuple[int, int]]:
    """The table as nick -> (won, lost)."""
    return {row.nick: (row.won, row.lost) for row in one.table.rows()}


@pytest.fixture
def one() -> Championship:
    """A championship of a, b, c and d, who meet two by two."""
    one = Championship(void_replays=1)
    one.begin("abcd", Table())
    return one


def test_a_walkover_is_taken_back_when_its_winner_is_struck(one: Championship) -> None:
    plays(one, "ab")
    plays(one, "ac")
    assert one.withdraw("a") is False
    assert rows(one) == {"a": (2, 1), "d": (1, 0), "b": (0, 1), "c": (0, 1)}
    assert one.withdraw("d") is True
    assert rows(one) == {"a": (2, 0), "b": (0, 1), "c": (0, 1)}


def test_a_walkover_is_no_game_that_was_played() -> None:
    one = Championship(void_replays=1)
    one.begin("abc", Table())
    plays(one, "ab")
    assert one.withdraw("a") is False
    assert rows(one) == {"a": (1, 1), "c": (1, 0), "b": (0, 1)}
    assert one.withdraw("c") is True


def test_a_void_game_of_one_who_has_gone_is_lost_by_it_and_won_by_the_other(one: Championship) -> None:
    plays(one, "ab")
    plays(one, "ac")
    begins(one, "ad")
    one.withdraw("a")
    one.count(result("ad", void=True))
    assert rows(one) == {"a": (2, 1), "d": (1, 0), "b": (0, 1), "c": (0, 1)}


def test_a_void_game_of_one_who_is_struck_is_forgotten(one: Championship) -> None:
    begins(one, "ab")
    one.withdraw("a")
    one.count(result("ab", void=True))
    assert rows(one) == {"b": (0, 0), "c": (0, 0), "d": (0, 0)}
    assert one.given_up == []


def test_two_who_have_gone_both_lose_their_game(one: Championship) -> None:
    for pair in ("ab", "ac", "cd", "bd"):
        plays(one, pair)
    one.withdraw("a")
    one.withdraw("d")
    begun_with_both = rows(one)
    assert begun_with_both["a"] == (2, 1)
    assert begun_with_both["d"] == (1, 2), "won by walkover over a, lost to c and b"


def test_in_games_of_three_too() -> None:
    one = Championship(void_replays=1)
    one.begin("abc", Table())
    begins(one, "abc", size=3)
    one.count(result("abc", void=True))
    begins(one, "abc", size=3)
    assert one.withdraw("b") is True
    one.count(result("abc"))
    assert rows(one) == {"a": (0, 0), "c": (0, 0)}, "who has played nothing is struck, also from what still runs"


def test_in_games_of_three_only_who_has_gone_loses_what_is_left() -> None:
    one = Championship(void_replays=1)
    one.begin("abcd", Table())
    drawn = []
    while (fixture := one.next_fixture("abcd", 3, 3)) is not None:
        drawn.append("".join(fixture.nicks))
        one.playing(drawn[-1], fixture)
    assert drawn == ["abc", "adb", "cda"]
    one.count(result("abc"))
    one.count(result("adb"))
    assert one.withdraw("a") is False
    one.count(result("cda", void=True))
    assert rows(one) == {"a": (2, 1), "b": (0, 2), "c": (0, 1), "d": (0, 1)}


def test_a_game_of_another_time_does_not_count(one: Championship) -> None:
    one.count(result("ab"))
    assert set(rows(one).values()) == {(0, 0)}
