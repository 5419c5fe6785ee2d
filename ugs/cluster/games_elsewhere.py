"""Games of other nodes that this node's page follows: as a spectator at their home, with one line for each game,
however many visitors look.

A line is there while the page looks, and at most :data:`IDLE_S` longer. What has come and was not yet drawn waits here;
when it is much, no more is read, and the home treats this node as a spectator that does not read.
"""

from collections import deque
from collections.abc import Callable, Sequence
from typing import Final

import structlog
import trio

from ugs.broker.state.server_state import ServerState
from ugs.broker.values.replies import RunningGame
from ugs.broker.views.whole import others
from ugs.cluster.introduction import NoNode
from ugs.cluster.login_router import ClusterDoor
from ugs.daemon.network.transport import Gone
from ugs.peer import FROM_SERVER
from ugs.wire.codec import DECLARATION, WrongMessage, decode, encode
from ugs.wire.errors import WireError
from ugs.wire.extensions import (
    EventKind,
    Failed,
    Family,
    GameEvent,
    Hello,
    SeatInfo,
    SeatKind,
    SeatState,
    Watch,
    WatchFrom,
    Watching,
)
from ugs.wire.framing import Framer

MAX_LINES: Final = 64
"""Games of other nodes that are followed at a time."""
IDLE_S: Final = 30.0
"""Seconds without a look after which a game is no longer followed."""
AGAIN_S: Final = 3.0
"""Seconds until a line that was lost is opened again."""
MAX_HELD_BYTES: Final = 524_288
"""Bytes of one game that wait to be drawn, besides the last event."""
_FAMILIES: Final = (Family.WATCH.value, Family.SKETCH.value, Family.REMARK.value)


class GameElsewhere:
    """A running game of the node ``home``: a :class:`ugs.page.contract.Followed`. ``looked`` is called with it at each
    look."""

    def __init__(self, home: str, game: RunningGame, age_s: float, looked: Callable[["GameElsewhere"], None]) -> None:
        self.home = home
        self.over = False
        """Whether nothing more comes."""
        self.looked_at = trio.current_time()
        self.lost_at = float("-inf")
        """When a line to its home was lost last."""
        self.first = Watching(
            game.game,
            game.game_type,
            0,
            tuple([SeatInfo(nick, SeatKind.HUMAN, SeatState.PLAYING) for nick in game.nicks]),
        )
        """The game before its first event; as its home has shown it among others, until that answers."""
        self._looked = looked
        self._championship = game.championship
        self._began_at = trio.current_time() - game.running_s - age_s + game.delay_s
        self._held: deque[GameEvent] = deque()
        self._held_bytes = 0
        self._number = 0
        self._taken = 0
        self._room = trio.Event()

    @property
    def game_id(self) -> str:
        """Its id."""
        return self.first.game_id

    @property
    def championship(self) -> str:
        """The championship that it belongs to; empty in open play."""
        return self._championship

    @property
    def now(self) -> int:
        """The number of the last event that has come."""
        self.looked_at = trio.current_time()
        self._looked(self)
        return self._number

    @property
    def age_s(self) -> float:
        """Seconds since it began, at the moment that may be seen by now."""
        return max(0.0, trio.current_time() - self._began_at)

    async def events(self, after: int, most: int) -> Sequence[GameEvent]:
        """What has come, from event ``after + 1`` on, at most ``most``."""
        await trio.lowlevel.checkpoint()
        found = [event for event in self._held if event.number > after][:most]
        self._taken = max(self._taken, after)
        self._room.set()
        return found

    async def take(self, message: Watching | GameEvent) -> None:
        """This has come from its home. Returns when there is room for more. Raises trio.TooSlowError when the page has
        drawn nothing for :data:`IDLE_S`."""
        if isinstance(message, Watching):
            self.first = message
            return
        if message.number <= self._number:  # the line was opened again, and begins at the beginning
            return
        self._held.append(message)
        self._held_bytes += _size(message)
        self._number = message.number
        self.over = message.what is EventKind.ENDED
        while self._held_bytes > MAX_HELD_BYTES and len(self._held) > 1:
            if self._held[0].number > self._taken:
                self._room = trio.Event()
                # Who looked may have gone: a line that waits for ever would keep its place from others.
                with trio.fail_after(IDLE_S):
                    await self._room.wait()
            else:
                self._held_bytes -= _size(self._held.popleft())


class GamesElsewhere:
    """All that are followed. The owner calls :meth:`run`; ``door`` opens lines to other nodes, ``address`` is where
    this one says that it comes from."""

    def __init__(self, door: ClusterDoor, address: Callable[[], str]) -> None:
        self._door = door
        self._address = address
        self._nursery: trio.Nursery | None = None
        self._lines: set[str] = set()
        self._log: structlog.typing.FilteringBoundLogger = structlog.get_logger("ugs").bind()

    async def run(self) -> None:
        """Keep lines, until cancelled."""
        async with trio.open_nursery() as self._nursery:
            await trio.sleep_forever()

    def follow(self, game_id: str) -> GameElsewhere | None:
        """Return a running game of another node; None if none has shown it."""
        server = self._door.server
        found = _shown(server, game_id) if server is not None else None
        return GameElsewhere(*found, self._looked) if found is not None else None

    def _looked(self, game: GameElsewhere) -> None:
        """See that a game which is looked at has a line."""
        now, server = trio.current_time(), self._door.server
        if game.over or game.game_id in self._lines or now - game.lost_at < AGAIN_S or server is None:
            return
        if _shown(server, game.game_id) is None:
            game.over = True  # its home has gone, or the journal has its end
        elif self._nursery is not None and len(self._lines) < MAX_LINES:
            self._lines.add(game.game_id)
            self._nursery.start_soon(self._read, game)

    async def _read(self, game: GameElsewhere) -> None:
        """Follow a game until it is over, the line is lost, or the page looks no more."""
        hello, watch = Hello(_FAMILIES, "ugs page"), Watch(game.game_id, begin=WatchFrom.BEGIN)
        try:
            line, data = await self._door.line_to(
                game.home, self._address(), DECLARATION + encode(hello) + encode(watch)
            )
            try:
                framer = Framer(FROM_SERVER)
                while not game.over:
                    for document in framer.feed(data):
                        message = decode(document.raw)
                        if isinstance(message, Failed):
                            raise Gone(message.text)
                        if isinstance(message, Watching | GameEvent):
                            await game.take(message)
                    data = b""
                    with trio.move_on_after(IDLE_S):
                        await line.readable()
                        received = line.receive_now()
                        if received == b"":
                            raise Gone("it has hung up")
                        data = received or b""
                    if trio.current_time() - game.looked_at > IDLE_S:
                        break
            finally:
                await line.aclose()
        except (OSError, Gone, NoNode, WireError, WrongMessage, trio.TooSlowError) as error:
            game.lost_at = trio.current_time()
            self._log.info("a game of another node is not followed", game=game.game_id, node=game.home, why=str(error))
        finally:
            self._lines.discard(game.game_id)


def _shown(server: ServerState, game_id: str) -> tuple[str, RunningGame, float] | None:
    """Return the node that has shown a game, the game, and how long ago."""
    for node in others(server):
        for game in node.overview.public.games:
            if game.game == game_id:
                return node.name, game, node.age_s
    return None


def _size(event: GameEvent) -> int:
    return len(event.state) + len(event.sketch) + 200
