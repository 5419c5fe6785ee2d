"""One connection with the program on trial, as bytes."""

from collections.abc import Callable, Iterator
from enum import Enum
from typing import Final

import trio

from ugs.check.case import Broken, Chunk
from ugs.peer import FROM_SERVER
from ugs.processor_time import ProcessorUse
from ugs.wire.framing import Document, Framer, WireError

BYTES: Final = "bytes/documents"
"""The case that fails when bytes cannot be cut into documents."""
FLOOD: Final = "bytes/no-flood"
PAUSE_S: Final = 0.01
"""Seconds between two pieces of one document, so that the program reads them one by one."""
SHORT_PAUSE_S: Final = 0.001
"""The same where there are many."""
MANY: Final = 8
BUSY_PART: Final = 0.8
"""The part of the time for which a program has to compute, to be called busy."""
MAX_DOCUMENTS: Final = 500
"""Documents that a program may send for one thing that it is asked."""
MAX_KEPT_BYTES: Final = 262_144
"""Bytes of a dialogue that are kept: of the rest it is only known how much it was."""


class End(Enum):
    """Why no document came."""

    CLOSED = "closed the connection"
    SILENT = "sent nothing"


class ByteLine:
    """A connection. Everything that goes over it is kept for the report."""

    def __init__(
        self,
        stream: trio.abc.HalfCloseableStream,
        timeout_s: float,
        processor_use: Callable[[], ProcessorUse] = ProcessorUse,
    ) -> None:
        """``processor_use``: what the program has used of processors up to now, 0 where that is not known."""
        self.timeout_s = timeout_s
        self.dialogue: list[Chunk] = []
        self.declared: bool | None = None
        """Whether the first document of the program had a declaration; None before it."""
        self.slowest_s = 0.0
        """The longest that a document has let us wait."""
        self.was_silent = False
        """Whether the last document that was awaited has not come."""
        self.busy: ProcessorUse | None = None
        """What the program used of processors while that was awaited, if it computed nearly all the time."""
        self.closed = False
        """Whether the program has closed its side."""
        self._processor_use = processor_use
        self._stream = stream
        self._framer = Framer(FROM_SERVER)
        self._documents: Iterator[Document] = iter(())
        self._began = trio.current_time()
        self._kept = self._count = 0

    def begins(self) -> None:
        """A case begins: what was exchanged before is forgotten."""
        self.dialogue = []
        self._kept = self._count = 0
        self._began = trio.current_time()

    def asks(self) -> None:
        """The program is asked for something: its count of bytes begins again at 0."""
        self._count = 0

    async def send(self, *pieces: bytes) -> None:
        """Send bytes, each piece in a write of its own. A program that is gone is noticed by ``receive``. Raises Broken
        if the program does not read."""
        pause_s = SHORT_PAUSE_S if len(pieces) > MANY else PAUSE_S
        for number, piece in enumerate(pieces):
            if number:
                await trio.sleep(pause_s)
            self._keep(ours=True, data=piece)
            with trio.move_on_after(self.timeout_s) as patience:
                try:
                    await self._stream.send_all(piece)
                except (trio.BrokenResourceError, trio.ClosedResourceError):
                    return
            if patience.cancelled_caught:
                raise Broken(f"it has not read what it was sent for {self.timeout_s:g} s")

    async def receive(self, within_s: float | None = None) -> Document | End:
        """The next document, or why none came in time. Raises Broken."""
        began, self.was_silent, self.busy = trio.current_time(), False, None
        before = self._processor_use()
        with trio.move_on_after(self.timeout_s if within_s is None else within_s):
            try:
                document = await self._next()
                self.slowest_s = max(self.slowest_s, trio.current_time() - began)
                return document
            except WireError as wrong:
                raise Broken(f"what it has sent is no document: {wrong}", BYTES) from None
            except (trio.BrokenResourceError, trio.ClosedResourceError):
                self.closed = True
                return End.CLOSED
        self.was_silent = True
        use = self._processor_use().since(before)
        # On a busy machine it would compute, and has to wait for a processor.
        if use.used_s and use.used_s + use.waited_s >= BUSY_PART * (trio.current_time() - began):
            self.busy = use
        return End.SILENT

    async def half_close(self) -> None:
        """Send nothing more, as a server does that is closing."""
        try:
            await self._stream.send_eof()
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            self.closed = True

    async def close(self) -> None:
        """Close the connection."""
        await trio.aclose_forcefully(self._stream)

    async def _next(self) -> Document | End:
        while True:
            document = next(self._documents, None)
            if document is not None:
                self._count += 1
                if self._count > MAX_DOCUMENTS:
                    raise Broken(f"it has sent more than {MAX_DOCUMENTS} documents for one answer", FLOOD)
                if self.declared is None:
                    self.declared = document.declared
                return document
            data = bytes(await self._stream.receive_some())
            if not data:
                self.closed = True
                if self._framer.pending:
                    raise Broken("it has closed the connection in the middle of a document", BYTES)
                return End.CLOSED
            self._keep(ours=False, data=data)
            self._documents = self._framer.feed(data)

    def _keep(self, *, ours: bool, data: bytes) -> None:
        if self._kept < MAX_KEPT_BYTES:
            data = data[: MAX_KEPT_BYTES - self._kept]
            self._kept += len(data)
            self.dialogue.append(Chunk(trio.current_time() - self._began, ours, data))
