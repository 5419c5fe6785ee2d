"""What ``ugs demo`` reads off the log of its broker; the demonstration itself is run end to end."""

import json
import re
from io import StringIO

import pytest
from rich.console import Console

from ugs.commands.demonstrating import Show, read_event


def line(**event: object) -> str:
    return json.dumps(event)


def shown(table: Show) -> str:
    console = Console(file=StringIO(), width=80)
    console.print(table.grid("127.0.0.1:4747"))
    file = console.file
    assert isinstance(file, StringIO)
    return file.getvalue()


@pytest.mark.parametrize("text", ["", "Traceback (most recent call last):", "[1]", "{"])
def test_a_line_that_is_no_event_has_no_name(text: str) -> None:
    assert read_event(text) == {}
    assert not Show().take(text)


def test_the_table_is_the_sum_of_the_games_in_the_log() -> None:
    table = Show()
    assert "waiting for the first game" in shown(table)
    assert not table.take(line(event="player logged in", nick="ann"))
    assert "ann" in table
    over = {"event": "game ended", "verdict": "finished", "moves": 9}
    assert table.take(line(**over, outcomes={"ann": "won", "bob": "lost"}))
    assert not table.take(line(**over, outcomes={"ann": "void", "bob": "void"}))
    assert table.games == 1
    assert table.last == "game 1: ann won, bob lost (finished after 9 moves)"
    assert re.search(r"ann\W+1\W+0\W+0\b", shown(table))
    assert re.search(r"bob\W+0\W+1\W+0\b", shown(table))
