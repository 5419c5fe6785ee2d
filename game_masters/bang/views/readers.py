"""What the readers of a game know, and knew before: snapshots of the present and of any earlier moment."""

from collections.abc import Collection

from game_masters.bang.messages.events import Entry, Resynced, Viewer, seen_by
from game_masters.bang.table.course import Course
from game_masters.bang.views.known import Known, Replica, known_by

GAME_NAME = "Bang!"
"""What a game is called, unless its creator has given it another name."""


class Readers:
    """All readers of one game."""

    def __init__(
        self,
        origin: Course,
        game_id: str,
        game_name: str = GAME_NAME,
        replicas: dict[int, tuple[int, Replica]] | None = None,
    ) -> None:
        """``origin`` is the game before anything has happened, a copy that is never changed."""
        self.game_name = game_name
        self._game_id = game_id
        self._origin = origin
        self._replicas = replicas or {}
        """By reader: a number of entries and what it knew after them. A cache: missing ones are computed."""

    def copy(self, readers: Collection[int] = ()) -> "Readers":
        """Return a copy for a game that goes on apart, which remembers what these readers knew."""
        kept = self._replicas.keys() & readers
        replicas = {reader: (self._replicas[reader][0], self._replicas[reader][1].copy()) for reader in kept}
        return Readers(self._origin, self._game_id, self.game_name, replicas)

    def at_first(self, viewer: int) -> Known:
        """Return what a reader knew before anything happened."""
        return known_by(self._origin, viewer, self._game_id, GAME_NAME)

    def now(self, course: Course, viewer: int) -> Known:
        """Return what a reader knows now."""
        return known_by(course, viewer, self._game_id, self.game_name)

    def after(self, course: Course, viewer: int, number: int) -> Known:
        """Return what a reader knew after the first ``number`` entries of the record."""
        entries = course.log.entries
        if number == len(entries):
            return self.now(course, viewer)
        done, replica = self._replicas.get(viewer, (0, None))
        # States are asked for in their order; for an earlier one, all is read once more.
        if replica is None or done > number:
            done, replica = 0, Replica(self.at_first(viewer), viewer)
        for entry in shown_to(course, viewer, done, number):
            replica.take(entry)
        self._replicas[viewer] = number, replica
        return replica.known()


def shown_to(course: Course, viewer: Viewer, first: int, end: int | None = None) -> tuple[Entry, ...]:
    """Return a part of the record in a reader's version."""
    seen = (seen_by(entry, viewer) for entry in course.log.entries[first:end])
    return tuple([entry for entry in seen if entry is not None and not isinstance(entry, Resynced)])
