"""The run of ``ugs admin nodes`` and ``ugs admin move``: they ask the database of the nodes, and no server."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from ugs.commands.failure import WRONG_USAGE, failure
from ugs.distributions import missing
from ugs.durations import duration_text
from ugs.journal.journal_error import JournalError
from ugs.places import DatabaseUrl, is_url

if TYPE_CHECKING:
    from ugs.broker.values.node_overview import NodeOverview
    from ugs.cluster.homes_table import HomesTable
    from ugs.cluster.known_homes import SeenNode


def move(game_type: str, node: str, journal: str) -> str:
    """Give a game type its home at a node. Returns what was done, for people. Raises typer.Exit."""
    with _table(journal) as table:
        before = table.move(game_type, node)
        answers = table.read().nodes[node].answers
    if before == node:
        return f"{game_type} is at home at node {node} already"
    done = f"{game_type} is at home at node {node} now" + (f", before at {before}" if before else "")
    return done if answers else f"{done}; that node does not answer at present"


def lines(journal: str) -> list[str]:
    """Return a line for each node. Raises typer.Exit."""
    from ugs.cluster.overview_sharing import unpacked

    with _table(journal) as table:
        homes = table.read()
        shown = {row.node: unpacked(row.body or b"") for row in table.overviews.all()}
    return [
        f"node {node.name} {_seen(node)}: {', '.join(homes.types_at(node.name)) or 'no game type is at home there'}"
        f"{_counted(shown.get(node.name))}"
        for node in sorted(homes.nodes.values(), key=lambda one: one.name)
    ]


def _counted(overview: "NodeOverview | None") -> str:
    if overview is None:
        return ""
    one = overview.counts
    return f"; games {one.games}, players {one.players} ({one.waiting} waiting), game masters {one.masters}"


def _seen(node: "SeenNode") -> str:
    if node.answers:
        return f"at {node.address}"
    if not node.address:
        return "has never run"
    away = node.seen_ago_s
    return "has ended" if away == float("inf") else f"does not answer, seen {duration_text(round(away))} ago"


@contextmanager
def _table(journal: str) -> "Iterator[HomesTable]":
    if not is_url(journal):
        raise failure("ugs admin", f"--journal {journal}: the nodes' database is wanted: postgresql://…", WRONG_USAGE)
    if lacking := missing("psycopg"):
        raise failure("ugs admin", f"a cluster {lacking}")
    from ugs.cluster.homes_table import HomesTable

    try:
        with closing(HomesTable(DatabaseUrl(journal))) as table:
            yield table
    except JournalError as error:
        raise failure("ugs admin", error) from None
