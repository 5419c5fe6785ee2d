"""Watching: spectators follow games, from their begin or from now, at once or later."""

from ugs.broker.desk import Desk
from ugs.broker.extensions.refusal import Refusal
from ugs.broker.games import Games
from ugs.broker.link import Link
from ugs.broker.onlookers import Onlookers
from ugs.wire.extensions import ListGames, Unwatch, Watch


class Watching:
    """Lets spectators in and tells them what happens."""

    def __init__(self, desk: Desk, games: Games, onlookers: Onlookers) -> None:
        self._desk = desk
        self._games = games

    def watch(self, link: Link, message: Watch) -> Refusal | None:
        raise NotImplementedError

    def unwatch(self, link: Link, message: Unwatch) -> Refusal | None:
        raise NotImplementedError

    def list(self, link: Link, message: ListGames) -> Refusal | None:
        raise NotImplementedError

    def due(self, channel: str) -> None:
        raise NotImplementedError
