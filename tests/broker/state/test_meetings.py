"""Whom players met last."""

from ugs.broker.state.meetings import REMEMBERED, Meetings


def test_the_last_game_weighs_most_and_what_is_long_ago_nothing() -> None:
    meetings = Meetings()
    assert meetings.staleness("a", ["b"]) == 0
    meetings.add(["a", "b"])
    assert meetings.staleness("a", ["b", "x"]) == REMEMBERED
    meetings.add(["a", "c"])
    assert (meetings.staleness("a", ["b"]), meetings.staleness("a", ["c"])) == (REMEMBERED - 1, REMEMBERED)
    for number in range(REMEMBERED):
        meetings.add(["a", f"other{number}"])
    assert meetings.staleness("a", ["b"]) == 0


def test_again_means_in_the_last_game_of_both() -> None:
    meetings = Meetings()
    meetings.add(["a", "b"])
    assert meetings.again(["c", "a", "b"])
    meetings.add(["b", "c"])
    assert not meetings.again(["a", "b"])
    meetings.forget("c")
    assert not meetings.again(["b", "c"])
