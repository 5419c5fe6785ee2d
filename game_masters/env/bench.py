"""How many steps a second an environment makes: ``python -m game_masters.env.bench tic-tac-toe --steps 100000``.

A step is an observation with its mask, a random legal action and the move that follows from it, in games from their
beginning to their end. Times are processor time.
"""

import argparse
import random
import sys
import time
from collections.abc import Sequence

from game_masters.env.aec import GameEnv, game_env


def measure(env: GameEnv, steps: int, seed: int = 1) -> tuple[int, float]:
    """Play at random for a number of steps. Returns the number of games that ended, and seconds of processor time."""
    rng = random.Random(seed)
    env.reset(seed=seed)
    games, made = 0, 0
    began = time.process_time()
    while made < steps:
        seen, _, ended, cut, _ = env.last()
        if ended or cut:
            games += 1
            env.reset()
            continue
        legal = seen["action_mask"].nonzero()[0]
        env.step(legal[rng.randrange(len(legal))])
        made += 1
    return games, time.process_time() - began


def main(arguments: Sequence[str]) -> str:
    """Return what the command prints."""
    parser = argparse.ArgumentParser(prog="python -m game_masters.env.bench", description="Count steps a second.")
    parser.add_argument("game", help="name of an installed game")
    parser.add_argument("--steps", type=int, default=50_000)
    parser.add_argument("--players", type=int)
    parser.add_argument("--numbering")
    parser.add_argument("--option", action="append", default=[], metavar="K=V")
    wanted = parser.parse_args(arguments)
    options = dict(pair.split("=", 1) for pair in wanted.option)
    env = game_env(wanted.game, players=wanted.players, numbering=wanted.numbering, options=options)
    games, seconds = measure(env, max(1, wanted.steps))
    rate = wanted.steps / max(seconds, 1e-9)
    return f"{wanted.game}: {rate:,.0f} steps a second ({wanted.steps} steps, {games} games, {seconds:.2f} s)\n"


if __name__ == "__main__":
    sys.stdout.write(main(sys.argv[1:]))
