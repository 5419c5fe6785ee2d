"""The table of nodes and homes in the database. Everything here waits for the database: call it in a thread."""

import math
from collections.abc import Sequence
from contextlib import closing
from typing import Any, Final

import psycopg

from ugs.broker.values.access import AccessRule
from ugs.cluster.known_homes import Home, Homes, SeenNode
from ugs.cluster.node_places import IDS_PER_NODE
from ugs.cluster.overview_table import OverviewTable
from ugs.cluster.shared_database import SharedDatabase, unusable
from ugs.journal.acts import rules_elsewhere
from ugs.journal.journal_error import JournalError
from ugs.journal.postgresql.postgresql_connection import PostgresqlDatabase, connected
from ugs.places import DatabaseUrl
from ugs.record.times import wall_us

MAX_HOMES: Final = 10_000
"""Game types that may have a home: any master can name a new one."""


class HomesTable:
    """The table at ``url``, for one thread at a time. A connection that broke is made again with the next call. Every
    method raises :class:`JournalError` when the database cannot be asked."""

    def __init__(self, url: DatabaseUrl) -> None:
        self._url = url
        self._database = SharedDatabase(url)
        self.overviews = OverviewTable(self._database)
        """What nodes show of themselves."""

    def close(self) -> None:
        """Close the connection."""
        self._database.close()

    def read(self) -> Homes:
        """Return all of it. Raises JournalError, too, where no node has ever been."""
        # As JSON, since before the first node of this version there is no column of that name.
        nodes = self._all(
            "SELECT name, number, address, extract(epoch FROM now() - seen_at)::float8, to_jsonb(node) ->> 'socket'"
            " FROM cluster_node AS node"
        )
        homes = self._all("SELECT game_type, node, number FROM cluster_home")
        secret = self._all("SELECT secret FROM cluster_secret")
        return Homes(
            {
                name: SeenNode(name, number, address, math.inf if seen_ago_s is None else seen_ago_s, socket or "")
                for name, number, address, seen_ago_s, socket in nodes
            },
            {game_type: Home(node, number) for game_type, node, number in homes},
            secret[0][0] if secret else "",
        )

    def rules(self, number: int, since: int) -> tuple[int, Sequence[AccessRule]] | None:
        """Return which bans and permissions are in force by acts of other nodes than the one with this number, and a
        number to pass as ``since``: None as long as there are no later acts."""
        with closing(PostgresqlDatabase(self._url, readonly=True)) as db:
            try:
                last = db.last_id("act")
                if last == since:
                    return None
                first = number * IDS_PER_NODE
                return last, rules_elsewhere(db, first, first + IDS_PER_NODE, wall_us())
            except db.Error as error:
                raise db.unusable(error) from error

    def fence(self, journal: DatabaseUrl) -> int:
        """Return the fence of a journal, which its holder has raised."""
        return fence_of(journal)

    def beat(self, name: str, address: str, fence: int, socket: str = "") -> bool:
        """A node is alive: its journal has this ``fence``. Returns False, and changes nothing, when a later server has
        come under its name."""
        # A later server under this name has raised the fence: then no row fits.
        query = """
            UPDATE cluster_node SET address = %s, socket = %s, fence = %s, seen_at = now()
            WHERE name = %s AND fence <= %s RETURNING 1
        """
        return bool(self._all(query, address, socket, fence, name, fence))

    def leave(self, name: str, fence: int) -> None:
        """A node ends in order: it does not answer from now on."""
        query = "UPDATE cluster_node SET seen_at = NULL WHERE name = %s AND fence = %s RETURNING 1"
        self._all(query, name, fence)

    def claim(self, game_type: str, node: str) -> str:
        """Give a game type without a home one at this node. Returns where it is at home; empty when there are
        MAX_HOMES already."""
        query = """
            INSERT INTO cluster_home (game_type, node, number)
            SELECT %s, %s, 1 WHERE (SELECT count(*) FROM cluster_home) < %s
            ON CONFLICT DO NOTHING RETURNING 1
        """
        # Two nodes may claim it at the same moment: one insert wins, and both read which.
        self._all(query, game_type, node, MAX_HOMES)
        found = self._all("SELECT node FROM cluster_home WHERE game_type = %s", game_type)
        return str(found[0][0]) if found else ""

    def move(self, game_type: str, node: str) -> str:
        """Give a game type its home at this node. Returns where it was before; empty if nowhere. Raises JournalError
        for a node that has never been here."""
        known = [name for (name,) in self._all("SELECT name FROM cluster_node ORDER BY name")]
        if node not in known:
            raise JournalError(f"no node is called {node!r}; nodes are: {', '.join(known) or 'none'}")
        found = self._all("SELECT node FROM cluster_home WHERE game_type = %s", game_type)
        query = """
            INSERT INTO cluster_home (game_type, node, number) VALUES (%s, %s, 1)
            ON CONFLICT (game_type) DO UPDATE SET node = excluded.node, number = cluster_home.number + 1
            WHERE cluster_home.node <> excluded.node
            RETURNING 1
        """
        self._all(query, game_type, node)
        return str(found[0][0]) if found else ""

    def _all(self, query: str, *parameters: object) -> list[Any]:
        with self._database.asked() as db:
            return db.execute(query.encode(), parameters).fetchall()


def fence_of(journal: DatabaseUrl) -> int:
    """Return the fence of a journal, which its holder has raised. Raises :class:`JournalError`."""
    try:
        with connected(journal) as db:
            found = db.execute("SELECT fence FROM writer").fetchone()
    except psycopg.Error as error:
        raise unusable(journal, error) from error
    return int(found[0]) if found is not None else 0
