"""A game master that answers garbage: now and then it plays on, more often it sends what no master may send."""

import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final

import trio

from ugs.peer import Peer
from ugs.soak import traffic
from ugs.wire.errors import WireError
from ugs.wire.messages import BeginGame, Move

Answer = Callable[[str, Sequence[str]], bytes]
"""What it sends about a game with these players."""


def _first(answer: Callable[[str, str], bytes]) -> Answer:
    return lambda game, nicks: answer(game, nicks[0])


SENSIBLE: Final[Sequence[Answer]] = (
    _first(traffic.state),
    lambda game, nicks: traffic.state(game, nicks[-1]),
    lambda game, nicks: traffic.state(game, nicks[0]) * 5,
    lambda game, nicks: traffic.over(game, nicks[0], nicks[1:]),
)
GARBAGE: Final[Sequence[Answer]] = (
    lambda game, nicks: b"",
    lambda game, nicks: b"It is the turn of a player",
    lambda game, nicks: b"\xff\xfe<\0",
    lambda game, nicks: b'<message type="gameState"><a></message>',
    lambda game, nicks: b'<message type="nonsense"/>' * 3,
    lambda game, nicks: b'<message type="logout"/>',
    lambda game, nicks: traffic.state(game, "stranger"),
    lambda game, nicks: traffic.state("another", nicks[0]),
    lambda game, nicks: traffic.over(game, nicks[0], ["stranger"]),  # a winner who is not in the game
    lambda game, nicks: traffic.over(game, nicks[0], []),  # a player is missing
    lambda game, nicks: traffic.over(game, nicks[0], nicks),  # one player twice
    lambda game, nicks: traffic.moving(game, b"<move/>"),
    lambda game, nicks: traffic.thanks(game),
    lambda game, nicks: traffic.errors(40),
    lambda game, nicks: traffic.levels(70),  # more than max_depth
    lambda game, nicks: traffic.state(game, nicks[0], 900)[:500],  # cut in the middle
)
SENSE: Final = 0.7
"""The share of its answers that make sense, from 0 to 1."""
AWAY_S: Final = 0.5


class BadMaster:
    """Leads games of one type, badly, until it is cancelled; it comes back whenever it has been thrown out."""

    def __init__(self, name: str, game_type: str, host: str, port: int, chance: random.Random) -> None:
        self._login = traffic.master_login(name, game_type=game_type)
        self._host = host
        self._port = port
        self._chance = chance
        self.sent = 0
        """How many wrong documents it has sent."""

    async def run(self) -> None:
        """Log in, lead, be thrown out; again and again."""
        while True:
            with suppress(OSError, trio.BrokenResourceError, WireError):
                async with await trio.open_tcp_stream(self._host, self._port) as stream:
                    await stream.send_all(self._login)
                    await self._leads(stream)
            await trio.sleep(self._chance.uniform(0, AWAY_S))

    async def _leads(self, stream: trio.SocketStream) -> None:
        games: dict[str, Sequence[str]] = {}
        peer = Peer(stream)
        while (message := await peer.receive()) is not None:
            if isinstance(message, BeginGame):
                games[message.game_id] = message.players
            if isinstance(message, BeginGame | Move) and (nicks := games.get(message.game_id)):
                await stream.send_all(self._answer(message.game_id, nicks))

    def _answer(self, game: str, nicks: Sequence[str]) -> bytes:
        sensible = self._chance.random() < SENSE
        self.sent += not sensible
        return self._chance.choice(SENSIBLE if sensible else GARBAGE)(game, nicks)
