"""A sketch as lines for a terminal: grids and hexes as rows of signs, points where they lie, with the ways between."""

from collections.abc import Iterator
from typing import Final

from ugs.pictures.contract import Line, Scene, Shown, Span
from ugs.pictures.lettering import clipped, padded, wrapped
from ugs.pictures.sketched.legend import counters_text
from ugs.pictures.sketched.words import held, words
from ugs.sketch.model import Drawing, Grid, Hexes, Look, Points, Sketch

SIGNS: Final = {
    "disc": "●",
    "ring": "○",
    "cross": "✕",
    "square": "■",
    "diamond": "◆",
    "triangle": "▲",
    "star": "★",
    "bar": "▮",
}
CELLS: Final = "░▒▓▚▤▥▦▧▨▩▞▙▛▜▟▖▗▘▝▌▐▀▄▬"
"""Signs of coloured cells without a piece, one for each colour of a sketch: terminals may have no colours."""
MAX_COLUMNS: Final = 61
"""Of a board of points, which is a third as high."""
MAX_ROWS: Final = 40
_STYLES: Final = {
    "red": "red",
    "blue": "blue",
    "yellow": "yellow",
    "green": "green",
    "violet": "magenta",
    "sky": "cyan",
}


def lines(scene: Scene, sketch: Sketch, shown: Shown, width: int) -> Iterator[Line]:
    """The position for a terminal."""
    looks, signs = dict(sketch.seats), _Signs(sketch)
    for place, seat in enumerate(scene.seats):
        turn = place in shown.movers and shown.winners is None
        won = shown.winners is not None and place in shown.winners
        sign = [signs.piece(looks[seat.nick]), Span(" ")] if seat.nick in looks else []
        sentences = counters_text([one for one in sketch.counters if one.nick == seat.nick])
        ends = f"{' won' if won else ''}{f'  {sentences}' if sentences else ''}"
        yield (Span("> " if turn else "  ", "bold"), *sign, Span(f"{clipped(seat.nick, 20)}{ends}"))
    common = counters_text([one for one in sketch.counters if not one.nick])
    if common:
        yield (Span(f"  {common}"),)
    if shown.winners is not None and not shown.winners:
        yield (Span("  all lost" if shown.all_lost else "  drawn", "bold"),)
    yield ()
    ground = sketch.ground
    if isinstance(ground, Drawing):  # what it shows only its master knows
        yield from ((Span(text),) for text in wrapped(words(scene, sketch, shown), width))
        return
    yield from _points(signs, sketch, ground, width) if isinstance(ground, Points) else _grid(signs, ground, width)
    yield from signs.legend(width)
    yield from ((Span(text),) for one in held(sketch) for text in wrapped(one, width))


class _Signs:
    """What stands on each cell, as a sign."""

    def __init__(self, sketch: Sketch) -> None:
        self._looks = {cell: pieces.look for pieces in sketch.pieces for cell in pieces.at}
        self._labels = dict(sketch.labels)
        self._marks = set(sketch.marks)
        self._holes = set(sketch.holes)
        self._hollow = all(look.shape != "ring" for look in self._looks.values())
        """Whether a circle is free for discs that are white: without colours they look like the others."""
        self.colours = dict(zip(dict.fromkeys(colour for colour, _ in sketch.cells), CELLS, strict=False))
        self._coloured = {
            cell: Span(self.colours.get(colour, "·"), _STYLES.get(colour, ""))
            for colour, at in sketch.cells
            for cell in at
        }
        letters = [len(look.letter) for look in self._looks.values()]
        self.width = max([1, *letters, *map(len, self._labels.values())])
        """Of the widest."""

    def of(self, cell: str) -> Span:
        """The sign of a cell."""
        if cell in self._holes:
            return Span(" ")
        if cell in self._looks:
            sign = self.piece(self._looks[cell])
        elif cell in self._labels:
            sign = Span(self._labels[cell], "dim")
        else:
            sign = self._coloured.get(cell, Span("·", "dim"))
        return Span(sign.text, f"{sign.style} reverse") if cell in self._marks else sign

    def piece(self, look: Look) -> Span:
        """The sign of a piece."""
        sign = "○" if self._hollow and (look.shape, look.colour) == ("disc", "white") else SIGNS[look.shape]
        return Span(look.letter.strip() or sign, f"bold {_STYLES.get(look.colour, '')}".strip())

    def legend(self, width: int) -> Iterator[Line]:
        """Which colours the signs of cells stand for."""
        if self.colours:
            named = ", ".join([f"{sign} {colour}" for colour, sign in self.colours.items()])
            yield from ((Span(text),) for text in wrapped(named, width))


def _grid(signs: _Signs, ground: Grid | Hexes, width: int) -> Iterator[Line]:
    step = 1 + max(signs.width, len(str(ground.columns - 1)))
    columns = range(min(ground.columns, max(1, (width - 4) // step)))
    yield (Span("    " + "".join([padded(str(column), step) for column in columns]), "dim"),)
    for row in range(ground.rows):
        # Every second row of hexes stands half a hex to the right.
        shift = " " * (step // 2) if isinstance(ground, Hexes) and row % 2 else ""
        spans = [Span(f"{row:>3} {shift}", "dim")]
        for column in columns:
            sign = signs.of(f"{column},{row}")
            text = clipped(sign.text, step - 1)
            spans += [Span(text, sign.style), Span(padded("", step - len(text)))]
        yield tuple(spans)


def _points(signs: _Signs, sketch: Sketch, ground: Points, width: int) -> Iterator[Line]:
    """The points where they lie, with the ways between them. A letter is twice as high as wide."""
    columns = min(width - signs.width, MAX_COLUMNS)
    rows = round(columns * ground.height / ground.width / 2)
    if rows > MAX_ROWS:
        columns, rows = max(1, columns * MAX_ROWS // rows), MAX_ROWS
    at = {
        name: (round(x / ground.width * (columns - 1)), round(y / ground.height * max(0, rows - 1)))
        for name, (x, y) in ground.places.items()
    }
    drawn: dict[tuple[int, int], Span] = {}
    for line in sketch.lines:
        drawn |= _way(at[line.begin], at[line.end], _STYLES.get(line.colour, "dim"))
    for name, (x, y) in at.items():
        sign = signs.of(name)
        drawn |= {(x + place, y): Span(letter, sign.style) for place, letter in enumerate(sign.text)}
    for row in range(max(1, rows)):
        last = max((x for x, y in drawn if y == row), default=-1)
        yield tuple([drawn.get((column, row), Span(" ")) for column in range(min(width, last + 1))])


def _way(begin: tuple[int, int], end: tuple[int, int], style: str) -> dict[tuple[int, int], Span]:
    right, down = end[0] - begin[0], end[1] - begin[1]
    sign = "─" if not down else "│" if not right else "·"
    steps = max(abs(right), abs(down))
    return {
        (begin[0] + round(right * step / steps), begin[1] + round(down * step / steps)): Span(sign, style)
        for step in range(1, steps)
    }
