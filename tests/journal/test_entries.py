"""Entries as bytes and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ugs.broker.record import EntryKind
from ugs.journal.entries import read_entries, write_entries, write_entry
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
