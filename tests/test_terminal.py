"""How grids and progress look on a terminal."""

import io
import sys

import pytest
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ugs.terminal import UNBOUNDED, Column, grid, lines, output, progress


def printed(table: Table | str, width: int = 200) -> list[str]:
    console = Console(file=io.StringIO(), width=width, force_terminal=False)
    console.print(table)
    assert isinstance(console.file, io.StringIO)
    return [line.rstrip() for line in console.file.getvalue().splitlines()]


def test_a_grid_has_its_title_heads_and_rows() -> None:
    table = grid(("nick", Column("won", right=True)), [("ann", "10"), ("bob", "9")], title="chess", caption="so far")
    shown = [line.strip() for line in printed(table) if line.strip()]
    assert shown == ["chess", "nick   won", "──────────", "ann     10", "bob      9", "so far"]


def test_the_text_of_a_grid_is_neither_markup_nor_obeyed() -> None:
    rows = [("[bold]ann[/bold]", "a\x1b[2Jb")]
    shown = "\n".join(printed(grid(("[red]x", "y\x9b"), rows, title="[b]t\x07", caption="c\x07[/b]")))
    for text in ("[bold]ann[/bold]", r"a\u{1b}[2Jb", "[red]x", r"y\u{9b}", r"[b]t\u{7}", r"c\u{7}[/b]"):
        assert text in shown


def test_a_cell_of_several_lines_keeps_them() -> None:
    shown = printed(grid(("game",), [(lines("chess", "for\ntwo"),), (Text("a\nb"),)]))
    assert [line.strip() for line in shown if line.strip()][-4:] == ["chess", r"for\ntwo", "a", "b"]


def test_where_no_line_is_wanted_there_is_none() -> None:
    assert "─" not in "".join(printed(grid(("nick",), [("ann",)], head_line=False)))
    shown = printed(grid(("nick",), [("ann",), ("bob",)], row_lines=True))
    assert [line.strip()[0] for line in shown] == ["─", "n", "─", "a", "─", "b", "─"]


def test_a_narrow_terminal_wraps_cells_but_for_whole_ones() -> None:
    shown = printed(grid((Column("a", whole=True), "b"), [("one two", "three four five")]), width=16)
    assert any("one two" in line for line in shown)
    assert not any("three four five" in line for line in shown)


def test_nothing_is_cut_where_the_output_is_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    assert output().width == UNBOUNDED
    assert output(150).width == 150


def test_a_terminal_says_how_wide_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stdout", Terminal())
    monkeypatch.setenv("COLUMNS", "77")
    assert output(150).width == 77


def test_progress_says_nothing_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with progress() as bar:
        task = bar.add_task("rounds", total=3)
        bar.update(task, completed=3)
    assert capsys.readouterr() == ("", "")
