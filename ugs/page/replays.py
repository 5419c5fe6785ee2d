"""Games that have ended, position by position, as everybody may see them; the last ones that were asked for are kept.

A picture is drawn when it is asked for, but a renderer has to see all states before it.
"""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ugs.broker.record import EntryKind
from ugs.page.played import Step
from ugs.pictures.contract import Picture
from ugs.pictures.recorded import pictures, seat_called
from ugs.record.game import GameRecord
from ugs.record.response_times import movers_of, response_times
from ugs.record.times import MICRO

MOST_KEPT, MOST_KEPT_BYTES = 40, 64 * 1024 * 1024
"""Games that are kept, and the bytes of their states."""
LONGEST_STRIDE: Final = 40
"""Lines of what has happened that lead to one position."""


@dataclass(frozen=True, slots=True)
class Replay:
    """A game that has ended, ready to be shown."""

    record: GameRecord
    """As much of it as may be seen."""
    shown: Sequence[Picture]
    steps: Sequence[Step]
    next: Sequence[Sequence[str]]
    """Who may move in each position."""
    size: int


class Replays:
    """Those that are kept, although moves may have been dropped from the journal meanwhile."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str], Replay] = OrderedDict()

    def kept(self, game_id: str, viewer: str) -> Replay | None:
        """The game of that id, as ``viewer`` saw it (empty: as everybody may), if it is kept."""
        kept = self._kept.get((game_id, viewer))
        if kept is not None:
            self._kept.move_to_end((game_id, viewer))
        return kept

    def keep(self, record: GameRecord, viewer: str) -> Replay:
        """A game from as much of its record as may be seen. Raises UnknownViewer if the viewer did not play in it."""
        replay = self._kept[record.game_id, viewer] = replay_of(record, viewer)
        while len(self._kept) > 1 and (
            len(self._kept) > MOST_KEPT or sum(one.size for one in self._kept.values()) > MOST_KEPT_BYTES
        ):
            self._kept.popitem(last=False)
        return replay


def replay_of(record: GameRecord, viewer: str = "") -> Replay:
    """A game from its record."""
    shown = dict(pictures(record, seat_called(record, viewer or None)))
    steps: list[Step] = []
    movers: list[list[str]] = []
    times = response_times(record.entries)
    first_us = record.entries[0].mono_us if record.entries else 0
    who, took = "", None
    for place, entry in enumerate(record.entries):
        if entry.kind is EntryKind.MOVE and entry.seat is not None:
            who, took = record.seats[entry.seat], times[place] / MICRO
        picture = shown.get(place)
        if picture is None:
            continue
        news = [line for line in picture.news() if line][-LONGEST_STRIDE:]
        steps.append(Step(len(steps) + 1, max(0, entry.mono_us - first_us) / MICRO, who, took, news))
        movers.append([record.seats[seat] for seat in movers_of(entry) if 0 <= seat < len(record.seats)])
        who, took = "", None
    size = sum(len(entry.body) for entry in record.entries)
    return Replay(record, list(shown.values()), steps, movers, size)
