"""What is collected in a step, and what of it is handed over while nothing can be written."""

import pytest

from tests.journal.ends import Ends
from tests.journal.servers import won
from ugs.broker.effects import RecordAct, RecordBegin, RecordEntry, RecordLogin, RecordResult, RecordSessionOver
from ugs.broker.values.record import EntryKind
from ugs.journal import step_collector
from ugs.journal.batch import Batch

MOVE = RecordEntry("g", EntryKind.MOVE, 0, body=b"<move/>")
BEGIN = RecordBegin("g", "chess", "m", ("ann", "ben"))
LOGIN = RecordLogin(1, "player", "ann", "chess", "here")


def test_a_game_may_begin_and_end_in_one_step() -> None:
    ends = Ends()
    ends.collector.begin(BEGIN, 1, 1)
    ends.collector.entry(MOVE, 1, 1)
    ends.collector.result(RecordResult(won("g")), 1, ())
    ends.collector.flush()
    batch = ends.taker.take_now()
    assert [
        (one.row, len(batch.parts[0].entries), over.beginning_lost)
        for one, over in zip(batch.begun, batch.ended, strict=True)
    ] == [(1, 1, False)]


def test_no_entry_follows_a_result_even_in_its_step() -> None:
    ends = Ends()
    ends.collector.begin(BEGIN, 1, 1)
    ends.collector.entry(MOVE, 1, 1)
    ends.collector.result(RecordResult(won("g")), 1, ())
    ends.collector.entry(MOVE, 2, 2)
    ends.collector.flush()
    ends.collector.entry(MOVE, 3, 3)
    ends.collector.flush()
    assert [len(part.entries) for part in ends.taker.take_now().parts] == [1]


def test_of_a_step_during_a_loss_no_game_begins() -> None:
    ends = Ends()
    ends.taker.lose(Batch())
    ends.collector.begin(BEGIN, 1, 1)
    ends.collector.entry(MOVE, 1, 1)
    ends.collector.accept_loss()
    ends.taker.resume()
    ends.collector.entry(MOVE, 2, 2)
    ends.collector.flush()
    assert not ends.taker.take_now()


def test_until_the_broker_knows_of_the_loss_its_logins_are_dropped() -> None:
    ends = Ends()
    ends.taker.lose(Batch())
    ends.collector.log_in(LOGIN, 1)
    ends.collector.accept_loss()
    ends.collector.log_in(LOGIN, 2)
    ends.collector.flush()
    assert [one.wall_us for one in ends.taker.take_now().logged_in] == [2]


def test_where_there_is_no_room_sessions_are_dropped_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(step_collector, "MAX_WHILE_LOST", 2)
    ends = Ends()
    ends.taker.lose(Batch())
    ends.collector.accept_loss()
    ends.collector.log_in(LOGIN, 1)
    ends.collector.act(RecordAct("forget", "ann", "chess", "root", "asked"), 1)
    ends.collector.session(RecordSessionOver("s"), 1)
    ends.collector.flush()
    batch = ends.taker.take_now()
    assert (len(batch.sessions), len(batch.acts), len(batch.logged_in)) == (1, 1, 0)
