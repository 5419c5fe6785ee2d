"""How often players met, and when last."""

from ugs.broker.state.meetings import MAX_OPPONENTS, Meetings


def test_of_each_opponent_it_is_known_how_often_and_how_recently_it_was_met() -> None:
    meetings = Meetings()
    assert meetings.met("a") == {}
    meetings.add(["a", "b"], 1)
    meetings.add(["a", "c"], 2)
    assert meetings.met("a") == {"b": (1, 1), "c": (1, 2)}
    meetings.add(["a", "b"], 3)
    assert meetings.met("a") == {"c": (1, 1), "b": (2, 2)}
    assert (meetings.times("a", "b"), meetings.times("b", "a"), meetings.times("b", "c")) == (2, 2, 0)


def test_again_means_in_the_last_game_of_both() -> None:
    meetings = Meetings()
    meetings.add(["a", "b"], 1)
    assert meetings.again(["c", "a", "b"])
    meetings.add(["b", "c"], 2)
    assert not meetings.again(["a", "b"])
    meetings.forget("c")
    assert not meetings.again(["b", "c"])


def test_who_has_gone_is_forgotten_by_all() -> None:
    meetings = Meetings()
    meetings.add(["a", "b"], 1)
    meetings.is_free("a", 3)
    meetings.add(["b", "c"], 5)
    meetings.is_free("b", 9)
    meetings.forget("a")
    assert (meetings.times("b", "a"), meetings.took_s("a"), meetings.took_s("b")) == (0, None, 4)
    meetings.forget("a")


def test_only_the_latest_opponents_are_remembered() -> None:
    meetings = Meetings()
    for number in range(MAX_OPPONENTS + 1):
        meetings.add(["a", f"b{number}"], number)
    assert meetings.times("a", "b0") == 0
    assert meetings.times("a", "b1") == meetings.times("a", f"b{MAX_OPPONENTS}") == 1


def test_a_game_took_until_its_player_was_free_for_the_first_time_after_it() -> None:
    meetings = Meetings()
    meetings.is_free("a", 1)
    assert meetings.took_s("a") is None
    meetings.add(["a", "b"], 2)
    assert meetings.took_s("a") is None
    meetings.is_free("a", 12)
    meetings.is_free("a", 2000)
    assert meetings.took_s("a") == 10
    meetings.add(["a", "b"], 3000)
    assert meetings.took_s("a") is None
