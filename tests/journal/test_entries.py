"""Entries as bytes and back."""

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ugs.bench.payload import PayloadBoard
from ugs.broker.values.record import EntryKind
from ugs.journal.entries import MAX_CHANGES, Repeating, count, read_entries, write_entries, write_entry
from ugs.record.game import Entry

NUMBERS = st.integers(0, 2**62)
ENTRIES = st.builds(
    Entry,
    st.sampled_from(EntryKind),
    NUMBERS,
    NUMBERS,
    NUMBERS,
    st.none() | st.integers(0, 1000),
    st.integers(0, 2**200),
    st.text(st.characters() | st.characters(categories=["Cs"])) | st.sampled_from(["", "\n", "\r\n\0"]),
    st.binary() | st.sampled_from([b"", b"\n", b"state 1 2 3 4 5 0 0\n\n"]),
)


@given(st.lists(ENTRIES, max_size=8))
def test_any_entries_are_read_as_they_were_written(entries: list[Entry]) -> None:
    assert read_entries(write_entries(entries)) == entries


def test_people_can_read_an_entry_where_its_payload_lets_them() -> None:
    framed = write_entry(EntryKind.MOVE, 1_900_000_000_000_000, 2000, 1500, 1, 0, "", b"<move/>")
    assert framed == b"move 1900000000000000 2000 1500 1 0 0 7\n<move/>\n"


@given(st.lists(ENTRIES, min_size=1, max_size=3), st.data())
def test_what_was_cut_short_is_refused(entries: list[Entry], data: st.DataObject) -> None:
    framed = write_entries(entries)
    whole = {len(write_entries(entries[:count])) for count in range(len(entries) + 1)}
    length = data.draw(st.integers(0, len(framed)).filter(lambda length: length not in whole))
    with pytest.raises(ValueError, match="byte"):
        read_entries(framed[:length])


@given(st.binary(min_size=1))
def test_other_bytes_are_refused(other: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - no number, no UTF-8 or no entry: all are ValueErrors of their own
        read_entries(b"x" + other)


@pytest.mark.parametrize(
    "framed",
    [
        b"state 1 2 3 4 5 0 -1\n\n",
        b"state 1 2 3 4 5 -1 0\n\n",
        b"state 1 2 3 4 5 0\n\n",
        b"castled 1 2 3 4 5 0 0\n\n",
        b"state one 2 3 4 5 0 0\n\n",
        b"error 1 2 3 4 5 1 0\n\xff\n",
    ],
)
def test_a_line_that_no_version_wrote_is_refused(framed: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        read_entries(framed)


def states(number_of: int, kind: EntryKind = EntryKind.STATE) -> list[Entry]:
    board = PayloadBoard(b"gameState", 2000, 7)
    return [Entry(kind, 10 + number, number, 0, None, 3, "two", board.turn()) for number in range(number_of)]


def repeating(entries: Iterable[Entry], part: Repeating | None = None) -> bytes:
    part = part or Repeating()
    return b"".join(
        part.write(e.kind, e.wall_us, e.mono_us, e.handed_us, e.seat, e.audience, e.text, e.body) for e in entries
    )


def test_what_entries_repeat_is_not_written_again() -> None:
    entries = states(10)
    framed = repeating(entries)
    assert read_entries(framed) == entries
    assert len(framed) < len(write_entries(entries)) / 3
    assert count(framed, EntryKind.STATE) == 10
    assert count(framed, EntryKind.MOVE) == 0


def test_each_kind_repeats_itself() -> None:
    entries = [entry for pair in zip(states(5), states(5, EntryKind.MOVE)[::-1], strict=True) for entry in pair]
    assert read_entries(repeating(entries)) == entries


@pytest.mark.parametrize("kind", [EntryKind.MOVE, EntryKind.VIEW])
def test_a_seat_repeats_itself_though_others_act_between(kind: EntryKind) -> None:
    boards = [PayloadBoard(b"move", 2000, seed) for seed in (7, 8)]
    entries = [
        Entry(kind, 10, 10, 0, seat if kind is EntryKind.MOVE else None, 1 << seat, "", boards[seat].turn())
        for _ in range(5)
        for seat in (0, 1)
    ]
    framed = repeating(entries)
    assert read_entries(framed) == entries
    assert len(framed) < len(write_entries(entries)) / 2
    assert count(framed, kind) == 10


@given(st.lists(ENTRIES, max_size=8))
def test_any_entries_that_may_repeat_are_read_as_they_were_written(entries: list[Entry]) -> None:
    assert read_entries(repeating([*entries, *states(2), *entries])) == [*entries, *states(2), *entries]


def test_parts_are_read_alone_and_in_a_row() -> None:
    part, entries = Repeating(), states(6)
    first = repeating(entries[:3], part)
    part.forget()
    second = repeating(entries[3:], part)
    assert (read_entries(first), read_entries(second)) == (entries[:3], entries[3:])
    assert read_entries(first + second) == entries


def test_what_is_read_of_a_part_is_bounded_by_its_size() -> None:
    framed = repeating(Entry(EntryKind.STATE, 1, 1, 0, None, 0, "", b"x" * 10_000) for _ in range(160))
    assert len(framed) > 160 * 10_000 / (MAX_CHANGES + 1)


@pytest.mark.parametrize("cut", [b"", b"0 9 0\n"])
def test_changes_of_nothing_or_of_another_payload_are_refused(cut: bytes) -> None:
    whole, second = states(2)
    framed = repeating([whole, second])
    alone = framed[len(write_entries([whole])) :]
    with pytest.raises(ValueError):  # noqa: PT011
        read_entries(alone)
    other = b"state 1 2 3 4 5 0 9000 %d\n%b\n" % (len(cut), cut)
    with pytest.raises(ValueError, match="has another length"):
        read_entries(write_entries([whole]) + other)
