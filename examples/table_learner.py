"""A learner with a table: for each position that it has met, what each move is worth. It learns tic-tac-toe on 3 x 3 by
playing itself, in some twenty seconds, and keeps what it knows in a file.

    python table_learner.py train --games 60000
    ugs match tic-tac-toe --option width=3 --option height=3 --option row=3 --games 200 \\
        --bot learner=python:table_learner:choose --bot random=builtin:random

Needs ``pip install "ugs[env]"``. docs/learning.md says what an observation is. This file is yours to copy.
"""

import argparse
import random
import sys
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
EXPLORES = 0.6
"""How often the learner tries any move instead of the best one."""
MISTAKES = 0.3
"""How often it believes that others do so. It then prefers the moves after which there is more to do wrong."""
RATE = 0.5
"""How much of a surprise goes into the table."""

Values = NDArray[np.float64]
Table = dict[bytes, Values]
"""From an observation to a value for each action."""


def best(values: Values, mask: NDArray[np.int8]) -> int:
    """Return the legal action of the highest value."""
    return int(np.where(mask, values, -np.inf).argmax())


def worth(values: Values) -> float:
    """Return what a position is worth to the player who moves and now and then takes any move."""
    return float((1 - MISTAKES) * values.max() + MISTAKES * values.mean())


def train(games: int, seed: int = 1) -> Table:
    """Play games against itself. What is good for the player who moves next is bad for the one who has moved."""
    rng = random.Random(seed)
    env = ugs.env.aec_env(GAME, options=OPTIONS)
    table: Table = {}
    for game in range(games):
        env.reset(seed=seed + game)
        while not env.over:
            seen = env.observe(env.agent_selection)
            mask, mover = seen["action_mask"], env.agent_selection
            values = table.setdefault(seen["observation"].tobytes(), np.zeros(len(mask)))
            legal = mask.nonzero()[0]
            action = int(rng.choice(legal)) if rng.random() < EXPLORES else best(values, mask)
            env.step(action)
            if env.over:
                target = env.rewards[mover]
            else:
                after = env.observe(env.agent_selection)
                known = table.get(after["observation"].tobytes())
                target = 0.0 if known is None else -worth(known[after["action_mask"] == 1])
            values[action] += RATE * (target - values[action])
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
    parser.add_argument("--games", type=int, default=60_000)
    parser.add_argument("--file", type=Path, default=FILE)
    wanted = parser.parse_args(arguments)
    table = train(wanted.games)
    save(table, wanted.file)
    sys.stdout.write(f"{wanted.games} games, {len(table)} positions: {wanted.file}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
