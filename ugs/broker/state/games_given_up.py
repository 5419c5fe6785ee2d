"""How many games a master has given up in a row."""

from ugs.broker.state.extras import Key
from ugs.broker.state.model import Master
from ugs.value import state


@state(eq=True)
class GamesGivenUp:
    """With a master: the games that it has given up since it sent a result."""

    in_a_row: int = 0

    def one_more(self) -> int:
        """It gives up a game that has begun. Returns how many times in a row."""
        self.in_a_row += 1
        return self.in_a_row

    def has_finished(self) -> None:
        """It has sent the result of a game."""
        self.in_a_row = 0


GIVEN_UP: Key[GamesGivenUp] = Key("games given up", GamesGivenUp)


def finished(master: Master) -> None:
    """This master has sent the result of a game."""
    known = GIVEN_UP.find(master)
    if known is not None:
        known.has_finished()
