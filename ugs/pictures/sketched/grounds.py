"""Grounds of sketches: where their cells are, and what they look like without pieces."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby, pairwise
from math import sqrt
from operator import or_, xor
from typing import Any, Final, TypeAlias

from ugs.pictures.sketched.pieces import disc
from ugs.pictures.svg import Svg, number
from ugs.sketch.model import Drawing, Grid, Ground, Hexes, Points, Sketch

Place = tuple[float, float]

MAX_STEP: Final = 72.0
"""A cell of a small board is no wider."""
MARGIN: Final = 10.0
DOT: Final = 0.14
"""How large the dot of an empty point is, in cells."""
NUMBERS: Final = 14.0
"""Room for the numbers of columns and rows."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Where everything is, in units of the picture."""

    left: float
    top: float
    width: float
    height: float
    cell: float
    """How wide a cell is."""
    places: Callable[[str], Place]
    """The middle of a cell, which must be one."""
    turned: bool = False
    """Whether it is seen from the other side."""


def layout_of(ground: Ground, width: float, top: float, viewer: int | None) -> Layout:
    """Lay a ground out, as wide as fits into ``width``, as this seat sees it."""
    layout: Layout = _LAYOUTS[type(ground)](ground, width, top)
    return _turned(layout) if viewer == 1 and not isinstance(ground, Drawing) and ground.turns else layout


def _turned(layout: Layout) -> Layout:
    places = layout.places
    right, bottom = 2 * layout.left + layout.width, 2 * layout.top + layout.height

    def place(cell: str) -> Place:
        x, y = places(cell)
        return right - x, bottom - y

    return replace(layout, places=place, turned=True)


def draw(drawn: Svg, sketch: Sketch, layout: Layout) -> None:
    """Draw the cells of a ground."""
    _DRAWN[type(sketch.ground)](drawn, sketch, layout)


def grid_places(ground: Grid | Hexes, cell: str) -> tuple[int, int]:
    """Column and row of a cell."""
    column, _, row = cell.partition(",")
    return int(column), int(row)


def left_in(ground: Grid | Hexes, holes: Sequence[str]) -> set[tuple[int, int]]:
    """Columns and rows of the cells that are not left out."""
    out = {grid_places(ground, cell) for cell in holes}
    return {(column, row) for row in range(ground.rows) for column in range(ground.columns)} - out


# Grids.


def _lay_grid(ground: Grid, width: float, top: float) -> Layout:
    edge = NUMBERS if ground.numbers else 0.0
    step = min(MAX_STEP, (width - 2 * MARGIN - edge) / ground.columns, 1.6 * width / ground.rows)
    left = (width - step * ground.columns + edge) / 2

    def place(cell: str) -> Place:
        column, row = grid_places(ground, cell)
        return left + step * (column + 0.5), top + edge + step * (row + 0.5)

    return Layout(left, top + edge, step * ground.columns, step * ground.rows, step, place)


Run: TypeAlias = tuple[int, int, int]
"""A row or a line, and where in it neighbours begin and end: ``(0, 2, 5)`` are the cells 2, 3 and 4 of the first."""


@dataclass(frozen=True, slots=True)
class Runs:
    """What is drawn of a grid, in cells: rows of fields, lines from above to below and from left to right."""

    fields: tuple[Run, ...]
    upright: tuple[Run, ...]
    across: tuple[Run, ...]


def runs_of(ground: Grid, holes: tuple[str, ...]) -> Runs:
    """What is drawn of a grid without what is left out."""
    return _runs(ground.columns, ground.rows, ground.look, holes)


# All sketches of a game have one board.
@lru_cache(maxsize=8)
def _runs(columns: int, rows: int, look: str, holes: tuple[str, ...]) -> Runs:
    out = set(holes)
    there = [[f"{column},{row}" not in out for column in range(columns)] for row in range(rows)]
    turned = [list(one) for one in zip(*there, strict=True)]
    fields = tuple([(row, *run) for row, one in enumerate(there) for run in _together(one)])
    return Runs(fields, _lines_beside(turned, look), _lines_beside(there, look))


def _lines_beside(rows: Sequence[Sequence[bool]], look: str) -> tuple[Run, ...]:
    """The lines along these rows of cells, where some are there: on crossings through them, else between them."""
    if look == "crossings":
        steps = [[one and other for one, other in pairwise(row)] for row in rows]
    else:
        nothing = [False] * len(rows[0])
        # Beside each field that is there; a checkered board has lines only where it ends.
        is_line = xor if look == "checkered" else or_
        steps = [list(map(is_line, one, other)) for one, other in pairwise([nothing, *rows, nothing])]
    return tuple([(place, *run) for place, one in enumerate(steps) for run in _together(one)])


def _together(there: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """Where those that are there begin and end, group by group."""
    begin = 0
    for is_there, group in groupby(there):
        end = begin + len(list(group))
        if is_there:
            yield begin, end
        begin = end


def _draw_grid(drawn: Svg, sketch: Sketch, layout: Layout) -> None:
    ground = sketch.ground
    assert isinstance(ground, Grid)
    step, look, runs = layout.cell, ground.look, runs_of(ground, _seen(ground, sketch.holes, layout))
    if look != "open":
        _draw_background(drawn, runs, layout, "sand" if look == "crossings" else "field", whole=not sketch.holes)
    if look == "checkered" and (dark := _dark_fields(runs, layout, ground)):
        dashes = f"{number(step)} {number(step)}"
        drawn.path(dark, fill="none", stroke="sand", stroke_width=step, stroke_dasharray=dashes)
    for colour, cells in sketch.cells:
        corners = [(x - step / 2, y - step / 2) for x, y in map(layout.places, cells)]
        drawn.path("".join([square(x, y, step) for x, y in corners]), fill=colour)
    if look != "open" and (lines := _lines(runs, layout, inset=step / 2 if look == "crossings" else 0.0)):
        drawn.path(lines, fill="none", stroke="faint" if look == "crossings" else "line", stroke_width=1)
    if ground.numbers:
        _draw_numbers(drawn, sketch, ground, layout)


def _draw_background(drawn: Svg, runs: Runs, layout: Layout, fill: str, *, whole: bool) -> None:
    left, top, step = layout.left, layout.top, layout.cell
    if whole:
        drawn.rect(left, top, layout.width, layout.height, fill=fill)
        return
    tall = number(step)
    rows = [
        f"M{number(left + step * begin)} {number(top + step * row)}h{number(step * (end - begin))}v{tall}"
        f"h{number(step * (begin - end))}z"
        for row, begin, end in runs.fields
    ]
    if rows:
        drawn.path("".join(rows), fill=fill)


def _seen(ground: Grid, cells: tuple[str, ...], layout: Layout) -> tuple[str, ...]:
    """Where cells are drawn, as the cells of a board that is not turned."""
    if not layout.turned:
        return cells
    places = [grid_places(ground, cell) for cell in cells]
    return tuple([f"{ground.columns - 1 - column},{ground.rows - 1 - row}" for column, row in places])


def _dark_fields(runs: Runs, layout: Layout, ground: Grid) -> str:
    """Rows as thick lines; with dashes as long as a field, every second field is dark."""
    step, rows = layout.cell, []
    other = (ground.columns + ground.rows) % 2 if layout.turned else 0
    for row, begin, end in runs.fields:
        first = begin + (begin + row + 1 + other) % 2
        if first < end:
            at = f"M{number(layout.left + step * first)} {number(layout.top + step * (row + 0.5))}"
            rows.append(f"{at}h{number(step * (end - first))}")
    return "".join(rows)


def square(x: float, y: float, step: float) -> str:
    """The path around a square whose corner on the left above is known."""
    return f"M{number(x)} {number(y)}h{number(step)}v{number(step)}h{number(-step)}z"


def _lines(runs: Runs, layout: Layout, inset: float) -> str:
    step, left, top = layout.cell, layout.left + inset, layout.top + inset
    upright = [
        f"M{number(left + step * x)} {number(top + step * begin)}v{number(step * (end - begin))}"
        for x, begin, end in runs.upright
    ]
    across = [
        f"M{number(left + step * begin)} {number(top + step * y)}h{number(step * (end - begin))}"
        for y, begin, end in runs.across
    ]
    return "".join(upright + across)


def _draw_numbers(drawn: Svg, sketch: Sketch, ground: Grid, layout: Layout) -> None:
    """Those of columns and rows that are not left out wholly."""
    there = left_in(ground, sketch.holes)
    columns, rows = {column for column, _ in there}, {row for _, row in there}
    for count, shown, place in ((ground.columns, columns, _above), (ground.rows, rows, _beside)):
        every = 1 if count <= 16 else 5
        drawn.open(fill="faint", font_size=10, text_anchor="middle")
        for index in range(0, count, every):
            if index in shown:
                drawn.letter(*place(layout, count - 1 - index if layout.turned else index), str(index))
        drawn.close()


def _above(layout: Layout, column: int) -> Place:
    return layout.left + layout.cell * (column + 0.5), layout.top - 4


def _beside(layout: Layout, row: int) -> Place:
    return layout.left - 8, layout.top + layout.cell * (row + 0.5) + 3.5


# Hexes.


def _lay_hexes(ground: Hexes, width: float, top: float) -> Layout:
    # Every second row stands half a hex further to the right.
    columns = ground.columns + (0.5 if ground.rows > 1 else 0)
    # A row of hexes takes √3/2 of a hex's width, since rows reach into each other.
    step = min(MAX_STEP, (width - 2 * MARGIN) / columns, 1.6 * width / (0.866 * ground.rows + 0.3))
    size, left = step / sqrt(3), (width - step * columns) / 2

    def place(cell: str) -> Place:
        column, row = grid_places(ground, cell)
        return left + step * (column + 0.5 + row % 2 / 2), top + size * (1.5 * row + 1)

    return Layout(left, top, step * columns, size * (1.5 * ground.rows + 0.5), step, place)


def _draw_hexes(drawn: Svg, sketch: Sketch, layout: Layout) -> None:
    ground = sketch.ground
    assert isinstance(ground, Hexes)
    rest = [f"{column},{row}" for row in range(ground.rows) for column in range(ground.columns)]
    apart = {cell for _, cells in sketch.cells for cell in cells}.union(sketch.holes)
    groups = [("field", [cell for cell in rest if cell not in apart]), *sketch.cells]
    for colour, cells in groups:
        path = "".join([hexagon(*layout.places(cell), layout.cell) for cell in cells])
        if path:
            drawn.path(path, fill=colour, stroke="line", stroke_width=1)


def hexagon(x: float, y: float, step: float, written: Callable[[float], str] = number) -> str:
    """The path around a hex that is ``step`` wide, with a corner above. ``written`` writes its numbers."""
    half, size = written(step / 2), step / sqrt(3)
    side, slope = written(size), written(size / 2)
    return f"M{written(x)} {written(y - size)}l{half} {slope}v{side}l-{half} {slope}l-{half}-{slope}v-{side}z"


# Free points, drawings.


def _lay_points(ground: Points, width: float, top: float) -> Layout:
    cell = 2 * ground.size if ground.size else ground.width / 12
    scale = min((width - 2 * MARGIN) / (ground.width + cell), 1.6 * width / (ground.height + cell))
    left = (width - scale * ground.width) / 2
    edge = scale * cell / 2

    def place(name: str) -> Place:
        x, y = ground.places[name]
        return left + scale * x, top + edge + scale * y

    return Layout(left - edge, top, scale * ground.width + 2 * edge, scale * ground.height + 2 * edge, 2 * edge, place)


def _draw_points(drawn: Svg, sketch: Sketch, layout: Layout) -> None:
    ground = sketch.ground
    assert isinstance(ground, Points)
    coloured = {cell for _, cells in sketch.cells for cell in cells}
    # An empty point is a dot: as large as a piece it would look like one.
    plain = [layout.places(cell) for cell in ground.places if cell not in coloured]
    if plain:
        drawn.path("".join([disc(x, y, layout.cell * DOT) for x, y in plain]), fill="faint")
    for colour, cells in sketch.cells:
        path = "".join([disc(x, y, layout.cell / 2) for x, y in map(layout.places, cells)])
        drawn.path(path, fill=colour, stroke="line", stroke_width=1)


def _lay_drawing(ground: Drawing, width: float, top: float) -> Layout:
    scale = min((width - 2 * MARGIN) / ground.width, 1.6 * width / ground.height)
    left = (width - scale * ground.width) / 2
    # Nothing else lies on a drawing (ugs/sketch/decoding.py), so no cell of it is looked for.
    return Layout(left, top, scale * ground.width, scale * ground.height, 0.0, lambda _: (0.0, 0.0))


def _draw_drawing(_drawn: Svg, _sketch: Sketch, _layout: Layout) -> None:
    """A drawing has all that there is in it."""


_LAYOUTS: Final[Mapping[type, Callable[[Any, float, float], Layout]]] = {
    Grid: _lay_grid,
    Hexes: _lay_hexes,
    Points: _lay_points,
    Drawing: _lay_drawing,
}
_DRAWN: Final[Mapping[type, Callable[[Svg, Sketch, Layout], None]]] = {
    Grid: _draw_grid,
    Hexes: _draw_hexes,
    Points: _draw_points,
    Drawing: _draw_drawing,
}
