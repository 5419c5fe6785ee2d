"""A small game for tests: twelve stones, a move takes one to three of them, and the last one wins."""

from collections.abc import Sequence
from dataclasses import replace
from xml.etree import ElementTree

from ugs.check.referee import GivenPosition

GAME_TYPE = "counting"
STONES = 12


def read_take(payload: bytes) -> int:
    """The stones that a move takes; 0 for one that cannot be read."""
    try:
        root = ElementTree.fromstring(payload)
        found = [int(one.get("v", "0")) for one in root if one.tag == "take"]
    except (ElementTree.ParseError, ValueError):
        return 0
    return found[0] if len(found) == 1 and len(root) == 1 else 0


def shown(left: int) -> bytes:
    """What everybody sees."""
    return f'<gameState><stones v="{left}"/></gameState>'.encode()


def take(number: int) -> bytes:
    """A move."""
    return f'<move><take v="{number}"/></move>'.encode()


class Count:
    """One game."""

    def __init__(self, nicks: Sequence[str]) -> None:
        self.nicks = list(nicks)
        self.left = STONES
        self.turn = 0
        self.winner = ""
        self.culprit = ""

    def moves(self, payload: bytes) -> None:
        """Whose turn it is moves."""
        number, mover, other = read_take(payload), self.nicks[self.turn], self.nicks[1 - self.turn]
        if not 1 <= number <= min(3, self.left):
            self.winner, self.culprit = other, mover
            return
        self.left -= number
        self.winner = "" if self.left else mover
        self.turn = 1 - self.turn

    def leaves(self, nick: str) -> None:
        """The other one wins."""
        self.winner = next(one for one in self.nicks if one != nick)

    def position(self) -> GivenPosition:
        """As values."""
        results = {nick: "winner" if nick == self.winner else "loser" for nick in self.nicks} if self.winner else None
        movers = () if self.winner else (self.nicks[self.turn],)
        return GivenPosition(movers, results, shown(self.left), culprit=self.culprit, why="takes too many")


class CountingReferee:
    """A referee in this process."""

    game_type, least, most = GAME_TYPE, 2, 2

    def __init__(self) -> None:
        self.games: dict[str, Count] = {}

    async def begin(self, game: str, nicks: Sequence[str], seed: str = "check") -> GivenPosition:
        """Begin a game."""
        self.games[game] = Count(nicks)
        return self.games[game].position()

    async def moved(self, game: str, nick: str, payload: bytes) -> GivenPosition:
        """Somebody has moved."""
        self.games[game].moves(payload)
        return self.games[game].position()

    async def left(self, game: str, nick: str) -> GivenPosition:
        """Somebody has left."""
        self.games[game].leaves(nick)
        return self.games[game].position()

    async def drop(self, game: str) -> None:
        """Forget a game."""
        self.games.pop(game, None)


class SecondBegins(CountingReferee):
    """Games in which the first seat does not begin."""

    async def begin(self, game: str, nicks: Sequence[str], seed: str = "check") -> GivenPosition:
        """Begin a game."""
        self.games[game] = Count(nicks)
        self.games[game].turn = 1
        return self.games[game].position()


class Forgiving(CountingReferee):
    """Games in which a wrong move is refused, and the player is asked again."""

    async def moved(self, game: str, nick: str, payload: bytes) -> GivenPosition:
        """Somebody has moved."""
        if 1 <= read_take(payload) <= 3:
            return await super().moved(game, nick, payload)
        return replace(self.games[game].position(), culprit=nick, why="takes too many")


class CountingOpponents:
    """Opponents who take one stone."""

    def move(self, game: str, nick: str, position: GivenPosition) -> bytes:
        """Take one."""
        return take(1)

    def forget(self, game: str) -> None:
        """Nothing was remembered."""
