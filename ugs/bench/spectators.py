"""Many spectators of one game type that only read. A process of its own.

Started as ``python -m ugs.bench.spectators PLAN``, PLAN being the JSON of a :class:`SpectatorsPlan`. It writes
``watching`` when all of them have been shown the game. When its input ends, and all have seen the same last event, it
writes, as one line of JSON, how many events each has had, and ends. A failure, such as a missing event, is one line on
stderr and exit code 1.

Real spectators have their own machines. So these read rarely, and only when no other process wants the processor: the
measurement is about what they cost the broker, not about what they cost its neighbours.
"""

import json
import os
import select
import socket
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from ugs.bench.child import PlanFailed, run_plan
from ugs.bench.message_script import DOCUMENT_END, GAME_TYPE
from ugs.bench.process import allow_open_files
from ugs.wire.codec import DECLARATION

AT_ONCE = 64
"""Below every usual listen backlog."""
PATIENCE_S = 30.0
LATE_S = 120.0
"""Seconds from the end of the input until the last events have to be there."""
PERIOD_S = 0.1
"""Each spectator reads once in this time."""
READ_TOGETHER = 20
"""At most this many read in one go, so that the players' process never waits long for its processor."""
RECEIVE_BYTES = 256 * 1024
STANDARD_FILES = 64
HELLO = b'<message type="x-hello"><ext name="watch"/></message>'
SHOWN, EVENT, NUMBER = b'type="x-watching"', b'type="x-event"', b' number="'
WATCH = b'<message type="x-watch"><watch gameType="%b"/></message>' % GAME_TYPE


class SpectatorsFailed(PlanFailed):
    """A spectator cannot watch, or does not see all events; the text gives the reason."""


@dataclass(frozen=True, slots=True)
class SpectatorsPlan:
    """Where the broker is, and how many spectators watch."""

    host: str
    port: int
    spectators: int


class BenchSpectator:
    """One spectator: it counts events and checks only the number of the last one."""

    __slots__ = ("_first", "_rest", "events", "socket", "watching")

    def __init__(self, plan: SpectatorsPlan) -> None:
        self.socket = socket.create_connection((plan.host, plan.port), PATIENCE_S)
        self.watching = False
        self.events = 0
        self._first = 0
        """The number of the first event that was shown."""
        self._rest = b""
        self.socket.sendall(DECLARATION + HELLO + DECLARATION + WATCH)

    def waits(self) -> None:
        """Read until the game has been shown."""
        while not self.watching:
            self.takes(self.socket.recv(RECEIVE_BYTES))
        self.socket.setblocking(False)

    @property
    def latest(self) -> int:
        """The number of the last event that it has been shown."""
        return self._first + self.events

    def reads(self) -> None:
        """Read what is there. Raises SpectatorsFailed when an event is missing, or the connection is closed."""
        try:
            self.takes(self.socket.recv(RECEIVE_BYTES))
        except BlockingIOError:
            return

    def takes(self, data: bytes) -> None:
        """Take in ``data``. Raises SpectatorsFailed as :meth:`reads` does, and when watching is refused."""
        if not data:
            raise SpectatorsFailed("the broker closed the connection of a spectator")
        data = self._rest + data
        end = data.rfind(DOCUMENT_END) + len(DOCUMENT_END)
        if end < len(DOCUMENT_END):
            self._rest = data
            return
        documents, self._rest = data[:end], data[end:]
        if not self.watching:
            if b'type="x-failed"' in documents or b'type="error"' in documents:
                raise SpectatorsFailed(f"watching refused: {documents[:400].decode(errors='replace')!r}")
            self.watching = SHOWN in documents
            self._first = number_behind(documents, documents.find(SHOWN)) if self.watching else 0
        events = documents.count(EVENT)
        if events:
            self.events += events
            last = number_behind(documents, documents.rfind(EVENT))
            if last != self.latest:
                raise SpectatorsFailed(f"event {last} has come, and {self.events} of them after {self._first}")


def number_behind(documents: bytes, place: int) -> int:
    """Return the first ``number`` after a place."""
    begin = documents.find(NUMBER, place) + len(NUMBER)
    return int(documents[begin : documents.find(b'"', begin)])


def gathered(plan: SpectatorsPlan, stack: ExitStack) -> list[BenchSpectator]:
    """Connect all spectators of a plan and let them watch; the stack closes their connections. Raises SpectatorsFailed,
    or OSError when one cannot connect."""
    spectators: list[BenchSpectator] = []
    while len(spectators) < plan.spectators:
        group = []
        for _ in range(min(AT_ONCE, plan.spectators - len(spectators))):
            group.append(BenchSpectator(plan))
            stack.enter_context(group[-1].socket)
        for spectator in group:
            spectator.waits()
        spectators += group
    return spectators


def read_in_turns(spectators: Sequence[BenchSpectator]) -> Iterator[None]:
    """Let each spectator read once in each period, a few at a time; yield after each few, for ever."""
    groups = [spectators[begin : begin + READ_TOGETHER] for begin in range(0, len(spectators), READ_TOGETHER)]
    while True:
        for group in groups:
            time.sleep(PERIOD_S / len(groups))
            for spectator in group:
                spectator.reads()
            yield


def watch(plan: SpectatorsPlan) -> None:
    """Watch until the order to end, then report how many events each spectator has seen."""
    allow_open_files(plan.spectators + STANDARD_FILES)
    with ExitStack() as stack:
        spectators = gathered(plan, stack)
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
        print("watching", flush=True)
        until = 0.0
        for _ in read_in_turns(spectators):
            if not until and select.select([sys.stdin], [], [], 0)[0]:
                until = time.monotonic() + LATE_S
                os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))  # nothing is measured any more
            if until and len({spectator.latest for spectator in spectators}) == 1:
                break
            if until and time.monotonic() > until:
                raise SpectatorsFailed(f"not all have seen the last event {LATE_S:g} s after it was sent")
        print(json.dumps([spectator.events for spectator in spectators]), flush=True)


if __name__ == "__main__":
    sys.exit(run_plan(watch, SpectatorsPlan))
