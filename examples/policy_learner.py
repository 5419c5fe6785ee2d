"""A learner with a small policy in numpy: it learns 5-in-a-row on the whole board from nothing but wins and losses
against a bot that plays at random, and keeps its weights in a file.

    python policy_learner.py train --seconds 90
    ugs match tic-tac-toe --games 100 --bot learner=python:policy_learner:choose --bot random=builtin:random

For each free field it looks along the four lines through it, four fields to each side, gives each line a value with
one hidden layer, and adds the four up. The sums of all free fields, as probabilities (softmax), are the policy. It is
taught by REINFORCE: moves of games that were won become more probable, those near the end the most. No rule of the game
and no feature is built in, except that lines matter.

Needs ``pip install "ugs[env]"``. This file is yours to copy.
"""

import argparse
import random
import sys
import time
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import ugs.env
from game_masters.kit.encoding import encoding_of
from game_masters.registry import find_game

GAME = "tic-tac-toe"
FILE = Path("policy-learner.npz")
REACH = 4
HIDDEN = 16
RATE = 0.01
DISCOUNT = 0.9
LINES = ((1, 0), (0, 1), (1, 1), (1, -1))

Floats = NDArray[np.float64]


class Policy:
    """The weights, and what they make of a position."""

    def __init__(self, weights: Sequence[Floats]) -> None:
        self.weights = list(weights)
        self._means = [np.zeros_like(one) for one in self.weights]
        self._squares = [np.zeros_like(one) for one in self.weights]
        self._updates = 0

    @classmethod
    def new(cls, seed: int) -> "Policy":
        """Return small random weights."""
        rng = np.random.default_rng(seed)
        inputs = 3 * 2 * REACH
        return cls([rng.normal(0, 0.1, (inputs, HIDDEN)), np.zeros(HIDDEN), rng.normal(0, 0.1, HIDDEN)])

    def probabilities(self, lines: Floats) -> tuple[Floats, Floats]:
        """Return the probability of each free field, and the hidden layer for :meth:`learn`."""
        first, bias, second = self.weights
        hidden = np.tanh(lines @ first + bias)
        logits = (hidden @ second).sum(axis=1)
        odds = np.exp(logits - logits.max())
        return odds / odds.sum(), hidden

    def learn(self, moves: Sequence[tuple[Floats, int]], advantages: Sequence[float]) -> None:
        """Make each move as much more probable as its advantage says (Adam)."""
        slopes = [np.zeros_like(one) for one in self.weights]
        second = self.weights[2]
        for (lines, taken), advantage in zip(moves, advantages, strict=True):
            odds, hidden = self.probabilities(lines)
            push = -odds * advantage
            push[taken] += advantage
            back = push[:, None, None] * second * (1 - hidden**2)
            slopes[0] += np.tensordot(lines, back, axes=((0, 1), (0, 1)))
            slopes[1] += back.sum(axis=(0, 1))
            slopes[2] += (push[:, None, None] * hidden).sum(axis=(0, 1))
        self._updates += 1
        for place, slope in enumerate(slopes):
            slope /= len(moves)
            self._means[place] += 0.1 * (slope - self._means[place])
            self._squares[place] += 0.001 * (slope**2 - self._squares[place])
            mean = self._means[place] / (1 - 0.9**self._updates)
            square = self._squares[place] / (1 - 0.999**self._updates)
            self.weights[place] += RATE * mean / (np.sqrt(square) + 1e-8)


def lines_of(planes: NDArray[np.uint8], free: NDArray[np.int64]) -> Floats:
    """Return for each free field its four lines: three planes of the fields beside it. Outside the board all are 0."""
    wide = np.pad(planes, ((0, 0), (REACH, REACH), (REACH, REACH)))
    xs, ys = np.divmod(free, planes.shape[2])
    steps = np.array([step for step in range(-REACH, REACH + 1) if step])
    found = [
        wide[:, xs[:, None] + REACH + steps * dx, ys[:, None] + REACH + steps * dy].transpose(1, 0, 2)
        for dx, dy in LINES
    ]
    return np.stack(found, axis=1).reshape(len(free), len(LINES), -1).astype(np.float64)


def train(
    seconds: float, games: int | None = None, seed: int = 1, *, against: str = "random"
) -> tuple[Policy, list[float]]:
    """Play against a bot for so long, or a number of games. Returns the policy and what each game was worth."""
    policy, rng = Policy.new(seed), np.random.default_rng(seed)
    env = ugs.env.seat_env(GAME, against=against)
    results: list[float] = []
    began = time.monotonic()
    while time.monotonic() - began < seconds and (games is None or len(results) < games):
        seen, _ = env.reset(seed=seed) if not results else env.reset()
        moves: list[tuple[Floats, int]] = []
        ended, reward = False, 0.0
        while not ended:
            free = seen["action_mask"].nonzero()[0]
            lines = lines_of(seen["observation"], free)
            odds, _ = policy.probabilities(lines)
            taken = int(rng.choice(len(free), p=odds))
            moves.append((lines, taken))
            seen, reward, ended, _, _ = env.step(free[taken])
        results.append(float(reward))
        usual = float(np.mean(results[-50:-1])) if len(results) > 1 else 0.0
        worth = [(reward - 0.5 * usual) * DISCOUNT**later for later in reversed(range(len(moves)))]
        policy.learn(moves, worth)
    return policy, results


@lru_cache(maxsize=1)
def load(file: Path = FILE) -> Policy:
    """Read the policy that was saved. Raises OSError."""
    with np.load(file) as saved:
        return Policy([saved[name] for name in ("first", "bias", "second")])


def save(policy: Policy, file: Path) -> None:
    """Write a policy to a file."""
    first, bias, second = policy.weights
    np.savez_compressed(file, first=first, bias=bias, second=second)


def choose(view: Any, rng: random.Random) -> Any:
    """Return the move for a view: what `ugs match` and the kit call a bot."""
    game = find_game(GAME)
    options = game.choose_options({"width": str(view.width), "height": str(view.height), "row": str(view.row)})
    encoding = encoding_of(game.name)
    assert encoding is not None
    cells, mask = encoding.follow(options, 2, len(view.stones) % 2)(view)
    free = np.frombuffer(mask, np.int8).nonzero()[0]
    planes = np.frombuffer(cells, np.uint8).reshape(encoding.shape(options, 2))
    odds, _ = load().probabilities(lines_of(planes, free))
    return encoding.moves(options, 2)[free[odds.argmax()]]


def main(arguments: list[str]) -> None:
    """Train, and save."""
    parser = argparse.ArgumentParser(description="Learn 5-in-a-row with a small policy.")
    parser.add_argument("what", choices=["train"])
    parser.add_argument("--seconds", type=float, default=90)
    parser.add_argument("--file", type=Path, default=FILE)
    wanted = parser.parse_args(arguments)
    policy, results = train(wanted.seconds)
    save(policy, wanted.file)
    won = sum(result > 0 for result in results[-100:])
    sys.stdout.write(f"{len(results)} games, {won} of the last 100 won: {wanted.file}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
