"""One seat at a running server as a Gymnasium environment: the others are whoever plays there.

The learner is a player like any other: it logs in, waits for one game at a time, and its clock runs while it thinks.
Moves that the game's own list does not number are those that its pictures offer.
"""

import random
import time
from collections.abc import Mapping
from math import inf
from typing import Any, Final

import gymnasium

from game_masters.env.aec import MAX_ACTIONS, OBSERVED, Coding, Observation, chosen
from game_masters.env.numbered_seat import PlayedGame, ServerSeat, seats_at
from game_masters.env.server_line import LineClosed
from game_masters.kit.rules import AnyGame, OptionValue, Table

FIRST_PAUSE_S: Final = 0.1
MAX_PAUSE_S: Final = 10.0
"""Seconds before the next connection, at first and at most."""


class RemoteSeatEnv(gymnasium.Env[Observation, Any]):
    """The games of one player at a server. Make it with :func:`remote_seat_env`."""

    metadata: dict[str, Any]

    def __init__(self, game: AnyGame, coding: Coding, seat: ServerSeat, timeout_s: float | None) -> None:
        self.metadata = {"name": f"{game.name}_v0", "render_modes": []}
        self.render_mode = None
        self.observation_space: gymnasium.spaces.Space[Any] = coding.space
        self.action_space = gymnasium.spaces.Discrete(coding.size)
        self.game = game
        self._seat = seat
        self._timeout_s = timeout_s

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Wait for a game, until the learner is asked in it. A game that goes on is left, which loses it. ``seed``
        serves for the spaces alone: chance is the server's.

        Raises OSError if the server cannot be reached, or does not let the learner in, and TimeoutError after the
        seconds of ``timeout_s``.
        """
        super().reset(seed=seed)
        pauses = Pauses(self._timeout_s)
        while True:
            try:
                self._seat.leaves()
                self._seat.line.begin()
                game = self._goes_on(pauses.until)
            except LineClosed:
                self._seat.line.close()  # a server that restarts is asked once more; one that is gone refuses that
                pauses.waits()
                continue
            if game is not None and not game.over:
                return game.observation, game.info

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Make a move, and wait until the learner is asked again or its game is over. A game that ends without a
        result, because it is void or the line is cut, is truncated; ``info["why"]`` has the reason."""
        game = self._seat.played
        if game is None or game.over:
            raise RuntimeError("there is no game: call reset")
        try:
            self._seat.acts(game, int(action))
            self._goes_on(None)
        except LineClosed as error:
            game.why = str(error)
            game.ends(void=True)
        return (game.observation, *game.result, game.info)

    def moves(self) -> Mapping[int, Any]:
        """Return the legal moves by their numbers, where they are known."""
        return {} if self._seat.played is None else self._seat.played.numbers

    def close(self) -> None:
        """Log out."""
        self._seat.line.close()

    def _goes_on(self, until: float | None) -> PlayedGame | None:
        """Receive messages until the learner is asked, or its game is over. Raises LineClosed, TimeoutError."""
        asked = False
        while not asked:
            for message in self._seat.line.receive(until):
                asked = self._seat.receives(message) or asked
        return self._seat.played


class Pauses:
    """The pauses between connections to a server that cannot be reached, longer each time."""

    def __init__(self, timeout_s: float | None) -> None:
        """``timeout_s``: seconds after which it is no use to go on (None: never)."""
        self.until = None if timeout_s is None else time.monotonic() + timeout_s
        self._pause_s = FIRST_PAUSE_S

    def waits(self) -> None:
        """Wait before the next connection. Raises TimeoutError if there is no time left."""
        left_s = inf if self.until is None else self.until - time.monotonic()
        if left_s <= 0:
            raise TimeoutError("no game in time")
        time.sleep(min(left_s, self._pause_s * random.uniform(0.5, 1)))  # not all learners at once
        self._pause_s = min(2 * self._pause_s, MAX_PAUSE_S)


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
    values = chosen(game, options or {})
    table = Table("env", tuple(f"player_{seat}" for seat in range(game.players.min)), values)
    coding = Coding(game, table, numbering, max_actions, observed)
    (seat,) = seats_at(game, address, {nick: token}, values, coding, tls=tls)
    return RemoteSeatEnv(game, coding, seat, timeout_s)
