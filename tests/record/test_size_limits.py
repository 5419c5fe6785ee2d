"""A record takes no more memory than one game may, whatever the file says."""

import io
import re
import subprocess
import sys
from itertools import chain, repeat
from pathlib import Path

import pytest

from tests.profile import sized
from tests.record.samples import tic_tac_toe
from ugs.record import jsonl, ugsg
from ugs.record.files import FORMATS, read_file, write_all
from ugs.record.size_limits import LINE_BYTES, MAX_LINE_BYTES, Bounds, Measure
from ugs.record.validation import MAX_SEATS, RecordError

HEAD = jsonl.write(tic_tac_toe()).splitlines(keepends=True)[0]


def test_a_line_that_is_too_long_is_named_and_no_more_of_it_is_read() -> None:
    file = io.BytesIO(b"\n" + b"x" * (2 * MAX_LINE_BYTES))
    with pytest.raises(RecordError, match=f"^line 2: longer than {MAX_LINE_BYTES} bytes$"):
        list(Bounds().lines(file))
    assert file.tell() == MAX_LINE_BYTES + 2


def test_lines_within_the_bounds_come_as_they_are() -> None:
    text = b"a\r\n\n" + b"x" * (MAX_LINE_BYTES - 1) + b"\nend"
    assert b"".join(Bounds().lines(io.BytesIO(text))) == text


def test_who_allows_larger_games_allows_longer_lines() -> None:
    assert Bounds(65_536).line_bytes == MAX_LINE_BYTES
    assert Bounds(64 * MAX_LINE_BYTES).line_bytes == 2 * MAX_LINE_BYTES


def test_each_game_is_counted_by_itself() -> None:
    measure = Measure(Bounds(2 * LINE_BYTES + 2))
    for _ in range(3):
        measure.begins()
        measure.add(1, b"x")
        measure.add(2, b"x")
    with pytest.raises(RecordError, match=r"^line 3: this game takes more than 1026 bytes, 512 for each line besides"):
        measure.add(3, b"")


@pytest.mark.parametrize("name", FORMATS)
def test_any_number_of_games_is_read_and_none_above_the_bound(tmp_path: Path, name: str) -> None:
    file = tmp_path / "games"
    games = [tic_tac_toe(game_id=f"g{number}") for number in range(20)]
    file.write_bytes(b"".join(write_all(games, name)))
    assert list(read_file(file, bounds=Bounds(65_536))) == games
    with pytest.raises(RecordError, match=r"games: line [0-9]+: this game takes more than 5000 bytes"):
        list(read_file(file, bounds=Bounds(5000)))


def test_an_audience_beyond_the_seats_is_refused_before_it_is_made() -> None:
    event = b'{"event":"move","wall_us":0,"mono_us":0,"audience":[999999999999]}\n'
    with pytest.raises(RecordError, match="line 2: audience: seat 999999999999: the game has 2 seats"):
        list(jsonl.read([HEAD, event]))


def test_a_game_has_no_more_seats_than_a_table_may_have() -> None:
    seats = ",".join(['"x"'] * (MAX_SEATS + 1)).encode()
    with pytest.raises(RecordError, match=r"line 1: seats: 4097; allowed: 4096"):
        list(jsonl.read([re.sub(rb'"seats":.[^]]*', b'"seats":[' + seats, HEAD)]))
    tags = (line for line in ugsg.write(tic_tac_toe()).splitlines(keepends=True) if not line.startswith(b"[Seat "))
    more = (b'[Seat "%d x"]\n' % seat for seat in range(MAX_SEATS + 1))
    with pytest.raises(RecordError, match=r"4097 seats; allowed: 4096"):
        list(ugsg.read(chain(more, tags)))


def test_empty_lines_cost_nothing() -> None:
    text = chain(repeat(b"\n", 100_000), ugsg.write(tic_tac_toe()).splitlines(keepends=True))
    assert list(ugsg.read(text, Bounds(65_536))) == [tic_tac_toe()]


QUOTED = """
import resource
from ugs.record.size_limits import MAX_LINE_BYTES
from ugs.record.tags import Head
resource.setrlimit(resource.RLIMIT_AS, (int(open('/proc/self/statm').read().split()[0]) * 4096 + 160_000_000,) * 2)
Head().add(1, '[Game "' + {what!r} * ((MAX_LINE_BYTES - 10) // {length}) + '"]')
"""


@pytest.mark.parametrize("what", sized(quick=["x", "x\\\\"], deep=["x", "\\\\", "x\\\\"]))
def test_a_long_text_in_quotes_takes_what_it_is_long(what: str) -> None:
    """A search that could go back would keep 140 bytes for each character: 1.2 GB."""
    code = QUOTED.format(what=what, length=len(what))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-500:]
