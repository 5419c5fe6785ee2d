"""Lists for the lobby: who is here and what is played, and who sits where in a game."""

from ugs.broker.desk import Desk
from ugs.broker.extensions.refusal import Refusal
from ugs.broker.link import Link
from ugs.wire.extensions import ListGameTypes, ListPlayers


class Lists:
    """Answers who and what is here."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def players(self, link: Link, message: ListPlayers) -> Refusal | None:
        raise NotImplementedError

    def game_types(self, link: Link, message: ListGameTypes) -> Refusal | None:
        raise NotImplementedError
