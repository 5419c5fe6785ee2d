"""What has come of a match, and when it is enough."""

from collections.abc import Iterator
from random import Random

from ugs.broker.verdict import Cause, Outcome
from ugs.match.planner import PlannedGame
from ugs.match.score import MatchScore, ScoredGame
from ugs.match.sprt import Sprt

WON, LOST, DRAWN, VOID = Outcome.WON, Outcome.LOST, Outcome.DRAWN, Outcome.VOID
OTHER = {WON: LOST, LOST: WON, DRAWN: DRAWN, VOID: VOID}


def result(number: int, first: Outcome, **more: object) -> ScoredGame:
    """Game ``number`` of a match of a and b in pairs; ``first`` is the outcome of a."""
    bots = ("a", "b") if number % 2 else ("b", "a")
    planned = PlannedGame(number, bots, (number + 1) // 2)
    return ScoredGame(planned, f"g{number}", {"a": first, "b": OTHER[first]}, **more)  # type: ignore[arg-type]


def score(**more: object) -> MatchScore:
    return MatchScore(("a", "b"), "t", 2, **more)  # type: ignore[arg-type]


def test_pairs_are_counted_as_pairs() -> None:
    one = score()
    for number, outcome in enumerate([WON, WON, WON, LOST, DRAWN, LOST, DRAWN], 1):
        one.take(result(number, outcome))
    assert one.counts == (0, 1, 1, 0, 1), "the last pair is not complete"
    line = one.lines["a"]
    assert (line.won, line.drawn, line.lost, line.games, line.points) == (3, 2, 2, 7, 4.0)
    assert one.comparison is not None


def test_fixed_seats_are_counted_as_single_games() -> None:
    one = MatchScore(("a", "b"), "t", 1)
    for number, outcome in enumerate([WON, DRAWN, LOST, LOST], 1):
        one.take(result(number, outcome))
    assert one.counts == (2, 1, 1)


def test_a_result_waits_for_those_before_it() -> None:
    one = score()
    one.take(result(2, WON))
    assert one.counted == []
    one.take(result(1, WON))
    assert [each.planned.number for each in one.counted] == [1, 2]


def test_a_pair_with_a_void_game_says_nothing() -> None:
    one = score()
    one.take(result(1, WON))
    one.take(result(2, VOID, cause=Cause.MASTER_LOST))
    assert one.counts == (0, 0, 0, 0, 0)
    assert (one.comparison, one.lines["a"].games, one.counted[1].points) == (None, 1, {})


def test_faults_are_counted_by_bot() -> None:
    one = score()
    one.take(result(1, LOST, cause=Cause.TIMEOUT, culprit="a", faults={"a": "time-outs"}))
    assert one.lines["a"].faults == {"time-outs": 1}
    assert not one.lines["b"].faults


def games(seed: str) -> Iterator[ScoredGame]:
    chance = Random(seed)
    for number in range(1, 2000):
        yield result(number, chance.choices([WON, LOST, DRAWN], [0.5, 0.25, 0.25])[0])


def test_the_test_ends_a_match_at_the_same_game_in_whatever_order_results_come() -> None:
    straight, shuffled = score(sprt=Sprt(0, 30)), score(sprt=Sprt(0, 30))
    for each in games("one"):
        straight.take(each)
    behind = list(games("one"))
    chance = Random(2)
    while behind:
        shuffled.take(behind.pop(chance.randrange(min(8, len(behind)))))
    assert straight.stopped == "H1 accepted"
    assert len(straight.counted) < 400
    assert straight.ratio >= 2.944
    assert (shuffled.counted, shuffled.lines, shuffled.ratio) == (straight.counted, straight.lines, straight.ratio)


def three(number: int, chance: Random) -> ScoredGame:
    order = [("a", "b", "c"), ("b", "c", "a"), ("c", "a", "b")][number % 3]
    winner = chance.choices("abc", [0.6, 0.2, 0.2])[0]
    outcomes = {bot: WON if bot == winner else LOST for bot in order}
    return ScoredGame(PlannedGame(number, order, number), f"g{number}", outcomes)


def test_a_match_of_three_ends_when_the_best_is_better_than_the_second() -> None:
    one, chance = MatchScore(("a", "b", "c"), "t", 6, until_best=True), Random(1)
    for number in range(1, 1000):
        one.take(three(number, chance))
    assert one.stopped.startswith("a is better than ")
    assert 24 <= len(one.counted) < 500
    assert (one.counts, one.comparison) == (None, None)
    assert one.standings().players[0].nick == "a"
