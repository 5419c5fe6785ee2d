"""Standings on a terminal."""

from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ugs.standings.layout import Grid, cross_table_grid, heading, remarks, standings_grid
from ugs.standings.standings import Standings

CROSS_TABLE_PLAYERS = 16
"""More columns do not fit beside each other."""


def show(several: Sequence[Standings], console: Console) -> None:
    """Print all standings, with the remarks below each."""
    if not several:
        console.print("no games yet")
    for standings in several:
        console.print(_table(standings_grid(standings), heading(standings)))
        cross = cross_table_grid(standings, CROSS_TABLE_PLAYERS)
        if cross is not None:
            console.print(_table(cross, "won-lost-drawn against each other"))
        for sentence in remarks(standings):
            console.print(Text(sentence), soft_wrap=True)


def _table(grid: Grid, title: str) -> Table:
    # Text objects are not parsed as rich's markup: nicks may contain brackets.
    table = Table(title=Text(title), title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for name, left in zip(grid.columns, grid.left, strict=True):
        table.add_column(Text(name), justify="left" if left else "right")
    for row in grid.rows:
        table.add_row(*map(Text, row))
    return table
