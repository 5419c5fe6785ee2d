"""The diagrams of the lives of connections and games."""

import runpy
from pathlib import Path

import pytest

from ugs.broker import diagrams as module
from ugs.broker.diagrams import diagrams, drawing

PAGE = Path(__file__).parents[2] / "docs" / "life.md"


def test_the_page_shows_the_tables_as_they_are() -> None:
    assert PAGE.read_text(encoding="utf-8") == diagrams(), "write it anew: make diagrams"


def test_the_module_prints_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(module.__file__, run_name="__main__")
    assert capsys.readouterr().out == diagrams()


def test_arrows_between_the_same_states_are_one_and_what_changes_nothing_is_none() -> None:
    arrows = [("a", "x", "b"), ("a", "y", "b"), ("a", "z", "a"), ("b", "x", "a"), ("b", "x", "b"), ("b", "w", "end")]
    assert drawing(["a", "b"], arrows, "end").splitlines() == [
        "stateDiagram-v2",
        '    state "a" as s0',
        '    state "b" as s1',
        "    [*] --> s0",
        "    s0 --> s1: x, y",
        "    s1 --> s0: x",
        "    s1 --> s1: x",
        "    s1 --> [*]: w",
    ]
