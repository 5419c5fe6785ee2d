"""What each player was shown in a game, and the public view of it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from ugs.broker.values.record import BESIDE, REMARKS, EntryKind
from ugs.record.game import Entry, GameRecord

SHOWN: Final = frozenset({EntryKind.STATE, EntryKind.OVER})
FOR_SOME: Final = frozenset({EntryKind.VIEW, EntryKind.OWNSKETCH})
"""What only those in its audience may see."""
PRIVATE: Final = FOR_SOME | {EntryKind.ERROR, EntryKind.REFUSED, EntryKind.REASON, EntryKind.SETUP}
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


def sketches_of(entries: Sequence[Entry], seat: int | None) -> Mapping[int, bytes]:
    """How the master has drawn each STATE and OVER for the player at ``seat`` (None: for all), by the index of the
    STATE or OVER; where it has not, there is no item."""
    found: dict[int, bytes] = {}
    own = common = b""
    for place, entry in enumerate(entries):
        if entry.kind is EntryKind.SKETCH:
            common = entry.body
        elif entry.kind is EntryKind.OWNSKETCH and seat is not None and entry.audience >> seat & 1:
            own = entry.body
        elif entry.kind in SHOWN:
            # With a sketch of its own a viewer does not get the common one.
            if own or common:
                found[place] = own or common
            own = common = b""
    return found


def public(record: GameRecord) -> GameRecord:
    """The public view of a game, as spectators get it.

    Left out: the views of single players, everything between a player or the master and the server, the payloads of
    moves, and set-up and seed: everything could be computed from those. While the game runs, also the remarks of
    players that are not open.
    """
    # After the end remarks are part of the record; before, an opponent could read a plan in them.
    hidden = PRIVATE if record.result is not None else PRIVATE | {EntryKind.REMARK}
    entries = tuple(
        replace(entry, body=b"") if entry.kind is EntryKind.MOVE else entry
        for entry in record.entries
        if entry.kind not in hidden
    )
    return replace(record, entries=entries, seed="")


def seen_once(record: GameRecord, seat: int | None) -> GameRecord:
    """The whole game with each state once: as the player at ``seat`` saw it, or for None as all others did."""
    views = views_of(record.entries)
    entries = tuple(
        replace(entry, body=shown_to(seat, entry, views[place]) or entry.body)
        if seat is not None and place in views
        else entry
        for place, entry in enumerate(record.entries)
        if entry.kind not in FOR_SOME
    )
    return replace(record, entries=entries)


CONCERNING: Final = frozenset({EntryKind.ERROR, EntryKind.REFUSED, EntryKind.REASON})
"""What is between one player and the server or the master."""


def own(record: GameRecord, seat: int) -> GameRecord:
    """What the player at ``seat`` may see of a game that it has played: the public view, its own views and moves, and
    what was sent to it alone.

    Of a game at a private table the states are left out that it was not shown, since it had left before. While the game
    runs, of all remarks there are only its own.
    """
    views, private = views_of(record.entries), record.table.get("visibility") == "PRIVATE"
    unseen = set(_unseen_sketches(record.entries, views, seat)) if private else set()
    concerning = CONCERNING if record.result is not None else CONCERNING | REMARKS
    entries = []
    for place, entry in enumerate(record.entries):
        if entry.kind in FOR_SOME:
            if entry.audience >> seat & 1:
                # Who else was shown the same is not for this player to know.
                entries.append(replace(entry, audience=1 << seat))
        elif place in unseen:
            continue
        elif entry.kind in concerning:
            if entry.seat == seat:
                entries.append(entry)
        elif entry.kind is EntryKind.MOVE:
            entries.append(entry if entry.seat == seat else replace(entry, body=b""))
        elif entry.kind in SHOWN and private and shown_to(seat, entry, views.get(place, ())) is None:
            entries.append(replace(entry, body=b""))
        elif entry.kind not in PRIVATE:
            entries.append(entry)
    return replace(record, entries=tuple(entries), seed="")


def _unseen_sketches(entries: Sequence[Entry], views: Mapping[int, Sequence[Entry]], seat: int) -> Iterator[int]:
    """The indices of SKETCH entries that belong to states that the player at ``seat`` was not shown."""
    waiting: list[int] = []
    for place, entry in enumerate(entries):
        if entry.kind is EntryKind.SKETCH:
            waiting.append(place)
        elif entry.kind not in BESIDE:
            if waiting and entry.kind in SHOWN and shown_to(seat, entry, views.get(place, ())) is None:
                yield from waiting
            waiting = []
