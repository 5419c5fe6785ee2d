"""The public history of a game, in order: for spectators, and for a master that takes the game over."""

from dataclasses import dataclass, field

from ugs.broker.effects import RecordEntry
from ugs.broker.record import EntryKind
from ugs.broker.state.connection import Spectator


@dataclass(slots=True, eq=False)
class History:
    """The public events of one game. The number of an event is its place from 1."""

    began_at: float
    entries: list[tuple[float, RecordEntry]] = field(default_factory=list)
    """Each with its moment."""
    size: int = 0
    """The bytes of the states in it."""
    forgotten: int = 0
    """How many entries at its beginning have lost their states to the limit of bytes."""
    received: int = 0
    """The bytes of all moves and states that have come, kept or not."""
    moves: int = 0
    """How many moves the master has been given."""
    active_at: float = 0.0
    """When something last happened in the game."""
    watchers: dict[int, Spectator] = field(default_factory=dict)
    """Who watches the game, by conn."""

    def forget_states(self, most_bytes: int) -> None:
        """Take the bodies out of the oldest states until the states have at most ``most_bytes``."""
        entries = self.entries
        while self.size > most_bytes and self.forgotten < len(entries):
            moment, entry = entries[self.forgotten]
            if entry.kind is EntryKind.STATE:
                self.size -= len(entry.body)
                entries[self.forgotten] = moment, RecordEntry(entry.game_id, entry.kind, entry.seat, 0, entry.text)
            self.forgotten += 1
