"""Many open pages that only listen. A process of its own.

Started as ``python -m ugs.bench.open_pages PLAN``, PLAN being the JSON of an :class:`OpenPagesPlan`. It writes ``open``
when all of them have been answered. When its input ends it writes, as one line of JSON, how many bytes of news each has
had, and ends. A failure is one line on stderr and exit code 1.

As spectators (:mod:`ugs.bench.spectators`) these read rarely, and only when no other process wants the processor: real
ones have their own machines.
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
from ugs.bench.process import allow_open_files

AT_ONCE = 32
PATIENCE_S = 60.0
PERIOD_S = 0.1
"""Each reads once in this time ..."""
READ_TOGETHER = 20
"""... and this many in one go."""
RECEIVE_BYTES = 256 * 1024
STANDARD_FILES = 64
REQUEST = (
    "GET /live?{query} HTTP/1.1\r\nHost: bench\r\nAccept: text/event-stream\r\n"
    "Accept-Encoding: gzip\r\n\r\n"  # as browsers
)
ANSWERED = b"\r\n\r\n"


class PagesFailed(PlanFailed):
    """A page cannot be opened, or is closed; the text gives the reason."""


@dataclass(frozen=True, slots=True)
class OpenPagesPlan:
    """Where the page is, and what is looked at: one query for each open page."""

    host: str
    port: int
    queries: Sequence[str]


class OpenPage:
    """One open page."""

    __slots__ = ("news_bytes", "socket")

    def __init__(self, plan: OpenPagesPlan, query: str) -> None:
        self.socket = socket.create_connection((plan.host, plan.port), PATIENCE_S)
        self.socket.sendall(REQUEST.format(query=query).encode())
        self.news_bytes = 0

    def waits(self) -> None:
        """Read until the answer begins. Raises PagesFailed when it is a refusal."""
        head = b""
        while ANSWERED not in head:
            data = self.socket.recv(RECEIVE_BYTES)
            if not data:
                raise PagesFailed("the server closed the connection of a page")
            head += data
        if not head.startswith(b"HTTP/1.1 200"):
            raise PagesFailed(f"a page is refused: {head[:300].decode(errors='replace')!r}")
        self.socket.setblocking(False)

    def reads(self) -> None:
        """Read what is there. Raises PagesFailed when the connection is closed."""
        try:
            data = self.socket.recv(RECEIVE_BYTES)
        except BlockingIOError:
            return
        if not data:
            raise PagesFailed("the server closed the connection of a page")
        self.news_bytes += len(data)


def opened(plan: OpenPagesPlan, stack: ExitStack) -> list[OpenPage]:
    """Open all pages of a plan; the stack closes them. Raises PagesFailed, or OSError when one cannot connect."""
    pages: list[OpenPage] = []
    for begin in range(0, len(plan.queries), AT_ONCE):
        group = []
        for query in plan.queries[begin : begin + AT_ONCE]:
            group.append(OpenPage(plan, query))
            stack.enter_context(group[-1].socket)
        for page in group:
            page.waits()
        pages += group
    return pages


def read_in_turns(pages: Sequence[OpenPage]) -> Iterator[None]:
    """Let each page read once in each period, a few at a time; yield after each few, for ever."""
    groups = [pages[begin : begin + READ_TOGETHER] for begin in range(0, len(pages), READ_TOGETHER)]
    while True:
        for group in groups:
            time.sleep(PERIOD_S / len(groups))
            for page in group:
                page.reads()
            yield


def look(plan: OpenPagesPlan) -> None:
    """Keep the pages open until the order to end, then report how many bytes of news each has had."""
    allow_open_files(len(plan.queries) + STANDARD_FILES)
    with ExitStack() as stack:
        pages = opened(plan, stack)
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
        print("open", flush=True)
        for _ in read_in_turns(pages):
            if select.select([sys.stdin], [], [], 0)[0]:
                break
        print(json.dumps([page.news_bytes for page in pages]), flush=True)


if __name__ == "__main__":
    sys.exit(run_plan(look, OpenPagesPlan))
