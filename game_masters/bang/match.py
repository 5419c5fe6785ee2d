"""Let bots play a match and print how it went, by roles; with the speed in games per minute.

    python -m game_masters.bang.match --games 2000 --players 5
    python -m game_masters.bang.match --games 400 --bot deputy --others deputy

One seat is the bot's, and the others are of the other kind; the seat, and with it the role, changes from game to game.
A seat's share is what it would win if all were equally good: it is measured with the same deals, played by the other
kind on all seats.
"""

import argparse
import math
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence

from game_masters.bang.bots import BOTS
from game_masters.bang.messages.moves import Move
from game_masters.bang.messages.words import Role
from game_masters.bang.rules import OPTIONS, Position
from game_masters.bang.setup.beginning import MAX_PLAYERS, MIN_PLAYERS
from game_masters.bang.views.view import View
from game_masters.kit.rules import Bot, Options, Table

OPTIONS_BY_DEFAULT = Options({option.name: option.default for option in OPTIONS})
ROLES = (Role.SHERIFF, Role.DEPUTY, Role.OUTLAW, Role.RENEGADE)


def play(bots: Sequence[Bot[Move, View]], seed: str) -> Position:
    """Return a game with one bot on each seat, at its end."""
    names = tuple(f"{bot.name}-{seat}" for seat, bot in enumerate(bots))
    state = Position(Table(seed, names, OPTIONS_BY_DEFAULT), random.Random(seed))
    rng = random.Random(f"{seed} for the bots")
    while state.outcome is None:
        seat = state.movers[0]
        state.apply(seat, bots[seat].choose(state.view(seat, len(state.record)), rng))
    return state


def percent(won: int, games: int) -> str:
    """Return a share of won games with its standard error."""
    share = won / games
    return f"{100 * share:5.1f} % ± {100 * math.sqrt(share * (1 - share) / games):3.1f}"


def lines(bot: Bot[Move, View], other: Bot[Move, View], players: int, games: int, seed: str) -> Iterator[str]:
    """Yield the match as text."""
    won: Counter[Role] = Counter()
    usual: Counter[Role] = Counter()
    dealt: Counter[Role] = Counter()
    began = time.monotonic()
    for number in range(games):
        own = number % players
        deal = f"{seed} {number}"
        state = play([bot if seat == own else other for seat in range(players)], deal)
        alike = play([other] * players, deal)
        # A player's id is the number of its seat and one.
        role = state.course.players[own + 1].role
        dealt[role] += 1
        won[role] += state.course.players[own + 1].winner
        usual[role] += alike.course.players[own + 1].winner
    minutes = (time.monotonic() - began) / 60
    yield f"{bot.name} on one seat of {players}, {other.name} on the others, {games} games, seed {seed}"
    yield f"{'':10} {'games':>6}  {bot.name:16} {other.name} on the same seat"
    for role in ROLES:
        if dealt[role]:
            mine, theirs = percent(won[role], dealt[role]), percent(usual[role], dealt[role])
            yield f"{role:10} {dealt[role]:6}  {mine:16} {theirs}"
    yield f"{'all':10} {games:6}  {percent(sum(won.values()), games):16} {percent(sum(usual.values()), games)}"
    yield f"{2 * games / minutes:.0f} games a minute in this process"


def main(arguments: Sequence[str]) -> Iterator[str]:
    """Return the lines to print."""
    names = [bot.name for bot in BOTS]
    parser = argparse.ArgumentParser(prog="python -m game_masters.bang.match", description="A match between bots.")
    parser.add_argument("--bot", choices=names, default=names[0])
    parser.add_argument("--others", choices=names, default=names[-1])
    parser.add_argument("--players", type=int, default=5, choices=range(MIN_PLAYERS, MAX_PLAYERS + 1))
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--seed", default="1")
    chosen = parser.parse_args(arguments)
    named = dict(zip(names, BOTS, strict=True))
    return lines(named[chosen.bot], named[chosen.others], chosen.players, max(1, chosen.games), chosen.seed)


if __name__ == "__main__":
    for line in main(sys.argv[1:]):
        print(line)
