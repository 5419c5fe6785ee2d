"""Clocks: how much time players have for all their moves of a game, and who is told."""

from ugs.broker.desk import Desk
from ugs.broker.extensions.refusal import Refusal
from ugs.broker.games import Games
from ugs.broker.link import Link
from ugs.broker.onlookers import Onlookers
from ugs.wire.extensions import Pong, ShowClock


class Times:
    """The budgets of the players of one game. Seconds."""

    def asked(self, player: Link, now: float) -> float:
        """This player has to move: how long it has at the most."""
        raise NotImplementedError

    def moved(self, player: Link, now: float) -> None:
        """It has moved."""
        raise NotImplementedError

    def spent(self, player: Link) -> bool:
        """Whether its budget is used up."""
        raise NotImplementedError


class Clocks:
    """Keeps the clocks of all games."""

    def __init__(self, desk: Desk, games: Games, onlookers: Onlookers) -> None:
        self._desk = desk
        self._games = games

    def pong(self, link: Link, message: Pong) -> Refusal | None:
        raise NotImplementedError

    def show(self, link: Link, message: ShowClock) -> Refusal | None:
        raise NotImplementedError

    def begun(self, game_id: str) -> None:
        """The clock of a game has begun to count: the player has just been handed its state."""
        raise NotImplementedError

    def low(self, game_id: str) -> None:
        """The time of a player to move runs out."""
        raise NotImplementedError
