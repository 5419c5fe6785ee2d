"""Standings on a terminal."""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ugs.standings.layout import Grid, cross_table_grid, heading, remarks, standings_grid
from ugs.standings.standings import Standings
from ugs.terminal import Column, grid, safe

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
            console.print(Text(safe(sentence)), soft_wrap=True)


def _table(shown: Grid, title: str) -> Table:
    columns = (Column(name, right=not left) for name, left in zip(shown.columns, shown.left, strict=True))
    return grid(columns, shown.rows, title=title)
