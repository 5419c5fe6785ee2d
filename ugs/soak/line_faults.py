"""Lines that fail: a stream that cuts, delays and swallows what goes through it, by chance.

It stands on any Trio stream, in memory or on a socket. TCP keeps the bytes of one direction in their order, and so does
this: what comes in another order than it was sent comes on other lines, or in the other direction, and in other pieces.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NoReturn

import trio


class LineFault(StrEnum):
    """What happens to a line, or to the machine of the server."""

    DELAYED = "delayed"
    IN_PIECES = "in pieces"
    CUT = "cut"
    """Amid what is sent: a part of it arrives, then the line is gone for both."""
    HALF_OPEN = "half-open"
    """Nothing passes in either direction, without a sign to either end, for a while; then the line is gone."""
    DISK_FULL = "disk full"
    DISK_SLOW = "disk slow"
    SERVER_SLEEPS = "server sleeps"
    """It stands still, and its clocks have jumped when it goes on."""
    CLOCK_SET = "clock set"
    """The clock on its wall jumps by hours, forwards or back."""
    MASTER_SLEEPS = "master sleeps"


@dataclass(frozen=True, slots=True)
class Odds:
    """How likely each fault is whenever something is sent or awaited, and how long it takes at most."""

    delayed: float = 0.0
    in_pieces: float = 0.0
    cut: float = 0.0
    half_open: float = 0.0
    delay_s: float = 0.2
    half_open_s: float = 2.0


MAX_PIECES: Final = 4
FEW_BYTES: Final = 7
"""What arrives in one piece when it arrives in pieces, at most."""


class FaultyStream(trio.abc.HalfCloseableStream):
    """A stream with faults; ``on_fault`` is called with each one when it begins.

    Where the line is cut, or has been half-open long enough, both directions raise trio.BrokenResourceError, and the
    other end sees it broken. A call that is cancelled has lost nothing that came.
    """

    def __init__(
        self,
        stream: trio.abc.HalfCloseableStream,
        odds: Odds,
        chance: random.Random,
        on_fault: Callable[[LineFault], None] = lambda _: None,
    ) -> None:
        self._stream = stream
        self._odds = odds
        self._chance = chance
        self._on_fault = on_fault
        self._gone_at: float | None = None
        """When a line that is half-open ends."""
        self._has_failed = False

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Send ``data``: whole, in pieces, or only the beginning before the line is cut."""
        await self._waits()
        if self._happens(LineFault.CUT, self._odds.cut):
            await self._stream.send_all(data[: self._chance.randint(0, len(data))])
            await self._ends()
        pieces = [data]
        if len(data) > 1 and self._happens(LineFault.IN_PIECES, self._odds.in_pieces):
            places = sorted(self._chance.randrange(1, len(data)) for _ in range(self._chance.randrange(1, MAX_PIECES)))
            pieces = [data[start:end] for start, end in zip([0, *places], [*places, len(data)], strict=True)]
        for piece in pieces:
            await self._stream.send_all(piece)
            if piece is not pieces[-1]:
                await trio.sleep(self._chance.uniform(0, self._odds.delay_s / len(pieces)))

    async def wait_send_all_might_not_block(self) -> None:
        """Wait until the stream below can send."""
        await self._stream.wait_send_all_might_not_block()

    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
        """Receive what has come, or a few bytes of it; the line may be cut instead."""
        await self._waits()
        if self._happens(LineFault.CUT, self._odds.cut):
            await self._ends()
        # Few bytes: a document arrives cut in the middle of a tag or of a character.
        if self._happens(LineFault.IN_PIECES, self._odds.in_pieces):
            max_bytes = min(max_bytes or FEW_BYTES, self._chance.randint(1, FEW_BYTES))
        try:
            data = await self._stream.receive_some(max_bytes)
        except trio.ClosedResourceError:
            if self._has_failed:
                await self._ends()
            raise
        if self._gone_at is not None:  # the other direction has noticed first
            await self._waits()
        return data

    async def send_eof(self) -> None:
        """Send the end, after the faults of the line."""
        await self._waits()
        await self._stream.send_eof()

    async def aclose(self) -> None:
        """Close it; a half-open line shows the other end nothing before it ends."""
        # No goodbye: a program that dies, or a cable that is pulled, sends none.
        await trio.aclose_forcefully(self._stream)

    async def _waits(self) -> None:
        """What happens before something passes."""
        await trio.lowlevel.checkpoint()
        if self._has_failed:
            await self._ends()
        if self._gone_at is None and self._happens(LineFault.HALF_OPEN, self._odds.half_open):
            self._gone_at = trio.current_time() + self._chance.uniform(0, self._odds.half_open_s)
        if self._gone_at is not None:
            await trio.sleep_until(self._gone_at)
            await self._ends()
        if self._happens(LineFault.DELAYED, self._odds.delayed):
            await trio.sleep(self._chance.uniform(0, self._odds.delay_s))

    def _happens(self, fault: LineFault, odds: float) -> bool:
        # A number is drawn whether it happens or not, so that the same seed gives the same plan.
        happens = self._chance.random() < odds
        if happens:
            self._on_fault(fault)
        return happens

    async def _ends(self) -> NoReturn:
        self._has_failed = True
        await trio.aclose_forcefully(self._stream)
        raise trio.BrokenResourceError("the line has failed")
