"""Costs of the page: what a request makes the loop of the server do before anything is drawn elsewhere."""

from functools import partial
from itertools import repeat
from typing import Final

from ugs.broker.values.questions import OwnerAsked, PublicAsked, PublicWhyAsked, ServerAsked, WhyAsked
from ugs.soak import traffic
from ugs.soak.costs.entrance import GAME_TYPE, TIMES, rig
from ugs.soak.costs.games import _games
from ugs.soak.costs.rig import Rig
from ugs.soak.costs.scene import CostScene

NAME: Final = 60
"""Characters of a long name."""
LED: Final = 50
"""Game types that masters lead."""


def _crowd(share: float) -> tuple[Rig, int]:
    """A server that is nearly full: half of all wait, each for another type with a long name, half of them play; and
    masters of as many types whose names are alike as may be compared."""
    one = rig()
    number = int((one.config.max_logins - 200) * share)
    for name in range(number // 2):
        one.connects(traffic.player_login(f"q{name}", f"{name}".rjust(NAME, "t")))
        if name < LED:  # the page shows the first types only, and compares the first names
            one.master(f"m{name}", GAME_TYPE if name == 0 else f"{name}".ljust(NAME, "t"))
    _games(one, 2, number // 4)
    return one, number


def public(share: float) -> CostScene:
    """What every page and GET /api/v1/games asks, on a server that is nearly full."""
    one, number = _crowd(share)
    return CostScene(number, repeat(partial(one.asks, PublicAsked()), TIMES))


def public_why(share: float) -> CostScene:
    """Why a player waits for a game type without a master."""
    one, number = _crowd(share)
    return CostScene(number, repeat(partial(one.asks, PublicWhyAsked("q1")), TIMES))


def why(share: float) -> CostScene:
    """The same for people at the machine."""
    one, number = _crowd(share)
    return CostScene(number, repeat(partial(one.asks, WhyAsked("q1")), TIMES))


def server(share: float) -> CostScene:
    """The overview for people at the machine."""
    one, number = _crowd(share)
    return CostScene(number, repeat(partial(one.asks, ServerAsked()), TIMES))


def owner(share: float) -> CostScene:
    """Whose token is this, where all have a session?"""
    one = rig()
    number = int((one.config.max_logins - 10) * share)
    one.players(number, GAME_TYPE, "session")
    return CostScene(number, repeat(partial(one.asks, OwnerAsked(one.tokens[0])), TIMES))
