"""Chat: to named players, or to everybody at a table."""

from ugs.broker.desk import Desk
from ugs.broker.extensions.refusal import Refusal
from ugs.broker.games import Games
from ugs.broker.link import Link
from ugs.wire.extensions import Say


class Chat:
    """Passes on what is said."""

    def __init__(self, desk: Desk, games: Games) -> None:
        self._desk = desk
        self._games = games

    def say(self, link: Link, message: Say) -> Refusal | None:
        raise NotImplementedError
