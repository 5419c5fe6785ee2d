"""Standings on a terminal."""

from collections.abc import Sequence

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from ugs.standings.layout import (
    DROPPED,
    TableGrid,
    cross_table_grid,
    heading,
    remarks,
    standings_grid,
    with_nicks_of,
    without,
)
from ugs.standings.standings import Standings
from ugs.terminal import UNBOUNDED, Column, grid, safe

CROSS_TABLE_PLAYERS = 16
"""More columns do not fit beside each other."""
MIN_NICK = 8
"""Characters that a nick keeps at least."""


def show(several: Sequence[Standings], console: Console) -> None:
    """Print all standings, with the remarks below each."""
    if not several:
        console.print("no games yet")
    for standings in several:
        fitting, left_out = fitted(standings_grid(standings), console)
        console.print(_table(fitting, heading(standings)))
        if not standings.championship:
            console.print("places by games won, then by fewest lost", style="dim")
        if left_out:
            console.print(Text(f"no room here for {', '.join(left_out)}; --format csv has all columns"), soft_wrap=True)
        cross = cross_table_grid(standings, CROSS_TABLE_PLAYERS)
        if cross is not None and _fits(cross, console):
            console.print(_table(cross, "won-lost-drawn against each other"))
        for sentence in remarks(standings):
            console.print(Text(safe(sentence)), soft_wrap=True)


def fitted(grid: TableGrid, console: Console) -> tuple[TableGrid, list[str]]:
    """Return as many columns as fit into the width of ``console``, by their importance, and the names of the others.
    Every row takes one line: where there is no room even for the most important columns, nicks are cut."""
    left_out: list[str] = []
    for name in DROPPED:
        if _fits(grid, console):
            return grid, left_out
        if name in grid.columns:
            grid = without(grid, name)
            left_out.append(name)
    # The second column is the nick, which is never left out.
    longest = max((len(row[1]) for row in grid.rows), default=0)
    while not _fits(grid, console) and longest > MIN_NICK:
        longest -= 1
        grid = with_nicks_of(grid, longest)
    return grid, left_out


def _fits(grid: TableGrid, console: Console) -> bool:
    # Measured without a width: a table that is cut always fits.
    unbounded = console.options.update(max_width=UNBOUNDED)
    return Measurement.get(console, unbounded, _table(grid, "")).maximum <= console.width


def _table(shown: TableGrid, title: str) -> Table:
    columns = (Column(name, right=not left) for name, left in zip(shown.columns, shown.left, strict=True))
    return grid(columns, shown.rows, title=title)
