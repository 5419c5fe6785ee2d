"""What a match has shown, in words."""

from itertools import pairwise

import pytest

from ugs.broker.verdict import Outcome
from ugs.match.conclusion import conclusion
from ugs.match.planner import PlannedGame
from ugs.match.score import MatchScore, ScoredGame
from ugs.match.sprt import Sprt

WON, LOST, DRAWN = Outcome.WON, Outcome.LOST, Outcome.DRAWN
PAIRS = {0: (LOST, LOST), 1: (LOST, DRAWN), 2: (WON, LOST), 3: (WON, DRAWN), 4: (WON, WON)}
"""Outcomes of the first bot in pairs with so many half points."""
OTHER = {WON: LOST, LOST: WON, DRAWN: DRAWN}


def score(*counts: int, test: Sprt | None = None) -> MatchScore:
    """A match between two bots with so many pairs of each score; they come mixed."""
    found = MatchScore(("new", "old"), "x", 2, test)
    pairs = [half for half, count in enumerate(counts) for _ in range(count)]
    number = 0
    for group, half in enumerate(pairs[::2] + pairs[1::2], 1):
        for outcome in PAIRS[half]:
            number += 1
            outcomes = {"new": outcome, "old": OTHER[outcome]}
            found.take(ScoredGame(PlannedGame(number, ("new", "old"), group), f"g{number}", outcomes))
    return found


@pytest.mark.parametrize(
    ("counts", "says"),
    [
        ((2, 5, 30, 30, 20), "new is better than old (95 %)"),
        ((20, 30, 30, 5, 2), "new is worse than old (95 %)"),
        (
            (0, 0, 2, 0, 6),
            "new is probably better than old: fewer than 30 pairs are a rough measure, "
            "about 44 more games make it a good one",
        ),
        (
            (4, 0, 4, 0, 3),
            "new and old cannot be distinguished yet: about 560 more games would distinguish them with even odds, "
            "1200 with a chance of 80 %, at this difference",
        ),
        (
            (4, 1, 4, 1, 4),
            "new and old cannot be distinguished yet: more than 10000 more games would distinguish them, "
            "at this difference",
        ),
        (
            (0, 0, 0, 0, 2),
            "new and old cannot be distinguished yet: about 6 more games would do, if all end like these",
        ),
        ((6, 0, 0, 0, 0), "new is worse than old: all 6 pairs ended alike"),
        ((0, 0, 9, 0, 0), "new and old cannot be distinguished: all pairs were level"),
    ],
)
def test_of_two_bots_the_end_says_who_is_better_or_how_many_more_games_would_tell(
    counts: tuple[int, ...], says: str
) -> None:
    assert list(conclusion(score(*counts))) == [says]


@pytest.mark.parametrize(
    ("counts", "elo0", "elo1", "says"),
    [
        ((0, 0, 2, 3, 40), 0, 100, "new is better than old, as the test shows (+100 normalised Elo rather than +0)"),
        (
            (20, 20, 10, 2, 2), 0, 100,
            "new is not better than old, or by too little, as the test shows (+0 normalised Elo rather than +100)",
        ),
        ((20, 20, 10, 2, 2), -100, 0, "new is worse than old, as the test shows (-100 normalised Elo rather than +0)"),
        (
            (0, 0, 2, 3, 40), -100, 0,
            "new is not worse than old, or by too little, as the test shows (+0 normalised Elo rather than -100)",
        ),
    ],
)  # fmt: skip
def test_with_a_sequential_test_its_word_counts(counts: tuple[int, ...], elo0: float, elo1: float, says: str) -> None:
    assert list(conclusion(score(*counts, test=Sprt(elo0, elo1)))) == [says]


def test_a_test_that_goes_on_says_about_how_long() -> None:
    open_still = score(1, 1, 2, 1, 1, test=Sprt(0, 10))
    assert not open_still.stopped
    (said,) = conclusion(open_still)
    assert said.startswith(
        "whether new is better than old (+10 normalised Elo rather than +0) is not decided yet: about "
    )
    assert said.endswith(" more games would decide it, if they go on as before")


def test_without_games_nothing_is_said() -> None:
    assert list(conclusion(score())) == []


def test_in_games_of_four_two_are_compared_by_the_games_in_which_both_were() -> None:
    """Their ratings are too careful: 22 against 3 games of 120 could not be distinguished."""
    found = MatchScore(("a", "b", "c", "d"), "x", 1)
    winners = "c" * 60 + "d" * 35 + "b" * 22 + "a" * 3
    for number in range(1, 121):
        winner = winners[number * 7 % 120]
        outcomes = {bot: WON if bot == winner else LOST for bot in "abcd"}
        found.take(ScoredGame(PlannedGame(number, tuple("abcd"), number), f"g{number}", outcomes))
    assert found.together("a", "b") == (22, 95, 3)
    assert list(conclusion(found)) == [
        "c is better than d (95 %)",
        "d and b cannot be distinguished yet: about 32 more games would distinguish them with even odds, "
        "190 with a chance of 80 %, at this difference",
        "b is better than a (95 %)",
    ]


def test_of_many_bots_the_first_neighbours_are_spoken_of() -> None:
    bots = "abcdef"
    found = MatchScore(tuple(bots), "x", 2)
    number = 0
    for _ in range(8):
        for first, second in pairwise(bots):
            number += 1
            outcomes = {first: WON if number % 3 else LOST, second: LOST if number % 3 else WON}
            found.take(ScoredGame(PlannedGame(number, (first, second), number), f"g{number}", outcomes))
    said = list(conclusion(found))
    assert len(said) == 3
    assert all(" is better than " in text or "cannot be distinguished yet" in text for text in said)
