"""Ledgers of championships among JSON lines."""

from pathlib import Path

import pytest

from ugs.record import jsonl
from ugs.record.ledgers import LedgerLine, read_ledgers, write_ledger
from ugs.record.size_limits import Bounds
from ugs.record.validation import RecordError

LINES = [
    LedgerLine(ledger="cup", type="go", at_us=5, what="planned", who="eve", data={"plan": {"name": "cup"}}),
    LedgerLine(ledger="cup", type="go", at_us=7, what="over", why="\u202e", data={}),
]


def test_they_come_back_and_whoever_reads_games_passes_them_by(tmp_path: Path) -> None:
    file = tmp_path / "cup.jsonl"
    file.write_bytes(write_ledger(LINES))
    assert read_ledgers(file) == {"cup": LINES}
    assert list(jsonl.read(file.read_bytes().splitlines(keepends=True))) == []
    assert "\u202e" not in file.read_text()


GOOD = '{"ledger":"cup","type":"go","at_us":5,"what":"planned"'


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('{"ledger":"cup"}', "line 2: no entry of a ledger: type: is missing"),
        ('{"ledger":', "line 2: no entry of a ledger: not JSON: Expecting value"),
        (f'{GOOD},"data":{{"plan":NaN}}}}', "line 2: no entry of a ledger: NaN is not a number"),
        (f'{GOOD},"data":{"[" * 10**5}', "line 2: no entry of a ledger: nested too deep"),
        (GOOD.replace("5", "9" * 19) + ',"data":{}}', "line 2: no entry of a ledger: at_us: Expected int <= 9"),
        (GOOD.replace("5", "9" * 41) + ',"data":{}}', "line 2: no entry of a ledger: a number of 41 digits"),
        (GOOD.replace("cup", "\\ud800") + ',"data":{}}', "it contains half of a surrogate pair"),
    ],
)
def test_what_is_no_entry_is_named_with_its_line(line: str, words: str, tmp_path: Path) -> None:
    file = tmp_path / "cup.jsonl"
    file.write_text(f"\n{line}\n")
    with pytest.raises(RecordError, match=words):
        read_ledgers(file)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="nowhere: cannot be read"):
        read_ledgers(tmp_path / "nowhere")


def test_all_of_them_take_no_more_than_one_game_may(tmp_path: Path) -> None:
    file = tmp_path / "cup.jsonl"
    file.write_bytes(write_ledger(LINES * 10))
    with pytest.raises(RecordError, match=r"line [0-9]: this game takes more than 5000 bytes"):
        read_ledgers(file, Bounds(5000))
