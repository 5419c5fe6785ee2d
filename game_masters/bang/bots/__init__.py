"""Computer players.

deputy.py     plays its role
suspicion.py  who is whose enemy
"""

import random

from game_masters.bang.bots import deputy
from game_masters.bang.messages.moves import Move
from game_masters.bang.views.view import View
from game_masters.kit.rules import Bot


def choose_random(view: View, rng: random.Random) -> Move:
    """Return any legal move."""
    return rng.choice(view.legal)


BOTS = (
    Bot(
        "deputy",
        "plays its role: finds its enemies, keeps its Beers, uses its character",
        deputy.choose,
        fills_seats=True,
    ),
    Bot("random-legal", "plays anything that is allowed", choose_random),
)
