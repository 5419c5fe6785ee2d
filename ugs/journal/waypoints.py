"""Places in a game at which reading may begin, so that whoever wants a later piece does not read all before it.

One is at a row of the journal: it says how many public events come before that row, when the last of them was, and who
had left by then. They come from whoever reads, and of a game there are at most :data:`MAX_WAYPOINTS`, evenly spread.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

from ugs.broker.values.recollection import PastEvent, Recollected, Use, Wish
from ugs.broker.values.record import EntryKind

MAX_WAYPOINTS: Final = 128


class RowPlace(NamedTuple):
    """A row of a game. Packed ones come before parts."""

    is_part: bool
    row: int


class Waypoint(NamedTuple):
    """Where reading may begin."""

    place: RowPlace
    before: int
    """The number of the last public event before this place ..."""
    after_s: float
    """... and when it was, in seconds from the begin of the game."""
    left: tuple[PastEvent, ...]
    """The departures before this place of those who have not come back."""


BEGIN: Final = Waypoint(RowPlace(False, 0), 0, 0.0, ())


class Waypoints:
    """Those of one game."""

    def __init__(self) -> None:
        self._known = [BEGIN]
        self._apart = 1
        """Events that are at least between two."""

    def add(self, passed: Iterable[Waypoint]) -> None:
        """A reader has come by these, in order."""
        for waypoint in passed:
            if waypoint.before < self._known[-1].before + self._apart:
                continue
            self._known.append(waypoint)
            if len(self._known) > MAX_WAYPOINTS:
                self._apart = max(self._apart * 2, self._known[-1].before // MAX_WAYPOINTS)
                del self._known[1::2]

    def forget_parts(self, last: int) -> None:
        """The parts up to the one with this id are packed by now."""
        self._known = [one for one in self._known if is_there(one, last)]

    def nearest(self, number: int, until_s: float) -> Waypoint:
        """The last one with at most ``number`` events before it, none of them later than ``until_s``."""
        fitting = (one for one in reversed(self._known) if one.before <= number and one.after_s <= until_s)
        return next(fitting, BEGIN)

    def for_wish(self, wish: Wish) -> Waypoint:
        """Where to begin to read for this wish."""
        if wish.use is Use.SHOWING:
            return self.nearest(wish.until - 1, wish.until_s)
        return self.nearest(wish.after, float("inf"))

    def earlier(self, waypoint: Waypoint) -> Waypoint:
        """The one before."""
        return self.nearest(waypoint.before - 1, float("inf"))


def is_there(waypoint: Waypoint, packed_to: int) -> bool:
    """Whether its row is there, when the parts up to ``packed_to`` are packed."""
    return not waypoint.place.is_part or waypoint.place.row > packed_to


def tells_all(wish: Wish, found: Recollected, begun: Waypoint) -> bool:
    """Whether it was early enough to begin to read here. How a game stood is not known without a state."""
    if wish.use is not Use.SHOWING or begun is BEGIN:
        return True
    return any(event.kind is EntryKind.STATE for event in found.events)
