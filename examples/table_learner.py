"""A learner with a table: for each position that it has met, what each move is worth. It learns tic-tac-toe on 3 x 3
against the bundled bot `random`, from both seats, in some forty seconds, and keeps what it knows in a file.

    python table_learner.py train --games 150000
    ugs match tic-tac-toe --option width=3 --option height=3 --option row=3 --games 200 \\
        --bot learner=python:table_learner:choose --bot random=builtin:random

Needs ``pip install "ugs[env]"``. docs/learning.md says what an observation is. This file is yours to copy.
"""

import argparse
import random
import sys
from collections import Counter
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import ugs.env
from game_masters.kit.encoding import encoding_of
from game_masters.registry import find_game

GAME = "tic-tac-toe"
OPTIONS = {"width": 3, "height": 3, "row": 3}
FILE = Path("table-learner.npz")
AGAINST = "random"
"""The bot that it learns to beat."""
Values = NDArray[np.float64]
Table = dict[bytes, Values]
"""From an observation to a value for each action."""


def best(values: Values, mask: NDArray[np.int8]) -> int:
    """Return the legal action of the highest value."""
    return int(np.where(mask, values, -np.inf).argmax())


def train(games: int, seed: int = 1) -> Table:
    """Play games with any moves, and count what follows from each: the next position or the result.

    Then a move is worth the average of what has followed, with a draw added since few tries are not to be trusted, and
    a position what its best move is worth.
    """
    rng = random.Random(seed)
    env = ugs.env.seat_env(GAME, against=AGAINST, options=OPTIONS)
    followed: dict[bytes, dict[int, Counter[bytes | float]]] = {}
    sizes = 0
    for game in range(games):
        seen, _ = env.reset(seed=seed if game == 0 else None)
        over = False
        while not over:
            sizes = len(seen["action_mask"])
            position, action = seen["observation"].tobytes(), int(rng.choice(seen["action_mask"].nonzero()[0]))
            seen, result, over, _, _ = env.step(action)
            counts = followed.setdefault(position, {}).setdefault(action, Counter())
            counts[result if over else seen["observation"].tobytes()] += 1
    table: Table = {}

    def worth(next_one: bytes | float) -> float:
        """What a result is worth, or a position: it never comes twice in a game, so this ends."""
        if not isinstance(next_one, bytes):
            return next_one
        if next_one not in table:
            values = np.full(sizes, -1.0)
            for action, counts in followed[next_one].items():
                values[action] = sum(times * worth(one) for one, times in counts.items()) / (counts.total() + 1)
            table[next_one] = values
        return float(table[next_one].max())

    for position in followed:
        worth(position)
    return table


def save(table: Table, file: Path) -> None:
    """Write a table to a file."""
    keys = np.array([np.frombuffer(key, np.uint8) for key in table])
    np.savez_compressed(file, keys=keys, values=np.array(list(table.values())))


@lru_cache(maxsize=1)
def load(file: Path = FILE) -> Table:
    """Read the table that was saved. Raises OSError."""
    with np.load(file) as saved:
        return {key.tobytes(): values for key, values in zip(saved["keys"], saved["values"], strict=True)}


def choose(view: Any, rng: random.Random) -> Any:
    """Return the move for a view: what `ugs match` and the kit call a bot."""
    game = find_game(GAME)
    options = game.choose_options({name: str(value) for name, value in OPTIONS.items()})
    encoding = encoding_of(game.name)
    assert encoding is not None
    cells, mask = encoding.follow(options, 2, len(view.stones) % 2)(view)
    legal = np.frombuffer(mask, np.int8)
    values = load().get(cells)
    action = int(rng.choice(legal.nonzero()[0])) if values is None else best(values, legal)
    return encoding.moves(options, 2)[action]


def main(arguments: list[str]) -> None:
    """Train, and save."""
    parser = argparse.ArgumentParser(description="Learn tic-tac-toe with a table.")
    parser.add_argument("what", choices=["train"])
    parser.add_argument("--games", type=int, default=150_000)
    parser.add_argument("--file", type=Path, default=FILE)
    wanted = parser.parse_args(arguments)
    table = train(wanted.games)
    save(table, wanted.file)
    sys.stdout.write(f"{wanted.games} games, {len(table)} positions: {wanted.file}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
