"""How long each player and master took: from when they could know that they had to act until they did."""

from collections.abc import Sequence

from ugs.broker.values.record import BESIDE, REMARKS, EntryKind, read_movers
from ugs.record.game import Entry

TIMELESS = BESIDE | REMARKS
"""Entries that take no time: no player waits for them."""
ACTS = frozenset({EntryKind.MOVE, EntryKind.LEFT})


def response_times(entries: Sequence[Entry]) -> list[int]:
    """For each entry, the microseconds since the entry before was handed to the network, or had arrived where that is
    not known.

    When several players may move, each one's time counts from when it was first asked. Views, sketches and
    remarks take no time.
    """
    found: list[int] = []
    asked = _Asked()
    before: Entry | None = None
    for at, entry in enumerate(entries):
        if entry.kind in TIMELESS:
            found.append(0)
            continue
        since_us = handed_before(entries, at) or (before.mono_us if before is not None else entry.mono_us)
        found.append(entry.mono_us - asked.since(entry, before, since_us))
        before = entry
    return found


def handed_before(entries: Sequence[Entry], at: int) -> int:
    """The ``handed_us`` of the entry at index ``at``. For a state with views it may be stored in the first of them.
    0 when it is not known."""
    handed_us = entries[at].handed_us
    while not handed_us and at and entries[at - 1].kind in (*TIMELESS, EntryKind.REASON):
        at -= 1
        handed_us = entries[at].handed_us
    return handed_us


class _Asked:
    """Since when each of several players who may move has been asked."""

    def __init__(self) -> None:
        self._since: dict[int, int] = {}

    def since(self, entry: Entry, before: Entry | None, usual_us: int) -> int:
        """The time that an entry counts from: ``usual_us``, unless its player was asked before the last state."""
        if entry.kind is EntryKind.STATE:
            self._ask(entry)
        elif entry.kind is EntryKind.FAULT and entry.seat is not None:
            self._since[entry.seat] = entry.mono_us  # asked once more
        elif entry.kind in ACTS and entry.seat is not None and before is not None:
            asked_us = self._since.pop(entry.seat, None)
            # The last state asked another player; this one was thinking already.
            if asked_us is not None and (before.kind is not EntryKind.STATE or asked_us < before.mono_us):
                return asked_us
        return usual_us

    def _ask(self, state: Entry) -> None:
        movers = movers_of(state)
        again = dict.fromkeys(movers, state.mono_us) if len(movers) > 1 else {}
        # On the right, so that it wins: those who were asked before are not asked again.
        self._since = again | {seat: since for seat, since in self._since.items() if seat in movers}


def movers_of(state: Entry) -> list[int]:
    """The seats that may move after a STATE, in order; empty if the record holds invalid data."""
    try:
        return read_movers(state.seat, state.text)
    except ValueError:
        return []
