"""Recorded games as formats of other programs know them."""

from dataclasses import replace

import pytest

from tests.record.samples import Recorder, tic_tac_toe
from ugs.broker.values.record import EntryKind
from ugs.broker.verdict import Outcome
from ugs.game_files import GameFileError, WrittenRemark
from ugs.record.validation import RecordError
from ugs.record.written_games import record_of, written_game


def test_what_formats_know_of_a_game() -> None:
    game = written_game(tic_tac_toe())
    assert (game.game_id, game.seats, game.outcomes, game.ended_by) == (
        "g1",
        ("ann", "bob"),
        ("won", "lost"),
        "finished",
    )
    assert [move.seat for move in game.moves] == [0, 1, 0, 1, 0, 1, 0, 1, 0]
    assert {move.took_s for move in game.moves} == {0.09998}
    assert written_game(record_of(replace(game, game_id="game-one"))).moves == game.moves


def test_remarks_come_with_the_move_behind_them() -> None:
    recorder = Recorder()
    recorder.state(0, b"<gameState/>")
    recorder.adds(EntryKind.REMARK, 10, 0, body=b'{"value": 0.5, "plan": "left"}')
    recorder.move(0, b"<move/>")
    recorder.state(1, b"<gameState/>")
    recorder.adds(EntryKind.OPENREMARK, 10, 1, body=b"[]")
    recorder.move(1, b"<move/>")
    recorder.over([(0, "winner"), (1, "winner")])
    game = written_game(recorder.ends([Outcome.DRAWN, Outcome.DRAWN]))
    assert [move.remark for move in game.moves] == [WrittenRemark(0.5, "left"), WrittenRemark()]
    assert written_game(record_of(game)).outcomes == ("drawn", "drawn")


def test_games_that_have_not_ended_are_not_written() -> None:
    recorder = Recorder()
    with pytest.raises(GameFileError, match="g1 has not ended"):
        written_game(recorder.so_far())
    with pytest.raises(GameFileError, match="only the result was kept"):
        written_game(replace(tic_tac_toe(), entries=()))


def test_what_no_record_can_be_is_refused() -> None:
    with pytest.raises(RecordError, match="half of a surrogate pair"):
        record_of(replace(written_game(tic_tac_toe()), seats=("ann", "\ud800")))
    with pytest.raises(RecordError, match="'beaten' is not a valid Outcome"):
        record_of(replace(written_game(tic_tac_toe()), outcomes=("won", "beaten")))
