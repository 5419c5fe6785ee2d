"""Games of calm players beside an attack, led by a real master: how long each move takes. A process of its own.

Started as ``python -m ugs.soak.witness PLAN``, PLAN being the JSON of a :class:`WitnessPlan`. It writes ``playing``
when all games have begun. On each line that it reads it writes what it has seen since the last one, as one line of
JSON: a :class:`WitnessSeen`. It ends with its input.

Beside them two thinkers play, who do not read while they think, and whom strangers may speak to and invite. How long
their moves take is not measured; but they must not lose their game either.

No game is ever won: the stones of both sides lie so that no row gets long, and at the end the board is full. So a game
that is lost or void is the server's doing.
"""

import json
import random
import sys
import time
from dataclasses import asdict, dataclass, field
from typing import Final

import trio

from ugs.bench.child import run_plan
from ugs.peer import Peer, connect
from ugs.wire.errors import WireError, WrongMessage
from ugs.wire.extensions import Hello, Wait
from ugs.wire.messages import Error, GameState, LoginResponse, Move, PlayerLogin, ThankYou

GAME: Final = "tic-tac-toe"
"""What its master leads."""
GAME_TYPE: Final = "witness"
THINKERS: Final = ("thinker0", "thinker1")
THINKER_S: Final = 3.0
"""Seconds that they think about a move."""
BOARD: Final = 20
PENDING_NS: Final = 50_000_000
"""A move without an answer counts as one that took so long, from this age on."""
UNEVENNESS: Final = 0.5
HEALTH_S: Final = 0.25
HEALTH_PATIENCE_S: Final = 2.0
"""Seconds between two health checks, and for one of them."""

FIELDS: Final = tuple((x, y) for x in range(BOARD) for y in range(BOARD))
STONES: Final = tuple(tuple((x, y) for x, y in FIELDS if ((x + 2 * y) % 4 < 2) == first) for first in (True, False))
"""The fields of each seat. No row, column or diagonal has more than two of them side by side."""


def stones_of(first_state: bytes) -> list[tuple[int, int]]:
    """The fields of the player named first by this state of a game."""
    return list(STONES[0 if b"tac" not in first_state else 1])


def stone(field: tuple[int, int], inside: bytes = b"") -> bytes:
    """A move to this field; ``inside`` is what the rules ignore."""
    return b'<move>%b<tic x="%d" y="%d"/></move>' % (inside, *field)


@dataclass(frozen=True, slots=True)
class WitnessPlan:
    """Where the server is, how many games, how long the players think."""

    host: str
    port: int
    http: tuple[str, int] | None = None
    games: int = 4
    think_ms: float = 50


@dataclass(slots=True)
class WitnessSeen:
    """What the witness has seen since it was last asked."""

    trips_ns: list[int] = field(default_factory=list)
    """From sending each move to receiving the state that answers it."""
    drawn: int = 0
    """Games that have ended as they should, counted by player."""
    harm: list[str] = field(default_factory=list)
    """What must not happen: a loss, a void game, an error, a lost line."""
    healthy: int = 0
    """Health checks over HTTP that were answered."""
    unhealthy: int = 0


class Witness:
    """All players, and what they have seen."""

    def __init__(self, plan: WitnessPlan) -> None:
        self._plan = plan
        self._chance = random.Random(1)
        self._nicks = (*(f"calm{number}" for number in range(2 * plan.games)), *THINKERS)
        self._seen = WitnessSeen()
        self._asked: dict[str, int] = {}
        """When each player made the move that has not been answered."""
        self._begun: set[str] = set()
        self._all_begun = trio.Event()

    async def run(self) -> None:
        """Play, and answer what comes on standard input, until that ends."""
        async with trio.open_nursery() as nursery:
            for nick in self._nicks:
                nursery.start_soon(self._play, nick)
            if self._plan.http is not None:
                nursery.start_soon(self._check_health, *self._plan.http)
            await self._all_begun.wait()
            print("playing", flush=True)
            async for _ in trio.wrap_file(sys.stdin):
                print(json.dumps(asdict(self._take())), flush=True)
            nursery.cancel_scope.cancel()

    def _take(self) -> WitnessSeen:
        now = time.monotonic_ns()
        seen, self._seen = self._seen, WitnessSeen()
        seen.trips_ns += [now - since for since in self._asked.values() if now - since > PENDING_NS]
        return seen

    async def _play(self, nick: str) -> None:
        try:
            async with await connect(self._plan.host, self._plan.port) as peer:
                if nick in THINKERS:
                    await peer.send(Hello(("chat", "lobby")), PlayerLogin(nick, GAME_TYPE), Wait())
                else:
                    await peer.send(PlayerLogin(nick, GAME_TYPE))
                await self._games(nick, peer)
            self._seen.harm.append(f"{nick}: the server has closed the line")
        except (OSError, trio.BrokenResourceError, WireError, WrongMessage) as error:
            self._seen.harm.append(f"{nick}: {error!r}")
        self._asked.pop(nick, None)

    async def _games(self, nick: str, peer: Peer) -> None:
        stones: list[tuple[int, int]] = []
        while (message := await peer.receive()) is not None:
            if isinstance(message, GameState):
                self._follows_state(nick, message)
                if message.game_over is not None:
                    stones = []
                    await peer.send(ThankYou(message.game_id))
                elif message.next_player == nick:
                    stones = stones or stones_of(message.payload)
                    await self._think(nick)
                    await peer.send(Move(message.game_id, stone(stones.pop())))
            elif isinstance(message, Error):
                self._seen.harm.append(f"{nick}: {message.text}")
            elif isinstance(message, LoginResponse) and message.error is not None:
                self._seen.harm.append(f"{nick}: login error {message.error}")

    async def _think(self, nick: str) -> None:
        """Returns when it moves."""
        if nick in THINKERS:
            await trio.sleep(THINKER_S)
            return
        # Uneven, or all games would move in the same instant.
        await trio.sleep(self._plan.think_ms / 1000 * self._chance.uniform(1 - UNEVENNESS, 1 + UNEVENNESS))
        self._asked[nick] = time.monotonic_ns()

    def _follows_state(self, nick: str, state: GameState) -> None:
        asked = self._asked.pop(nick, None)
        if asked is not None:
            self._seen.trips_ns.append(time.monotonic_ns() - asked)
        self._begun.add(nick)
        if len(self._begun) == len(self._nicks):
            self._all_begun.set()
        if state.game_over is not None:
            results = {result.result for result in state.game_over}
            if len(results) == 1:
                self._seen.drawn += 1
            else:
                self._seen.harm.append(f"{nick}: game {state.game_id} has a loser")

    async def _check_health(self, host: str, port: int) -> None:
        while True:
            answer = b""
            with trio.move_on_after(HEALTH_PATIENCE_S):
                try:
                    async with await trio.open_tcp_stream(host, port) as stream:
                        await stream.send_all(b"GET /healthz HTTP/1.1\r\nHost: soak\r\nConnection: close\r\n\r\n")
                        async for part in stream:
                            answer += part
                except (OSError, trio.BrokenResourceError):
                    pass
            if answer.endswith(b"ok"):
                self._seen.healthy += 1
            else:
                self._seen.unhealthy += 1
            await trio.sleep(HEALTH_S)


def watch(plan: WitnessPlan) -> None:
    """Play until killed."""
    trio.run(Witness(plan).run)


if __name__ == "__main__":
    sys.exit(run_plan(watch, WitnessPlan))
