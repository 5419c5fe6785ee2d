"""Computer players.

settler.py  the one that plays well
wishes.py   what it wants, of pieces and resources
sites.py    what it knows of places
"""

import random

from game_masters.catan.bots.settler import choose, choose_briefly
from game_masters.catan.message.message import Message
from game_masters.catan.views.view import View
from game_masters.kit.rules import Bot


def any_move(view: View, rng: random.Random) -> Message:
    """Return any listed move: first its kind is drawn, then one of that kind."""
    # Else discards and trades, of which the list may have hundreds, would be nearly all that is drawn.
    kinds: dict[tuple[str, object], list[Message]] = {}
    for move in view.moves(view.asked):
        kinds.setdefault((type(move).__name__, getattr(move, "piece", None)), []).append(move)
    return rng.choice(kinds[rng.choice(list(kinds))])


BOTS: tuple[Bot[Message, View], ...] = (
    Bot("settler", "values sites by production and ports, trades, races for route and army", choose),
    Bot("settler-brief", "the same, but it trades with the bank only, and gets changes only", choose_briefly),
    Bot("random-legal", "any listed move", any_move),
)
