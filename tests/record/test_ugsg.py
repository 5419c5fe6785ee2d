"""Records as text for people: exact, and strict when read."""

import io
from collections.abc import Iterable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.record.samples import card_game, tic_tac_toe
from tests.record.strategies import records
from ugs.record.game import GameRecord
from ugs.record.ugsg import RecordError, read, write

SAMPLE = write(tic_tac_toe())


def read_back(text: bytes) -> list[GameRecord]:
    """All records of a text."""
    return list(read(io.BytesIO(text)))


@given(records())
def test_every_field_of_any_record_comes_back(record: GameRecord) -> None:
    assert read_back(write(record)) == [record]


@given(st.lists(records(), max_size=3))
def test_several_records_in_one_text_come_back(several: list[GameRecord]) -> None:
    assert read_back(b"\n".join(write(record) for record in several)) == several


@given(records())
def test_line_ends_of_another_system_are_no_damage(record: GameRecord) -> None:
    assert read_back(write(record).replace(b"\n", b"\r\n")) == [record]


@given(records(), st.data())
def test_a_text_that_was_cut_is_refused_or_has_fewer_games(record: GameRecord, data: st.DataObject) -> None:
    """The rest of a game that was cut is never taken for a complete game."""
    text = write(record)
    end = data.draw(st.integers(0, len(text) - 1))
    try:
        left = read_back(text[:end])
    except RecordError:
        return
    assert left in ([], [record]), "an empty line at the end of a game without events may be missing"


@given(records())
def test_the_text_has_no_line_that_a_terminal_would_not_show(record: GameRecord) -> None:
    for line in write(record).decode().split("\n"):
        assert line.isprintable()
        assert line == line.rstrip()


def test_how_it_looks() -> None:
    lines = SAMPLE.decode().splitlines()
    assert lines[:7] == [
        '[Game "g1"]',
        '[Format "1"]',
        '[Type "5-in-line-tic-tac-toe"]',
        '[Master "m"]',
        '[Began "2030-05-01T20:00:00.123456Z"]',
        '[Seat "0 ann"]',
        '[Seat "1 bob"]',
    ]
    assert lines[lines.index("") + 1 :][:3] == [
        "00:00:00.000000 +0.000000 begin",
        "00:00:00.000100 +0.000100/0.000020 state 0 to 0,1 <gameState/>",
        '00:00:00.100100 +0.100000/0.000020 move 0 <move><tic x="0" y="0"/></move>',
    ]
    assert lines[-2].partition(" over ")[2] == ('to 0,1 "0:winner 1:loser" <gameState><tac x="4" y="0"/></gameState>')


def changed(old: str, new: str) -> bytes:
    """The sample with one place changed."""
    text = SAMPLE.decode()
    assert old in text
    return text.replace(old, new, 1).encode()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"once upon a time\n", "line 1: not a tag"),
        (b"\n\n[Game]\n", "line 3: not a tag"),
        (changed('[Master "m"]', '[Teacher "m"]'), "line 4: unknown tag Teacher; there are Game,"),
        (changed('[Master "m"]\n', ""), "lines 1 to 16: the tag Master is missing"),
        (changed('[Master "m"]', '[Master "m"]\n[Master "n"]'), "line 5: a second tag Master"),
        (changed('[Master "m"]', '[Master "m" "n"]'), "line 4: tag Master has 2 values, not 1"),
        (changed('[Master "m"]', '[Master "\\q"]'), "line 4: a backslash without a valid escape"),
        (changed('[Format "1"]', '[Format "2"]'), "line 2: format '2'; this program reads 1"),
        (changed('[Began "2030', '[Began "30'), "line 5: tag Began: not a time such as"),
        (changed('[Seat "1 bob"]', '[Seat "2 bob"]'), "the seats are not 0 to 1"),
        (changed('[Seat "1 bob"]', '[Seat "bob"]'), "line 7: tag Seat: 'bob' does not begin with a seat"),
        (changed('[Seat "1 bob"]', '[Seat "0 bob"]'), "line 7: a second tag Seat of seat 0"),
        (changed('[Outcome "1 lost"]', '[Outcome "1 robbed"]'), "tag Outcome: 'robbed' is not a valid Outcome"),
        (changed('[Outcome "1 lost"]\n', ""), "each seat has one tag Outcome"),
        (changed('[Verdict "finished"]\n', ""), "tag Outcome without the tag Verdict"),
        (changed('[Moves "9"]', '[Moves "nine"]'), "tag Moves: 'nine' is not a whole number"),
        (changed('[BeganAt "86400.0"]', '[BeganAt "inf"]'), "tag BeganAt: 'inf' is not a number"),
        (changed('[Events "21"]', '[Events "22"]'), "lines 1 to 17: the head has 22 events, 21 follow"),
        (changed('[Clock "86400.000000"]\n', ""), "the tag Clock stands in the head of a game with events"),
        (changed("begin\n", "begins\n"), "line 19: unknown kind of event 'begins'"),
        (changed("begin\n", "begin \n"), "line 19: not an event such as"),
        (changed("begin\n", "begin\t\n"), r"line 19: control character '\t' at character 32 of the line"),
        (changed("begin\n", "begin 2\n"), "event 1: seat 2: the game has 2 seats"),
        (changed("to 0,1", "to 1,0"), "line 20: the seats of an audience must ascend"),
        (changed("to 0,1", "to 0,5"), "line 20: seat 5: the game has 2 seats"),
        (changed("to 0,1 <", "to 0,1 <\\"), "line 20: a backslash without a valid escape"),
        (changed("\n00:00:00.000100", "\n00:00:00.0001"), "line 20: not an event"),
        (changed("\n00:00:00.000100", "\n\n00:00:00.000100"), "the head has 21 events, 1 follow"),
        (SAMPLE[:-1], "line 39: the last line has no end"),
        (SAMPLE.replace(b"ann", b"a\xff"), "line 6: not UTF-8: invalid start byte at byte 11 of the line"),
        (b"\xef\xbb\xbf" + SAMPLE, "line 1: not a tag"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(text: bytes, words: str) -> None:
    with pytest.raises(RecordError) as refused:
        read_back(text)
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


def test_games_before_a_damaged_one_are_read() -> None:
    def lines() -> Iterable[bytes]:
        yield from io.BytesIO(SAMPLE)
        yield b"\n"
        yield b"damage\n"

    reader = read(lines())
    assert next(reader) == tic_tac_toe()
    with pytest.raises(RecordError, match="line 41"):
        next(reader)


@given(st.binary(max_size=60))
def test_any_other_bytes_are_refused_with_one_error(text: bytes) -> None:
    try:
        assert read_back(text) == []
        assert not text.strip()
    except RecordError:
        pass


def test_a_game_at_a_table_has_tags_of_its_own() -> None:
    text = write(card_game()).decode()
    for tag in ('[Seats "3"]', '[Table "owner" "ann"]', '[Counts "no"]', '[Seed "s-1"]', '[Option "deck" "small"]'):
        assert f"\n{tag}\n" in text
    assert ' state 0 "0 1" <gameState>two cards</gameState>\n' in text
    assert " view to 1 <gameState>bob: 4</gameState>\n" in text
    for tag in ("Seats", "Table", "Counts", "Seed"):
        assert f"[{tag} " not in SAMPLE.decode(), "the texts of other games are as they always were"


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('[Counts "no"]', '[Counts "yes"]', "tag Counts: 'yes': the only value is no"),
        ('[Seats "3"]', '[Seats "many"]', "tag Seats: 'many' is not a whole number"),
        ('[Table "owner" "ann"]', '[Table "owner"]', "tag Table has 1 values, not 2"),
        ('[Table "owner" "ann"]', '[Table "name" "ann"]', "a second tag Table of 'name'"),
        ('[Seats "3"]', '[Seats "3"]\n[Seats "4"]', "a second tag Seats"),
    ],
)
def test_what_is_wrong_with_those_tags_is_named(old: str, new: str, words: str) -> None:
    with pytest.raises(RecordError, match=words):
        read_back(write(card_game()).decode().replace(old, new).encode())


def test_a_seed_without_a_verdict_is_refused() -> None:
    text = write(replace(tic_tac_toe(), result=None)).decode().replace("[Clock", '[Seed "s"]\n[Clock')
    with pytest.raises(RecordError, match="tag Seed without the tag Verdict"):
        read_back(text.encode())
