"""Let bots play a match and print how it went: ``python -m game_masters.apologies.match --help``.

    python -m game_masters.apologies.match positional reward
    python -m game_masters.apologies.match reward random random random --game apologies-adult --fixed

The bots change seats from game to game, so that each has every seat equally often, unless seats are ``--fixed``. The
same arguments give the same games.
"""

import argparse
import math
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from game_masters.apologies import ADULT, STANDARD
from game_masters.apologies.board import COLOURS
from game_masters.apologies.rules import Position
from game_masters.apologies.views import Made, Mode, Move, View
from game_masters.kit.rules import Bot, Game, Table

GAMES = {game.name: game for game in (STANDARD, ADULT)}
MODES = {STANDARD.name: Mode.STANDARD, ADULT.name: Mode.ADULT}


@dataclass(frozen=True, slots=True)
class Played:
    """The result of one game of a match."""

    winner: int
    """The winner's seat."""
    turns: int
    """The winner's number of turns."""
    plays: int
    forfeits: int


@dataclass(frozen=True, slots=True)
class Share:
    """How many of the games a bot or a seat has won."""

    won: int
    games: int

    @property
    def percent(self) -> float:
        """Return the won games in a hundred."""
        return 100 * self.won / self.games

    @property
    def error(self) -> float:
        """Return the standard error of the percentage."""
        share = self.won / self.games
        return 100 * math.sqrt(share * (1 - share) / self.games)

    def __str__(self) -> str:
        return f"{self.percent:5.1f} % ± {self.error:.1f}  ({self.won} of {self.games})"


def play(game: Game[Move, View], bots: Sequence[Bot[Move, View]], rules: str, seed: str) -> Played:
    """Play one game with one bot on each seat."""
    options = game.choose_options({"rules": rules})
    state = Position(MODES[game.name], Table(seed, tuple(COLOURS[: len(bots)]), options), random.Random(seed))
    rng = random.Random(f"{seed} for the bots")
    while state.outcome is None:
        (seat,) = state.movers
        state.apply(seat, bots[seat].choose(state.view(seat, len(state.record)), rng))
    (winner,) = state.outcome.winners
    made = [entry for entry in state.record if isinstance(entry, Made)]
    return Played(winner, state.turns[winner], len(made), sum(not entry.actions for entry in made))


def lines(
    game: Game[Move, View], names: Sequence[str], rules: str, games: int, seed: int, fixed: bool
) -> Iterator[str]:
    """Return the match as text: how often each bot won, then the seats, then how long the games were."""
    bots = [game.bot(name) for name in names]
    won: Counter[int] = Counter()
    seats: Counter[int] = Counter()
    played: list[Played] = []
    for number in range(games):
        shift = 0 if fixed else number % len(bots)
        seating = [*range(shift, len(bots)), *range(shift)]
        # Each seed is used for as many games as there are bots, so that each bot gets every seat with it.
        deal = number if fixed else number // len(bots)
        result = play(game, [bots[who] for who in seating], rules, f"{seed} {deal}")
        played.append(result)
        won[seating[result.winner]] += 1
        seats[result.winner] += 1
    yield f"{game.name}, {rules}, {games} games, seed {seed}, seats {'fixed' if fixed else 'changing'}"
    yield from (f"{name:12} {Share(won[who], games)}" for who, name in enumerate(names))
    yield from (f"{COLOURS[seat]:12} {Share(seats[seat], games)}" for seat in range(len(bots)))
    plays = sum(result.plays for result in played)
    yield f"turns of the winner {sum(result.turns for result in played) / games:.1f}, plays a game {plays / games:.1f}"
    yield f"forfeits {100 * sum(result.forfeits for result in played) / plays:.1f} % of plays"


def main(arguments: Sequence[str]) -> Iterator[str]:
    """Return the lines to print."""
    parser = argparse.ArgumentParser(prog="python -m game_masters.apologies.match", description="A match between bots.")
    parser.add_argument("bots", nargs="+", metavar="BOT", help="two to four, in the order of the seats")
    parser.add_argument("--game", choices=GAMES, default=STANDARD.name)
    parser.add_argument("--rules", choices=("strict", "upstream"), default="strict")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fixed", action="store_true", help="the bots keep their seats")
    chosen = parser.parse_args(arguments)
    if not 2 <= len(chosen.bots) <= len(COLOURS):
        parser.error("two to four bots can play")
    game = GAMES[chosen.game]
    known = [bot.name for bot in game.bots]
    if not set(chosen.bots) <= set(known):
        parser.error(f"there are these bots: {', '.join(known)}")
    return lines(game, chosen.bots, chosen.rules, max(1, chosen.games), chosen.seed, chosen.fixed)


if __name__ == "__main__":
    for line in main(sys.argv[1:]):
        print(line)
