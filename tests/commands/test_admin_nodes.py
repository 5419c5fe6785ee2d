"""``ugs admin nodes`` and ``ugs admin move`` on a real database."""

from contextlib import closing

from tests.commands.line import ugs
from tests.journal.postgresql.database_server import JournalUrl
from ugs.cluster.homes_table import HomesTable
from ugs.cluster.node_places import prepare
from ugs.places import DatabaseUrl


def test_nodes_are_listed_and_a_home_is_moved(url: JournalUrl) -> None:
    for name in ("a", "b"):
        prepare(DatabaseUrl(url.text), name, "secret")
    with closing(HomesTable(DatabaseUrl(url.text))) as table:
        table.beat("a", "10.0.0.1:4750", 1)
        table.claim("chess", "a")
    assert ugs("admin", "nodes", "--journal", url.text).stdout.splitlines() == [
        "node a at 10.0.0.1:4750: chess",
        "node b has never run: no game type is at home there",
    ]
    moved = ugs("admin", "move", "chess", "b", "--journal", url.text)
    assert moved.stdout == "chess is at home at node b now, before at a; that node does not answer at present\n"
    again = ugs("admin", "move", "chess", "b", "--journal", url.text)
    assert again.stdout == "chess is at home at node b already\n"
    unknown = ugs("admin", "move", "chess", "c", "--journal", url.text)
    assert (unknown.exit_code, unknown.stderr) == (1, "ugs admin: no node is called 'c'; nodes are: a, b\n")


def test_a_directory_has_no_nodes() -> None:
    result = ugs("admin", "nodes", "--journal", "data")
    assert result.exit_code == 2
    assert "the nodes' database is wanted" in result.stderr
