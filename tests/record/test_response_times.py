"""How long players and masters took."""

from hypothesis import given

from tests.record.samples import CLOCK_US, Recorder, card_game, tic_tac_toe
from tests.record.strategies import records
from ugs.broker.values.record import EntryKind
from ugs.record.game import Entry, GameRecord
from ugs.record.response_times import handed_before, movers_of, response_times


def times(record: GameRecord, *kinds: EntryKind) -> list[int]:
    """How long the events of these kinds took."""
    return [us for entry, us in zip(record.entries, response_times(record.entries), strict=True) if entry.kind in kinds]


def test_a_move_takes_from_when_the_state_was_handed_on() -> None:
    assert times(tic_tac_toe(), EntryKind.MOVE) == [99_980] * 9
    assert times(tic_tac_toe(), EntryKind.STATE, EntryKind.OVER) == [80] * 10


def test_where_nothing_is_known_of_the_network_it_takes_from_when_the_state_came() -> None:
    assert response_times([Entry(EntryKind.STATE, 0, 100), Entry(EntryKind.MOVE, 0, 130, seat=0)]) == [0, 30]


def test_each_of_several_movers_took_as_long_as_it_had_been_asked() -> None:
    recorder = Recorder()
    recorder.movers([0, 1], b"<gameState/>")
    recorder.move(1, b"<move/>")
    recorder.state(0, b"<gameState/>", audience=0b10)
    recorder.move(0, b"<move/>")
    recorder.movers([0, 1], b"<gameState/>")
    recorder.adds(EntryKind.ERROR, 50, 1, text="?")
    recorder.adds(EntryKind.LEFT, 70, 0, text="left")
    recorder.state(1, b"<gameState/>", audience=0b10)
    recorder.move(1, b"<move/>")
    recorder.state(0, b"<gameState/>")
    recorder.move(0, b"<move/>")
    record = recorder.so_far()
    assert times(record, EntryKind.MOVE) == [99_980, 200_100, 100_220, 99_980]
    assert times(record, EntryKind.LEFT) == [120]


def test_a_player_that_could_not_move_meanwhile_is_asked_anew() -> None:
    recorder = Recorder()
    recorder.movers([0, 1], b"<gameState/>")
    recorder.move(1, b"<move/>")
    recorder.state(1, b"<gameState/>")
    recorder.move(1, b"<move/>")
    recorder.movers([0, 1], b"<gameState/>")
    recorder.move(0, b"<move/>")
    assert times(recorder.so_far(), EntryKind.MOVE) == [99_980] * 3


def test_a_reason_before_a_state_passes_on_when_the_master_was_told() -> None:
    recorder = Recorder()
    recorder.state(0, b"<gameState/>")
    recorder.move(0, b"<move/>")
    recorder.adds(EntryKind.REASON, 100, None, text="row-completed five in a row")
    recorder.adds(EntryKind.STATE, 0, 1)
    entries = recorder.so_far().entries
    assert handed_before(entries, 4) == entries[3].handed_us != 0


def test_views_take_no_time_and_pass_on_when_the_master_was_told() -> None:
    recorder = Recorder()
    recorder.state(0, b"<gameState/>")
    recorder.adds(EntryKind.VIEW, 100, None, 0b01, body=b"<gameState/>")
    recorder.view(0b10, b"<gameState/>")
    recorder.adds(EntryKind.STATE, 0, 1)
    entries = recorder.so_far().entries
    assert response_times(entries)[1:] == [80, 0, 0, 80]
    assert [handed_before(entries, at) - CLOCK_US for at in (2, 3, 4)] == [120, 120, 120]
    assert handed_before(entries, 0) == 0
    assert times(card_game(), EntryKind.VIEW) == [0] * 4


def test_movers_that_cannot_be_read_are_none() -> None:
    assert movers_of(Entry(EntryKind.STATE, 0, 0, seat=2)) == [2]
    assert movers_of(Entry(EntryKind.STATE, 0, 0, seat=2, text="2 0")) == [2, 0]
    assert movers_of(Entry(EntryKind.STATE, 0, 0, text="nobody")) == []


@given(records())
def test_every_event_of_any_record_has_a_response_time(record: GameRecord) -> None:
    assert len(response_times(record.entries)) == len(record.entries)
