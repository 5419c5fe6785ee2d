"""With the rules of ``upstream`` the engine agrees with the package ``apologies``, play by play."""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import islice

import pytest

from game_masters.apologies.cards import HAND
from game_masters.apologies.plays import Profile, after, legal_plays
from game_masters.apologies.reward import best, reward
from tests.game_masters.apologies.oracle import Oracle
from tests.game_masters.apologies.positions import Decision, from_games, scattered
from tests.profile import sized

GAMES = {1: sized(quick=690, deep=4600), HAND: sized(quick=255, deep=1700)}
SCATTERED = {1: sized(quick=60, deep=300), HAND: sized(quick=20, deep=80)}
"""Positions for each number of seats, by the number of cards to choose from: 20 040 in total, 3 075 in a quick run."""


@pytest.fixture(scope="module")
def oracle() -> Oracle:
    return Oracle()


def positions(seats: int, cards: int) -> Iterator[Decision]:
    """Yield positions from games, then scattered ones, then scattered ones with several pawns in one place, which these
    rules allow."""
    rng = random.Random(f"{seats} seats, {cards} cards")
    yield from islice(from_games(rng, seats, cards, Profile.UPSTREAM), GAMES[cards])
    yield from islice(scattered(rng, seats, cards, apart=True), SCATTERED[cards] // 2)
    yield from islice(scattered(rng, seats, cards, apart=False), SCATTERED[cards] // 2)


def test_there_are_at_least_20_000_positions_or_3_000_in_a_quick_run() -> None:
    positions = sum(3 * number for counts in (GAMES, SCATTERED) for number in counts.values())
    assert positions >= sized(quick=3_000, deep=20_000)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("cards", [1, HAND], ids=["STANDARD", "ADULT"])
def test_plays_order_rewards_and_choice_are_those_of_the_package(oracle: Oracle, cards: int, seats: int) -> None:
    seen: Counter[int] = Counter()
    for decision in positions(seats, cards):
        verdict = oracle.verdict(*decision, drawn=cards == 1)
        plays = legal_plays(*decision, Profile.UPSTREAM)
        assert plays == verdict.plays, decision
        assert [reward(after(decision.pawns, play), decision.seat) for play in plays] == verdict.rewards, decision
        assert best(decision.pawns, decision.seat, plays) == verdict.best, decision
        seen[len(plays)] += 1
    assert sum(seen.values()) == GAMES[cards] + SCATTERED[cards]
    assert len(seen) > 20, "the positions are too much alike"
