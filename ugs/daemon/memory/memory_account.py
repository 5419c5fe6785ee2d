"""One account of the memory that is held for peers: by place, by address, by peer and game.

While messages travel nothing is counted for it. A task adds everything up, a slice at a time, once a second, less often
where there is very much, and the sooner again the less room is left and the more peers have sent
(:mod:`ugs.daemon.memory.growth`), so the limits hold against peers that send as much as the machine can take in.
Objects of a fixed size are counted by number; :data:`RECORD_BYTES` is what one takes.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple, Protocol, TypeAlias

import structlog
import trio

from ugs.daemon.memory.growth import MAX_BYTES_PER_S, Growth, GrowthRoom

LOOK_S = 1.0
"""Seconds between two looks while there is much room, and there are few things to be looked at."""
THINGS_PER_S = 5_000
"""Where there are more things, looks are further apart, so that they take half a hundredth of the time ..."""
MAX_LOOK_S = 4.0
"""... but not further than this: the reported figures are as old as the latest look."""
MIN_LOOK_S = 0.05
"""Seconds between two looks while there is none."""
WORN = 0.5
"""The part of the room that may be taken up before the next look."""
SLICE = 200
"""Things that are looked at before all other tasks get a turn: at most about 1 ms."""
SLICE_IN_HASTE = 5 * SLICE
"""The same while there is hardly any room: with every turn of the others there is less."""
HEAVIEST = 10
"""How many peers, games and addresses are remembered as those that hold the most."""


class MemoryPlace(StrEnum):
    """Where memory is held."""

    __hash__ = str.__hash__  # that of an enumeration is written in Python

    DOCUMENTS = "documents"
    """What peers have sent and was not handled: unfinished documents, and those whose turn has not come."""
    OUTBOXES = "outboxes"
    """What peers have not read."""
    CLIENTS = "gateway clients"
    """The same two of the clients of gateways."""
    GAMES = "games"
    """Moves and states of the games that run."""
    CHANNELS = "channels"
    """What is published and has not reached all spectators."""
    JOURNAL = "journal"
    """What is recorded and not on disk."""
    CONNECTIONS = "connections"
    TLS = "TLS lines"
    """What TLS keeps for each line of any port, and for each handshake that goes on."""
    PLAYERS = "players"
    """Logged in or absent, with nick and session."""
    TABLES = "tables"
    """With names, options and invitations."""
    ROWS = "rows"
    """Of all standings."""


RECORD_BYTES: dict[MemoryPlace, int] = {
    MemoryPlace.CONNECTIONS: 8_192,
    MemoryPlace.TLS: 24_576,
    MemoryPlace.PLAYERS: 1_024,
    MemoryPlace.ROWS: 512,
}
"""Bytes that one takes, roughly; of those that are not named here the bytes themselves are counted."""

TO_SHED = frozenset({MemoryPlace.DOCUMENTS, MemoryPlace.OUTBOXES, MemoryPlace.CLIENTS, MemoryPlace.GAMES})
"""Places that can give something back at once."""


class Holder(Protocol):
    """A peer or a game that holds memory and can be made to give it back."""

    @property
    def origin(self) -> str:
        """The address that it counts for, without the port."""
        ...

    def describe(self) -> dict[str, object]:
        """Who it is, for the log and for people."""
        ...

    def held_bytes(self) -> int:
        """What it holds now; 0 when it is gone."""
        ...

    def give_back(self, held: int, why: str, limit: str) -> None:
        """Give it back: a peer is sent ``why`` and closed, a game has its past put away, or ends and reports the name
        of the ``limit``."""
        ...


class Holding(NamedTuple):
    """What a holder held when it was looked at."""

    bytes: int
    weight: float
    """For how many peers it holds that: a master holds for the players of its games."""
    holder: Holder

    @property
    def load(self) -> float:
        """Those with the highest have to give back first."""
        return self.bytes / self.weight


@dataclass(slots=True)
class MemoryLook:
    """What was found at one look."""

    at: float | None = None
    """When it ended, on Trio's clock; None before that."""
    bytes: Counter[MemoryPlace] = field(default_factory=Counter)
    number: Counter[MemoryPlace] = field(default_factory=Counter)
    """How many things are in a place."""
    by_origin: Counter[str] = field(default_factory=Counter)
    """Bytes that the holders of an address can give back."""
    connections: Counter[str] = field(default_factory=Counter)
    """By address."""
    kinds: Counter[str] = field(default_factory=Counter)
    """Connections by what is at their far end."""
    states: Counter[str] = field(default_factory=Counter)
    """Players by what they do."""
    holdings: list[Holding] = field(default_factory=list)
    """Of all who hold anything."""

    @property
    def total(self) -> int:
        """All bytes."""
        return self.bytes.total()

    @property
    def fixed(self) -> int:
        """Bytes that no holder can be made to give back."""
        return sum(size for place, size in self.bytes.items() if place not in TO_SHED)

    def hold(self, holder: Holder, size: int, weight: float = 1.0) -> None:
        """A holder has this many bytes that it can give back; they are counted in a place already."""
        self.by_origin[holder.origin] += size
        self.holdings.append(Holding(size, weight, holder))

    def put(self, place: MemoryPlace, number: int = 1, size: int | None = None) -> None:
        """Add this many things to a place; without ``size`` each takes its :data:`RECORD_BYTES`."""
        self.number[place] += number
        self.bytes[place] += number * RECORD_BYTES[place] if size is None else size


Part: TypeAlias = tuple[Callable[[], Iterable[Any]], Callable[[Sequence[Any], MemoryLook], None]]
"""A part of a look: the things to look at, and the function that adds some of these to the look."""


def safe_s(room: int) -> float:
    """Seconds before peers could take up all of this room, at most those between two looks."""
    return min(LOOK_S, max(MIN_LOOK_S, room / MAX_BYTES_PER_S))


class MemoryAccount:
    """Looks at all ``parts``, again and again, and calls ``judge`` with what was found; that returns the bytes of room
    that are left. ``growth`` bounds what has come since, ``room`` knows when it must not wait at all."""

    def __init__(
        self, parts: Sequence[Part], judge: Callable[[MemoryLook], int], growth: Growth, room: GrowthRoom
    ) -> None:
        self.latest = MemoryLook()
        """What the latest look has found."""
        self._parts = parts
        self._judge = judge
        self._growth = growth
        self._room = room
        self._things = 0
        """How many were seen at the latest look."""

    async def run(self) -> None:
        """Look at everything, for ever. A bug that shows here costs a look, not the server."""
        log: structlog.typing.FilteringBoundLogger = structlog.get_logger("ugs")
        in_haste = False
        while True:
            try:
                left = await self.look(SLICE_IN_HASTE if in_haste else SLICE)
            except Exception:
                log.exception("bug in the server", during="looking at what is held")
                # As if there were much room: looks that fail must not follow each other without a rest.
                left = MAX_BYTES_PER_S
            in_haste = await self._worn(left)

    @property
    def usual_s(self) -> float:
        """Seconds between two looks while there is much room."""
        return min(MAX_LOOK_S, max(LOOK_S, self._things / THINGS_PER_S))

    async def _worn(self, room: int) -> bool:
        """Wait until a part of the room may have been taken up since the last look began, or it is long ago. Whether
        there is haste."""
        self._room.measured(room)
        until = trio.current_time() + self.usual_s
        left = room
        while True:
            # A moment, not a length of time: between two looks at the clock the last moment may pass.
            with trio.move_on_at(min(trio.current_time() + safe_s(left), until)):
                await self._room.gone()
                return True
            left = room - self._growth.most_bytes()
            if left <= room * WORN or trio.current_time() >= until:
                return False

    async def look(self, at_a_time: int = SLICE) -> int:
        """Look at everything once, ``at_a_time`` things per slice, and have it judged. Returns the bytes of room that
        are left."""
        look = MemoryLook()
        self._growth.begin()
        self._room.look_begins()
        seen = 0
        for things, add in self._parts:
            # A copy: peers and games come and go between two slices.
            there = list(things())
            seen += len(there)
            for begin in range(0, len(there), at_a_time):
                add(there[begin : begin + at_a_time], look)
                await trio.lowlevel.checkpoint()
        look.at = trio.current_time()
        self.latest = look
        self._things = seen
        return self._judge(look)
