"""Orders games from the server of a match, as an organiser who pairs the players."""

from collections.abc import Callable, Mapping, Sequence
from math import isfinite
from typing import Final

import trio

from ugs.match.match_server import MatchServer
from ugs.match.programs import MatchFailed

WHY: Final = "ugs match"
"""The reason of each act, in the journal of the server."""
FIRST_WAIT_S, MAX_WAIT_S = 0.001, 0.2
"""Seconds between two orders of a game whose players are not free yet: they still have to send their thanks."""
EAGER: Final = 0.95
"""The next order comes after this part of the time after the last one, when that one was not refused."""
PATIENCE_S: Final = 90.0
"""Seconds until the players of a game, and a master, must be there. One that was too slow for its last game may need
most of it."""
NOT_FREE: Final = ("seats: ", "no game master", "no game type")
"""How a refusal of a game begins that may begin later."""


class GameOrders:
    """The games of one type on one server."""

    def __init__(self, server: MatchServer, game_type: str, options: Mapping[str, str] | None = None) -> None:
        """``options``: of each game; the others are the defaults of its master."""
        self._server = server
        self._pair = {"ask": "act", "kind": "pair", "game_type": game_type, "options": dict(options or {}), "why": WHY}
        self.pause_s = 0.0
        """Seconds that players usually need between two games; an order before that is refused."""

    async def begin(
        self, seats: Sequence[str], setup: str, free_since: float, before: Callable[[], None] = lambda: None
    ) -> str:
        """Have a game begin for these nicks, whose last games have ended by ``free_since`` on Trio's clock; returns its
        id. They may still owe thanks for them, which is given time. ``before`` is called before each attempt. Raises
        MatchFailed when it does not begin."""
        wait_s, until = FIRST_WAIT_S, trio.current_time() + PATIENCE_S
        refused = False
        if free_since + self.pause_s > trio.current_time():
            await trio.sleep_until(free_since + self.pause_s)
        while True:
            before()
            answer = await self._server.ask({**self._pair, "seats": list(seats), "setup": setup})
            if answer["ok"]:
                self._learn(trio.current_time() - free_since, refused=refused)
                return str(answer["game"])
            if not answer["error"].startswith(NOT_FREE) or trio.current_time() > until:
                raise MatchFailed(f"no game of {', '.join(seats)} begins: {answer['error']}")
            refused = True
            await trio.sleep(wait_s)
            wait_s = min(2 * wait_s, MAX_WAIT_S)

    def _learn(self, after_s: float, *, refused: bool) -> None:
        """Players were free ``after_s`` seconds after their last game had ended; with ``refused``, not long before."""
        if not refused:
            self.pause_s = EAGER * min(self.pause_s, after_s)
        elif isfinite(after_s):  # else it was a master that they waited for
            self.pause_s = min(MAX_WAIT_S, (self.pause_s + after_s) / 2)
