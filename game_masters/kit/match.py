"""Plays bots against each other: how many games each wins, how the games end, and how many are played in a minute.

python -m game_masters.kit.match catan settler random-legal random-legal random-legal --games 500
python -m game_masters.kit.match catan settler settler settler settler --games 60 --option SC=SC_FOG

The bots change seats from game to game. The same arguments give the same games; times are processor time.

With ``--deals`` games come in deals: as many as there are seats, with the same chance (board, dice and cards, as long
as the game is played alike), each with all bots one seat further on. Then a line for each bot gives its points with
luck taken out: a game counts as the points in it, less the mean of what all bots had in this seat with this deal, plus
the mean of all games. Errors are those of deals, which are independent of each other; games of a deal are not.
"""

import argparse
import math
import random
import statistics
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from game_masters.kit.rules import AnyGame, AnyState, Options, Table
from game_masters.registry import Registry, find_games

DRAWN = 0.5
"""What a draw is worth to each who drew, as in the standings of a server."""
MAX_MOVES = 100_000
"""A game with more moves than this is one that does not end."""


class NoEnd(Exception):
    """A game that does not end. The text names its seed."""


@dataclass(frozen=True, slots=True)
class Played:
    """One game."""

    winners: frozenset[int]
    """The seats that won; none in a draw, or where no seat has won."""
    termination: str
    moves: int
    seconds: float
    """Of processor time, set-up included."""
    drawn: bool = False


def play(
    game: AnyGame, bots: Sequence[str], seed: str, options: Options, most_moves: int = MAX_MOVES
) -> tuple[AnyState, int]:
    """Return a game with one bot on each seat at its end, and the number of its moves. Raises NoEnd."""
    names = tuple(f"{bot}-{seat}" for seat, bot in enumerate(bots))
    state: AnyState = game.start(Table(seed, names, options), random.Random(seed))
    choosers = [game.bot(bot).choose for bot in bots]
    # A stream for each seat: what one bot draws does not change the choices of another.
    rngs = [random.Random(f"{seed} {name}") for name in names]
    shown = [0] * len(bots)
    for moves in range(most_moves):
        if state.outcome is not None:
            return state, moves
        seat = state.movers[0]
        view = state.view(seat, shown[seat])
        shown[seat] = len(state.record)
        state.apply(seat, choosers[seat](view, rngs[seat]))
    raise NoEnd(f"{game.name}, seed {seed!r}: no end after {most_moves} moves")


def match(
    game: AnyGame, bots: Sequence[str], games: int, seed: str, options: Options, *, deals: bool = False
) -> Iterator[Played]:
    """Yield the games of a match. In game ``n`` all bots sit ``n`` seats further on; with ``deals``, each round of
    them has the same chance. Raises NoEnd."""
    for number in range(games):
        # Luck of the seat evens out: each bot has each seat equally often.
        shift = number % len(bots)
        began = time.process_time()
        dealt = number // len(bots) if deals else number
        state, moves = play(game, [*bots[shift:], *bots[:shift]], f"{seed} {dealt}", options)
        seconds = time.process_time() - began
        outcome = state.outcome
        assert outcome is not None
        winners = frozenset((seat + shift) % len(bots) for seat in outcome.winners)
        yield Played(winners, str(outcome.termination), moves, seconds, outcome.drawn)


def lines(bots: Sequence[str], played: Sequence[Played]) -> Iterator[str]:
    """Yield what came of a match; ``winners`` are numbers of bots. Points are those of the standings, in parts of what
    a bot has if it wins all games."""
    games = len(played)
    won = Counter(who for one in played for who in one.winners)
    drawn = sum(one.drawn for one in played) / games
    for number, bot in enumerate(bots):
        share = won[number] / games
        points = share + DRAWN * drawn
        text = f"{number + 1} {bot}: won {share:.1%} ± {(share * (1 - share) / games) ** 0.5:.1%}"
        if drawn:
            # The spread of 1 for a win and a half for a draw around the mean.
            error = ((share + DRAWN**2 * drawn - points**2) / games) ** 0.5
            text += f", drew {drawn:.1%}: {points:.1%} ± {error:.1%} of the points"
        yield text
    yield from (f"{count} ended with: {why}" for why, count in Counter(one.termination for one in played).most_common())
    moves = [one.moves for one in played]
    yield f"{games} games of {statistics.median(moves):.0f} moves in the median, {max(moves)} at most"
    yield f"{60 * games / max(1e-9, sum(one.seconds for one in played)):.0f} games a minute in one process"


def points_of(one: Played, bot: int) -> float:
    """Return the points of a bot, by its number from 0."""
    return 1.0 if bot in one.winners else DRAWN * one.drawn


def without_luck(bots: Sequence[str], played: Sequence[Played]) -> Iterator[str]:
    """Yield the points of each bot in whole deals without the luck of the deal. Game ``n`` of a deal has bot ``b`` on
    seat ``b - n``."""
    seats = len(bots)
    # A deal that was cut has not had each bot in each seat.
    deals = [played[first : first + seats] for first in range(0, len(played) - seats + 1, seats)]
    by_seat = [
        # What this seat is worth in this deal, whoever has it: the luck that is taken out.
        [statistics.fmean(points_of(deal[n], (seat + n) % seats) for n in range(seats)) for seat in range(seats)]
        for deal in deals
    ]
    mean = statistics.fmean(one for luck in by_seat for one in luck)
    for bot, name in enumerate(bots):
        adjusted = [
            statistics.fmean(points_of(one, bot) - luck[(bot - n) % seats] for n, one in enumerate(deal)) + mean
            for deal, luck in zip(deals, by_seat, strict=True)
        ]
        # One deal has no spread.
        error = statistics.stdev(adjusted) / len(adjusted) ** 0.5 if len(adjusted) > 1 else math.inf
        yield f"{bot + 1} {name}: {statistics.fmean(adjusted):.1%} ± {error:.1%} without the luck of {len(deals)} deals"


def main(arguments: Sequence[str], registry: Registry) -> str:
    """Return what ``python -m game_masters.kit.match`` prints."""
    parser = argparse.ArgumentParser(
        prog="python -m game_masters.kit.match", description="Play bots against bots and count."
    )
    parser.add_argument("game", help="name of an installed game")
    parser.add_argument("bots", nargs="+", help="a bot for each seat")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", default="1")
    parser.add_argument(
        "--deals", action="store_true", help="each deal with every rotation of seats, and luck taken out"
    )
    parser.add_argument("--option", action="append", default=[], metavar="K=V")
    chosen = parser.parse_args(arguments)
    game = registry.game(chosen.game)
    if not game.players.min <= len(chosen.bots) <= game.players.max:
        parser.error(f"{game.name} is for {game.players.min} to {game.players.max} bots, not {len(chosen.bots)}")
    pairs: Mapping[str, str] = dict(pair.split("=", 1) for pair in chosen.option)
    options = game.choose_options(pairs)
    games = max(1, chosen.games)
    if chosen.deals:
        # Whole deals only.
        games = -(-games // len(chosen.bots)) * len(chosen.bots)
    played = list(match(game, chosen.bots, games, chosen.seed, options, deals=chosen.deals))
    output = [*lines(chosen.bots, played), *(without_luck(chosen.bots, played) if chosen.deals else ())]
    return "\n".join(output) + "\n"


if __name__ == "__main__":
    sys.stdout.write(main(sys.argv[1:], find_games()))
