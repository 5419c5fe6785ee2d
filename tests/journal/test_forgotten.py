"""Acts of organisers in the journal, and what they change for the next life of the server."""

from pathlib import Path

from tests.journal.ends import Ends
from tests.journal.servers import TYPE, JournalServer
from ugs.broker.effects import RecordAct
from ugs.broker.values.standings import Row
from ugs.journal.batch import Acted, Batch
from ugs.journal.database import connect
from ugs.journal.reader import LoggedAct, Reader
from ugs.journal.row_writer import RowWriter
from ugs.journal.schema_versions import MIGRATIONS

FORGET = RecordAct("forget", "ann", TYPE, "root", "burnt")


def forgets(server: JournalServer, effect: RecordAct = FORGET) -> None:
    server.now_us += 1000
    server.journal.record(effect, server.now_us, server.now_us)
    server.journal.flush()


def test_a_forgotten_nick_has_no_row_in_the_next_life_and_its_opponents_keep_theirs(tmp_path: Path) -> None:
    with JournalServer(tmp_path) as server:
        server.plays("g1", "ann", "ben")
        server.plays("g2", "ben", "ann")
        server.plays("cup", "ann", "ben", championship="cup")
        forgets(server)
    with JournalServer(tmp_path) as server:
        past = server.journal.past
    assert past.standings == {TYPE: [Row("ben", 1, 1)]}
    assert past.seats == {TYPE: {"ben": {0: 1, 1: 1}}}


def test_what_it_plays_afterwards_counts_from_nothing(tmp_path: Path) -> None:
    with JournalServer(tmp_path) as server:
        server.plays("g1", "ann", "ben")
        forgets(server)
        server.plays("g2", "ben", "ann")
        server.begins("half", "cat", "ann")
    with JournalServer(tmp_path) as server:
        past = server.journal.past
    assert sorted(past.standings[TYPE], key=lambda row: row.nick) == [Row("ann", 0, 1), Row("ben", 1, 1)]
    assert past.seats[TYPE]["ann"] == {0: 0, 1: 2}, "also in a game that had no result"


def test_it_may_be_forgotten_again_and_for_one_game_type_only(tmp_path: Path) -> None:
    with JournalServer(tmp_path) as server:
        server.plays("g1", "ann", "ben")
        forgets(server)
        server.plays("g2", "ann", "ben")
        forgets(server)
        forgets(server, RecordAct("forget", "ben", "go", "root", "other type"))
    with JournalServer(tmp_path) as server:
        assert server.journal.past.standings == {TYPE: [Row("ben", 0, 2)]}


def test_one_that_had_nothing_but_void_games_leaves_no_seats(tmp_path: Path) -> None:
    with JournalServer(tmp_path) as server:
        server.begins("half", "ann", "ben")
    with JournalServer(tmp_path) as server:
        forgets(server)
    with JournalServer(tmp_path) as server:
        assert server.journal.past.seats == {TYPE: {"ben": {1: 1}}}


def test_who_did_it_when_and_why_can_be_read(tmp_path: Path) -> None:
    with JournalServer(tmp_path) as server:
        server.plays("g1", "ann", "ben")
        forgets(server)
        at = server.now_us
        server.plays("g2", "ben", "ann")
    with Reader(tmp_path) as reader:
        assert reader.acts() == [LoggedAct(at, "forget", "ann", TYPE, "root", "burnt")]
        assert reader.forgotten(TYPE) == {"ann": frozenset({"g1"})}
        assert reader.forgotten("go") == {}


def test_an_act_in_the_batch_of_a_later_result_does_not_concern_it(tmp_path: Path) -> None:
    """A nick may come back and end a game before the writer has taken the act."""
    with JournalServer(tmp_path) as server:
        server.plays("g1", "ann", "ben")
        server.journal.flush()
        server.now_us += 1000
        server.journal.record(FORGET, server.now_us, server.now_us)  # without a flush: the same step
        server.plays("g2", "ann", "ben")
    with Reader(tmp_path) as reader:
        assert reader.forgotten(TYPE) == {"ann": frozenset({"g1"})}


def test_written_twice_it_is_there_once(tmp_path: Path) -> None:
    """A commit may report failure although it was carried out."""
    db = connect(tmp_path)
    for _ in range(2):
        RowWriter(db, None, "1").write(Batch(acts=[Acted(FORGET, 7)]))
    assert db.execute("SELECT count(*) FROM act").fetchone() == (1,)
    db.close()


def test_an_act_survives_the_loss_of_the_journal() -> None:
    ends = Ends()
    ends.collector.act(FORGET, 7)
    ends.collector.flush()
    taken = ends.taker.take_now()
    ends.collector.act(RecordAct("forget", "ben", TYPE, "root", "too"), 8)
    ends.collector.flush()
    ends.taker.lose(taken)
    assert [one.effect.subject for one in ends.taker.take_now().acts] == ["ann", "ben"]


def test_a_journal_of_the_version_before_has_no_acts(tmp_path: Path) -> None:
    connect(tmp_path, migrations={number: MIGRATIONS[number] for number in (1, 2)}).close()
    db = connect(tmp_path)
    assert db.execute("SELECT count(*) FROM act").fetchone() == (0,)
    db.close()
