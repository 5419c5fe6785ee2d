"""A bot without I/O: the broker's messages in, what is to be done out.

A v4 player is in one game at a time and hears of it by its first gameState. So whatever names another game id than
the last state starts a new game, and a game that was declared void is simply never heard of again.
"""

import random
from functools import singledispatchmethod
from typing import Generic

from game_masters.kit.client import Effect, Finish, Level, Note, Pause, Send, refused
from game_masters.kit.rules import Bot, Follower, Game, M, Options, Unreadable, V
from ugs.wire.messages import (
    ChampionsList,
    Error,
    GameState,
    LeaveGame,
    LoginResponse,
    Logout,
    Message,
    Move,
    PlayerLogin,
    Result,
    ServerShutdown,
    ThankYou,
)

FAREWELL_S = 2.0
"""How long a bot that has logged out waits for the server to close."""


class Player(Generic[M, V]):
    """One bot under one nick; give its methods to :func:`game_masters.kit.run.run`.

    ``games`` is how many games it plays before it logs out (None: no end), void games not counted; ``think_s`` a
    pause before each move.
    """

    def __init__(
        self,
        game: Game[M, V],
        options: Options,
        bot: Bot[M, V],
        *,
        nick: str,
        rng: random.Random,
        game_type: str | None = None,
        games: int | None = None,
        think_s: float = 0.0,
    ) -> None:
        self._game = game
        self._options = options
        self._bot = bot
        self._nick = nick
        self._rng = rng
        self._game_type = game_type or game.game_type
        self._games = games
        self._think_s = think_s
        self._played = 0
        self._current: tuple[str, Follower[V]] | None = None
        self._accepted = False
        self._accepted_before = False
        self._shutdown = False

    @property
    def accepted(self) -> bool:
        """True when the login on the present connection was accepted."""
        return self._accepted

    @property
    def satisfied(self) -> bool:
        """True after the server announced that it stops, unless games are still wanted."""
        return self._shutdown and self._games is None

    @property
    def played(self) -> int:
        """How many games were played to an end, or left."""
        return self._played

    def connected(self) -> list[Effect]:
        """Log in."""
        self._accepted = self._shutdown = False
        self._current = None
        return [Send(PlayerLogin(self._nick, self._game_type))]

    def interrupted(self) -> list[Effect]:
        """Say good-bye; the server takes that as leaving a game that is still going on."""
        note = Note("stopped", {"games": self._played})
        return [note, Send(Logout()), Finish(0, FAREWELL_S)] if self._accepted else [note]

    def received(self, message: Message) -> list[Effect]:
        """What a message asks for. Never raises: a bug in the bot costs the game that it came up in."""
        return self._answer(message)

    @singledispatchmethod
    def _answer(self, message: Message) -> list[Effect]:
        return [Note("unexpected message", {"type": message.TYPE}, Level.WARNING)]

    @_answer.register
    def _login_answered(self, message: LoginResponse) -> list[Effect]:
        if message.error is not None:
            return refused(message.error, self._accepted_before)
        self._accepted = self._accepted_before = True
        return [Note("logged in", {"nick": self._nick, "game_type": self._game_type, "bot": self._bot.name})]

    @_answer.register
    def _state(self, message: GameState) -> list[Effect]:
        try:
            if self._current is None or self._current[0] != message.game_id:
                self._current = message.game_id, self._game.notation.follow(self._options)
            view = self._current[1](message.payload)
            if message.next_player == self._nick:
                move = Move(message.game_id, self._game.notation.write_move(self._bot.choose(view, self._rng)))
                return [*self._thinking(), Send(move)]
        except Unreadable as error:
            fields = {"game": message.game_id, "reason": str(error)}
            return self._at_a_loss(message, Note("unreadable state", fields, Level.ERROR))
        except Exception as bug:
            return self._at_a_loss(message, Note("bot failed", {"game": message.game_id}, Level.ERROR, bug))
        return self._thanks(message) if message.game_over is not None else []

    def _thinking(self) -> list[Effect]:
        return [Pause(self._think_s)] if self._think_s > 0 else []

    def _at_a_loss(self, message: GameState, note: Note) -> list[Effect]:
        """Without knowing the position a game cannot be played: leave it. One that is over needs no position."""
        if message.game_over is not None:
            return [note, *self._thanks(message)]
        return [note, *self._finish_with(LeaveGame(message.game_id))]

    def _thanks(self, message: GameState) -> list[Effect]:
        results = {entry.nick: entry.result for entry in message.game_over or ()}
        own = results.get(self._nick)
        fields = {"game": message.game_id, "result": _verdict(own, set(results.values()), len(results))}
        return [Note("game over", fields), *self._finish_with(ThankYou(message.game_id))]

    def _finish_with(self, last_word: ThankYou | LeaveGame) -> list[Effect]:
        """One more game is done with. After the last one ``logout`` stands for the last word.

        Either word makes the player idle, and the server may seat it in a next game before it has read the logout,
        which would then lose that game.
        """
        self._current = None
        self._played += 1
        if self._played != self._games:
            return [Send(last_word)]
        return [Send(Logout()), Note("all games played", {"games": self._played}), Finish(0, FAREWELL_S)]

    @_answer.register
    def _champions(self, message: ChampionsList) -> list[Effect]:
        for rank, row in enumerate(message.rows, start=1):
            if row.nick == self._nick:
                return [Note("champions", {"rank": rank, "won": row.won, "lost": row.lost}, Level.DEBUG)]
        return [Note("champions", {"rows": len(message.rows)}, Level.DEBUG)]

    @_answer.register
    def _error(self, message: Error) -> list[Effect]:
        return [Note("error from the server", {"text": message.text}, Level.WARNING)]

    @_answer.register
    def _server_stops(self, message: ServerShutdown) -> list[Effect]:
        self._shutdown = True
        self._current = None
        return [Note("server shuts down")]


def _verdict(own: Result | None, all_results: set[Result], players: int) -> str:
    """In a word for the log: v4 tells a draw by giving everybody the same result."""
    if own is None:
        return "not listed"
    if len(all_results) == 1 and players > 1:
        return "drawn"
    return {Result.WINNER: "won", Result.LOSER: "lost"}[own]
