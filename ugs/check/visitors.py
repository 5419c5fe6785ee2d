"""Where the connections of a program on trial come from: a program that is started here, or by hand."""

from collections.abc import Callable, Sequence
from typing import Final, Protocol

import trio

from ugs.check.case import NoProgram
from ugs.processor_time import ProcessorUse
from ugs.replay.program import HOST, Program, ReplayFailed, filled

CONNECT_S: Final = 30.0
"""Seconds that a program has to start and to connect, where it does not have more for each answer."""
BY_HAND_S: Final = 600.0
"""The same for one that is started by hand."""
LAST_WORDS_S: Final = 1.0
"""Seconds that a program has to end once its line is closed: what dies of a fault closes it before it ends."""


class Visitors(Protocol):
    """Brings connections."""

    by_hand: bool
    """Whether the program is started by hand."""

    async def fresh(self) -> trio.abc.HalfCloseableStream:
        """A connection of a program that has just been started. Raises NoProgram."""

    async def again(self, within_s: float) -> trio.abc.HalfCloseableStream | None:
        """The next connection of the same program; None if it does not come in time."""

    async def aclose(self) -> None:
        """No more connections are wanted."""

    async def ends(self) -> None:
        """The program has closed its line: give it time to end by itself, and to write why."""

    def begins_case(self) -> None:
        """A case begins with the same program: the lines that it has written up to now belong to others."""

    def processor_use(self) -> ProcessorUse:
        """What the program has used of processors up to now; 0 where that is not known."""

    def wrote(self) -> list[str]:
        """The last lines that the program has written in this case, and how it ended."""


class StartedProgram:
    """A program that is started again for each fresh connection. In its command line ``{address}``, ``{host}`` and
    ``{port}`` are replaced, and the environment has the same as UGS_ADDRESS, UGS_HOST and UGS_PORT."""

    by_hand = False

    def __init__(self, command: Sequence[str], nursery: trio.Nursery, timeout_s: float = CONNECT_S) -> None:
        """``timeout_s``: how long it may take for an answer."""
        self._command = command
        self._connect_s = max(CONNECT_S, timeout_s)
        self._nursery = nursery
        self._program: Program | None = None
        self._listener: trio.SocketListener | None = None

    async def fresh(self) -> trio.abc.HalfCloseableStream:
        """Start the program, and end the one before."""
        await self.aclose()
        (self._listener,) = await trio.open_tcp_listeners(0, host=HOST)
        port = str(self._listener.socket.getsockname()[1])
        places = {"address": f"{HOST}:{port}", "host": HOST, "port": port}
        if any("{nick}" in argument for argument in self._command):
            raise NoProgram(
                "{nick}: a check has no nick to give; write one, such as ann ({address}, {host}, {port} are known)"
            )
        command = [filled(argument, places) for argument in self._command]
        try:
            self._program = await Program.start(command, {f"UGS_{name.upper()}": one for name, one in places.items()})
        except ReplayFailed as failure:
            raise NoProgram(str(failure)) from None
        self._nursery.start_soon(self._program.watch)
        self._nursery.start_soon(self._program.wait)
        stream = await self.again(self._connect_s)
        if stream is None:
            why = "before it ended" if self._program.ended.is_set() else f"within {self._connect_s:g} s"
            lines = [f"it has not connected to {HOST}:{port} {why}", *self.wrote()]
            if command == list(self._command):
                lines.append(
                    "its command has no {address}, {host} or {port} in it, nor need it if it reads UGS_ADDRESS"
                )
            raise NoProgram("\n".join(lines))
        return stream

    async def again(self, within_s: float) -> trio.abc.HalfCloseableStream | None:
        """Wait for the program to connect, or to end."""
        assert self._listener is not None
        assert self._program is not None
        stream: trio.SocketStream | None = None
        program = self._program
        with trio.move_on_after(within_s):
            async with trio.open_nursery() as nursery:

                @nursery.start_soon
                async def give_up() -> None:
                    await program.ended.wait()
                    nursery.cancel_scope.cancel()

                stream = await self._listener.accept()
                nursery.cancel_scope.cancel()
        return stream

    async def aclose(self) -> None:
        """End the program and all that it has started."""
        if self._listener is not None:
            await self._listener.aclose()
        if self._program is not None:
            # Also when cancelled: no program may be left behind.
            with trio.CancelScope(shield=True):
                await self._program.stop(at_once=True)

    async def ends(self) -> None:
        """Wait a moment for its end and its last lines."""
        if self._program is not None:
            with trio.move_on_after(LAST_WORDS_S):
                await self._program.last_words()

    def begins_case(self) -> None:
        """Leave out what it has written up to now."""
        if self._program is not None:
            self._program.begins_anew()

    def processor_use(self) -> ProcessorUse:
        """That of the process, and of what it has started."""
        return self._program.processor_use if self._program is not None else ProcessorUse()

    def wrote(self) -> list[str]:
        """What the program has written."""
        return self._program.account() if self._program is not None else []


class ByHand:
    """A program that is started by hand; it connects to a port that stays the same."""

    by_hand = True

    def __init__(self, listener: trio.SocketListener, ask: Callable[[str], None]) -> None:
        """``ask`` shows a sentence to who has to start it."""
        self._listener = listener
        self._ask = ask
        self._asked = 0

    async def fresh(self) -> trio.abc.HalfCloseableStream:
        """Wait for the next connection."""
        host, port = self._listener.socket.getsockname()[:2]
        self._asked += 1
        who = "start the program" if self._asked == 1 else "if the program has ended, start it again"
        self._ask(f"waiting for connection {self._asked} at {host}:{port}: {who}")
        stream = await self.again(BY_HAND_S)
        if stream is None:
            raise NoProgram(f"nothing has connected to {host}:{port} within {BY_HAND_S:g} s")
        return stream

    async def again(self, within_s: float) -> trio.abc.HalfCloseableStream | None:
        """The next connection."""
        with trio.move_on_after(within_s):
            return await self._listener.accept()
        return None

    async def aclose(self) -> None:
        """Let what has connected meanwhile wait: it is the next one."""

    async def ends(self) -> None:
        """Nothing to wait for: who has started it sees what it writes."""

    def begins_case(self) -> None:
        """Nothing to leave out."""

    def processor_use(self) -> ProcessorUse:
        """Not known: it may run anywhere."""
        return ProcessorUse()

    def wrote(self) -> list[str]:
        """Nothing: what it writes goes to who has started it."""
        return []
