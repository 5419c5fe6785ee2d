"""The table of nodes and homes, and the journals of nodes, in a real database."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from tests.journal.postgresql.database_server import DatabaseServer, JournalUrl
from tests.journal.servers import NOON_US, JournalServer
from ugs.broker.effects import RecordAct
from ugs.broker.values.access import AccessRule
from ugs.broker.values.identity import Role
from ugs.cluster.homes_table import HomesTable, fence_of
from ugs.cluster.node_places import NodePlace, prepare
from ugs.journal.journal_error import JournalError
from ugs.journal.reader import Reader
from ugs.journal.tokens import NewRow, add, listed
from ugs.places import DatabaseUrl


@pytest.fixture
def nodes(url: JournalUrl) -> dict[str, NodePlace]:
    """Two nodes on one database."""
    return {name: prepare(DatabaseUrl(url.text), name, f"secret of {name}") for name in ("a", "b")}


@pytest.fixture(scope="module")
def place(shared_database: DatabaseServer) -> JournalUrl:
    """A database with these two nodes, for all tests that only look at the table."""
    url = shared_database.journal()
    for name in ("a", "b"):
        prepare(DatabaseUrl(url.text), name, f"secret of {name}")
    return url


@pytest.fixture
def table(place: JournalUrl) -> Iterator[HomesTable]:
    """Its table."""
    with closing(HomesTable(DatabaseUrl(place.text))) as found:
        yield found


def test_each_node_holds_its_own_journal_and_no_other_holds_it(nodes: dict[str, NodePlace]) -> None:
    with JournalServer(nodes["a"].journal) as a, JournalServer(nodes["b"].journal) as b:
        a.plays("g1")
        b.plays("g2")
        with pytest.raises(JournalError, match="in use by another server"):
            JournalServer(nodes["a"].journal)
    assert fence_of(nodes["a"].journal) == fence_of(nodes["b"].journal) == 1


def test_all_journals_are_read_as_one(nodes: dict[str, NodePlace], url: JournalUrl) -> None:
    with JournalServer(nodes["a"].journal) as a, JournalServer(nodes["b"].journal) as b:
        a.plays("g1")
        with Reader(DatabaseUrl(url.text)) as reader:
            before = reader.version()
        b.plays("g2")
        a.plays("g3")
    for place in (url.text, nodes["a"].journal.text, nodes["b"].journal.text):
        with Reader(DatabaseUrl(place)) as reader:
            assert {result.game_id for result in reader.results()} == {"g1", "g2", "g3"}
            assert [len(reader.record(game).entries) for game in ("g1", "g2", "g3")] == [7, 7, 7]
            assert {game.game_id for game in reader.games(nick="ann")} == {"g1", "g2", "g3"}
            assert reader.version() != before


def test_a_node_that_comes_again_keeps_its_number_and_what_it_has_written(
    nodes: dict[str, NodePlace], url: JournalUrl
) -> None:
    with JournalServer(nodes["a"].journal) as server:
        server.plays("g1")
    again = prepare(DatabaseUrl(url.text), "a", "another secret")
    assert again == nodes["a"]
    with JournalServer(again.journal) as server:
        server.plays("g2")
    with Reader(DatabaseUrl(url.text)) as reader:
        assert [result.game_id for result in reader.results()] == ["g1", "g2"]


def test_a_ban_at_one_node_is_a_rule_for_the_others_until_it_is_lifted(nodes: dict[str, NodePlace]) -> None:
    with JournalServer(nodes["a"].journal) as a, closing(HomesTable(nodes["b"].shared)) as table:
        a.journal.record(RecordAct("ban", "eve", "", "me", "spam"), NOON_US, 1)
        a.plays("g1")
        found = table.rules(nodes["b"].number, 0)
        assert found is not None
        last, rules = found
        assert rules == [AccessRule("eve", False, "spam")]
        assert table.rules(nodes["b"].number, last) is None
        assert table.rules(nodes["a"].number, 0) == (last, [])
        a.journal.record(RecordAct("unban", "eve", "", "me", "sorry"), NOON_US, 1)
        a.plays("g2")
        lifted = table.rules(nodes["b"].number, last)
        assert lifted is not None
        assert lifted[1] == []


def test_tokens_are_of_the_whole(nodes: dict[str, NodePlace], url: JournalUrl) -> None:
    add(DatabaseUrl(url.text), [NewRow(Role.PLAYER, "ann", "digest")], "me", 1)
    add(nodes["b"].journal, [NewRow(Role.PLAYER, "bob", "digest")], "me", 2)
    for place in (DatabaseUrl(url.text), nodes["a"].journal, nodes["b"].journal):
        assert [one.name for one in listed(place)] == ["ann", "bob"]


def test_the_first_that_claims_a_game_type_has_it_and_it_can_be_moved(table: HomesTable) -> None:
    assert table.claim("chess", "a") == "a"
    assert table.claim("chess", "b") == "a"
    assert table.move("chess", "b") == "a"
    assert table.move("chess", "b") == "b"
    homes = table.read()
    assert homes.node_of_type("chess") == "b"
    assert homes.homes["chess"].number == 2
    assert homes.types_at("a") == []
    with pytest.raises(JournalError, match="no node is called 'c'; nodes are: a, b"):
        table.move("chess", "c")


def test_a_server_whose_name_another_one_has_taken_over_is_no_longer_shown(table: HomesTable) -> None:
    assert not table.read().nodes["a"].answers
    assert table.beat("a", "10.0.0.1:4750", 1)
    assert table.read().nodes["a"].answers
    assert table.beat("a", "10.0.0.2:4750", 2)
    assert not table.beat("a", "10.0.0.1:4750", 1)
    assert table.read().nodes["a"].address == "10.0.0.2:4750"
    table.leave("a", 1)
    assert table.read().nodes["a"].answers
    table.leave("a", 2)
    assert not table.read().nodes["a"].answers


def test_where_a_node_takes_peers_over_is_in_its_row(table: HomesTable) -> None:
    table.beat("b", "10.0.0.1:4750", 1, "/run/b/node.sock")
    assert table.read().nodes["b"].socket == "/run/b/node.sock"
    table.beat("b", "10.0.0.1:4750", 1)
    assert table.read().nodes["b"].socket == ""


def test_a_database_of_before_is_read_and_gets_what_it_lacks(nodes: dict[str, NodePlace], url: JournalUrl) -> None:
    url.server.execute(f'ALTER TABLE "{url.name}".cluster_node DROP COLUMN socket')
    with closing(HomesTable(DatabaseUrl(url.text))) as table:
        assert [node.socket for node in table.read().nodes.values()] == ["", ""]
        prepare(DatabaseUrl(url.text), "a", "secret")
        assert table.beat("a", "10.0.0.1:4750", 1, "/run/a/node.sock")


def test_all_nodes_know_one_secret_and_it_is_not_shown(table: HomesTable) -> None:
    homes = table.read()
    assert homes.secret == "secret of a"
    assert homes.secret not in repr(homes)


def test_a_broken_connection_is_made_again(table: HomesTable, place: JournalUrl) -> None:
    table.read()
    place.server.cut()
    with pytest.raises(JournalError, match="cannot be used"):
        table.read()
    assert set(table.read().nodes) == {"a", "b"}


def test_a_database_without_nodes_says_how_one_is_made(url: JournalUrl) -> None:
    with closing(HomesTable(DatabaseUrl(url.text))) as empty, pytest.raises(JournalError, match="ugs serve --node"):
        empty.read()


@pytest.mark.parametrize("name", ["", "A", "whole", "a-b", "a" * 17, '"; DROP'])
def test_a_name_that_is_none_is_refused(url: JournalUrl, name: str) -> None:
    with pytest.raises(JournalError, match="a small letter"):
        prepare(DatabaseUrl(url.text), name, "secret")
