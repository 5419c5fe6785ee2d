"""Computer players for Apologies."""

import random

from game_masters.apologies.reward import best
from game_masters.apologies.views import Move, Pick, View
from game_masters.kit.rules import Bot


def choose_random(view: View, rng: random.Random) -> Move:
    """Any play on offer."""
    return Pick(rng.choice(view.offers).id)


def choose_by_reward(view: View, rng: random.Random) -> Move:
    """What ``<optimal/>`` would be; nothing is left to chance."""
    return Pick(view.offers[best(view.pawns, view.mover, view.offers)].id)


BOTS = (
    Bot("reward", "gets as far ahead as one play can; also plays for seats that nobody sits in", choose_by_reward),
    Bot("random", "plays anything", choose_random),
)
