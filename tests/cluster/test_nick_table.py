"""The nicks of all nodes, in a real database."""

from collections.abc import Iterator
from contextlib import closing
from threading import Thread

import psycopg
import pytest

from tests.journal.postgresql.database_server import DatabaseServer, JournalUrl
from ugs.cluster.homes_table import HomesTable
from ugs.cluster.nick_table import NickTable, SharedNick
from ugs.cluster.node_places import prepare
from ugs.places import DatabaseUrl

ANN, BOB = SharedNick("ann"), SharedNick("bob")
WATCHING = SharedNick("ann", watches=True)


@pytest.fixture(scope="module")
def place(shared_database: DatabaseServer) -> JournalUrl:
    """A database with two nodes."""
    url = shared_database.journal()
    for name in ("a", "b"):
        prepare(DatabaseUrl(url.text), name, "secret")
    return url


@pytest.fixture
def nicks(place: JournalUrl) -> Iterator[NickTable]:
    """Its table without any nick; both nodes answer, with the fence 1, and have no homes."""
    with psycopg.connect(place.text, autocommit=True) as db:
        db.execute("DELETE FROM cluster_nick")
        db.execute("DELETE FROM cluster_home")
        db.execute("UPDATE cluster_node SET fence = 0")
    with closing(HomesTable(DatabaseUrl(place.text))) as homes:
        homes.beat("a", "127.0.0.1:1", 1)
        homes.beat("b", "127.0.0.1:2", 1)
    with closing(NickTable(DatabaseUrl(place.text))) as found:
        yield found


def change(place: JournalUrl, statement: str) -> None:
    with psycopg.connect(place.text, autocommit=True) as db:
        db.execute(statement.encode())


def test_a_nick_is_one_nodes_until_that_releases_it(nicks: NickTable) -> None:
    assert nicks.exchange("a", 1, [], [ANN, BOB]) == {ANN: "a", BOB: "a"}
    assert nicks.exchange("a", 1, [], [ANN]) == {ANN: "a"}
    assert nicks.exchange("b", 1, [ANN], [ANN]) == {ANN: "a"}, "what is another's cannot be released"
    nicks.exchange("a", 1, [ANN], [])
    assert nicks.exchange("b", 1, [], [ANN, BOB]) == {ANN: "b", BOB: "a"}


def test_a_spectator_has_no_nick_of_a_player_elsewhere_but_a_player_may_have_that_of_a_spectator(
    nicks: NickTable,
) -> None:
    assert nicks.exchange("a", 1, [], [WATCHING]) == {WATCHING: "a"}
    assert nicks.exchange("b", 1, [], [ANN]) == {ANN: "b"}
    nicks.exchange("a", 1, [WATCHING], [])
    assert nicks.exchange("a", 1, [], [WATCHING]) == {WATCHING: "b"}


@pytest.mark.parametrize(
    ("gone", "is_free"),
    [
        ("UPDATE cluster_node SET seen_at = NULL WHERE name = 'a'", True),
        ("UPDATE cluster_node SET fence = 2 WHERE name = 'a'", True),
        ("UPDATE cluster_node SET seen_at = now() - interval '30 s' WHERE name = 'a'", True),
        (
            "INSERT INTO cluster_home VALUES ('chess', 'a', 1);"
            "UPDATE cluster_node SET seen_at = now() - interval '30 s' WHERE name = 'a'",
            False,
        ),
        (
            "INSERT INTO cluster_home VALUES ('chess', 'a', 1);"
            "UPDATE cluster_node SET seen_at = now() - interval '2 min' WHERE name = 'a'",
            True,
        ),
    ],
    ids=["it has left", "its standby is there", "its homes have moved", "it may come back", "it is gone for long"],
)
def test_nicks_of_a_node_that_has_gone_are_free(nicks: NickTable, place: JournalUrl, gone: str, is_free: bool) -> None:
    nicks.exchange("a", 1, [], [ANN])
    change(place, gone)
    assert nicks.exchange("b", 1, [], [ANN]) == {ANN: "b" if is_free else "a"}


def test_a_later_server_keeps_the_nicks_of_its_sessions_and_the_earlier_one_can_claim_no_more(
    nicks: NickTable, place: JournalUrl
) -> None:
    nicks.exchange("a", 1, [], [ANN, BOB])
    change(place, "UPDATE cluster_node SET fence = 2 WHERE name = 'a'")
    assert nicks.begin("a", 2, [ANN]) == {ANN: "a"}
    assert nicks.exchange("a", 1, [ANN], [BOB]) == {BOB: ""}
    assert nicks.exchange("b", 1, [], [ANN, BOB]) == {ANN: "a", BOB: "b"}


def test_nodes_that_claim_and_release_the_same_nicks_at_once_do_not_block_each_other(
    nicks: NickTable, place: JournalUrl
) -> None:
    many = [SharedNick(f"bot{number}") for number in range(50)]
    held: list[set[SharedNick]] = []

    def plays(node: str) -> None:
        with closing(NickTable(DatabaseUrl(place.text))) as table:
            ours: set[SharedNick] = set()
            for _ in range(10):
                found = table.exchange(node, 1, sorted(ours, key=str, reverse=True), many)
                ours = {nick for nick, holder in found.items() if holder == node}
            held.append(ours)

    threads = [Thread(target=plays, args=(node,)) for node in ("a", "b")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    first, second = held
    assert first | second == set(many)
    assert not first & second


def test_a_broken_connection_is_made_again(nicks: NickTable) -> None:
    nicks.exchange("a", 1, [], [ANN])
    nicks.close()
    assert nicks.exchange("b", 1, [], [ANN]) == {ANN: "a"}


def test_a_database_with_nodes_of_before_gets_the_table(nicks: NickTable, place: JournalUrl) -> None:
    change(place, "DROP TABLE cluster_nick")
    prepare(DatabaseUrl(place.text), "a", "secret")
    assert nicks.exchange("a", 1, [], [ANN]) == {ANN: "a"}
