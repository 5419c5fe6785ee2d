"""A record that contradicts itself is not written, in any format."""

from dataclasses import replace

import pytest

from tests.record.samples import tic_tac_toe
from ugs.broker.values.record import EntryKind
from ugs.broker.verdict import Cause, Verdict
from ugs.record import jsonl, ugsg
from ugs.record.game import Entry, GameRecord
from ugs.record.validation import RecordError, check

GOOD = tic_tac_toe()
assert GOOD.result is not None
BEGIN = Entry(EntryKind.BEGIN, 0, 0)


@pytest.mark.parametrize(
    ("record", "words"),
    [
        (replace(GOOD, game_id="other"), "game 'other': game of the result is 'g1', of the record 'other'"),
        (replace(GOOD, seats=("ann", "cat")), "seats of the result"),
        (replace(GOOD, championship="cup"), "championship of the result is '', of the record 'cup'"),
        (replace(GOOD, fixture=1), "fixture of the result is 0, of the record 1"),
        (replace(GOOD, fixture=2**63, result=None), "does not fit into 64 bits"),
        (replace(GOOD, server="\ud800"), "half of a surrogate pair"),
        (replace(GOOD, options={"a": "\ud800"}), "half of a surrogate pair"),
        (replace(GOOD, table={"\ud800": "a"}), "half of a surrogate pair"),
        (replace(GOOD, seed="\ud800"), "half of a surrogate pair"),
        (replace(GOOD, seats_total=2**63), "does not fit into 64 bits"),
        (replace(GOOD, seed="s", result=None), "it has a seed and no result: while a game runs, its seed is secret"),
        (replace(GOOD, entries=(Entry(EntryKind.SETUP, 0, 0),), result=None), "it has a set-up and no result"),
        (replace(GOOD, began_us=10**20), "outside the years 1 to 9999"),
        (replace(GOOD, entries=(replace(BEGIN, seat=2),)), "event 1: seat 2: the game has 2 seats"),
        (replace(GOOD, entries=(replace(BEGIN, seat=-1),)), "event 1: seat -1"),
        (replace(GOOD, entries=(BEGIN, replace(BEGIN, audience=4))), "event 2: audience 4: the game has 2 seats"),
        (replace(GOOD, entries=(replace(BEGIN, audience=-1),)), "audience -1"),
        (replace(GOOD, entries=(replace(BEGIN, text="\udc00"),)), "half of a surrogate pair"),
        (replace(GOOD, entries=(replace(BEGIN, wall_us=2**63),)), "does not fit into 64 bits"),
        (replace(GOOD, result=replace(GOOD.result, began_at=float("nan"))), "not finite numbers"),
        (replace(GOOD, result=replace(GOOD.result, moves=2**63)), "does not fit into 64 bits"),
        (replace(GOOD, result=replace(GOOD.result, verdict=Verdict(Cause.LEFT, "\ud800"))), "surrogate pair"),
    ],
)
def test_what_is_wrong_is_said(record: GameRecord, words: str) -> None:
    for write in (check, ugsg.write, jsonl.write):
        with pytest.raises(RecordError) as refused:
            write(record)
        assert words in str(refused.value)
