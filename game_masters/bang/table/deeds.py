"""Who has acted against whom: what all can count, and the best evidence of hidden roles."""

from collections.abc import Iterable
from typing import NamedTuple

from game_masters.bang.messages.events import Event
from game_masters.bang.messages.words import Type

WEIGHTS = {"bang": 2, "missed": 2, "duel": 2, "jail": 1, "panic": 1, "cat-balou": 1}
"""What counts as an act against a player, and its weight."""
BURDENS = frozenset({"jail", "dynamite"})
"""A player who takes one of these off a table does its owner a favour."""


class Deed(NamedTuple):
    """What one player has done against another."""

    player: int
    target: int
    weight: int


class Deeds:
    """All deeds of a game so far."""

    def __init__(self) -> None:
        self._weights: dict[tuple[int, int], int] = {}

    @classmethod
    def of(cls, deeds: Iterable[Deed]) -> "Deeds":
        """Return the deeds in these events."""
        counted = cls()
        for deed in deeds:
            counted.count(deed)
        return counted

    def count(self, deed: Deed) -> None:
        """Add a deed."""
        pair = (deed.player, deed.target)
        self._weights[pair] = self._weights.get(pair, 0) + deed.weight

    def all_deeds(self) -> tuple[Deed, ...]:
        """Return the sum for each pair of players, in their order."""
        return tuple([Deed(*pair, weight) for pair, weight in sorted(self._weights.items())])


def deed_of(event: Event) -> Deed | None:
    """Return the deed in an event; None if it is none."""
    if event.type not in (Type.PLAY_ON_PLAYER, Type.PLAY_ON_CARD) or event.target in (0, event.player):
        return None
    cards = dict(event.meaning)
    aim = cards.get("card-target")
    if aim is not None and aim.name in BURDENS:
        return None
    return Deed(event.player, event.target, WEIGHTS.get(cards["card-played"].name, 1))
