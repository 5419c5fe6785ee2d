"""Let bots play and print how that went: ``python -m game_masters.titan.bots.match --help``.

    python -m game_masters.titan.bots.match captain random-legal --games 100
    python -m game_masters.titan.bots.match captain captain captain captain --games 50

The bots change seats from game to game. The same arguments give the same games; the processor time is this machine's.
"""

import argparse
import random
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from game_masters.kit.rules import Bot, Options, Table
from game_masters.titan.bots import BOTS
from game_masters.titan.requests import Requests
from game_masters.titan.rules import OPTIONS, Slugathon
from game_masters.titan.views import View

MAX_REQUESTS = 60_000
"""A game with more requests than this counts as one that does not end."""


@dataclass(frozen=True, slots=True)
class Played:
    """One game."""

    winner: int | None
    termination: str
    requests: int
    turns: int
    seconds: float
    """Of processor time."""


def _looks_away(game: Slugathon) -> None:
    """Look at nothing."""


def play(
    bots: Sequence[Bot[Requests, View]],
    seed: str,
    options: Options | None = None,
    look: Callable[[Slugathon], None] = _looks_away,
) -> Played:
    """Play a game with one bot on each seat; ``look`` is called after every move. Raises RuntimeError if it does not
    end."""
    chosen = options or Options({option.name: option.default for option in OPTIONS})
    began = time.process_time()
    game = Slugathon(Table(seed, tuple(f"seat-{seat}" for seat in range(len(bots))), chosen), random.Random(seed))
    rng = random.Random(f"{seed} for the bots")
    for number in range(MAX_REQUESTS):
        if game.outcome is not None:
            won = next(iter(game.outcome.winners), None)
            seconds = time.process_time() - began
            return Played(won, str(game.outcome.termination), number, game.position.turn, seconds)
        (seat,) = game.movers
        game.apply(seat, bots[seat].choose(game.view(seat, len(game.record)), rng))
        look(game)
    raise RuntimeError(f"seed {seed}: no end after {MAX_REQUESTS} requests, in turn {game.position.turn}")


def lines(names: Sequence[str], games: int, seed: int) -> Iterator[str]:
    """Return a match as text."""
    known = {bot.name: bot for bot in BOTS}
    bots = [known[name] for name in names]
    won: Counter[int | None] = Counter()
    ends: Counter[str] = Counter()
    played: list[Played] = []
    for number in range(games):
        shift = number % len(bots)
        seating = [*range(shift, len(bots)), *range(shift)]
        result = play([bots[who] for who in seating], f"{seed} {number}")
        won[None if result.winner is None else seating[result.winner]] += 1
        ends[result.termination] += 1
        played.append(result)
    yield f"{games} games, seed {seed}"
    yield from (f"{name:14} won {won[who]}" for who, name in enumerate(names))
    yield f"{'draw':14} won {won[None]}"
    yield from (f"{number:5} {why}" for why, number in ends.most_common())
    for what, values in (
        ("requests", [one.requests for one in played]),
        ("turns", [one.turns for one in played]),
        ("seconds of processor time", [one.seconds for one in played]),
    ):
        yield f"{what}: median {statistics.median(values):.4g}, most {max(values):.4g}"


def main(arguments: Sequence[str]) -> Iterator[str]:
    """Return the lines to print."""
    parser = argparse.ArgumentParser(prog="python -m game_masters.titan.bots.match", description="Bots play Titan.")
    parser.add_argument("bots", nargs="+", metavar="BOT", choices=[bot.name for bot in BOTS], help="two to six")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(arguments)
    if not 2 <= len(chosen.bots) <= 6:
        parser.error("two to six bots can play")
    return lines(chosen.bots, max(1, chosen.games), chosen.seed)


if __name__ == "__main__":
    for line in main(sys.argv[1:]):
        print(line)
