"""Opponents in a game whose rules are not installed: they make the moves that its master offers in its sketches."""

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Final

from ugs.check.case import NotForThis
from ugs.check.drawn_positions import Drawings
from ugs.check.referee import GivenPosition

NO_OFFERS: Final = (
    "no move of the opponents is known: the game master draws no legal moves as offers in its sketches, or they are "
    "refused: ugs check master shows why"
)


class OfferedMoves:
    """Plays the seats of all but the bot on trial."""

    def __init__(self, drawings_of: Callable[[str], Drawings]) -> None:
        """``drawings_of`` returns the sketches of a game by its id."""
        self._drawings_of = drawings_of
        self._moves = Counter[str]()
        """By game, how many it has made."""

    def move(self, game: str, nick: str, _position: GivenPosition) -> bytes:
        """Return one of the moves that this player is offered: a ``<move>`` element. Raises NotForThis without any."""
        offered = self._drawings_of(game).offered(nick)
        if not offered:
            raise NotForThis(NO_OFFERS)
        self._moves[game] += 1
        # Not the first one always: some games end only where something else is chosen.
        return Random(f"{game} {nick} {self._moves[game]}").choice(offered)

    def forget(self, game: str) -> None:
        """The game is over."""
        del self._moves[game]
