"""The stream of events for open pages: they are notified when what they show changes.

All that look at the same thing are one group: it is written once, however many they are. Nothing is copied for them:
long news goes out piece by piece, each when the client has taken the one before. A client that has not taken the last
news gets none until it has; then it gets everything that has changed meanwhile, at once. One that takes nothing is
given up by the system (:mod:`ugs.daemon.http.server`), one that takes too little is given up here. Sending news takes a
small part of all time, a few clients at a time, so that the games go first.
"""

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, Final, TypeAlias

import structlog
import trio

from ugs.page.contract import Busy, EventLine
from ugs.page.gzip_chunks import stored

SLICE_S: Final = 0.0003
"""Seconds that clients are sent news before all other tasks get a turn ..."""
REST_S: Final = 0.001
"""... and for how long they get it."""
SHARE: Final = 0.05
"""Sending news takes at most this part of all time."""
PIECE: Final = 32 * 1024
"""Bytes that are sent at once. The system takes that many for a client that has taken all that came before."""
PIECE_GAP_S: Final = 0.05
"""Seconds between two looks at clients that are in the middle of something."""
TAKING_S: Final = 60.0
"""Seconds that a client may take for what it is sent at once: what it has not got yet is kept for it."""
ALIVE: Final = b":\n\n"
ALIVE_S: Final = 15.0
"""A client is sent a sign of life after this many seconds."""
MAX_GROUPS, MAX_GROUPS_OF_ADDRESS = 400, 60
"""Different things that are looked at, and those among them that clients of one address were the first to look at."""

Key: TypeAlias = tuple[str, tuple[tuple[str, str | int], ...]]
"""A page and what is asked of it."""
Parts: TypeAlias = Mapping[str, str]
"""HTML by the part of the page."""


@dataclass(frozen=True, slots=True)
class News:
    """What a page shows now."""

    parts: Parts
    over: bool = False
    """Whether it is not going to change any more."""
    compressed: bytes = b""
    """All of it as an event, compressed (:mod:`ugs.page.gzip_chunks`); empty where that has not been done."""


NOTHING: Final = memoryview(b"")

Look: TypeAlias = Callable[[list[Key]], Awaitable[Mapping[Key, News]]]
"""Looks at these pages; those that nothing is known of at present are left out."""


@dataclass(slots=True)
class _Listener:
    line: EventLine
    zips: bool = False
    """Whether it gets a gzip stream."""
    version: int = -1
    """Which version of the parts it has, or is getting."""
    rest: memoryview = NOTHING
    """What it has still to get of that version; it is the same memory for all."""
    until: float = 0.0
    """When it should have got it."""


@dataclass(slots=True)
class _Group:
    period_s: float
    due: float = 0.0
    listeners: dict[int, _Listener] = field(default_factory=dict)
    parts: Parts = field(default_factory=dict)
    version: int = 0
    changed: Parts = field(default_factory=dict)
    """Those that have changed since the last version."""
    compressed: bytes = b""
    """All parts, compressed."""
    chunks: dict[tuple[bool, bool], bytes] = field(default_factory=dict)
    """What is sent of this version, by whether a client gets gzip and whether it has the last version."""
    over: bool = False
    behind: bool = True
    """Whether a client lacks the last version."""
    underway: bool = False
    """Whether a client has got only a part of a version."""
    alive_at: float = 0.0
    founder: str = ""
    """The address of the first who looked."""


class FullHouse(Exception):
    """There is no room for one more page of this kind."""


class Audience:
    """All open pages. :meth:`run` has to run for them."""

    def __init__(self, look: Look, period_s: Callable[[str], float]) -> None:
        """``period_s`` gives how long to wait between two looks at a page, by its name."""
        self._look = look
        self._period_s = period_s
        self._groups: dict[Key, _Group] = {}
        self._listeners_came = trio.lowlevel.ParkingLot()
        self._log: structlog.typing.FilteringBoundLogger = structlog.get_logger("ugs").bind()

    @property
    def open_pages(self) -> int:
        """How many there are."""
        return sum(len(group.listeners) for group in self._groups.values())

    def join(self, key: Key, line: EventLine, address: str = "", *, zips: bool = False) -> None:
        """A page is open from now on, for a client at this address, which gets a gzip stream if it ``zips``. Raises
        FullHouse."""
        group = self._groups.get(key)
        if group is None:
            of_address = sum(one.founder == address for one in self._groups.values())
            if len(self._groups) >= MAX_GROUPS or of_address >= MAX_GROUPS_OF_ADDRESS:
                raise FullHouse
            group = self._groups[key] = _Group(self._period_s(key[0]), founder=address)
        group.listeners[id(line)] = _Listener(line, zips)
        group.behind = True
        # At once: a page that has just been opened is not up to date.
        group.due = 0.0
        self._listeners_came.unpark()

    def leave(self, key: Key, line: EventLine) -> None:
        """A page is closed."""
        group = self._groups.get(key)
        if group is not None:
            group.listeners.pop(id(line), None)
            if not group.listeners:
                del self._groups[key]

    async def run(self) -> None:
        """Send all open pages what changes, until cancelled."""
        while True:
            while not self._groups:
                await self._listeners_came.park()
            now = trio.current_time()
            due = [key for key, group in self._groups.items() if group.due <= now]
            if due:
                await self._bring_up_to_date(due)
            began = trio.current_time()
            spent = 0.0
            for key in list(self._groups):
                group = self._groups.get(key)
                if group is not None:
                    spent += await self._send_news(key, group)
            wanted = [began + PIECE_GAP_S if group.underway else group.due for group in self._groups.values()]
            until = max(min(wanted, default=0.0), began + spent / SHARE)
            # At least this, or groups that are always due would make the loop spin.
            await trio.sleep(max(0.02, until - trio.current_time()))

    async def _bring_up_to_date(self, keys: list[Key]) -> None:
        news: Mapping[Key, News] = {}
        try:
            news = await self._look(keys)
        except Busy as busy:
            self._log.info("open pages are not brought up to date", reason=str(busy))
        now = trio.current_time()
        for key in keys:
            group = self._groups.get(key)
            if group is None:
                continue
            group.due = now + group.period_s
            if key in news:
                _update(group, news[key])

    async def _send_news(self, key: Key, group: _Group) -> float:
        """Send it to the clients that lack it; returns the seconds that this took."""
        spent, began = 0.0, perf_counter()
        now = trio.current_time()
        alive = now >= group.alive_at
        if alive:
            group.alive_at = now + ALIVE_S
        if not group.behind and not alive:
            return 0.0
        for listener in list(group.listeners.values()):
            if perf_counter() - began > SLICE_S:
                spent += perf_counter() - began
                await trio.sleep(REST_S)
                began = perf_counter()
            if not _sent(group, listener, now, alive):
                listener.line.cut()
                self.leave(key, listener.line)
            elif group.over and _knows(group, listener):
                listener.line.end()
                self.leave(key, listener.line)
        group.behind = not all(_knows(group, listener) for listener in group.listeners.values())
        group.underway = group.behind and any(listener.rest for listener in group.listeners.values())
        return spent + perf_counter() - began


def _update(group: _Group, news: News) -> None:
    changed = {name: html for name, html in news.parts.items() if group.parts.get(name) != html}
    if not changed and group.version and not (news.over and not group.over):
        return
    group.version, group.behind = group.version + 1, True
    group.parts, group.over, group.changed, group.compressed = news.parts, news.over, changed, news.compressed
    group.chunks.clear()


def _chunk(group: _Group, listener: _Listener) -> bytes:
    """What a listener is sent of the last version; written once for all that are sent the same."""
    # Who lacks more than one version gets all parts.
    key = listener.zips, listener.version == group.version - 1 and listener.version > 0
    chunk = group.chunks.get(key)
    if chunk is None:
        chunk = group.chunks[key] = _written(group, *key)
    return chunk


def _written(group: _Group, zips: bool, has_last: bool) -> bytes:
    parts = group.changed if has_last else group.parts
    if not zips:
        return _event(parts, group.over)
    # The compressed event has all parts: for a small change the plain one may be shorter.
    if group.compressed and len(group.compressed) <= sum(map(len, parts.values())):
        return group.compressed
    return stored(_event(parts, group.over))


def _event(parts: Parts, over: bool) -> bytes:
    news: dict[str, Any] = {"parts": dict(parts), "over": over}
    return b"data: %b\n\n" % json.dumps(news, ensure_ascii=False, separators=(",", ":")).encode()


def _knows(group: _Group, listener: _Listener) -> bool:
    """Whether it has all of the last version."""
    return listener.version == group.version and not listener.rest


def _sent(group: _Group, listener: _Listener, now: float, alive: bool) -> bool:
    """Send a client what it lacks, if it has taken what it was sent before. False if its line is broken, or if it takes
    too long."""
    if _knows(group, listener):
        # Only where nothing is on its way: a sign of life must not come between two pieces.
        return not alive or not listener.line.ready() or listener.line.send(stored(ALIVE) if listener.zips else ALIVE)
    if not group.version or not listener.line.ready():
        return not listener.rest or now < listener.until
    if not listener.rest:
        listener.rest = memoryview(_chunk(group, listener))
        listener.version, listener.until = group.version, now + TAKING_S
    piece, listener.rest = listener.rest[:PIECE], listener.rest[PIECE:]
    return listener.line.send(piece)
