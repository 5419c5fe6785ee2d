"""Entries of finished games, packed and unpacked."""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.journal.test_entries import ENTRIES
from tests.record.samples import tic_tac_toe
from ugs.bench.payload import PayloadBoard
from ugs.broker.values.record import EntryKind
from ugs.journal.entries import fields_of, write_entries
from ugs.journal.packing import BZ2, PIECE, SMALL, Packer, TooLarge, last_part, pack, stated_size, unpack
from ugs.record.game import Entry

FITTING = ENTRIES.filter(lambda entry: entry.audience < 2**63)


@given(st.lists(FITTING, max_size=8), st.integers(0, 8), st.integers(0, 2**62))
def test_any_entries_are_read_as_they_were_packed(entries: list[Entry], cut: int, last: int) -> None:
    packer = Packer()
    packer.add(map(fields_of, entries[:cut]))
    packer.add(map(fields_of, entries[cut:]))
    packed = packer.packed(last)
    assert last_part(packed[:30]) == last
    assert unpack([packed]) == unpack(pack(entries)) == entries


@given(st.lists(FITTING, min_size=1, max_size=4), st.integers(0, 40_000))
def test_pieces_are_read_as_one(entries: list[Entry], size: int) -> None:
    entries = [*entries, Entry(EntryKind.MOVE, 1, 1, body=random.Random(size).randbytes(size))]
    stored = pack(entries)
    assert all(len(piece) <= PIECE + 1 for piece in stored) or len(stored) == 1
    assert [last_part(piece) for piece in stored] == [0] * len(stored)
    assert unpack([*stored, *stored]) == entries * 2


@given(st.lists(FITTING, max_size=8))
def test_without_payloads_all_else_is_read_as_it_was_packed(entries: list[Entry]) -> None:
    assert unpack(pack(entries), payloads=False) == [replace(entry, body=b"") for entry in entries]


def test_payloads_that_are_not_wanted_are_not_inflated() -> None:
    entries = states(3, 2000)
    stored = b"".join(pack(entries))
    damaged = stored[:-20] + bytes(20)
    with pytest.raises(ValueError, match="cannot be unpacked"):
        unpack([damaged])
    assert unpack([damaged], payloads=False) == [replace(entry, body=b"") for entry in entries]


def test_entries_that_resemble_each_other_need_few_bytes() -> None:
    entries = [Entry(EntryKind.MOVE, 10**15 + 100 * n, 100 * n, 100 * n, n % 2, body=b"<move/>") for n in range(1000)]
    assert len(b"".join(pack(entries))) < len(write_entries(entries)) / 100


def states(number_of: int, size: int) -> list[Entry]:
    """States of a game and moves of one length in turns."""
    board, moves = PayloadBoard(b"gameState", size, 3), PayloadBoard(b"move", size // 2, 4)
    return [
        Entry(kind, 10 + number, number, 0, None, 3, "two", one.turn())
        for number in range(number_of)
        for kind, one in ((EntryKind.STATE, board), (EntryKind.MOVE, moves))
    ]


@pytest.mark.parametrize(("size", "share"), [(4096, 30), (50_000, 30)])
def test_payloads_that_repeat_each_other_need_few_bytes(size: int, share: int) -> None:
    entries = states(40, size)
    stored = pack(entries)
    assert unpack(stored) == entries
    assert len(b"".join(stored)) < len(write_entries(entries)) / share


def test_a_seat_repeats_itself_though_others_act_between() -> None:
    boards = [PayloadBoard(b"move", 4000, seed) for seed in (7, 8, 9)]
    entries = [
        Entry(kind, 10, 10, 0, seat, 1 << seat, "", boards[seat].turn())
        for _ in range(20)
        for seat in range(3)
        for kind in (EntryKind.MOVE, EntryKind.VIEW)
    ]
    stored = pack(entries)
    assert unpack(stored) == entries
    _, payloads, stated = (int(one) for one in stored[0].partition(b"\n")[0].split()[-3:])
    assert stated < payloads / 3


@given(st.lists(FITTING, max_size=4))
def test_entries_of_which_some_repeat_others_are_read_as_they_were_packed(entries: list[Entry]) -> None:
    entries = [*entries, *states(3, 2000), *entries, *states(3, 1000)]
    assert unpack(pack(entries)) == entries


def test_of_payloads_that_repeat_each_other_no_more_is_unpacked_than_the_caller_wants() -> None:
    entries = [Entry(EntryKind.STATE, 1, 1, body=b"x" * 100_000)] * 50
    stored = pack(entries)
    assert stated_size(stored[0]) == (50, 5_000_000)
    assert unpack(stored, 5_000_000) == entries
    with pytest.raises(TooLarge):
        unpack(stored, 4_999_999)


def test_payloads_of_other_lengths_than_was_said_are_refused() -> None:
    stored = b"".join(pack(states(3, 2000)))
    line, _, rest = stored.partition(b"\n")
    mark, count, first, bodies_length, said = line.split(b" ")
    for wrong in (int(bodies_length) - 1, int(bodies_length) + 1):
        changed = b" ".join([mark, count, first, b"%d" % wrong, said])
        with pytest.raises(ValueError, match="have another length"):
            unpack([changed + b"\n" + rest])


@pytest.mark.parametrize("number", [2**63, -(2**63) - 1])
def test_numbers_that_do_not_fit_are_refused(number: int) -> None:
    with pytest.raises(OverflowError):
        pack([Entry(EntryKind.STATE, 1, 1, audience=number)])


@pytest.mark.parametrize("cut", range(0, 400, 7))
def test_what_is_cut_short_is_refused(cut: int) -> None:
    (packed,) = pack(tic_tac_toe().entries)
    with pytest.raises(ValueError, match="packed part"):
        unpack([packed[: min(len(packed) - 1, cut)]])


def test_lengths_that_do_not_agree_are_refused() -> None:
    (packed,) = pack(tic_tac_toe().entries)
    first, count, *rest = packed.split(b" ", 3)
    with pytest.raises(ValueError, match="packed part"):
        unpack([b" ".join([first, b"%d" % (int(count) - 1), *rest])])


def test_pieces_of_which_one_is_lost_are_refused() -> None:
    stored = pack([Entry(EntryKind.MOVE, 1, 1, body=random.Random(1).randbytes(5000))])
    assert len(stored) > 3
    for lost in range(len(stored)):
        with pytest.raises(ValueError, match="packed part"):
            unpack(stored[:lost] + stored[lost + 1 :])


def test_payloads_that_are_nearly_nothing_are_packed_by_the_faster_of_two() -> None:
    entries = [Entry(EntryKind.MOVE, number, number, body=b"<move/>") for number in range(60)]
    (packed,) = pack(entries)
    assert BZ2 not in packed
    assert unpack([packed]) == entries


@pytest.mark.parametrize("size", [10, SMALL + 1])
def test_no_more_is_unpacked_than_the_caller_wants(size: int) -> None:
    stored = pack([Entry(EntryKind.STATE, 1, 1, body=b"x" * size) for _ in range(2)])
    assert stated_size(stored[0]) == (2, 2 * size)
    assert stated_size(b"\x02") == (0, 0)
    assert len(unpack(stored, 2 * size + 200)) == 2
    with pytest.raises(TooLarge):
        unpack(stored, 2 * size - 1)
