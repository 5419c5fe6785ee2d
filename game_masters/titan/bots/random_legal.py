"""A player without a plan."""

import random
from collections import defaultdict

from game_masters.titan import requests as ask
from game_masters.titan.legal import legal_requests
from game_masters.titan.requests import Request, Requests
from game_masters.titan.views import View


def choose_random(view: View, rng: random.Random) -> Requests:
    """Return any legal request: first a kind of request, then one of that kind. A reader who has missed messages asks
    for them."""
    if view.position.asked is None:
        return (ask.Replay(view.replay.up_to if view.replay else None),)
    # By kinds first: moves are many, and would leave the others no chance.
    kinds: defaultdict[type[Request], list[Request]] = defaultdict(list)
    for request in legal_requests(view.position):
        kinds[type(request)].append(request)
    return (rng.choice(rng.choice(list(kinds.values()))),)
