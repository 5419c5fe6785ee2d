"""Games that their players go on with another time: a save where those who have to come back sit first.

The dice of what follows are others than they would have been, so that nothing is known of them to players who first
look how the game goes on.
"""

from dataclasses import replace
from hashlib import sha256

from game_masters.kit.rules import Kept, State
from game_masters.titan import messages as msg
from game_masters.titan.packing import as_fixture, written
from game_masters.titan.referee import resume
from game_masters.titan.requests import Requests
from game_masters.titan.rules import ROUNDS, Slugathon, form_options
from game_masters.titan.views import View


def kept(game: State[Requests, View]) -> Kept | None:
    """Return a game as it is kept, if its players have just agreed to that."""
    assert isinstance(game, Slugathon)
    if game.agreed is None:
        return None
    names = [player.name for player in game.position.players]
    first = [names[seat] for seat in game.agreed.seats]
    order = [*first, *(name for name in names if name not in first)]
    joins = iter(map(msg.Join, order))
    # Seats follow from the order of the joins, so those who come back get the first ones.
    messages = [next(joins) if isinstance(message, msg.Join) else message for message in game.messages]
    dice = replace(game.dice, secret=sha256(game.dice.secret + game.agreed.code.encode()).digest())
    save = written(messages, dice, resume(messages, dice).position)
    options = (*form_options(game.options), (ROUNDS.name, str(game.options.integer(ROUNDS.name))))
    return Kept(game.agreed.code, tuple(order), len(first), as_fixture(save, len(order), options))
