"""The public history of a game, in order: for spectators, and for a master that takes the game over."""

from array import array
from dataclasses import dataclass, field

from ugs.broker.effects import RecordEntry
from ugs.broker.record import EntryKind
from ugs.broker.state.connection import Spectator

ENTRY_BYTES = 256
"""What an entry takes beside its body, at most: its moment, its object, and that of its body."""


@dataclass(slots=True, eq=False)
class History:
    """The public events of one game. The number of an event is its place from 1."""

    began_at: float
    entries: list[RecordEntry] = field(default_factory=list)
    moments: "array[float]" = field(default_factory=lambda: array("d"))
    """When each of the entries happened."""
    size: int = 0
    """The bytes of the states in it."""
    moved: int = 0
    """The bytes of the moves in it."""
    forgotten: int = 0
    """How many entries at its beginning have lost their states to the limit of bytes."""
    received: int = 0
    """The bytes of all moves and states that have come, kept or not."""
    sent_by: dict[str, int] = field(default_factory=dict)
    """The bytes of the moves of each player among them."""
    unanswered: float = 0.0
    """The bytes of states that each player was told since one last moved or left, less what time has allowed."""
    told_at: float = 0.0
    """When the latest of them was told."""
    moved_at: "array[float]" = field(default_factory=lambda: array("d"))
    """When the master was given each of the moves."""
    active_at: float = 0.0
    """When something last happened in the game."""
    watchers: dict[int, Spectator] = field(default_factory=dict)
    """Who watches the game, by conn."""

    @property
    def held_bytes(self) -> int:
        """How much memory it holds, roughly."""
        return self.size + self.moved + ENTRY_BYTES * len(self.entries)

    @property
    def states(self) -> int:
        """The bytes of all that the master has told, kept or not."""
        return self.received - sum(self.sent_by.values())

    @property
    def moves(self) -> int:
        """How many moves the master has been given."""
        return len(self.moved_at)

    def add(self, moment: float, entry: RecordEntry) -> None:
        """This has happened."""
        self.moments.append(moment)
        self.entries.append(entry)

    def tell(self, size: int, now: float, bytes_per_s: float) -> float:
        """The master has told each player so many bytes; returns :attr:`unanswered`, which falls by ``bytes_per_s``."""
        left = self.unanswered - (now - self.told_at) * bytes_per_s
        self.unanswered = size + left if left > 0 else size
        self.told_at = now
        return self.unanswered

    def forget_states(self, most_bytes: int) -> None:
        """Take the bodies out of the oldest states until the states have at most ``most_bytes``."""
        entries = self.entries
        while self.size > most_bytes and self.forgotten < len(entries):
            entry = entries[self.forgotten]
            if entry.kind is EntryKind.STATE:
                self.size -= len(entry.body)
                entries[self.forgotten] = RecordEntry(entry.game_id, entry.kind, entry.seat, 0, entry.text)
            self.forgotten += 1

    def forget_bodies(self, *, moves: bool) -> None:
        """Take the bodies out of all states but the last one and, with ``moves``, out of all moves."""
        last = next((at for at in range(len(self.entries) - 1, -1, -1) if self._kind(at) is EntryKind.STATE), 0)
        for at, entry in enumerate(self.entries):
            is_state = entry.kind is EntryKind.STATE
            if entry.body and ((is_state and at != last) or (moves and entry.kind is EntryKind.MOVE)):
                self.entries[at] = RecordEntry(entry.game_id, entry.kind, entry.seat, 0, entry.text)
                if is_state:
                    self.size -= len(entry.body)
                else:
                    self.moved -= len(entry.body)
        self.forgotten = max(self.forgotten, last)

    def _kind(self, at: int) -> EntryKind:
        return self.entries[at].kind
