"""Who was shown what in a game, and what of it everybody may see."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from ugs.broker.record import EntryKind
from ugs.record.game import Entry, GameRecord

SHOWN: Final = frozenset({EntryKind.STATE, EntryKind.OVER})
PRIVATE: Final = frozenset({EntryKind.VIEW, EntryKind.ERROR, EntryKind.REFUSED})
"""What nobody but those concerned may see: views, and words between one peer and the server."""


def views_of(entries: Sequence[Entry]) -> Mapping[int, tuple[Entry, ...]]:
    """The views that belong to each STATE and OVER that has some, by its place among the entries."""
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
    """What the player at ``seat`` was shown of a STATE or OVER with these views; None when it was shown nothing."""
    own = next((view.body for view in views if view.audience >> seat & 1), None)
    if own is not None:
        return own
    return entry.body if entry.audience >> seat & 1 else None


def public(record: GameRecord) -> GameRecord:
    """What everybody may see of a game, as spectators do: no view of a single player, nothing that a player or the
    master said to the server, of a move only whose it was, and no seed, from which all could be found out."""
    entries = tuple(
        replace(entry, body=b"") if entry.kind is EntryKind.MOVE else entry
        for entry in record.entries
        if entry.kind not in PRIVATE
    )
    return replace(record, entries=entries, seed="")
