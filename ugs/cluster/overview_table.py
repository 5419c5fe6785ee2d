"""What nodes show of themselves, in a table of the database. Everything here waits for the database: call it in a
thread."""

from collections.abc import Mapping, Sequence
from typing import Final

from ugs.cluster.known_homes import FRESH_S
from ugs.cluster.shared_database import SharedDatabase
from ugs.value import value

# number never begins again, so it tells two overviews of a node apart whoever wrote them.
_WRITE: Final = """
    INSERT INTO cluster_overview AS kept (node, fence, number, written_at, body)
    SELECT name, fence, 1, now(), %(body)s FROM cluster_node WHERE name = %(node)s AND fence = %(fence)s
    ON CONFLICT (node) DO UPDATE
    SET fence = excluded.fence, number = kept.number + 1, written_at = excluded.written_at, body = excluded.body
"""
# Only of nodes that answer, and only by the server that has the name now. What the reader knows is not sent again.
_READ: Final = """
    SELECT shown.node, shown.number, extract(epoch FROM now() - shown.written_at)::float8,
        CASE WHEN known.number IS DISTINCT FROM shown.number THEN shown.body END
    FROM cluster_overview AS shown
    JOIN cluster_node AS writer ON writer.name = shown.node AND writer.fence = shown.fence
    LEFT JOIN unnest(%(nodes)s::text[], %(numbers)s::bigint[]) AS known (node, number) ON known.node = shown.node
    WHERE shown.node <> %(node)s AND writer.seen_at > now() - make_interval(secs => %(fresh)s)
    ORDER BY shown.node
"""


@value
class OverviewRow:
    """What a node has shown ``age_s`` seconds ago."""

    node: str
    number: int
    """Counts what this node has shown."""
    age_s: float
    body: bytes | None
    """None: the reader knows it."""


class OverviewTable:
    """The table in this database, for one thread at a time. Every method raises
    :class:`ugs.journal.journal_error.JournalError` when the database cannot be asked; then all of it may be called
    again."""

    def __init__(self, database: SharedDatabase) -> None:
        self._database = database

    def exchange(self, node: str, fence: int, body: bytes | None, known: Mapping[str, int]) -> Sequence[OverviewRow]:
        """Show what a node, whose journal has this ``fence``, is doing, unless ``body`` is None. Returns what the
        others that answer have shown; ``known`` are the numbers of what the reader knows, by node."""
        given = {
            "node": node,
            "fence": fence,
            "body": body,
            "fresh": FRESH_S,
            "nodes": list(known),
            "numbers": list(known.values()),
        }
        with self._database.asked() as db:
            if body is not None:
                db.execute(_WRITE.encode(), given)
            return [OverviewRow(*row) for row in db.execute(_READ.encode(), given).fetchall()]

    def all(self) -> Sequence[OverviewRow]:
        """Return what all nodes that answer have shown; nothing where the table has never been made."""
        with self._database.asked() as db:
            made = db.execute("SELECT to_regclass('cluster_overview') IS NOT NULL").fetchone()
        return self.exchange("", 0, None, {}) if made is not None and made[0] else []
