"""What ``docs/game-record.md`` shows and says is what the programs read and write."""

import io
import re
from pathlib import Path

import pytest

from ugs.broker.values.record import EntryKind
from ugs.broker.verdict import Cause
from ugs.record import jsonl, ugsg
from ugs.record.files import FORMATS
from ugs.record.size_limits import ANY_GAME
from ugs.record.tags import KNOWN_TAGS

TEXT = (Path(__file__).parents[2] / "docs" / "game-record.md").read_text(encoding="utf-8")


def example(name: str) -> bytes:
    """The documented example of a format."""
    blocks = re.findall(rf"^```{name}\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 1
    return str(blocks[0]).encode()


@pytest.mark.parametrize("name", FORMATS)
def test_the_example_is_read_and_comes_out_as_it_stands(name: str) -> None:
    (record,) = FORMATS[name].read(io.BytesIO(example(name)), ANY_GAME)
    assert FORMATS[name].write(record) == example(name)


def test_both_examples_are_the_same_game() -> None:
    assert list(ugsg.read(io.BytesIO(example("ugsg")))) == list(jsonl.read(io.BytesIO(example("jsonl"))))


def test_all_tags_causes_and_kinds_are_described() -> None:
    rows = {name for row in re.findall(r"^\| ([^|]*) \|", TEXT, re.MULTILINE) for name in re.findall(r"`(\w+)`", row)}
    assert set(KNOWN_TAGS) <= rows
    assert {str(kind) for kind in EntryKind} <= rows
    for cause in Cause:
        assert f"`{cause}`" in " ".join(TEXT.split())
