"""A calm player that outlasts its servers: it comes back with its session to the one that answers, and plays on.

No game is ever won, as with the witness of ``--attacks`` (:mod:`ugs.soak.witness`): the stones of both sides lie so
that no row gets long. So a game that is lost or void is the servers' doing.
"""

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import trio

from ugs.peer import Peer, connect_any
from ugs.soak.witness import stone
from ugs.wire.errors import WireError, WrongMessage
from ugs.wire.extensions import Failed, Hello, Ping, Pong, Resume, Session
from ugs.wire.messages import Error, GameState, LoginResponse, Message, Move, PlayerLogin, ThankYou

BOARD: Final = 8
ROW: Final = 5
THINK_S: Final = (0.5, 1.5)
RETRY_S: Final = 0.3
"""Seconds until a player tries to come back again."""
FIELDS: Final = tuple((x, y) for x in range(BOARD) for y in range(BOARD))
STONES: Final = tuple(tuple((x, y) for x, y in FIELDS if ((x + 2 * y) % 4 < 2) == first) for first in (True, False))
"""The fields of each seat. No row, column or diagonal has more than two of them side by side."""


@dataclass(frozen=True, slots=True)
class SeenEnd:
    """The end of a game as a player received it."""

    game_id: str
    nick: str
    drawn: bool


@dataclass(slots=True)
class LastingTales:
    """What all players have seen. Times are those of ``time.monotonic``."""

    relayed: list[tuple[float, str]] = field(default_factory=list)
    """When a state after a new move has come to a player, and its game."""
    ends: list[SeenEnd] = field(default_factory=list)
    harm: list[tuple[float, str]] = field(default_factory=list)
    """What no calm player has earned: a loss, a void game, an error, a session that is over."""
    back: int = 0
    """How often a player has come back with its session."""


class LastingPlayer:
    """One player of ``game_type``, who knows all the ``servers`` by host and port."""

    def __init__(
        self, nick: str, game_type: str, servers: Sequence[tuple[str, int]], tales: LastingTales, chance: random.Random
    ) -> None:
        self._nick = nick
        self._game_type = game_type
        self._servers = servers
        self._tales = tales
        self._chance = chance
        self._token = ""
        self._turn: bool | None = None
        """After coming back: whether the server waits for a move. None at all other times."""
        self._game = ""
        self._last = b""
        """The last state of that game."""
        self._stones: list[tuple[int, int]] = []
        self._answered: tuple[bytes, Move] | None = None
        """The last state that it answered, and the answer."""

    async def run(self) -> None:
        """Play until cancelled."""
        while True:
            try:
                async with await connect_any(self._servers) as peer:
                    login = Resume(self._token) if self._token else PlayerLogin(self._nick, self._game_type)
                    await peer.send(Hello(("session",)), login)
                    while (message := await peer.receive()) is not None and await self._heeds(peer, message):
                        pass
            except (OSError, trio.BrokenResourceError, trio.ClosedResourceError):
                pass
            except (WireError, WrongMessage) as error:
                self._harmed(repr(error))
            await trio.sleep(self._chance.uniform(0.5, 1.5) * RETRY_S)

    async def _heeds(self, peer: Peer, message: Message) -> bool:
        """Do what a message asks for. Returns whether this connection is still good for something."""
        if isinstance(message, GameState):
            await self._follows(peer, message)
        elif isinstance(message, Ping):
            await peer.send(Pong(ref=message.ref))
        elif isinstance(message, Session):
            self._token = message.token
            self._turn = message.turn if message.resumed else None
            self._tales.back += message.resumed
        elif isinstance(message, Error):
            self._harmed(message.text)
        elif isinstance(message, Failed):
            self._harmed(f"{message!r}")
            self._token, self._game = "", ""
            return False
        return not isinstance(message, LoginResponse) or message.error is None

    async def _follows(self, peer: Peer, state: GameState) -> None:
        turn, self._turn = self._turn, None
        if state.game_id != self._game:
            self._game, self._last, self._stones, self._answered, turn = state.game_id, b"", [], None, None
        if state.payload != self._last or state.game_over is not None:
            self._tales.relayed.append((time.monotonic(), state.game_id))
            self._last = state.payload
        if state.game_over is not None:
            drawn = len({one.result for one in state.game_over}) == 1
            self._tales.ends.append(SeenEnd(state.game_id, self._nick, drawn))
            if not drawn:
                self._harmed(f"game {state.game_id} has a loser")
            await peer.send(ThankYou(state.game_id))
            self._game = ""
        elif state.next_player == self._nick and turn is not False:
            await self._moves(peer, state)

    async def _moves(self, peer: Peer, state: GameState) -> None:
        if self._answered is not None and self._answered[0] == state.payload:
            await peer.send(self._answered[1])  # the server that got it is gone
            return
        await trio.sleep(self._chance.uniform(*THINK_S))
        if self._answered is None:
            # An empty board at its first turn: it is the one that begins.
            self._stones = list(STONES[0 if b"tac" not in state.payload else 1])
        move = Move(state.game_id, stone(self._stones.pop()))
        self._answered = (state.payload, move)
        await peer.send(move)

    def _harmed(self, what: str) -> None:
        self._tales.harm.append((time.monotonic(), f"{self._nick}: {what}"))
