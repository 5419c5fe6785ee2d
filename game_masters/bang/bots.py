"""Computer players."""

import random

from game_masters.bang import deputy
from game_masters.bang.moves import Move
from game_masters.bang.views import View
from game_masters.kit.rules import Bot


def choose_random(view: View, rng: random.Random) -> Move:
    """Return any legal move."""
    return rng.choice(view.legal)


BOTS = (
    Bot("deputy", "plays its role: finds its enemies, keeps its Beers, uses its character", deputy.choose),
    Bot("random-legal", "plays anything that is allowed", choose_random),
)
