"""What each player was shown in a game, and what everybody may see of it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from ugs.broker.record import EntryKind
from ugs.record.game import Entry, GameRecord

SHOWN: Final = frozenset({EntryKind.STATE, EntryKind.OVER})
PRIVATE: Final = frozenset({EntryKind.VIEW, EntryKind.ERROR, EntryKind.REFUSED, EntryKind.REASON, EntryKind.SETUP})
"""What only those concerned may see: views, and messages between one peer and the server."""


def views_of(entries: Sequence[Entry]) -> Mapping[int, tuple[Entry, ...]]:
    """The views that belong to each STATE and OVER, by the index of the STATE or OVER; without views there is no
    item."""
    found: dict[int, tuple[Entry, ...]] = {}
    waiting: list[Entry] = []
    for place, entry in enumerate(entries):
        if entry.kind is EntryKind.VIEW:
            waiting.append(entry)
        elif entry.kind in SHOWN and waiting:
            found[place] = tuple(waiting)
            waiting = []
    return found


def shown_to(seat: int, entry: Entry, views: Sequence[Entry] = ()) -> bytes | None:
    """The payload that the player at ``seat`` was shown for a STATE or OVER with these views; None when it was shown
    nothing."""
    own = next((view.body for view in views if view.audience >> seat & 1), None)
    if own is not None:
        return own
    return entry.body if entry.audience >> seat & 1 else None


def public(record: GameRecord) -> GameRecord:
    """What everybody may see of a game, as spectators do.

    Left out: the views of single players, everything between a player or the master and the server, the payloads of
    moves, and set-up and seed, from which everything could be computed.
    """
    entries = tuple(
        replace(entry, body=b"") if entry.kind is EntryKind.MOVE else entry
        for entry in record.entries
        if entry.kind not in PRIVATE
    )
    return replace(record, entries=entries, seed="")
