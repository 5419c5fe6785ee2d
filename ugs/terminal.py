"""How grids and progress look on the terminal; text of others in them is made safe (:mod:`ugs.printable`)."""

import sys
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from rich import box
from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from ugs.printable import safe as safe
from ugs.printable import safe_lines as safe_lines

UNBOUNDED: Final = 10_000
"""Columns of an output that is no terminal: nothing is wrapped or cut there."""


@dataclass(frozen=True, slots=True)
class Column:
    """The head of a column, and how its cells stand."""

    name: str
    right: bool = False
    """At the right edge, as numbers should be; else at the left."""
    whole: bool = False
    """Never wrapped, however narrow the terminal is."""


Cell: TypeAlias = str | Text
"""A ``str`` is made safe; a ``Text`` has its own styles and line breaks, and is taken as it is."""


def lines(*texts: str) -> Text:
    """A cell of several lines, each of them safe."""
    return Text("\n".join(map(safe, texts)))


def grid(
    columns: Iterable[str | Column],
    rows: Iterable[Sequence[Cell]] = (),
    *,
    title: str = "",
    caption: str = "",
    head_line: bool = True,
    row_lines: bool = False,
) -> Table:
    """Rows under their heads, to be printed with a console.

    Text is never read as rich's own markup, because names may hold brackets. ``head_line`` draws a line below the
    heads, ``row_lines`` one between the rows too. ``title`` and ``caption`` may have several lines.
    """
    table = Table(
        title=Text(safe_lines(title)) if title else None,
        title_justify="left",
        caption=Text(safe_lines(caption)) if caption else None,
        caption_justify="left",
        box=(box.HORIZONTALS if row_lines else box.SIMPLE_HEAD) if head_line else None,
        pad_edge=False,
        show_lines=row_lines,
    )
    for column in columns:
        head = Column(column) if isinstance(column, str) else column
        table.add_column(
            Text(safe_lines(head.name)),
            justify="right" if head.right else "left",
            no_wrap=head.whole,
            overflow="fold",
        )
    for row in rows:
        table.add_row(*cells(row))
    return table


def cells(row: Iterable[Cell]) -> list[Text]:
    """A row as a grid shows it."""
    return [cell if isinstance(cell, Text) else Text(safe(cell)) for cell in row]


def fitted(text: str, width: int) -> str:
    """``text``, made safe, cut or filled with blanks to this many columns of a terminal."""
    text = safe(text)
    if cell_len(text) > width:
        return set_cell_size(text, width - 1) + "…"
    return set_cell_size(text, width)


def aligned(rows: Sequence[Sequence[str]], left: Collection[int] = ()) -> list[str]:
    """Rows of cells as lines, two blanks between the columns; those in ``left`` stand at the left edge, all others at
    the right one."""
    safe_rows = [[safe(cell) for cell in row] for row in rows]
    widths = [max(map(cell_len, column)) for column in zip(*safe_rows, strict=True)]
    lines = []
    for row in safe_rows:
        filled = [
            set_cell_size(cell, wide) if at in left else " " * (wide - cell_len(cell)) + cell
            for at, (cell, wide) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(filled).rstrip())
    return lines


def output(width: int = UNBOUNDED) -> Console:
    """Standard output: as wide as the terminal, or ``width`` columns where there is none."""
    return Console() if sys.stdout.isatty() else Console(width=width)


def terminal_width(without: int = 120) -> int:
    """The columns of the terminal, or ``without`` where the output is none."""
    return Console().width if sys.stdout.isatty() else without


def progress() -> Progress:
    """A bar on standard error with a description, "3/10" and the time; nothing where that is no terminal."""
    errors = Console(stderr=True)
    # Names may hold brackets, which rich would read as markup.
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal)
