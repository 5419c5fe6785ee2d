"""The line of a bot through this process, so that each move of it can be timed: in wall time, in processor time, and in
time that it had to wait for a processor."""

from collections.abc import Callable
from contextlib import suppress
from typing import Final

import trio

from ugs.match.time_limits import Strikes, TimeLimits
from ugs.peer import FROM_SERVER
from ugs.processor_time import ProcessorUse
from ugs.wire.codec import WrongMessage, decode, encode
from ugs.wire.framing import Framer, WireError
from ugs.wire.messages import Error, GameState, Message, Move

HOST: Final = "127.0.0.1"
LOOK_S: Final = 0.02
"""The shortest time between two looks at a bot that thinks for long."""
LAST_WORD_S: Final = 1.0
"""How long a bot that does not read is waited for."""


class ClockedLine:
    """A port of one bot. What it connects to is the server; a move that is too slow ends its connection."""

    def __init__(
        self, server: tuple[str, int], nick: str, limits: TimeLimits, read: Callable[[], ProcessorUse]
    ) -> None:
        """``read`` returns what the bot has used until now."""
        self._server = server
        self._nick = nick
        self._limits = limits
        self._read = read
        self._strikes = Strikes(limits)
        self._game = ""
        self._asked: tuple[float, ProcessorUse] | None = None
        """Since when it thinks, and what it had used then."""
        self._thinks = trio.Event()
        self.overtime = ""
        """Why its last connection was ended."""
        self._is_over = False
        """Whether that is the present one."""
        self.waited_s = 0.0
        """For a processor, in all moves."""

    async def serve(self, task_status: trio.TaskStatus[tuple[str, int]] = trio.TASK_STATUS_IGNORED) -> None:
        """Take connections of the bot, one after the other, until cancelled."""
        (listener,) = await trio.open_tcp_listeners(0, host=HOST)
        async with listener:
            task_status.started((HOST, int(listener.socket.getsockname()[1])))
            while True:
                async with await listener.accept() as bot:
                    try:
                        async with await trio.open_tcp_stream(*self._server) as server:
                            await self._relay(bot, server)
                    except OSError:
                        continue

    async def _relay(self, bot: trio.SocketStream, server: trio.SocketStream) -> None:
        self._asked, self._thinks, self._is_over = None, trio.Event(), False
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._watch, nursery.cancel_scope)
            nursery.start_soon(self._forward, server, bot, self._to_bot, nursery.cancel_scope)
            await self._forward(bot, server, self._from_bot, nursery.cancel_scope)
            nursery.cancel_scope.cancel()
        if self._is_over:
            # The server sees a line that is cut; who reads what the bot has written has to know why.
            with suppress(trio.BrokenResourceError, trio.ClosedResourceError), trio.move_on_after(LAST_WORD_S):
                await bot.send_all(encode(Error(f"{self.overtime}: game {self._game} is lost")))

    async def _forward(
        self,
        source: trio.SocketStream,
        target: trio.SocketStream,
        looks: Callable[[Message], bool],
        scope: trio.CancelScope,
    ) -> None:
        """Hand bytes on. A document that may not pass ends the connection; bytes that are none are handed on."""
        framer: Framer | None = Framer(FROM_SERVER)
        try:
            async for data in source:
                if framer is not None:
                    try:
                        for document in framer.feed(bytes(data)):
                            if not looks(document.message or decode(document.raw)):
                                scope.cancel()
                                return
                    except WrongMessage:
                        # The server judges it.
                        pass
                    except WireError:
                        framer = None  # no XML any more: the server judges it
                await target.send_all(data)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            pass
        scope.cancel()

    def _to_bot(self, message: Message) -> bool:
        """A message to the bot: its clock begins when it is asked."""
        if isinstance(message, GameState):
            if message.game_id != self._game:
                self._game, self._strikes = message.game_id, Strikes(self._limits)
            # Asked again in the same turn, as after a refused move, its clock goes on.
            if message.next_player == self._nick and self._asked is None:
                self._asked = (trio.current_time(), self._read())
                self._thinks.set()
            elif message.next_player is None:
                self._asked, self._thinks = None, trio.Event()
        return True

    def _from_bot(self, message: Message) -> bool:
        """A message of the bot: a move that is too slow does not pass."""
        if not isinstance(message, Move) or self._asked is None:
            return True
        wall_s, use = self._until_now()
        self._asked, self._thinks = None, trio.Event()
        self.waited_s += use.waited_s
        self.overtime = self._strikes.judge(wall_s, use)
        self._is_over = bool(self.overtime)
        return not self._is_over

    async def _watch(self, scope: trio.CancelScope) -> None:
        """End the connection of a bot that thinks beyond all limits."""
        longest_s = self._limits.longest_s
        if not longest_s:
            return
        while True:
            await self._thinks.wait()
            if self._asked is None:  # it has answered before we were awake
                continue
            wall_s, use = self._until_now()
            # moved=False: a soft limit may be passed a number of times, and only a move counts as one.
            self.overtime = self._strikes.judge(wall_s, use, moved=False)
            if self.overtime:
                self._is_over = True
                scope.cancel()
                return
            # When the limit can be reached at the earliest: looks cost the bot's processor.
            await trio.sleep(max(LOOK_S, longest_s - self._limits.counted_s(wall_s, use)))

    def _until_now(self) -> tuple[float, ProcessorUse]:
        assert self._asked is not None
        began, before = self._asked
        return trio.current_time() - began, self._read().since(before)
