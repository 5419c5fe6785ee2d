"""An asciicast (version 2) as an SVG that plays without a script: a strip of frames, moved by a style.

Rows that stand on several frames are drawn once and used again, so half a minute takes some tens of kilobytes.
"""

import json
from collections.abc import Iterable, Iterator
from html import escape
from itertools import groupby
from typing import Final, NamedTuple

from tests.cast.screen import Cell, Screen, Style

FRAME_S: Final = 0.75
"""Seconds that a frame is shown at least: what is shorter is not seen."""
LETTER: Final = 7.2
ROW: Final = 15
MARGIN: Final = 12
STYLES: Final = {
    "red": "#f47067",
    "green": "#8ddb8c",
    "yellow": "#daaa3f",
    "blue": "#6cb6ff",
    "magenta": "#dcbdfb",
    "cyan": "#76e3ea",
    "white": "#f0f3f6",
    "black": "#768390",
}


class Frame(NamedTuple):
    """What is on the screen from a time on, in seconds."""

    at_s: float
    rows: tuple[str, ...]
    """As SVG, without their places."""


def film(cast: str, title: str) -> str:
    """The picture of an asciicast; ``title`` is read out to people who do not see it."""
    head, *lines = cast.splitlines()
    size = json.loads(head)
    frames = list(_frames(Screen(size["width"], size["height"]), [json.loads(line) for line in lines]))
    end_s = json.loads(lines[-1])[0] + 2 * FRAME_S
    numbers: dict[str, int] = {}
    for frame in frames:
        for row in frame.rows:
            numbers.setdefault(row, len(numbers))
    width, height = size["width"] * LETTER + 2 * MARGIN, size["height"] * ROW + 2 * MARGIN
    defined = "".join(
        f'<text id="r{number}" xml:space="preserve">{row}</text>' for row, number in numbers.items() if row
    )
    strip = "".join(_frame(frame.rows, numbers, number * height) for number, frame in enumerate(frames))
    steps = "".join(
        f"{100 * frame.at_s / end_s:.2f}%{{transform:translateY({-number * height:g}px)}}"
        for number, frame in enumerate(frames)
    )
    last = -(len(frames) - 1) * height
    colours = "".join(f".{name}{{fill:{colour}}}" for name, colour in STYLES.items())
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" role="img"><title>{escape(title)}</title><style>'
        f"text{{font:12px/15px ui-monospace,Menlo,Consolas,monospace;fill:#cdd9e5}}.b{{font-weight:bold}}"
        f".f{{opacity:.6}}{colours}#s{{animation:s {end_s:.1f}s step-end infinite}}@keyframes s{{{steps}}}"
        f"@media(prefers-reduced-motion:reduce){{#s{{animation:none;transform:translateY({last:g}px)}}}}"
        f'</style><defs>{defined}</defs><rect width="100%" height="100%" rx="6" fill="#22272e"/>'
        f'<g id="s">{strip}</g></svg>\n'
    )


def _frames(screen: Screen, events: Iterable[tuple[float, str, str]]) -> Iterator[Frame]:
    """What is on the screen, at most once in the time of a frame, and only where it has changed."""
    events = list(events)
    shown: tuple[str, ...] | None = None
    for turn, group in groupby(events, key=lambda event: int(event[0] / FRAME_S)):
        for _, _, text in group:
            screen.feed(text)
        rows = tuple(_row(row) for row in screen.rows())
        if rows != shown:
            yield Frame(turn * FRAME_S, rows)
            shown = rows


def _row(row: list[Cell]) -> str:
    """The letters of a row as SVG; empty where there are none."""
    while row and row[-1].text == " ":
        row = row[:-1]
    parts = []
    for style, cells in groupby(row, key=lambda cell: cell.style):
        text = escape("".join(cell.text for cell in cells), quote=False)
        names = _names(style)
        parts.append(f'<tspan class="{names}">{text}</tspan>' if names else text)
    return "".join(parts)


def _names(style: Style) -> str:
    return " ".join(name for name in (style.colour, "b" if style.bold else "", "f" if style.faint else "") if name)


def _frame(rows: Iterable[str], numbers: dict[str, int], top: float) -> str:
    uses = (
        f'<use href="#r{numbers[row]}" x="{MARGIN}" y="{top + MARGIN + (number + 0.8) * ROW:g}"/>'
        for number, row in enumerate(rows)
        if row
    )
    return "".join(uses)
