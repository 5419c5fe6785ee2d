"""What a computer player is: a function from a view to a move, and what it may want besides. No I/O, no wire."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from game_masters.kit.thought import Thought

M = TypeVar("M")  # a game's moves: any immutable value that compares by content
V = TypeVar("V")  # a game's views, too
V_in = TypeVar("V_in", contravariant=True)


class NoMove(Exception):
    """The bot knows no move in this state: it logs out, and ends with exit code 1. The text is for people."""

    def __init__(self, text: str = "this state lists no moves that I know how to choose") -> None:
        super().__init__(text)


class GameObserver(Protocol[V_in]):
    """Receives all that happens in a bot's games, also what it need not answer."""

    def shown(self, view: V_in) -> None:
        """A state of the game has come; also its last one."""

    def ended(self, result: str) -> None:
        """The game is over; ``result`` is how for the bot, in a word such as ``won``, ``lost`` or ``drawn``."""


@dataclass(frozen=True)
class Bot(Generic[M, V]):
    """A computer player: its name, one line about it, and how it chooses.

    ``choose(view, rng)`` is only called when the view's owner may act, and returns a legal move, or raises
    :class:`NoMove`.
    """

    name: str
    explanation: str
    choose: Callable[[V, random.Random], M]
    clock: Callable[[float, float], None] | None = None
    """Takes what is left of the bot's budget and of the smallest one of the others, in seconds, before each choice in a
    game whose players have budgets; None: the bot has no use for it."""
    remark: Callable[[V, M], Thought | None] | None = None
    """``remark(view, move)`` is called with a move that was just chosen, and returns what the bot thinks of the
    position before it; None: nothing. It is sent before the move, where the server takes remarks."""
    stop: Callable[[], None] | None = None
    """For a bot that takes long: lets a ``choose`` that runs return soon, with any move or an error, since the game has
    ended; it may come too early or too late, and is called again each second. Such a bot chooses in a thread, one move
    at a time, while messages are received. None: it chooses at once."""
    observer: GameObserver[V] | None = None
    """For a bot that has to know how its games go on and end when it is not asked."""
    fills_seats: bool = False
    """Whether it plays the seats without a player; where no bot of a game does, the first plays them."""
