"""What is recorded of games that may outlive the server survives it from the moment at which it is recorded."""

from pathlib import Path

import pytest

from tests.journal.keeping import BODY, NOON_US, Keeper
from ugs.broker.effects import RecordBegin, RecordEntry
from ugs.broker.record import EntryKind
from ugs.journal.collector import Collector
from ugs.journal.entries import read_entries, write_entry
from ugs.journal.tail import NAMES, Tail, read_tail


def framed(number: int) -> bytes:
    """An entry that tells its number."""
    return write_entry(EntryKind.MOVE, NOON_US + number, number, 0, 0, 0, "", b"<move>%d\n</move>" % number)


def collector_with(tail: Tail) -> Collector:
    """A collector, and a game ``safe`` that may outlive the server and one, ``plain``, that may not."""
    collector = Collector(1, 1, 1, (), tail)
    for game_id, seed in (("safe", "seed"), ("plain", "")):
        collector.begin(RecordBegin(game_id, "chess", "m", ("ann", "ben"), seed=seed), NOON_US, 1)
    collector.flush()
    return collector


def move(collector: Collector, game_id: str, number: int) -> None:
    """Something happens in a game, in a step of its own."""
    collector.entry(RecordEntry(game_id, EntryKind.MOVE, 0, 0, "", b"<move>%d\n</move>" % number), NOON_US, number)
    collector.flush()


def numbers(directory: Path) -> list[int]:
    """The numbers of the entries of the game ``safe`` in the tail."""
    return sorted(read_tail(directory).get("safe", {}))


class TestWriting:
    def test_an_entry_is_there_when_its_step_has_ended(self, tmp_path: Path) -> None:
        collector = collector_with(Tail(tmp_path))
        move(collector, "safe", 0)
        move(collector, "plain", 0)
        move(collector, "safe", 1)
        tail = read_tail(tmp_path)
        assert list(tail) == ["safe"]
        assert [read_entries(tail["safe"][number])[0].body for number in (0, 1)] == [
            b"<move>0\n</move>",
            b"<move>1\n</move>",
        ]

    def test_it_goes_when_its_transaction_is_done_and_not_before(self, tmp_path: Path) -> None:
        collector = collector_with(Tail(tmp_path))
        move(collector, "safe", 0)
        assert collector.take_now()
        move(collector, "safe", 1)
        assert numbers(tmp_path) == [0, 1], "the transaction is under way"
        collector.done()
        assert numbers(tmp_path) == [1]
        assert collector.take_now()
        move(collector, "safe", 2)
        collector.done()
        assert numbers(tmp_path) == [2]

    def test_what_could_not_be_written_goes_too(self, tmp_path: Path) -> None:
        collector = collector_with(Tail(tmp_path))
        move(collector, "safe", 0)
        taken = collector.take_now()
        move(collector, "safe", 1)
        collector.lose(taken)
        collector.accept_loss()
        move(collector, "safe", 2)
        assert 2 not in numbers(tmp_path), "the game is followed no longer"

    def test_a_disk_that_is_full_is_not_this_ones_to_report(self, tmp_path: Path) -> None:
        tail = Tail(tmp_path)
        collector = collector_with(tail)
        tail.close()
        move(collector, "safe", 0)
        assert numbers(tmp_path) == []


class TestReading:
    def test_nothing_is_nothing(self, tmp_path: Path) -> None:
        assert not read_tail(tmp_path)

    @pytest.mark.parametrize("length", range(len(framed(1)) + 8))
    def test_a_record_that_was_cut_off_is_none(self, tmp_path: Path, length: int) -> None:
        tail = Tail(tmp_path)
        tail.add("g1", 0, framed(0))
        tail.write()
        size = (tmp_path / NAMES[0]).stat().st_size
        tail.add("g1", 1, framed(1))
        tail.write()
        with (tmp_path / NAMES[0]).open("r+b") as file:
            file.truncate(size + length)
        assert read_tail(tmp_path) == {"g1": {0: framed(0)}}

    def test_rubbish_is_left_out(self, tmp_path: Path) -> None:
        (tmp_path / NAMES[1]).write_bytes(b"what\nis this\n")
        assert not read_tail(tmp_path)


class TestTheNextLife:
    def leaves(self, directory: Path, *additional: int) -> int:
        """A life ends in which two moves were written, and these entries after the last one only into the tail."""
        with Keeper(directory) as keeper:
            for nick in ("ann", "ben"):
                keeper.session(nick)
            keeper.begins("g1", "ann", "ben", seed="secret")
            keeper.moves("g1", 2)
        written = len(keeper.record("g1").entries)
        tail = Tail(directory)
        for number in additional:
            tail.add("g1", written + number, framed(number))
        tail.write()
        tail.close()
        return written

    def test_it_knows_what_was_on_its_way_to_the_disk(self, tmp_path: Path) -> None:
        written = self.leaves(tmp_path, -1, 0, 1)
        with Keeper(tmp_path) as keeper:
            (game,) = keeper.journal.past.games
            assert len(game.entries) == written + 2, "what had been written already is there once"
            assert [entry.body for _, entry in game.entries[-2:]] == [b"<move>0\n</move>", b"<move>1\n</move>"]
            assert numbers(tmp_path) == []
        with Keeper(tmp_path) as keeper:
            (game,) = keeper.journal.past.games
            assert len(game.entries) == written + 2

    def test_a_gap_is_the_end(self, tmp_path: Path) -> None:
        written = self.leaves(tmp_path, 0, 2)
        with Keeper(tmp_path) as keeper:
            (game,) = keeper.journal.past.games
        assert len(game.entries) == written + 1

    def test_games_that_nobody_knows_are_left_out(self, tmp_path: Path) -> None:
        written = self.leaves(tmp_path)
        tail = Tail(tmp_path)
        tail.add("g2", 0, framed(0))
        tail.write()
        tail.close()
        with Keeper(tmp_path) as keeper:
            (game,) = keeper.journal.past.games
        assert len(game.entries) == written
        assert game.entries[-1][1].body in (BODY, b"")

    def test_what_follows_is_numbered_on(self, tmp_path: Path) -> None:
        self.leaves(tmp_path, 0)
        with Keeper(tmp_path) as keeper:
            keeper.moves("g1", 1)
        entries = len(keeper.record("g1").entries)
        with Keeper(tmp_path) as keeper:
            (game,) = keeper.journal.past.games
        assert len(game.entries) == entries
