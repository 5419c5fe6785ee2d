"""Plays bots against each other and counts.

python -m game_masters.catan.match settler random-legal random-legal random-legal --games 500
python -m game_masters.catan.match settler settler settler settler --games 60 --option SC=SC_FOG
"""

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from game_masters.catan import FOUR, SIX
from game_masters.catan.rules import Position
from game_masters.kit.rules import AnyGame, Table


class Result(NamedTuple):
    """What came of a match."""

    wins: Counter[int]
    """By the number of the bot in the list."""
    moves: int
    turns: int
    seconds: float


def play(game: AnyGame, bots: Sequence[str], seed: str, options: Mapping[str, str]) -> Position:
    """Return a game of bots at its end."""
    names = tuple(f"{bot}-{seat}" for seat, bot in enumerate(bots))
    state = Position(Table("match", names, game.choose_options(dict(options))), random.Random(seed))
    rngs = [random.Random(f"{seed} {seat}") for seat in range(len(bots))]
    choosers = [game.bot(bot).choose for bot in bots]
    while state.outcome is None:
        seat = state.movers[0]
        state.apply(seat, choosers[seat](state.view(seat, len(state.record)), rngs[seat]))
    return state


def match(game: AnyGame, bots: Sequence[str], games: int, options: Mapping[str, str]) -> Result:
    """Play games in which the bots change seats in turn."""
    wins: Counter[int] = Counter()
    moves = turns = 0
    began = time.perf_counter()
    for number in range(games):
        shift = number % len(bots)
        state = play(game, [*bots[shift:], *bots[:shift]], f"match {number}", options)
        outcome = state.outcome
        assert outcome is not None
        for seat in outcome.winners:
            wins[(seat + shift) % len(bots)] += 1
        moves += sum(entry.audience.from_client for entry in state.play.record if hasattr(entry, "audience"))
        turns += state.play.turns
    return Result(wins, moves, turns, time.perf_counter() - began)


def main(arguments: Sequence[str]) -> str:
    """Return what ``python -m game_masters.catan.match`` prints."""
    parser = argparse.ArgumentParser(prog="python -m game_masters.catan.match", description="Play bots against bots.")
    parser.add_argument("bots", nargs="+")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--option", action="append", default=[], metavar="K=V")
    chosen = parser.parse_args(arguments)
    options = dict(pair.split("=", 1) for pair in chosen.option)
    result = match(SIX if len(chosen.bots) > 4 else FOUR, chosen.bots, chosen.games, options)
    lines = []
    for number, bot in enumerate(chosen.bots):
        share = result.wins[number] / chosen.games
        error = (share * (1 - share) / chosen.games) ** 0.5
        lines.append(f"{number + 1} {bot}: {share:.1%} ± {error:.1%}")
    lines.append(
        f"{chosen.games} games, {result.turns / chosen.games:.0f} turns and {result.moves / chosen.games:.0f} requests "
        f"each, {60 * chosen.games / result.seconds:.0f} games a minute"
    )
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.stdout.write(main(sys.argv[1:]))
