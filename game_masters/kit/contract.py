"""What a promise is: a function that tries something out on a game and raises :class:`ContractBroken`."""

from collections.abc import Callable
from typing import TypeAlias

from game_masters.kit.rules import AnyGame


class ContractBroken(AssertionError):
    """A game does not keep a promise; the text names the game, what was done and what came of it."""


Check: TypeAlias = Callable[[AnyGame], None]
"""Raises :class:`ContractBroken`."""


def expect(condition: bool, game: AnyGame, otherwise: str) -> None:
    """Raise :class:`ContractBroken` with that text if the condition does not hold."""
    if not condition:
        raise ContractBroken(f"{game.name}: {otherwise}")


def all_numbers_of_players(game: AnyGame) -> range:
    """With how many seats it can be played."""
    return range(game.players_min, game.players_max + 1)
