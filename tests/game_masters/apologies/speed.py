"""How fast legal plays are found and chosen from, with the package ``apologies`` as the yardstick.

``python -m tests.game_masters.apologies.speed`` measures both engines on the same positions in the same run, by
turns, in seconds of processor time, so that what else the machine does matters little. The package's views are made
beforehand and not counted; our ids are, as its moves have theirs. Positions come from games, and both engines play by
the rules of ``upstream``.
"""

import argparse
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from game_masters.apologies.cards import HAND
from game_masters.apologies.plays import Profile, legal_plays
from game_masters.apologies.reward import best
from game_masters.apologies.rules import fresh_ids
from tests.game_masters.apologies.oracle import Oracle
from tests.game_masters.apologies.positions import Decision, from_games

SECRET = bytes(40)
SLICE = 500
"""Positions that one engine handles before it is the other's turn."""


def measure(
    decisions: Sequence[Decision], ours: Callable[[int], object], theirs: Callable[[int], object]
) -> tuple[float, float]:
    """Return how many positions a second both engines handle; each is called with the number of every position."""
    spent = [0.0, 0.0]
    for first in range(0, len(decisions), SLICE):
        numbers = range(first, min(first + SLICE, len(decisions)))
        for engine, ask in enumerate((ours, theirs)):
            began = time.process_time()
            for number in numbers:
                ask(number)
            spent[engine] += time.process_time() - began
    return len(decisions) / spent[0], len(decisions) / spent[1]


def lines(positions: int, seed: int) -> Iterator[str]:
    """Return a line for each mode and task."""
    oracle = Oracle()
    yield f"{'':35} {'ours':>9} {'apologies':>12} {'ratio':>7}"
    for mode, cards in (("STANDARD", 1), ("ADULT", HAND)):
        decisions: list[Decision] = []
        for seats in (2, 3, 4):
            source = from_games(random.Random(f"{seed} {seats}"), seats, cards, Profile.UPSTREAM)
            decisions += islice(source, positions // 3)
        views = [oracle.view(pawns, seat, hand if cards == HAND else ()) for pawns, seat, hand in decisions]
        drawn = [hand[0] if cards == 1 else None for _, _, hand in decisions]

        def find(number: int, decisions: Sequence[Decision] = decisions) -> object:
            plays = legal_plays(*decisions[number], Profile.UPSTREAM)
            return plays, fresh_ids(SECRET, len(plays))

        def find_theirs(number: int, views: Sequence[object] = views, drawn: Sequence[int | None] = drawn) -> object:
            return oracle.moves(views[number], drawn[number])

        plays = [legal_plays(*decision, Profile.UPSTREAM) for decision in decisions]
        moves = [oracle.moves(view, card) for view, card in zip(views, drawn, strict=True)]

        def choose(number: int, decisions: Sequence[Decision] = decisions, plays: Sequence = plays) -> object:  # type: ignore[type-arg]
            return best(decisions[number].pawns, decisions[number].seat, plays[number])

        def choose_theirs(number: int, views: Sequence[object] = views, moves: Sequence = moves) -> object:  # type: ignore[type-arg]
            return oracle.rewards(views[number], moves[number])

        for task, ours, theirs in (("legal plays", find, find_theirs), ("best play", choose, choose_theirs)):
            fast, slow = measure(decisions, ours, theirs)
            yield f"{mode + ', ' + task:24} positions/s {fast:>9,.0f} {slow:>12,.0f} {fast / slow:>7.1f}"
    yield f"{positions // 3 * 3:,} positions in each mode, seed {seed}, Python {sys.version.split()[0]}"


def main(arguments: Sequence[str]) -> Iterator[str]:
    """Return the lines to print."""
    parser = argparse.ArgumentParser(prog="python -m tests.game_masters.apologies.speed", description=__doc__)
    parser.add_argument("--positions", type=int, default=3000, help="in each mode")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(arguments)
    return lines(max(3, chosen.positions), chosen.seed)


if __name__ == "__main__":
    for line in main(sys.argv[1:]):
        print(line)
