"""How games end, read from the log of the server."""

from collections.abc import Mapping
from typing import NamedTuple

import trio

from ugs.broker.verdict import Cause
from ugs.match.match_server import Event


class GameEnd(NamedTuple):
    """A game has ended."""

    game_id: str
    event: Event
    """The line of the log that reports it."""
    left: Mapping[str, Cause]
    """By nick: why a player left it early."""


class GameLog:
    """Takes lines of the log, and gives each end to the lane that waits for it."""

    def __init__(self) -> None:
        self._ended: dict[str, Event] = {}
        self._left: dict[str, dict[str, Cause]] = {}
        """By game and nick."""
        self._waiting = trio.lowlevel.ParkingLot()

    def player_left(self, event: Event) -> None:
        """A player has left a game early."""
        self._left.setdefault(event["game"], {})[event["nick"]] = Cause(event["cause"])

    def game_ended(self, event: Event) -> None:
        """A game has ended."""
        self._ended[event["game"]] = event
        self._waiting.unpark_all()

    async def end_of(self, game_id: str) -> GameEnd:
        """Wait for the end of a game. It can be had once."""
        while game_id not in self._ended:
            await self._waiting.park()
        return GameEnd(game_id, self._ended.pop(game_id), self._left.pop(game_id, {}))
