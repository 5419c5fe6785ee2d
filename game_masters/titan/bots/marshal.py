"""A player that reckons where a captain goes by rules of thumb. It looks at what it is shown and remembers nothing."""

import random
from collections.abc import Callable, Mapping
from typing import Final

from game_masters.titan import requests as ask
from game_masters.titan.bots import campaign
from game_masters.titan.bots.captain import ANSWERS
from game_masters.titan.position import Awaiting, Position
from game_masters.titan.requests import Request, Requests
from game_masters.titan.views import View


def choose_as_marshal(view: View, rng: random.Random) -> Requests:
    """Return a request. A reader who has missed messages asks for them."""
    asked = view.position.asked
    if asked is None:
        return (ask.Replay(view.replay.up_to if view.replay else None),)
    return (_ANSWERS[asked.awaiting](view.position, asked.seat),)


_ANSWERS: Final[Mapping[Awaiting, Callable[[Position, int], Request]]] = {
    **ANSWERS,
    Awaiting.SPLIT: campaign.split,
    Awaiting.MOVE: campaign.move,
    Awaiting.FLEE: campaign.flee,
}
"""In a battle a marshal is a captain."""
