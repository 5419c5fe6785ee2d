"""Records as JSON lines: exact, and strict when read."""

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.record.samples import card_game, tic_tac_toe
from tests.record.strategies import records
from ugs.record.game import GameRecord
from ugs.record.jsonl import RecordError, read, write

SAMPLE = write(tic_tac_toe())


def read_back(text: bytes) -> list[GameRecord]:
    """All records of a text."""
    return list(read(io.BytesIO(text)))


@given(records())
def test_every_field_of_any_record_comes_back(record: GameRecord) -> None:
    assert read_back(write(record)) == [record]


@given(st.lists(records(), max_size=3))
def test_several_records_in_one_text_come_back(several: list[GameRecord]) -> None:
    assert read_back(b"".join(write(record) for record in several)) == several


@given(records(), st.data())
def test_a_text_that_was_cut_is_refused_or_whole(record: GameRecord, data: st.DataObject) -> None:
    text = write(record)
    end = data.draw(st.integers(0, len(text) - 1))
    try:
        left = read_back(text[:end])
    except RecordError:
        return
    assert left == ([record] if end == len(text) - 1 else []), "only the end of the last line may be missing"


def test_how_it_looks() -> None:
    head, begin, state, *_ = SAMPLE.decode().splitlines()
    assert json.loads(head)["seats"] == ["ann", "bob"]
    assert begin == '{"event":"begin","wall_us":1903896000123456,"mono_us":86400000000}'
    assert json.loads(state)["audience"] == [0, 1]
    assert json.loads(state)["body"] == "<gameState/>"


def test_a_game_at_a_table_has_names_of_its_own() -> None:
    head = json.loads(write(card_game()).splitlines()[0])
    assert (head["seats_total"], head["counts"], head["seed"]) == (3, False, "s-1")
    assert head["table"]["owner"] == "ann"
    plain = json.loads(SAMPLE.splitlines()[0])
    assert not {"seats_total", "counts", "seed", "table"} & plain.keys(), "other games are as they always were"


def changed(old: str, new: str) -> bytes:
    """The sample with one place changed."""
    text = SAMPLE.decode()
    assert old in text
    return text.replace(old, new, 1).encode()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (changed('"options":{}', '"options":{},"counts":0'), "line 1: counts: Expected bool, got int"),
        (changed('"options":{}', '"options":{},"seats_total":"3"'), "line 1: seats_total: Expected int, got str"),
        (b"once upon a time\n", "line 1: not JSON: Expecting value at character 1"),
        (b"[1]\n", "line 1: not a JSON object"),
        (b"[" * 100_000, "line 1: nested too deep"),
        (b'\n{"event":"begin"}', "line 2: an event, but no line with the head of its game before it"),
        (b'{"game":"\xff"}', "line 1: not UTF-8: invalid start byte at byte 10 of the line"),
        (changed('"master":"m",', ""), "line 1: master: is missing"),
        (changed('"options"', '"choices"'), "line 1: choices: unknown name; there are game, format,"),
        (changed('"type":', '"game":"x","type":'), "line 1: the same name twice in one object"),
        (changed('"format":1', '"format":2'), "line 1: format: Invalid enum value 2"),
        (changed('"moves":9', '"moves":9.0'), "line 1: result.moves: Expected int, got float"),
        (changed('"began_at":86400.0', '"began_at":NaN'), "line 1: NaN is not a number"),
        (
            changed('"left":[null,null]', '"left":[null]'),
            "line 1: outcomes, left and refused need one entry for",
        ),
        (changed('"events":21', '"events":20'), "line 1: the head has 20 events, 21 follow"),
        (changed('"began_us":19', '"began_us":999919'), "outside the years 1 to 9999"),
        (changed('"event":"begin"', '"event":"start"'), "line 2: event: Invalid enum value 'start'"),
        (changed('"audience":[0,1]', '"audience":[1,0]'), "line 3: the seats of an audience must ascend"),
        (changed('"audience":[0,1]', '"audience":[0,2]'), "line 3: audience: seat 2: the game has 2 seats"),
        (changed('"body":"<gameState/>"', '"body_base64":"*"'), "line 3: body_base64 is not base64"),
        (changed('"body":', '"body_base64":"PGEvPg==","body":'), "line 3: body and body_base64 exclude each other"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(text: bytes, words: str) -> None:
    with pytest.raises(RecordError) as refused:
        read_back(text)
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


@given(st.binary(max_size=60))
def test_any_other_bytes_are_refused_with_one_error(text: bytes) -> None:
    try:
        assert read_back(text) == []
        assert not text.strip()
    except RecordError:
        pass
