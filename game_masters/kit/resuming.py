"""Games that their players go on with another time: where they are kept, which one goes on, and who sits where."""

from dataclasses import replace
from typing import Final, Protocol

from game_masters.kit.rules import Kept
from game_masters.kit.seating import Impossible
from ugs.wire.extensions import Restore
from ugs.wire.messages import BeginGame

RESUME: Final = "resume"
"""The option of a table with the code of the game that goes on there."""


class NotKept(Exception):
    """A game that cannot be kept. The text gives the reason."""


class Shelf(Protocol):
    """Where games are kept."""

    def put(self, kept: Kept) -> None:
        """Keep a game; one that is there already stays as it is. Raises :class:`NotKept`."""

    def get(self, code: str) -> Kept:
        """Return a game. Raises :class:`Impossible` if there is none with this code."""


class NoShelf:
    """A game master that keeps no games."""

    def put(self, kept: Kept) -> None:
        """Raise :class:`NotKept`."""
        raise NotKept("this game master keeps no games for another time")

    def get(self, code: str) -> Kept:
        """Raise :class:`Impossible`."""
        raise Impossible("this game master keeps no games for another time")


def resumed(asked: BeginGame | Restore, shelf: Shelf) -> tuple[BeginGame | Restore, Kept | None]:
    """Return what is asked for without the option that names a kept game, and that game; None: a new one is asked for.

    The players of a kept game get their old seats; the other seats go to the other players, then to the program. Raises
    :class:`Impossible` if the game is not there, or a player is missing.
    """
    code = next((option.value for option in asked.options if option.name == RESUME), "")
    asked = replace(asked, options=tuple(option for option in asked.options if option.name != RESUME))
    if not code:
        return asked, None
    kept = shelf.get(code)
    # Without a number there are as many seats as players.
    seats = asked.seats or len(asked.players)
    if seats != len(kept.seats):
        raise Impossible(f"option resume: {seats} seats; the game that goes on has {len(kept.seats)}")
    first = kept.seats[: kept.needed]
    # Those whose hidden things are in it; the program takes the place of any other.
    missing = [name for name in first if name not in asked.players]
    if missing:
        raise Impossible(f"option resume: without {', '.join(missing)} the game does not go on")
    others = (name for name in asked.players if name not in first)
    return replace(asked, players=(*first, *others), seats=seats), kept
