"""Tables to bytes: what is kept of earlier ones must never show."""

import random
from itertools import count

import pytest

from ugs.daemon.connections import standings_writer
from ugs.daemon.connections.standings_writer import StandingsWriter
from ugs.wire.codec import encode
from ugs.wire.messages import ChampionRow, ChampionsList, Message


@pytest.mark.parametrize("rows", [0, 1, 2, 300])
def test_a_table_is_written_as_the_codec_writes_it(rows: int) -> None:
    table = ChampionsList(tuple(ChampionRow(f'"n&{number}"', number, 2 * number) for number in range(rows)))
    writer = StandingsWriter()
    assert writer.write(table) == encode(table)
    assert writer.write(table) == encode(table)


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[Message]:
    """What the codec had to write."""
    messages: list[Message] = []

    def counting(message: Message) -> bytes:
        messages.append(message)
        return encode(message)

    monkeypatch.setattr(standings_writer, "encode", counting)
    return messages


def test_a_row_is_written_once_as_long_as_it_stands(written: list[Message]) -> None:
    rows = [ChampionRow(f"n{number}", 0, 0) for number in range(50)]
    writer = StandingsWriter()
    writer.write(ChampionsList(tuple(rows)))
    rows[7] = ChampionRow("n7", 1, 0)
    rows.reverse()
    assert writer.write(ChampionsList(tuple(rows))) == encode(ChampionsList(tuple(rows)))
    assert len(written) == 51


def test_short_lists_between_long_ones_let_no_row_be_written_again(written: list[Message]) -> None:
    rows = tuple(ChampionRow(f"n{number}", 0, 0) for number in range(300))
    writer = StandingsWriter()
    for _ in range(5):
        writer.write(ChampionsList(rows))
        writer.write(ChampionsList((*rows[:5], rows[-1])))
    assert len(written) == 300


def test_however_often_rows_have_changed_none_that_stands_is_written_again(written: list[Message]) -> None:
    rows = [ChampionRow(f"n{number}", 0, 0) for number in range(20)]
    writer = StandingsWriter()
    changes = 3 * standings_writer.GENERATION
    for won in range(1, changes + 1):
        rows[0] = ChampionRow("n0", won, 0)
        writer.write(ChampionsList(tuple(rows)))
    assert len(written) == 19 + changes


def test_rows_that_come_and_go_never_show_in_the_place_of_others() -> None:
    """Rows are told apart by identity, and Python gives the identity of a row that is gone to a new one."""
    rng = random.Random(1)
    numbers = count()
    writer = StandingsWriter()
    rows: list[ChampionRow] = []
    for _ in range(500):
        keep = rng.random()
        rows = [row for row in rows if rng.random() < keep]
        rows += [ChampionRow(f"n{next(numbers)}", rng.randrange(5), 0) for _ in range(rng.randrange(40))]
        table = ChampionsList(tuple(rows))
        assert writer.write(table) == encode(table)


def test_lists_that_differ_in_their_last_row_are_each_written_as_the_codec_writes_them() -> None:
    shared = tuple(ChampionRow(f"n{number}", 9, number) for number in range(20))
    others = [ChampionRow(f"m{number}", 0, 0) for number in range(3)]
    changed = (*shared[:5], ChampionRow("new", 7, 7), *shared[6:])
    writer = StandingsWriter()
    for rows in (*[(*shared, own) for own in others], shared, *[(*changed, own) for own in others], others[:1], ()):
        table = ChampionsList(tuple(rows))
        assert writer.write(table) == encode(table)
