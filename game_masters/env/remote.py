"""One seat at a running server as a Gymnasium environment: the others are whoever plays there.

The learner is a player like any other: it logs in, waits for one game at a time, and its clock runs while it thinks.
Moves that the game's own list does not number are those that its pictures offer.
"""

import random
import socket
import time
from collections.abc import Mapping, Sequence
from math import inf
from typing import Any, Final

import gymnasium
import numpy as np

from game_masters.env.aec import MAX_ACTIONS, OBSERVED, Coding, Observation, chosen
from game_masters.env.observing import SeatReader, mask_of, no_moves
from game_masters.env.server_line import LineClosed, ServerLine
from game_masters.kit.rules import AnyGame, Options, OptionValue, Table
from game_masters.kit.sitting import Sitting
from ugs.address import read_address
from ugs.pictures.contract import Follower, Scene, Seat, Shown
from ugs.tls import client_context
from ugs.wire import extensions as x
from ugs.wire.messages import Error, GameState, LeaveGame, Message, Move, PlayerResult, Result, ThankYou

UNREADABLE: Final = b"<move><unreadable/></move>"
"""Sent for an action that stands for no move: the rules decide what follows."""
FIRST_PAUSE_S: Final = 0.1
MAX_PAUSE_S: Final = 10.0
"""Seconds before the next connection, at first and at most."""
_PLAYED: Final = frozenset({x.SeatState.PLAYING, x.SeatState.FINISHED, x.SeatState.QUIT})
"""States of seats that only a game has."""


class RemoteSeatEnv(gymnasium.Env[Observation, Any]):
    """The games of one player at a server. Make it with :func:`remote_seat_env`."""

    metadata: dict[str, Any]

    def __init__(
        self, game: AnyGame, options: Options, coding: Coding, line: ServerLine, timeout_s: float | None
    ) -> None:
        self.metadata = {"name": f"{game.name}_v0", "render_modes": []}
        self.render_mode = None
        self.observation_space: gymnasium.spaces.Space[Any] = coding.space
        self.action_space = gymnasium.spaces.Discrete(coding.size)
        self.game = game
        self._options = options
        self._coding = coding
        self._line = line
        self._timeout_s = timeout_s
        self._played: _PlayedGame | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Wait for a game, until the learner is asked in it. A game that goes on is left, which loses it. ``seed``
        serves for the spaces alone: chance is the server's.

        Raises OSError if the server cannot be reached, or does not let the learner in, and TimeoutError after the
        seconds of ``timeout_s``.
        """
        super().reset(seed=seed)
        until = None if self._timeout_s is None else time.monotonic() + self._timeout_s
        pause_s = FIRST_PAUSE_S
        while True:
            try:
                if self._played is not None and not self._played.over and self._line.is_open:
                    self._line.send(LeaveGame(self._played.id))
                self._played = None
                self._line.begin()
                game = self._goes_on(until)
            except LineClosed:
                self._line.close()  # a server that restarts is asked once more; one that is gone refuses that
                left_s = inf if until is None else until - time.monotonic()
                if left_s <= 0:
                    raise TimeoutError("no game in time") from None
                time.sleep(min(left_s, pause_s * random.uniform(0.5, 1)))  # not all learners at once
                pause_s = min(2 * pause_s, MAX_PAUSE_S)
                continue
            if game is not None and not game.over:
                return self._seen(game), self._info(game)

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Make a move, and wait until the learner is asked again or its game is over. A game that ends without a
        result, because it is void or the line is cut, is truncated; ``info["why"]`` has the reason."""
        game = self._played
        if game is None or game.over:
            raise RuntimeError("there is no game: call reset")
        move = Move(game.id, self._payload(game, int(action)))
        try:
            game.sent(move)
            self._line.send(move)
            self._goes_on(None)
        except LineClosed as error:
            game.why, game.over = str(error), True
        cut = game.over and game.reward is None
        return self._seen(game), game.reward or 0.0, game.over and not cut, cut, self._info(game)

    def moves(self) -> Mapping[int, Any]:
        """Return the legal moves by their numbers, where they are known."""
        return {} if self._played is None else self._played.numbers

    def close(self) -> None:
        """Log out."""
        self._line.close()

    def _payload(self, game: "_PlayedGame", action: int) -> bytes:
        if self._coding.moves:
            known = 0 <= action < self._coding.size
            return self.game.notation.write_move(self._coding.moves[action]) if known else UNREADABLE
        move = game.numbers.get(action)
        return UNREADABLE if move is None else self.game.notation.write_move(move)

    def _goes_on(self, until: float | None) -> "_PlayedGame | None":
        """Receive messages until the learner is asked, or its game is over. Raises LineClosed, TimeoutError."""
        asked = False
        while not asked:
            for message in self._line.receive(until):
                asked = self._receives(message) or asked
        return self._played

    def _receives(self, message: Message) -> bool:
        """Take in a message; whether the learner is asked, or its game is over."""
        game = self._played
        if isinstance(message, x.Seats) and any(one.state in _PLAYED for one in message.seats):
            if game is None or game.id != message.game_id:
                self._played = _PlayedGame(self.game, self._options, self._coding, message, self._line.nick)
            return False
        if isinstance(message, x.GameVerdict) and game is not None and game.id == message.game_id:
            game.why = message.account
            if message.void:
                game.over = True
            return game.over
        if isinstance(message, Error) and game is not None:
            game.why = message.text
        if not isinstance(message, GameState) or game is None or message.game_id != game.id:
            return False
        try:
            asked = game.shown(message)
        except Exception as error:  # any master may lead the game, and readers and renderers are those of its package
            game.why, game.over = f"the state cannot be read: {error}", True
            self._line.send(LeaveGame(game.id))
            return True
        if message.game_over is not None:
            self._line.send(ThankYou(game.id))
        return asked

    def _seen(self, game: "_PlayedGame") -> Observation:
        return {"observation": game.seen, "action_mask": game.mask}

    def _info(self, game: "_PlayedGame") -> dict[str, Any]:
        return {"seat": game.seat, "game": game.id, **({"why": game.why} if game.why else {})}


class _PlayedGame:
    """One game: what the seat is shown, as numbers."""

    def __init__(self, game: AnyGame, options: Options, coding: Coding, begun: x.Seats, nick: str) -> None:
        self.id = begun.game_id
        self.over = False
        self.reward: float | None = None
        self.why = ""
        nicks = [one.nick for one in begun.seats]
        self.seat = nicks.index(nick) if nick in nicks else 0
        self._game = game
        self._coding = coding
        self._nick = nick
        self._nicks = nicks
        self._sitting: Sitting[Any] = Sitting(begun.game_id, lambda: game.notation.follow(options))
        self._reader: SeatReader = coding.readers_for(len(nicks))(self.seat)
        texts = {option.name: option.written(options.values[option.name]) for option in game.options}
        scene = Scene(tuple(Seat(one.nick, one.label) for one in begun.seats), self.seat, texts)
        self._follow: Follower | None = None if game.pictures is None or coding.moves else game.pictures(scene)
        self._own_move = b""
        self.seen = np.zeros(coding.space["observation"].shape or (), np.uint8)
        self.mask = no_moves(coding.size)
        self.numbers: Mapping[int, Any] = {}

    def sent(self, move: Move) -> None:
        """Take down the move of this seat."""
        self._sitting.answers(move)
        self._own_move, self.numbers, self.mask = move.payload, {}, no_moves(self._coding.size)

    def shown(self, state: GameState) -> bool:
        """Take in a state; whether the seat is asked, or the game is over. Raises what reader and renderer raise."""
        self.seen, mask = self._reader(self._sitting.receives(state))
        asked = state.next_player == self._nick
        self.mask = no_moves(self._coding.size)
        if asked and mask is not None and self._coding.moves:
            self.mask = mask
            self.numbers = {number: move for number, move in enumerate(self._coding.moves) if mask[number]}
        moves = self._offered(state, asked=asked)
        if asked and not self._coding.moves:
            self.numbers = self._coding.numbers(moves)
            self.mask = mask_of(self.numbers, self._coding.size)
        if state.game_over is not None:
            self.over, self.reward = True, _reward(state.game_over, self._nick)
        return asked or self.over

    def _offered(self, state: GameState, *, asked: bool) -> Sequence[Any]:
        """The moves that the picture of a state offers this seat."""
        if self._follow is None:
            return ()
        movers = tuple(seat for seat, nick in enumerate(self._nicks) if nick == state.next_player)
        picture = self._follow(Shown(state.payload, movers, None, self._own_move))
        self._own_move = b""
        found: list[Any] = []
        for offer in picture.offers(self.seat) if asked else ():
            move = self._game.notation.read_move(offer.move)
            if move not in found:
                found.append(move)
        return found


def _reward(results: Sequence[PlayerResult], nick: str) -> float:
    if len({one.result for one in results}) == 1:
        return 0.0
    return 1.0 if any(one.nick == nick and one.result is Result.WINNER for one in results) else -1.0


def remote_seat_env(
    game: AnyGame,
    address: str,
    *,
    nick: str = "learner",
    token: str = "",
    options: Mapping[str, OptionValue] | None = None,
    numbering: str | None = None,
    max_actions: int = MAX_ACTIONS,
    observed: int = OBSERVED,
    tls: bool = False,
    timeout_s: float | None = None,
) -> RemoteSeatEnv:
    """Return one seat at the server at ``address`` (HOST:PORT), for a player called ``nick``. ``options`` are those
    that the game's master plays with there; ``timeout_s`` is how long :meth:`RemoteSeatEnv.reset` waits for a game.

    Raises BadOption, and ValueError for a game without pictures, which says nothing of legal moves, and a bad address.
    """
    host, port = read_address(address)
    values = chosen(game, options or {})
    table = Table("env", tuple(f"player_{seat}" for seat in range(game.players.min)), values)
    coding = Coding(game, table, numbering, max_actions, observed)
    if game.pictures is None and not coding.moves:
        raise ValueError(f"{game.name} has neither pictures nor a list of its moves: what is legal cannot be learned")
    context = client_context() if tls else None

    def opened() -> socket.socket:
        plain = socket.create_connection((host, port))
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return plain if context is None else context.wrap_socket(plain, server_hostname=host)

    return RemoteSeatEnv(game, values, coding, ServerLine(opened, nick, game.game_type, token), timeout_s)
