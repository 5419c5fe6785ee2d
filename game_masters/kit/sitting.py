"""One game as a player goes through it: what it was shown, and what it answered.

A v4 player is in one game at a time, and learns of it from its first gameState. So a state with another game id than
the last one begins a new game, and a game that was declared void simply gets no more states.
"""

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Generic

from game_masters.kit.rules import Follower, Unreadable, V
from ugs.wire.messages import GameState, Move, Result


class Sitting(Generic[V]):
    """The reader of one game's states, with the last state and the answer to it."""

    def __init__(self, game_id: str, follow: Callable[[], Follower[V]]) -> None:
        """``follow`` makes a reader that has read no state yet."""
        self.game_id = game_id
        self._follow = follow
        self._read = follow()
        self._state: GameState | None = None
        self._answer: Move | None = None
        self._doubted = False
        self._awaited = False

    @property
    def answer(self) -> Move | None:
        """The answer to the last state; None if there was none."""
        return self._answer

    @property
    def doubted(self) -> bool:
        """Whether a state could not be read, and none could be read since."""
        return self._doubted

    @property
    def awaited(self) -> bool:
        """Whether the last state is to come once more because a state could not be read."""
        return self._awaited

    def receives(self, state: GameState) -> V:
        """Return the view of a new state. Raises :class:`Unreadable`.

        The reader is first handed the player's own move since the last state: a state alone does not show it, if the
        one after the move was missed or already shows the answer of the program.
        """
        if state == self._state:
            # It has come, whether it can be read now or not.
            self._awaited = False
        if self._answer is not None:
            # The player's own move may have been a bad one, which no reader takes.
            with suppress(Unreadable):
                self._read(self._answer.payload)
            self._answer = None
        view = self._read(state.payload)
        # Only when it was read: a state that raises leaves the last one in place.
        self._state, self._answer, self._doubted = state, None, False
        return view

    def answers(self, move: Move) -> None:
        """Record ``move`` as the player's answer to the last state."""
        self._answer = move

    def recalls(self, received: Iterable[GameState | Move]) -> None:
        """Go through what an earlier start of this program received and answered in this game, in order. What
        cannot be read is skipped."""
        for one in received:
            if isinstance(one, Move):
                self.answers(one)
            else:
                with suppress(Unreadable):
                    self.receives(one)

    def has_answered(self, state: GameState) -> bool:
        """Return whether ``state`` is the last state once more and has been answered."""
        return state == self._state and self._answer is not None

    def doubts(self, state: GameState) -> None:
        """Record that ``state`` could not be read and the last one was asked for once more. A new reader begins with
        it."""
        # The reader may have followed the game as far as a state that it misunderstood.
        self._read = self._follow()
        self._state, self._answer = state, None
        self._doubted = self._awaited = True

    def got_it_again(self) -> None:
        """Record that the state that was asked for has come; it had been answered in the meantime."""
        self._awaited = False


def verdict(own: Result | None, all_results: set[Result], players: int) -> str:
    """Return in a word for the log how a game went for a player.

    In v4 a draw gives all players the same result. Among more than two it may also mean that all of them have lost, to
    the seat of a player who had left; a player does not learn who has left.
    """
    if own is None:
        return "not listed"
    if len(all_results) == 1 and players > 1:
        return "lost or drawn" if players > 2 and own is Result.LOSER else "drawn"
    return {Result.WINNER: "won", Result.LOSER: "lost"}[own]
