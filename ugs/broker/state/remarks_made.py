"""How much the players of a game have remarked: what bounds it holds in every life of the server."""

from dataclasses import field

from ugs.broker.effects import RecordEntry
from ugs.broker.state.extras import Key
from ugs.broker.state.model import Game
from ugs.broker.values.record import REMARKS
from ugs.value import state


@state(eq=True)
class RemarksMade:
    """With a game: what its players have remarked."""

    at_move: dict[int, int] = field(default_factory=dict)
    """By seat, how many moves the game had when its player last remarked something."""
    size: dict[int, int] = field(default_factory=dict)
    """By seat, the bytes of its remarks."""


MADE: Key[RemarksMade] = Key("remarks", RemarksMade)


def remember(game: Game, entry: RecordEntry) -> None:
    """Take an entry of an earlier life of the server; for each game from its begin on, in order."""
    if entry.kind in REMARKS and entry.seat is not None:
        made = MADE.of(game)
        made.at_move[entry.seat] = game.history.moves
        made.size[entry.seat] = made.size.get(entry.seat, 0) + len(entry.body)
