"""Standings as text to keep or send: JSON, CSV, Markdown and an HTML page."""

import csv
import io
import json
from collections.abc import Callable, Sequence
from html import escape
from typing import TypeAlias

from ugs.printable import safe, safe_cell, safe_json
from ugs.standings.layout import TableGrid, cross_table_grid, csv_rows, heading, remarks, standings_grid
from ugs.standings.standings import Standings, all_as_json

CROSS_TABLE_PLAYERS = 40
"""With more players the cross table is left out of Markdown and HTML; JSON always has it."""

Renderer: TypeAlias = Callable[[Sequence[Standings]], str]

# A | would begin another cell, a < would be HTML.
_MARKDOWN_SIGNS = str.maketrans({sign: f"\\{sign}" for sign in "\\`*_{}[]<>()#+!|~&$^=:"})

_STYLE = """\
body { font: 1rem/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; color: #1b1b1b }
.wide { overflow-x: auto }
table { border-collapse: collapse; font-variant-numeric: tabular-nums }
th, td { padding: .2rem .6rem; text-align: right; border-bottom: 1px solid #ccc; white-space: nowrap }
.text { text-align: left }
@media (prefers-color-scheme: dark) { body { background: #161616; color: #e6e6e6 } th, td { border-color: #444 } }"""


def as_json_text(several: Sequence[Standings]) -> str:
    """One standings as its own object; none or several as ``{"standings": [...]}``."""
    return safe_json(json.dumps(all_as_json(list(several)), indent=2, ensure_ascii=False)) + "\n"


def as_csv(several: Sequence[Standings]) -> str:
    """One line per player, always the same columns. A nick that a spreadsheet would run has an apostrophe in front."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([safe_cell(cell) for cell in row] for row in csv_rows(several))
    return text.getvalue()


def as_markdown(several: Sequence[Standings]) -> str:
    """A section for each standings."""
    return "\n".join(_markdown_section(standings) for standings in several)


def as_html(several: Sequence[Standings]) -> str:
    """A complete page without further files; all text of other programs is escaped."""
    title = escape(" · ".join(safe(standings.title) for standings in several) or "Standings")
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>\n{_STYLE}\n</style>\n</head>\n<body>\n"
        + "".join(_html_section(standings) for standings in several)
        + "</body>\n</html>\n"
    )


RENDERERS: dict[str, Renderer] = {
    "json": as_json_text,
    "csv": as_csv,
    "markdown": as_markdown,
    "html": as_html,
}


def _markdown_section(standings: Standings) -> str:
    lines = [f"## {_marked(heading(standings))}", "", *_markdown_table(standings_grid(standings))]
    cross = cross_table_grid(standings, CROSS_TABLE_PLAYERS)
    if cross is not None:
        lines += ["", "Won-lost-drawn against each other:", "", *_markdown_table(cross)]
    notes = remarks(standings)
    if notes:
        lines += ["", *(f"- {_marked(sentence)}" for sentence in notes)]
    return "\n".join(lines) + "\n"


def _markdown_table(grid: TableGrid) -> list[str]:
    rules = [":--" if left else "--:" for left in grid.left]
    cells = [grid.columns, *grid.rows]
    head, *body = [[_marked(cell) for cell in row] for row in cells]
    return [f"| {' | '.join(row)} |" for row in (head, rules, *body)]


def _marked(text: str) -> str:
    return text.translate(_MARKDOWN_SIGNS)


def _html_section(standings: Standings) -> str:
    parts = [f"<h1>{escape(heading(standings))}</h1>\n", _html_table(standings_grid(standings))]
    cross = cross_table_grid(standings, CROSS_TABLE_PLAYERS)
    if cross is not None:
        parts += ["<h2>Won-lost-drawn against each other</h2>\n", _html_table(cross)]
    notes = remarks(standings)
    if notes:
        parts += ["<ul>\n", *(f"<li>{escape(sentence)}</li>\n" for sentence in notes), "</ul>\n"]
    return f"<section>\n{''.join(parts)}</section>\n"


def _html_table(grid: TableGrid) -> str:
    kinds = [' class="text"' if left else "" for left in grid.left]
    head = "".join(f"<th{kind}>{escape(name)}</th>" for kind, name in zip(kinds, grid.columns, strict=True))
    body = "".join(
        "<tr>" + "".join(f"<td{kind}>{escape(cell)}</td>" for kind, cell in zip(kinds, row, strict=True)) + "</tr>\n"
        for row in grid.rows
    )
    return f'<div class="wide">\n<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody>\n</table>\n</div>\n'
