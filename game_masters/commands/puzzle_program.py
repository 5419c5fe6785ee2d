"""A program tries puzzles: the game's own master leads them, as at a table.

The program is sent what a server sends.
"""

import random
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Final

import trio

from game_masters.kit.client import Send
from game_masters.kit.master import Master
from game_masters.kit.puzzles import PUZZLE, Ending, Puzzle
from game_masters.kit.rules import AnyGame, RuleBroken, Unreadable
from game_masters.kit.solving import Solving, Tried
from ugs.check.referee import FAMILIES, GivenPosition, position_of
from ugs.replay.dialogue import Dialogue, NoMessage
from ugs.replay.program import ReplayFailed, converse
from ugs.wire.extensions import Because, Hello, Moved, Views
from ugs.wire.messages import (
    BeginGame,
    Choice,
    GameState,
    LoginResponse,
    Message,
    Move,
    PlayerLogin,
    PlayerResult,
    Result,
    ThankYou,
)

GAME: Final = "puzzle"
"""The id of the game."""
MAX_REFUSED: Final = 1000
"""Moves that a game master refuses and asks again, before the try is given up."""
THANKS_S: Final = 0.5
"""Seconds that a program has to thank for the game. It has solved the puzzle, or not, whether it does or not."""


class NoTry(Exception):
    """The program could not be started, or does not connect. The text gives the reason."""


def tried_by_program(game: AnyGame, puzzle: Puzzle, command: Sequence[str], timeout_s: float) -> Tried:
    """Start a program, let it try a puzzle, and end it; it has ``timeout_s`` seconds for each answer. Raises NoTry."""
    attempt = _Attempt(game, puzzle)
    try:
        tried, account = trio.run(converse, command, timeout_s, partial(_play, attempt))
    except ReplayFailed as error:
        raise NoTry(str(error)) from error
    if tried.account and attempt.silent:
        return Tried(tried.puzzle, tried.ending, tried.moves, "\n".join([tried.account, *account]))
    return tried


class _Attempt:
    """One try: the master, and what a picture calls the moves."""

    def __init__(self, game: AnyGame, puzzle: Puzzle) -> None:
        self.game = game
        self.puzzle = puzzle
        self.silent = False
        """Whether the program has not answered."""
        self._master: Master[Any, Any] = Master(game, game.choose_options({}), id=GAME, chance=random.Random)
        self._solving = Solving(game, puzzle)
        self._made: list[str] = []
        self._master.connected()
        self._master.received(Hello(FAMILIES))
        self._master.received(LoginResponse())

    def begins(self, nick: str) -> GivenPosition:
        """The first state."""
        seats = self.puzzle.start(self.game).players
        options = (Choice(PUZZLE, str(self.puzzle.number)),)
        return self._position(self._master.received(BeginGame(GAME, (nick,), options, seats)))

    def moved(self, nick: str, payload: bytes) -> GivenPosition:
        """The state after a move of the program."""
        text = payload.decode("utf-8", "replace")
        with suppress(RuleBroken, Unreadable):  # the master reports what is wrong with it
            text = self._solving.called(text)
            self._solving.plays(payload.decode("utf-8", "replace"))
        self._made.append(text)
        return self._position(self._master.received(Moved(GAME, nick, payload)))

    def tried(self, ending: str, account: str = "") -> Tried:
        """What has come of it."""
        return Tried(self.puzzle, ending, tuple(self._made), account)

    def _position(self, effects: Sequence[object]) -> GivenPosition:
        because: Because | None = None
        for message in _sent(effects):
            if isinstance(message, Because):
                because = message
            elif isinstance(message, GameState | Views):
                return position_of(message, because)
        raise NoTry(f"puzzle {self.puzzle.number}: the game master gives it up: {list(_sent(effects))}")


def _sent(effects: Sequence[object]) -> Iterator[Message]:
    yield from (effect.message for effect in effects if isinstance(effect, Send))


async def _play(attempt: _Attempt, dialogue: Dialogue) -> Tried:
    login = await dialogue.login(PlayerLogin)
    if isinstance(login, NoMessage):
        attempt.silent = True
        return attempt.tried(str(Ending.GAME_OVER), f"it {login.value}, and has not logged in")
    nick = login.nick or "ann"
    position, refused = attempt.begins(nick), 0
    while position.results is None and refused <= MAX_REFUSED:
        await dialogue.send(GameState(GAME, nick, None, position.shown_to(nick)))
        message = await _answer(dialogue, dialogue.deadline())
        if not isinstance(message, Move):
            attempt.silent = True
            why = message.value if isinstance(message, NoMessage) else f"has sent {message.TYPE}"
            return attempt.tried(str(Ending.GAME_OVER), f"it {why}, and was asked for a move")
        position = attempt.moved(nick, message.payload)
        refused = refused + 1 if position.culprit == nick else 0
    return await _ends(attempt, dialogue, nick, position)


async def _answer(dialogue: Dialogue, deadline: float) -> Message | NoMessage:
    """The next message that is not about an extension."""
    while True:
        message = await dialogue.receive(deadline)
        if isinstance(message, NoMessage) or not message.TYPE.startswith("x-"):
            return message


async def _ends(attempt: _Attempt, dialogue: Dialogue, nick: str, position: GivenPosition) -> Tried:
    results = position.results or {nick: Result.LOSER.value}
    over = tuple(PlayerResult(name, Result(result)) for name, result in results.items())
    await dialogue.send(GameState(GAME, None, over, position.shown_to(nick)))
    message = await _answer(dialogue, min(dialogue.deadline(), trio.current_time() + THANKS_S))
    account = "" if isinstance(message, ThankYou | NoMessage) else f"it has sent {message.TYPE}"
    await dialogue.goodbye()
    solved = results.get(nick) == Result.WINNER.value
    if position.culprit == nick:
        account = f"its move was not legal: {position.why}"
    ending = str(Ending.SOLVED) if solved else position.why if position.why in list(Ending) else str(Ending.GAME_OVER)
    return attempt.tried(ending, account)
