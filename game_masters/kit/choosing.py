"""How a bot chooses its moves: at once, or beside the conversation with the server where it takes long."""

import random
from collections.abc import Callable
from functools import partial
from typing import Generic

from game_masters.kit.client import Effect, Keep, Level, Note, Pause, Send, StopThinking, Think
from game_masters.kit.memory import KeepStep
from game_masters.kit.rules import Bot, Game, M, V
from ugs.peer import check_acceptable
from ugs.wire.extensions import BoardMark, Remark
from ugs.wire.messages import Move

Chosen = Callable[[M], list[Effect]]
"""What follows from a choice."""
Failed = Callable[[Exception], list[Effect]]


class Chooser(Generic[M, V]):
    """A bot with the source of its chance; ``think_s`` is a pause before each move. With ``keeps`` its moves are kept
    for its next start."""

    def __init__(self, game: Game[M, V], bot: Bot[M, V], rng: random.Random, think_s: float, *, keeps: bool) -> None:
        self.bot = bot
        self._game = game
        self._rng = rng
        self._think_s = think_s
        self._keeps = keeps

    def begins(self, view: V, then: Chosen[M], fails: Failed) -> list[Effect]:
        """Choose for a view. ``then`` is called with the move, ``fails`` with what the bot raises instead."""

        def choose() -> Callable[[], list[Effect]]:
            try:
                move = self.bot.choose(view, self._rng)
            # The bot's code is not ours: whatever it raises costs this game, not the connection.
            except Exception as bug:
                return partial(fails, bug)
            return partial(then, move)

        # A bot that takes long must not keep the connection from answering pings.
        return choose()() if self.bot.stop is None else [Think(choose, self.bot.stop)]

    def stops(self) -> list[Effect]:
        """What it thinks about does not matter any more."""
        return [] if self.bot.stop is None else [StopThinking()]

    def is_shown(self, view: V) -> None:
        """Show the bot a state, if it wants to see all of them."""
        if self.bot.observer is not None:
            self.bot.observer.shown(view)

    def is_over(self, result: str) -> None:
        """Let the bot know how its game has ended, if it wants to."""
        if self.bot.observer is not None:
            self.bot.observer.ended(result)

    def is_shown_clock(self, own_s: float, other_s: float) -> None:
        """Hand over what is left of the budgets, in seconds, if the bot has a use for it."""
        if self.bot.clock is not None:
            self.bot.clock(own_s, other_s)

    def written(self, game_id: str, move: M) -> Move:
        """The message for a move. Raises what the notation raises, and WrongMessage for one that cannot be sent."""
        message = Move(game_id, self._game.notation.write_move(move))
        check_acceptable(message)
        return message

    def sends(self, message: Move, view: V, move: M, *, remarks: bool) -> list[Effect]:
        """A move on its way, with what the bot remarks on the position if it may."""
        pause: list[Effect] = [Pause(self._think_s)] if self._think_s > 0 else []
        # Written down before it is sent: after a crash between the two the same move is sent again.
        kept: list[Effect] = [Keep(KeepStep(message))] if self._keeps else []
        remark = self._remark(message.game_id, view, move) if remarks else []
        # The remark is about the position before the move, so it goes first.
        return [*pause, *kept, *remark, Send(message)]

    def _remark(self, game_id: str, view: V, move: M) -> list[Effect]:
        """What the bot thinks of the position. A bug in there costs no game."""
        if self.bot.remark is None:
            return []
        try:
            thought = self.bot.remark(view, move)
            if thought is None:
                return []
            marks = tuple([BoardMark(*mark) for mark in thought.marks])
            remark = Remark(game_id, thought.worth, thought.plan, thought.line, marks)
            check_acceptable(remark)
        except Exception as bug:
            return [Note("bot failed to remark something", {"game": game_id}, Level.WARNING, bug)]
        return [Send(remark)]
