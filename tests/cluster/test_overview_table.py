"""What nodes show of themselves, in a real database, and between nodes of one process."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing

import psycopg
import pytest

from tests.broker.views.test_whole import THERE
from tests.cluster.nodes import running
from tests.cluster.test_login_router import logged_in
from tests.daemon.shell import GO
from tests.journal.postgresql.database_server import DatabaseServer, JournalUrl
from ugs.cluster.homes_table import HomesTable
from ugs.cluster.node_places import prepare
from ugs.cluster.overview_sharing import packed
from ugs.cluster.overview_table import OverviewRow
from ugs.daemon.http.live import LiveServer
from ugs.daemon.status.metrics import Metrics
from ugs.journal.journal_error import JournalError
from ugs.places import DatabaseUrl
from ugs.wire.messages import GameMasterLogin, PlayerLogin

BODY = packed(THERE)[1]


@pytest.fixture(scope="module")
def place(shared_database: DatabaseServer) -> JournalUrl:
    """A database with two nodes."""
    url = shared_database.journal()
    for name in ("a", "b"):
        prepare(DatabaseUrl(url.text), name, "secret")
    return url


@pytest.fixture
def homes(place: JournalUrl) -> Iterator[HomesTable]:
    """Its tables; both nodes answer, with the fence 1, and have shown nothing."""
    change(place, "DELETE FROM cluster_overview; UPDATE cluster_node SET fence = 0")
    with closing(HomesTable(DatabaseUrl(place.text))) as found:
        found.beat("a", "127.0.0.1:1", 1)
        found.beat("b", "127.0.0.1:2", 1)
        yield found


def change(place: JournalUrl, statement: str) -> None:
    with psycopg.connect(place.text, autocommit=True) as db:
        db.execute(statement.encode())


def seen(rows: Sequence[OverviewRow]) -> list[tuple[str, int, bytes | None]]:
    return [(row.node, row.number, row.body) for row in rows]


def test_the_others_read_what_a_node_shows_once(homes: HomesTable) -> None:
    table = homes.overviews
    assert table.exchange("a", 1, BODY, {}) == []
    assert seen(table.exchange("b", 1, None, {})) == [("a", 1, BODY)]
    assert seen(table.exchange("b", 1, b"2", {"a": 1})) == [("a", 1, None)]
    table.exchange("a", 1, b"later", {})
    (row,) = table.exchange("b", 1, None, {"a": 1, "gone": 7})
    assert (row.number, row.body, row.age_s < 60) == (2, b"later", True)
    assert [name for name, _, _ in seen(table.all())] == ["a", "b"]


@pytest.mark.parametrize(
    "gone",
    ["seen_at = NULL", "fence = 2", "seen_at = now() - interval '30 s'"],
    ids=["it has left", "its standby is there", "it is silent"],
)
def test_what_a_node_that_has_gone_has_shown_is_over(homes: HomesTable, place: JournalUrl, gone: str) -> None:
    table = homes.overviews
    table.exchange("a", 1, BODY, {})
    change(place, f"UPDATE cluster_node SET {gone} WHERE name = 'a'")
    assert table.exchange("b", 1, None, {"a": 1}) == []
    change(place, "UPDATE cluster_node SET fence = 3, seen_at = now() WHERE name = 'a'")
    table.exchange("a", 1, b"by the earlier server", {})
    assert table.exchange("b", 1, None, {}) == []
    table.exchange("a", 3, b"later", {})
    assert seen(table.exchange("b", 1, None, {"a": 1})) == [("a", 2, b"later")]


def test_a_database_with_nodes_of_before_gets_the_table(homes: HomesTable, place: JournalUrl) -> None:
    change(place, "DROP TABLE cluster_overview")
    assert homes.overviews.all() == []
    prepare(DatabaseUrl(place.text), "a", "secret")
    homes.overviews.exchange("a", 1, BODY, {})
    assert seen(homes.overviews.all()) == [("a", 1, BODY)]


async def test_any_node_shows_the_whole_and_its_own_while_the_database_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    async with running("a", "b") as (table, nodes):
        table.move(GO, "a")
        table.move("chess", "b")
        for node in nodes.values():
            await node.look()
        await logged_in(await nodes["a"].dials(), GameMasterLogin("m", GO, "2", "2"))
        await logged_in(await nodes["a"].dials(), PlayerLogin("ann", GO))
        await logged_in(await nodes["a"].dials(), GameMasterLogin("m", "chess", "2", "2"))
        nodes["b"].node.overviews._written_at = nodes["a"].node.overviews._written_at = float("-inf")
        for name in ("a", "b", "a"):
            await nodes[name].look()
        shell = nodes["b"].shell
        live = LiveServer(shell.broker, shell.questions)

        def pools() -> list[tuple[str, str, Sequence[str]]]:
            whole: Mapping[str, object] = json.loads(json.dumps(live.whole()))
            types = whole["game_types"]
            assert isinstance(types, list)
            return [(one["game_type"], one["node"], one["waiting"]) for one in types]

        assert pools() == [("chess", "b", []), (GO, "a", ["ann"])]
        text = Metrics(shell.status.parts).text().decode()
        assert 'ugs_node_waiting{node="a"} 1.0' in text
        assert 'ugs_node_masters{node="b"} 1.0' in text

        def away(*_asked: object) -> Sequence[OverviewRow]:
            raise JournalError("away")

        monkeypatch.setattr(table.overviews, "exchange", away)
        with pytest.raises(JournalError):
            await nodes["b"].look()
        assert len(pools()) == 2, "for a moment nothing is lost"
        monkeypatch.setattr("ugs.broker.state.other_nodes.OtherNodes.seen", lambda self, now: ())
        assert pools() == [("chess", "b", [])]
