"""A sketch as lines for a terminal: grids and hexes as rows of signs, points where they lie; ways between them where
these are a board of ways."""

from collections.abc import Iterator
from typing import Final

from ugs.pictures.contract import Line, Scene, Shown, Span
from ugs.pictures.lettering import clipped, columns, padded, wrapped
from ugs.pictures.sketched.fitting import Spot, fit
from ugs.pictures.sketched.grounds import grid_places, left_in, runs_of
from ugs.pictures.sketched.legend import counters_text
from ugs.pictures.sketched.letters import add_way, letters, rows, stand
from ugs.pictures.sketched.words import held, words
from ugs.sketch.decoding import cells_of
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
OUTLINES: Final = {"disc": "○", "square": "□", "diamond": "◇", "triangle": "△", "star": "☆", "bar": "▯"}
"""Signs of white pieces."""
ALIKE: Final = frozenset({"white", "black"})
"""Colours of pieces that both have the colour of letters: in their own, one would not be seen on a dark terminal, the
other not on a light one. Where both are there, shapes stand before letters."""
NICK: Final = 20
"""Columns of a nick that stand there whatever is behind it."""
CELLS: Final = "░▒▓▚▤▥▦▧▨▩▞▙▛▜▟▖▗▘▝▌▐▀▄▬"
"""Signs of coloured cells without a piece, one for each colour of a sketch: terminals may have no colours."""
_LEFT: Final = 4
"""Columns before the first cell of a row: its number."""
_SQUARE: Final = 4
"""Columns of a cell whose rows have one for ways between them: a letter is twice as high as wide."""
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
        nick = clipped(seat.nick, max(NICK, width - columns(ends) - 6))
        yield (Span("> " if turn else "  ", "bold"), *sign, Span(f"{nick}{ends}"))
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
    if isinstance(ground, Points):
        yield from _points(signs, sketch, ground, width)
    else:
        yield from _cells(signs, sketch, ground, width)
    yield from signs.legend(width)
    yield from ((Span(text),) for one in held(sketch) for text in wrapped(one, width))


class _Signs:
    """What stands on each cell, as a sign."""

    def __init__(self, sketch: Sketch) -> None:
        self._looks = {cell: pieces.look for pieces in sketch.pieces for cell in pieces.at}
        self.labels = dict(sketch.labels)
        self._marks = set(sketch.marks)
        self._holes = set(sketch.holes)
        looks = [*dict.fromkeys([*[pieces.look for pieces in sketch.pieces], *[look for _, look in sketch.seats]])]
        self._hollow = all(look.shape != "ring" for look in self._looks.values())
        """Whether a circle is free for discs that are white."""
        self._alike = [look for look in looks if look.colour in ALIKE]
        if {look.colour for look in self._alike} != ALIKE:
            self._alike = []
        self.colours = dict(zip(dict.fromkeys(colour for colour, _ in sketch.cells), CELLS, strict=False))
        self._coloured = {
            cell: Span(self.colours.get(colour, "·"), _STYLES.get(colour, ""))
            for colour, at in sketch.cells
            for cell in at
        }
        self._is_of_one_colour = len(self.colours) == 1 and self._coloured.keys() >= set(cells_of(sketch))
        """Whether all cells have the same colour, whose name is of no use then."""
        self.piece_width = max([1, *[columns(self.piece(look).text) for look in set(self._looks.values())]])
        """Of the widest piece."""
        self.width = max([self.piece_width, *map(len, self.labels.values())])
        """Of the widest, labels included."""

    def of(self, cell: str) -> Span:
        """The sign of a cell; a label where no piece lies."""
        if cell in self._holes:
            return Span(" ")
        if cell in self.labels and cell not in self._looks:
            return self._marked(cell, Span(self.labels[cell], "dim"))
        return self.bare(cell)

    def bare(self, cell: str) -> Span:
        """The sign of a cell without its label."""
        if cell in self._looks:
            return self._marked(cell, self.piece(self._looks[cell]))
        return self._marked(cell, self._coloured.get(cell, Span("·", "dim")))

    def piece(self, look: Look) -> Span:
        """The sign of a piece."""
        letter = look.letter.strip()
        sign = "" if letter and look not in self._alike else self._shape(look)
        return Span(sign + letter, f"bold {_STYLES.get(look.colour, '')}".strip())

    def _shape(self, look: Look) -> str:
        sign = SIGNS[look.shape]
        is_outline = look.colour == "white" and (look.shape != "disc" or self._hollow)
        return OUTLINES.get(look.shape, sign) if is_outline else sign

    def _marked(self, cell: str, sign: Span) -> Span:
        return Span(sign.text, f"{sign.style} reverse") if cell in self._marks else sign

    def legend(self, width: int) -> Iterator[Line]:
        """Which colours the signs of cells stand for, unless all cells have one, and of pieces where both white
        and black ones are there."""
        shapes = dict.fromkeys(f"{self._shape(look)} {look.colour}" for look in self._alike)
        yield from ((Span(text),) for text in wrapped(", ".join(shapes), width))
        if self.colours and not self._is_of_one_colour:
            named = ", ".join([f"{sign} {colour}" for colour, sign in self.colours.items()])
            yield from ((Span(text),) for text in wrapped(named, width))


def _cells(signs: _Signs, sketch: Sketch, ground: Grid | Hexes, width: int) -> Iterator[Line]:
    """The cells in rows. Where ways lie on crossings, those of the board are drawn, too, with room for them."""
    has_ways = isinstance(ground, Grid) and ground.look == "crossings" and bool(sketch.lines)
    step, count = _step(signs, ground, width, has_ways=has_ways)
    # Every second row of hexes stands half a hex to the right.
    shift = step // 2 if isinstance(ground, Hexes) else 0
    tall = 2 if has_ways else 1
    there = left_in(ground, sketch.holes)

    def spot(column: int, row: int) -> Spot:
        return _LEFT + step * column + shift * (row % 2), tall * row

    drawn: dict[Spot, Span] = {}
    if isinstance(ground, Grid) and has_ways:
        runs = runs_of(ground, sketch.holes)
        for column, begin, end in runs.upright:
            add_way(drawn, spot(column, begin), spot(column, end), "dim")
        for row, begin, end in runs.across:
            add_way(drawn, spot(begin, row), spot(end, row), "dim")
        for line in sketch.lines:
            begins, ends = (spot(*grid_places(ground, cell)) for cell in (line.begin, line.end))
            add_way(drawn, begins, ends, _STYLES.get(line.colour, "dim"))
        drawn = {at: sign for at, sign in drawn.items() if at[0] < _LEFT + step * count}
    standing = {}
    for row in range(ground.rows):
        for column in range(count):
            if (column, row) in there:
                sign = signs.of(f"{column},{row}")
                standing[f"{column},{row}"] = spot(column, row), Span(clipped(sign.text, step - 1), sign.style)
    stand(drawn, standing, sketch.marks)
    columns_there, rows_there = {column for column, _ in there}, {row for _, row in there}
    numbers = [padded(str(column) if column in columns_there else "", step) for column in range(count)]
    yield (Span(f"{' ' * _LEFT}{''.join(numbers)}", "dim"),)
    for number, spans in enumerate(rows(drawn, tall * ground.rows - tall + 1, _LEFT - 1)):
        row, between = divmod(number, tall)
        name = str(row) if not between and row in rows_there else ""
        yield (Span(f"{name:>{_LEFT - 1}}", "dim"), *spans)


def _step(signs: _Signs, ground: Grid | Hexes, width: int, *, has_ways: bool) -> tuple[int, int]:
    """How many columns of a terminal a cell takes, and how many cells of a row there is room for."""
    least = 1 + max(signs.width, len(str(ground.columns - 1)))
    room = width - _LEFT
    wide = max(_SQUARE, least + least % 2)
    step = wide if has_ways and wide * ground.columns <= room else least
    return step, min(ground.columns, max(1, room // step))


def _points(signs: _Signs, sketch: Sketch, ground: Points, width: int) -> Iterator[Line]:
    """The points where they lie, with the ways between them, and beside them their names where there is room."""
    if not ground.places:
        return
    # On both sides there is room for the bracket of a mark.
    fitted = fit(tuple(ground.places.values()), signs.piece_width, width - signs.piece_width - 1)
    spots = [(column + 1, row) for column, row in fitted]
    at = dict(zip(ground.places, spots, strict=True))
    drawn: dict[Spot, Span] = {}
    for line in sketch.lines:
        add_way(drawn, at[line.begin], at[line.end], _STYLES.get(line.colour, "dim"))
    standing = {name: (spot, signs.bare(name)) for name, spot in at.items()}
    below, beside = [], []
    for name, label in signs.labels.items():
        if not label.strip():
            continue
        column, row = at[name]
        sign, bracket = signs.bare(name), int(name in sketch.marks)
        is_free = sign.text == "·"
        begin = column if is_free else column + columns(sign.text) + bracket + 1
        end = min([x for x, y in spots if y == row and x > column], default=width + 1) - 1
        if begin + columns(label) + bracket > end:
            below.append(f"{name}: {label}")
        elif is_free:
            standing[name] = at[name], signs.of(name)
        else:
            beside.append(((begin, row), Span(label, "dim")))
    crowded = stand(drawn, standing, sketch.marks)
    for spot, text in beside:
        drawn |= letters(spot, text)
    count = max(y for _, y in spots) + 1
    names = [" ".join(sorted([name for name in at if at[name][1] == row], key=at.__getitem__)) for row in range(count)]
    edge = max([x for x, _ in drawn], default=0) + 1
    has_room = edge + 3 + max(map(columns, names)) <= width
    for row, (spans, named) in enumerate(zip(rows(drawn, count), names, strict=True)):
        if has_room and named:
            last = max([x for x, y in drawn if y == row], default=0)
            yield (*spans, Span(" " * (edge + 2 - last)), Span(named, "dim"))
        else:
            yield spans
    yield from ((Span(text),) for text in wrapped(", ".join(below), width))
    if crowded:
        yield from ((Span(text),) for text in wrapped(f"marked: {' '.join(crowded)}", width))
