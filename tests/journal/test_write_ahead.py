"""Entries of games that can outlive the server survive it from the moment they are recorded."""

import os
import tracemalloc
from itertools import product
from pathlib import Path

import pytest

from tests.journal.ends import Ends
from tests.journal.servers import BODY, NOON_US, JournalServer
from ugs.bench.payload import PayloadBoard
from ugs.broker.effects import RecordBegin, RecordEntry
from ugs.broker.values.record import EntryKind
from ugs.journal.entries import MAX_CHANGES, Repeating, read_entries, write_entry
from ugs.journal.journal_error import JournalError
from ugs.journal.write_ahead import NAMES, SECTOR, WriteAhead, read_write_ahead, records


def framed(number: int) -> bytes:
    """An entry whose body names its number."""
    return write_entry(EntryKind.MOVE, NOON_US + number, number, 0, 0, 0, "", b"<move>%d\n</move>" % number)


def ends_with(write_ahead: WriteAhead) -> Ends:
    """A hand-over with two games: ``safe``, which can outlive the server, and ``plain``, which cannot."""
    ends = Ends(write_ahead=write_ahead)
    for game_id, seed in (("safe", "seed"), ("plain", "")):
        ends.collector.begin(RecordBegin(game_id, "chess", "m", ("ann", "ben"), seed=seed), NOON_US, 1)
    ends.collector.flush()
    return ends


def move(ends: Ends, game_id: str, number: int) -> None:
    """An event in a game, in a step of its own."""
    ends.collector.entry(RecordEntry(game_id, EntryKind.MOVE, 0, 0, "", b"<move>%d\n</move>" % number), NOON_US, number)
    ends.collector.flush()


def numbers(directory: Path) -> list[int]:
    """The numbers of the entries of the game ``safe`` in the write-ahead files."""
    return sorted(read_write_ahead(directory).get("safe", {}))


def missing_files_of(directory: Path) -> list[str]:
    """The names of the write-ahead files that are not there."""
    return [name for name in NAMES if not (directory / name).exists()]


class TestWriting:
    def test_an_entry_is_in_the_files_when_its_step_has_ended(self, tmp_path: Path) -> None:
        ends = ends_with(WriteAhead(tmp_path))
        move(ends, "safe", 0)
        move(ends, "plain", 0)
        move(ends, "safe", 1)
        write_ahead = read_write_ahead(tmp_path)
        assert list(write_ahead) == ["safe"]
        assert [read_entries(write_ahead["safe"][number])[0].body for number in (0, 1)] == [
            b"<move>0\n</move>",
            b"<move>1\n</move>",
        ]

    def test_an_entry_is_removed_when_its_transaction_is_done_and_not_before(self, tmp_path: Path) -> None:
        ends = ends_with(WriteAhead(tmp_path))
        move(ends, "safe", 0)
        assert ends.taker.take_now()
        move(ends, "safe", 1)
        assert numbers(tmp_path) == [0, 1], "the transaction is under way"
        ends.taker.done()
        assert numbers(tmp_path) == [1]
        assert ends.taker.take_now()
        move(ends, "safe", 2)
        ends.taker.done()
        assert numbers(tmp_path) == [2]

    def test_entries_of_a_failed_transaction_are_removed_too(self, tmp_path: Path) -> None:
        ends = ends_with(WriteAhead(tmp_path))
        move(ends, "safe", 0)
        taken = ends.taker.take_now()
        move(ends, "safe", 1)
        ends.taker.lose(taken)
        ends.collector.accept_loss()
        move(ends, "safe", 2)
        assert 2 not in numbers(tmp_path), "the game is followed no longer"

    def test_what_no_file_takes_leaves_no_files_until_the_database_has_everything(self, tmp_path: Path) -> None:
        write_ahead = WriteAhead(tmp_path)
        ends = ends_with(write_ahead)
        move(ends, "safe", 0)
        with open("/dev/full", "wb") as full:
            for file in write_ahead._files:
                os.dup2(full.fileno(), file)
        move(ends, "safe", 1)
        assert missing_files_of(tmp_path) == list(NAMES)
        assert ends.taker.take_now()
        move(ends, "safe", 2)
        ends.taker.done()
        assert missing_files_of(tmp_path) == list(NAMES), "the database does not have the last move"
        assert ends.taker.take_now()
        ends.taker.done()
        assert missing_files_of(tmp_path) == []
        move(ends, "safe", 3)
        assert numbers(tmp_path) == [3]

    def test_files_come_back_when_there_is_room_for_both(self, tmp_path: Path) -> None:
        write_ahead = WriteAhead(tmp_path)
        write_ahead.give_up()
        (tmp_path / NAMES[1]).mkdir()
        write_ahead.begin_again()
        write_ahead.add("g1", 0, framed(0))
        write_ahead.write()
        (tmp_path / NAMES[1]).rmdir()
        write_ahead.begin_again()
        write_ahead.add("g1", 1, framed(1))
        write_ahead.write()
        write_ahead.close()
        assert read_write_ahead(tmp_path) == {"g1": {1: framed(1)}}

    def test_while_the_journal_is_lost_there_are_no_files(self, tmp_path: Path) -> None:
        ends = ends_with(WriteAhead(tmp_path))
        ends.taker.lose(ends.taker.take_now())
        assert missing_files_of(tmp_path) == list(NAMES)
        ends.taker.resume()
        assert missing_files_of(tmp_path) == []


def states(number_of: int) -> tuple[bytes, ...]:
    """The first states of a game."""
    board = PayloadBoard(b"gameState", 2000, 5)
    return tuple(board.turn() for _ in range(number_of))


class TestRepeatedPayloads:
    """What an entry repeats of the one before stands in the files once."""

    STATES = states(60)

    def tells(self, ends: Ends, *numbers: int) -> None:
        """States of the game ``safe``, each in a step of its own."""
        for number in numbers:
            ends.collector.entry(RecordEntry("safe", EntryKind.STATE, 0, 3, "", self.STATES[number]), NOON_US, number)
            ends.collector.flush()

    def known(self, directory: Path) -> dict[int, bytes]:
        """The states in the files, by the numbers of their entries."""
        found = read_write_ahead(directory).get("safe", {})
        return {number: read_entries(framed)[0].body for number, framed in found.items()}

    def expected(self, *numbers: int) -> dict[int, bytes]:
        """What should be there."""
        return {number: self.STATES[number] for number in numbers}

    def test_they_are_read_whole(self, tmp_path: Path) -> None:
        self.tells(ends_with(WriteAhead(tmp_path)), *range(60))
        assert self.known(tmp_path) == self.expected(*range(60))
        assert (tmp_path / NAMES[0]).stat().st_size < sum(map(len, self.STATES)) / 3

    def test_they_are_read_in_any_order(self, tmp_path: Path) -> None:
        self.tells(ends_with(WriteAhead(tmp_path)), *range(60))
        tail = read_write_ahead(tmp_path)["safe"]
        assert {number: read_entries(tail[number])[0].body for number in (59, 3, 17, 16, 18)} == self.expected(
            59, 3, 17, 16, 18
        )

    def test_what_is_read_takes_no_more_memory_than_the_files(self, tmp_path: Path) -> None:
        """Large states of which little changes were sixteen times as much."""
        ends = ends_with(WriteAhead(tmp_path))
        for number in range(48):
            body = b"<gameState>%d%b</gameState>" % (number, b"s" * 100_000)
            ends.collector.entry(RecordEntry("safe", EntryKind.STATE, 0, 3, "", body), NOON_US, number)
            ends.collector.flush()
        size = sum((tmp_path / name).stat().st_size for name in NAMES if (tmp_path / name).exists())
        tracemalloc.start()
        try:
            tail = read_write_ahead(tmp_path)["safe"]
            assert sum(len(tail[number]) for number in sorted(tail)) > 4_800_000
            assert tracemalloc.get_traced_memory()[1] < 4 * size
        finally:
            tracemalloc.stop()
        assert size < 500_000

    def test_each_file_is_read_without_the_other(self, tmp_path: Path) -> None:
        ends = ends_with(WriteAhead(tmp_path))
        self.tells(ends, 0, 1)
        for first in range(2, 50, 8):
            assert ends.taker.take_now()
            self.tells(ends, first, first + 1, first + 2)
            assert self.known(tmp_path) == self.expected(*range(max(0, first - 8), first + 3))
            ends.taker.done()
            assert self.known(tmp_path) == self.expected(first, first + 1, first + 2)
            self.tells(ends, *range(first + 3, first + 8))

    def test_the_next_life_gets_them_whole(self, tmp_path: Path) -> None:
        with JournalServer(tmp_path) as server:
            for nick in ("ann", "ben"):
                server.session(nick)
            server.begins("g1", "ann", "ben", seed="secret")
            server.moves("g1", 2)
        written = len(server.record("g1").entries)
        write_ahead, part = WriteAhead(tmp_path), Repeating()
        for number, body in enumerate(self.STATES[:9], written - 1):  # the first is in the database already
            write_ahead.add("g1", number, part.write(EntryKind.STATE, NOON_US, number, 0, 0, 3, "", body))
        write_ahead.write()
        write_ahead.close()
        with JournalServer(tmp_path) as server:
            (game,) = server.journal.past.games
        assert [entry.body for _, entry in game.entries[written:]] == list(self.STATES[1:9])

    def test_what_repeats_a_damaged_one_is_lost_with_it(self, tmp_path: Path) -> None:
        self.tells(ends_with(WriteAhead(tmp_path)), *range(40))
        data = (tmp_path / NAMES[0]).read_bytes()
        starts = [at for at, _ in records(data)]
        damaged = data[: starts[20] - 2] + b"?" + data[starts[20] - 1 :]
        found = [record for _, record in records(damaged)]
        whole = {record[1]: read_entries(record[2])[0].body for record in found if record is not None}
        assert whole == self.expected(*range(19), *range(MAX_CHANGES * 2 + 2, 40))


class TestReading:
    def test_empty_files_hold_no_entries(self, tmp_path: Path) -> None:
        assert not read_write_ahead(tmp_path)

    @pytest.mark.parametrize("length", range(len(framed(1)) + 8))
    def test_a_record_that_was_cut_off_is_ignored(self, tmp_path: Path, length: int) -> None:
        write_ahead = WriteAhead(tmp_path)
        write_ahead.add("g1", 0, framed(0))
        write_ahead.write()
        size = (tmp_path / NAMES[0]).stat().st_size
        write_ahead.add("g1", 1, framed(1))
        write_ahead.write()
        with (tmp_path / NAMES[0]).open("r+b") as file:
            file.truncate(size + length)
        assert read_write_ahead(tmp_path) == {"g1": {0: framed(0)}}

    def two_records(self, directory: Path) -> bytes:
        """The bytes of a file with two records."""
        write_ahead = WriteAhead(directory)
        for number in (0, 1):
            write_ahead.add("g1", number, framed(number))
        write_ahead.write()
        write_ahead.close()
        return (directory / NAMES[0]).read_bytes()

    def test_each_changed_byte_is_noticed(self, tmp_path: Path) -> None:
        data = self.two_records(tmp_path)
        for place, change in product(range(len(data)), (0x04, 0x2A)):  # a blank becomes a line feed, too
            changed = bytearray(data)
            changed[place] ^= change
            (tmp_path / NAMES[0]).write_bytes(changed)
            with pytest.raises(JournalError, match=f"{NAMES[0]}: damaged: the record at byte .* fails its checksum"):
                read_write_ahead(tmp_path)

    def test_zeros_that_a_power_cut_leaves_are_an_end(self, tmp_path: Path) -> None:
        data = self.two_records(tmp_path)
        second = data.index(b"+g1 1 ")
        for end in (bytes(SECTOR) + data[second:], data[second : second + 9] + bytes(SECTOR), bytes(7)):
            (tmp_path / NAMES[0]).write_bytes(data[:second] + end)
            assert read_write_ahead(tmp_path) == {"g1": {0: framed(0)}}

    def test_records_around_a_damaged_one_can_be_read(self, tmp_path: Path) -> None:
        data = self.two_records(tmp_path)
        second = data.index(b"+g1 1 ")
        found = list(records(data[:2] + b"?" + data[3:]))
        assert found == [(0, None), (second, ("g1", 1, framed(1)))]
        found = list(records(data[:-3] + b"?" + data[-2:]))
        assert found == [(0, ("g1", 0, framed(0))), (second, None)]

    def test_what_a_server_without_checksums_has_left_is_read(self, tmp_path: Path) -> None:
        whole = b"".join(b"g1 %d %d\n%b" % (number, len(framed(number)), framed(number)) for number in (0, 1))
        (tmp_path / NAMES[1]).write_bytes(whole + b"g1 2 99\nhalf")
        assert read_write_ahead(tmp_path) == {"g1": {0: framed(0), 1: framed(1)}}

    def test_a_record_for_which_there_was_no_room_leaves_nothing(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write_ahead = WriteAhead(tmp_path)
        write = os.write
        for number in (0, 1, 2):
            write_ahead.add("g1", number, framed(number))
            with monkeypatch.context() as patch:
                if number == 1:
                    patch.setattr(os, "write", lambda file, data: write(file, data[:10]))
                write_ahead.write()
        assert not read_write_ahead(tmp_path)
        assert missing_files_of(tmp_path) == list(NAMES)


class TestTheNextLife:
    def leaves(self, directory: Path, *additional: int) -> int:
        """A life ends with two moves in the database, and these later entries only in the write-ahead files."""
        with JournalServer(directory) as server:
            for nick in ("ann", "ben"):
                server.session(nick)
            server.begins("g1", "ann", "ben", seed="secret")
            server.moves("g1", 2)
        written = len(server.record("g1").entries)
        write_ahead = WriteAhead(directory)
        for number in additional:
            write_ahead.add("g1", written + number, framed(number))
        write_ahead.write()
        write_ahead.close()
        return written

    def test_the_next_life_gets_the_entries_that_were_not_in_the_database(self, tmp_path: Path) -> None:
        written = self.leaves(tmp_path, -1, 0, 1)
        with JournalServer(tmp_path) as server:
            (game,) = server.journal.past.games
            assert len(game.entries) == written + 2, "what had been written already is there once"
            assert [entry.body for _, entry in game.entries[-2:]] == [b"<move>0\n</move>", b"<move>1\n</move>"]
            assert numbers(tmp_path) == []
        with JournalServer(tmp_path) as server:
            (game,) = server.journal.past.games
            assert len(game.entries) == written + 2

    def test_entries_after_a_gap_are_ignored(self, tmp_path: Path) -> None:
        written = self.leaves(tmp_path, 0, 2)
        with JournalServer(tmp_path) as server:
            (game,) = server.journal.past.games
        assert len(game.entries) == written + 1

    def test_unknown_games_are_ignored(self, tmp_path: Path) -> None:
        written = self.leaves(tmp_path)
        write_ahead = WriteAhead(tmp_path)
        write_ahead.add("g2", 0, framed(0))
        write_ahead.write()
        write_ahead.close()
        with JournalServer(tmp_path) as server:
            (game,) = server.journal.past.games
        assert len(game.entries) == written
        assert game.entries[-1][1].body in (BODY, b"")

    def test_later_entries_continue_the_numbering(self, tmp_path: Path) -> None:
        self.leaves(tmp_path, 0)
        with JournalServer(tmp_path) as server:
            server.moves("g1", 1)
        entries = len(server.record("g1").entries)
        with JournalServer(tmp_path) as server:
            (game,) = server.journal.past.games
        assert len(game.entries) == entries
