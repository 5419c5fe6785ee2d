"""The public history of a game, in order: for spectators, and for a master that takes the game over.

In memory are its last events. What came before them is kept outside (:mod:`ugs.broker.values.recollection`), so a game
takes no more memory the longer it lasts; what must be known of that at any moment is in :class:`Earlier`.
"""

from array import array
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from ugs.broker.effects import RecordEntry
from ugs.broker.state.connection import Spectator
from ugs.broker.values.recollection import SENT_AGAIN
from ugs.broker.values.record import EntryKind

STATE, MOVE = EntryKind.STATE, EntryKind.MOVE
"""The kinds of nearly all entries. CPython 3.11 finds a global name faster than a member of an enumeration."""
ENTRY_BYTES = 256
"""Maximum bytes of an entry besides its body: its time, its object, and that of its body."""
MAX_RECENT_ENTRIES: Final = 128
MAX_RECENT_BYTES: Final = 32_768
"""A game keeps at most this many entries and bytes of bodies in memory; beyond that, the next state puts all but half
of it away. The last state always stays."""
MARKS: Final = 64
"""The delay of spectators is divided into this many parts, to know roughly how far the game was then."""
ROOM_FOR_EVENT: Final = 64
"""Bytes of the element around a move or a departure in ``x-restore``."""


@dataclass(slots=True, eq=False)
class Earlier:
    """What is known of the first events of a game, which are not in memory."""

    events: int = 0
    departed: dict[int | None, str] = field(default_factory=dict)
    """The seats that were empty after them, each with the cause."""
    rejoined: bool = False
    """Whether a player had come back into an empty seat."""
    retold_bytes: int = 0
    """About what they take in ``x-restore``, without the names of the players."""
    retold: dict[int, int] = field(default_factory=dict)
    """How many of them a successor gets, by seat."""
    forgotten: bool = False
    """Whether they cannot be read again: there was no room for them."""

    def cannot_be_read(self) -> None:
        """There was no room for them where they were kept."""
        self.forgotten = True

    def add(self, entry: RecordEntry) -> None:
        """The next event is not in memory any more."""
        self.events += 1
        kind, seat = entry.kind, entry.seat
        if kind in SENT_AGAIN and seat is not None:
            self.retold_bytes += len(entry.body) + len(entry.text) + ROOM_FOR_EVENT
            self.retold[seat] = self.retold.get(seat, 0) + 1
            if kind is MOVE:  # nearly all there ever are
                return
            if kind is EntryKind.LEFT:
                self.departed[seat] = entry.text
            else:
                self.departed.pop(seat, None)
                self.rejoined = True


class Marks:
    """Roughly how many events and moves a game had at any time within a delay; there may be very many."""

    def __init__(self, delay_s: float) -> None:
        """``delay_s`` is how far back it may be asked."""
        self._delay_s = delay_s
        self._at: deque[tuple[float, int, int]] = deque()

    def put(self, now: float, events: int, moves: int) -> None:
        """Record the current numbers of events and moves."""
        at = self._at
        # Rough on purpose: at most MARKS entries, no matter how many moves come within the delay.
        if at and now - at[-1][0] < self._delay_s / MARKS:
            return
        at.append((now, events, moves))
        # One that is older than the delay stays: it is the lower bound until the next one.
        while len(at) > 1 and at[1][0] <= now - self._delay_s:
            at.popleft()

    def until(self, moment: float) -> tuple[int, int]:
        """Return numbers of events and moves that it had reached at this time: a lower bound."""
        return next(((events, moves) for then, events, moves in reversed(self._at) if then <= moment), (0, 0))


@dataclass(slots=True, eq=False)
class History:
    """The public events of one game. The number of an event is its place from 1."""

    began_at: float
    entries: list[RecordEntry] = field(default_factory=list)
    """The last ones."""
    moments: "array[float]" = field(default_factory=lambda: array("d"))
    """When each of the entries happened."""
    size: int = 0
    """The bytes of their bodies."""
    earlier: Earlier = field(default_factory=Earlier)
    """What came before them."""
    states: int = 0
    """The bytes of all states from the master, kept or not."""
    sent: int = 0
    """The bytes of all moves that players have sent, kept or not."""
    sent_by: dict[str, int] = field(default_factory=dict)
    """Those of each player."""
    unanswered: float = 0.0
    """The bytes of states that each player got since a player last moved or left, minus the allowance for the time
    passed."""
    shown_at: float = 0.0
    """When the latest of them was sent."""
    moves: int = 0
    """How many moves the master has been given."""
    marks: Marks | None = None
    """Where spectators of the game have a delay."""
    active_at: float = 0.0
    """When something last happened in the game."""
    watchers: dict[int, Spectator] = field(default_factory=dict)
    """Who watches the game, by conn."""

    @property
    def count(self) -> int:
        """How many events there are; the number of the last one."""
        return self.earlier.events + len(self.entries)

    @property
    def held_bytes(self) -> int:
        """How much memory it holds, roughly."""
        return self.size + ENTRY_BYTES * len(self.entries)

    @property
    def received(self) -> int:
        """The bytes of all moves and states that have come, kept or not."""
        return self.states + self.sent

    def entry(self, number: int) -> RecordEntry:
        """An event that is in memory."""
        return self.entries[number - self.earlier.events - 1]

    def moment(self, number: int) -> float:
        """When an event happened that is in memory."""
        return self.moments[number - self.earlier.events - 1]

    def add(self, moment: float, entry: RecordEntry) -> None:
        """This has happened."""
        self.moments.append(moment)
        self.entries.append(entry)

    def happened(self, moment: float, entry: RecordEntry) -> None:
        """This has happened, and its body is counted."""
        self.entries.append(entry)
        self.moments.append(moment)
        self.size += len(entry.body)

    def is_active(self, now: float) -> None:
        """Something happens in the game."""
        self.active_at = now

    def receives(self, size: int) -> None:
        """The master has sent this many bytes."""
        self.states += size

    def receives_move(self, nick: str, size: int) -> None:
        """A player has sent a move of this many bytes."""
        self.sent += size
        self.sent_by[nick] = self.sent_by.get(nick, 0) + size
        self.unanswered = 0

    def forget_moves(self, nick: str) -> None:
        """The moves of this player, who is out, count no more."""
        # The room that a player took by padding its moves is given back to those who play on.
        self.sent -= self.sent_by.pop(nick)

    def is_left(self, now: float) -> None:
        """A player has left."""
        self.active_at, self.unanswered = now, 0

    def counts_move(self) -> None:
        """The master was given one more move in an earlier life of the server."""
        self.moves += 1

    def moved(self, now: float) -> None:
        """The master has been given one more move."""
        self.moves += 1
        if self.marks is not None:
            self.marks.put(now, self.count, self.moves)

    def add_states(self, size: int, to_one: int, now: float, bytes_per_s: float) -> float:
        """The master has sent ``size`` bytes; each player gets at most ``to_one`` of them, envelopes included; returns
        :attr:`unanswered`, which falls by ``bytes_per_s``."""
        self.states += size
        left = self.unanswered - (now - self.shown_at) * bytes_per_s
        unanswered = self.unanswered = to_one + left if left > 0 else to_one
        self.shown_at = now
        return unanswered

    def shorten(self, most_entries: int, most_bytes: int) -> tuple[Sequence[float], Sequence[RecordEntry]]:
        """Take the first events out of memory, so that what is left begins with a state and is within these limits, or
        is the last state and what came after that. Returns what was taken out, with its moments; nothing where there is
        no state."""
        cut, left = 0, self.size
        size, known = left, self.entries
        most_at = len(known) - most_entries
        if most_at <= 0 and size <= most_bytes:
            return (), ()
        # Cut before a state: a spectator or a page that begins there needs a whole position first.
        for at, entry in enumerate(known):
            if entry.kind is STATE:
                cut, left = at, size
                if at and known[at - 1].kind is EntryKind.SKETCH:  # it belongs to the state
                    cut, left = at - 1, size + len(known[at - 1].body)
                if at >= most_at and size <= most_bytes:
                    break
            size -= len(entry.body)
        moments, entries = self.moments[:cut], known[:cut]
        del self.moments[:cut], known[:cut]
        self.size = left
        for entry in entries:
            self.earlier.add(entry)
        return moments, entries
