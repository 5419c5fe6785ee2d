"""A computer player for all games: it needs nothing but the listed moves."""

import random

from game_masters.kit.rules import Bot
from game_masters.pettingzoo.view import Play, View


def choose_random(view: View, rng: random.Random) -> Play:
    """Return any of the listed moves."""
    return rng.choice(view.plays)


BOTS = (Bot("random", "plays any of the listed moves", choose_random),)
