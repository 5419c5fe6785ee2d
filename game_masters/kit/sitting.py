"""One game as a player goes through it: what it has been shown, and what it has answered.

A v4 player is in one game at a time and hears of it by its first gameState. So whatever names another game id than the
last state begins a new game, and a game that was declared void is simply never heard of again.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import Generic

from game_masters.kit.rules import Follower, Unreadable, V
from ugs.wire.messages import GameState, Move, Result


class Sitting(Generic[V]):
    """The reader of one game's states, with the last state and the answer to it."""

    def __init__(self, game_id: str, follow: Callable[[], Follower[V]]) -> None:
        """``follow`` makes a reader that knows nothing yet."""
        self.game_id = game_id
        self._follow = follow
        self._hear = follow()
        self._state: GameState | None = None
        self._answer: Move | None = None
        self._doubted = False
        self._awaited = False

    @property
    def answer(self) -> Move | None:
        """The answer to the last state, if there was one."""
        return self._answer

    @property
    def doubted(self) -> bool:
        """True from the moment when a state could not be read until one can be read again."""
        return self._doubted

    @property
    def awaited(self) -> bool:
        """True while the last state is to come once more because one could not be read."""
        return self._awaited

    def hears(self, state: GameState) -> V:
        """The view that a new state gives. Raises :class:`Unreadable`.

        The reader is told of the player's own move before, if it wants to know: nothing else may tell it, where the
        state after that has been missed, or shows the answer of the program already.
        """
        if state == self._state:
            self._awaited = False
        if self._answer is not None:
            with suppress(Unreadable):
                self._hear(self._answer.payload)
            self._answer = None
        view = self._hear(state.payload)
        self._state, self._answer, self._doubted = state, None, False
        return view

    def answers(self, move: Move) -> None:
        """This is what the player does in answer to the last state."""
        self._answer = move

    def has_answered(self, state: GameState) -> bool:
        """Whether this is the last state once more, and has been answered."""
        return state == self._state and self._answer is not None

    def doubts(self, state: GameState) -> None:
        """This state could not be read, and the last one is asked for once more: begin to read anew with it."""
        self._hear = self._follow()
        self._state, self._answer = state, None
        self._doubted = self._awaited = True

    def got_it_again(self) -> None:
        """What was asked for has come, and had been answered in the meantime."""
        self._awaited = False


def verdict(own: Result | None, all_results: set[Result], players: int) -> str:
    """How a game went for a player, in a word for the log: v4 tells a draw by giving everybody the same result."""
    if own is None:
        return "not listed"
    if len(all_results) == 1 and players > 1:
        return "drawn"
    return {Result.WINNER: "won", Result.LOSER: "lost"}[own]
