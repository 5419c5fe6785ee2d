"""A bot that is an object of a process: it connects like any other program, and has the same rules and clocks."""

import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from typing import Any

from ugs.match.games import Choose, Notation
from ugs.peer import connect
from ugs.wire.messages import GameState, LoginResponse, Move, PlayerLogin, ThankYou


class NotLetIn(Exception):
    """The server does not let the bot in."""


@dataclass(slots=True)
class Thinking:
    """What the bots of this process have used for their moves: seconds of processor time."""

    used_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Brain:
    """How a bot plays one game."""

    game_type: str
    notation: Notation
    options: Any
    choose: Choose


async def play(
    address: tuple[str, int], nick: str, brain: Brain, seed: Callable[[], Awaitable[str]], thinking: Thinking
) -> None:
    """Play until the server hangs up. ``seed`` is asked at the beginning of each game. Raises OSError and NotLetIn,
    what the connection raises, and what the bot itself does."""
    async with await connect(*address) as peer:
        await peer.send(PlayerLogin(nick, brain.game_type))
        game = BuiltinGame("", brain, Random(0))
        while (message := await peer.receive()) is not None:
            if isinstance(message, LoginResponse) and message.error is not None:
                raise NotLetIn(f"login error {message.error}")
            if not isinstance(message, GameState):
                continue
            if message.game_id != game.game_id:
                # Both games of a pair have the same chance, so it comes from the match.
                game = BuiltinGame(message.game_id, brain, Random(await seed()))
            # Of this thread alone: what others do is no thinking of this bot.
            began = time.thread_time()
            answer = game.receives(message, nick)
            thinking.used_s += time.thread_time() - began
            if answer is not None:
                await peer.send(answer)


class BuiltinGame:
    """One game, as this bot sees it."""

    def __init__(self, game_id: str, brain: Brain, rng: Random) -> None:
        self.game_id = game_id
        self._brain = brain
        self._rng = rng
        self._read = brain.notation.follow(brain.options)
        self._moved = b""
        """Its move since the last state: a state alone need not show it."""

    def receives(self, state: GameState, nick: str) -> Move | ThankYou | None:
        """The answer to a state, if one is due."""
        if self._moved:
            with suppress(Exception):  # a notation that does not need the move refuses it, with an error of its own
                self._read(self._moved)
            self._moved = b""
        view = self._read(state.payload)
        if state.game_over is not None:
            return ThankYou(self.game_id)
        if state.next_player != nick:
            return None
        self._moved = self._brain.notation.write_move(self._brain.choose(view, self._rng))
        return Move(self.game_id, self._moved)
