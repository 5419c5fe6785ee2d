"""Your bot: which game it plays, and how it chooses a move. The kit of ugs speaks to the server, by way of protocol.py.

    python3 bot.py HOST PORT NICK [--game NAME] [--games N] [--token-file FILE] [--tls [--ca FILE]]

As it comes it plays five in line, and every game whose states list the legal moves as play elements, at random.
"""

import random
from typing import Any

import protocol

from game_masters.apologies.views import Pick
from game_masters.tic_tac_toe.rules import Cell, View

NAME, VERSION = "mybot", "1"  # what the page of your bot shows: the results of each VERSION
GAME = "tic-tac-toe"


def choose(view: Any, rng: random.Random) -> Any:
    """Our move: put your own ideas here. What a view and a move are is in the rules.py of the game."""
    plays = getattr(view, "plays", ())  # games of OpenSpiel and PettingZoo
    if isinstance(plays, tuple) and plays:
        return rng.choice(plays)
    if offers := getattr(view, "offers", ()):  # Apologies
        return Pick(rng.choice(offers).id)
    if not isinstance(view, View):
        raise protocol.NoMove
    free = {Cell(x, y) for x in range(view.width) for y in range(view.height)} - set(view.stones)
    return rng.choice(sorted(free))


if __name__ == "__main__":
    raise SystemExit(protocol.run(choose, GAME, NAME, VERSION))
