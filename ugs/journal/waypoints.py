"""Places in a game where reading may begin, so that a reader of a later piece can skip what comes before it.

A waypoint is at a row of the journal. It holds the number of public events before that row, the time of the last one,
and the players who had left by then. Readers add them as they pass; a game has at most :data:`MAX_WAYPOINTS`, evenly
spread.
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
    """... and its time, in seconds since the game began."""
    left: tuple[PastEvent, ...]
    """Departures before this place of players who have not come back."""


BEGIN: Final = Waypoint(RowPlace(False, 0), 0, 0.0, ())


class Waypoints:
    """The waypoints of one game."""

    def __init__(self) -> None:
        self._known = [BEGIN]
        self._apart = 1
        """Minimum number of events between two."""

    def add(self, passed: Iterable[Waypoint]) -> None:
        """Add waypoints that a reader has passed, in order."""
        for waypoint in passed:
            if waypoint.before < self._known[-1].before + self._apart:
                continue
            self._known.append(waypoint)
            if len(self._known) > MAX_WAYPOINTS:
                self._apart = max(self._apart * 2, self._known[-1].before // MAX_WAYPOINTS)
                # Every second one goes, and the distance grows: however long a game is, they stay evenly spread.
                del self._known[1::2]

    def forget_parts(self, last: int) -> None:
        """Forget waypoints at parts up to the id ``last``, which are now packed."""
        self._known = [one for one in self._known if is_there(one, last)]

    def nearest(self, number: int, until_s: float) -> Waypoint:
        """Return the last one with at most ``number`` events before it, none later than ``until_s``."""
        fitting = (one for one in reversed(self._known) if one.before <= number and one.after_s <= until_s)
        return next(fitting, BEGIN)

    def for_wish(self, wish: Wish) -> Waypoint:
        """Return where to begin reading for this wish."""
        if wish.use is Use.SHOWING:
            return self.nearest(wish.until - 1, wish.until_s)
        return self.nearest(wish.after, float("inf"))

    def earlier(self, waypoint: Waypoint) -> Waypoint:
        """Return the previous one."""
        return self.nearest(waypoint.before - 1, float("inf"))


def is_there(waypoint: Waypoint, packed_to: int) -> bool:
    """Return whether its row still exists when the parts up to ``packed_to`` are packed."""
    return not waypoint.place.is_part or waypoint.place.row > packed_to


def begins_early_enough(wish: Wish, found: Recollected, begun: Waypoint) -> bool:
    """Return whether reading began early enough: the position of a game is unknown without a state."""
    if wish.use is not Use.SHOWING or begun is BEGIN:
        return True
    return any(event.kind is EntryKind.STATE for event in found.events)
