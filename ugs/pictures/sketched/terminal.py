"""A sketch as lines for a terminal: grids and hexes as rows of signs, points where they lie, with the ways between."""

from collections.abc import Iterator
from typing import Final

from ugs.pictures.contract import Line, Scene, Shown, Span
from ugs.pictures.lettering import clipped, columns, padded, wrapped
from ugs.pictures.sketched.fitting import Spot, fit
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
OUTLINES: Final = {"disc": "○", "square": "□", "diamond": "◇", "triangle": "△", "star": "☆", "bar": "▯"}
"""Signs of white pieces."""
ALIKE: Final = frozenset({"white", "black"})
"""Colours of pieces that both have the colour of letters: in their own, one would not be seen on a dark terminal, the
other not on a light one. Where both are there, shapes stand before letters."""
NICK: Final = 20
"""Columns of a nick that stand there whatever is behind it."""
CELLS: Final = "░▒▓▚▤▥▦▧▨▩▞▙▛▜▟▖▗▘▝▌▐▀▄▬"
"""Signs of coloured cells without a piece, one for each colour of a sketch: terminals may have no colours."""
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
    yield from _points(signs, sketch, ground, width) if isinstance(ground, Points) else _grid(signs, ground, width)
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
        """Which colours the signs of cells stand for, and of pieces where both white and black ones are there."""
        shapes = dict.fromkeys(f"{self._shape(look)} {look.colour}" for look in self._alike)
        yield from ((Span(text),) for text in wrapped(", ".join(shapes), width))
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
    """The points where they lie, with the ways between them, and beside them their names where there is room."""
    if not ground.places:
        return
    spots = fit(tuple(ground.places.values()), signs.piece_width, width - signs.piece_width + 1)
    at = dict(zip(ground.places, spots, strict=True))
    drawn: dict[Spot, Span] = {}
    for line in sketch.lines:
        drawn |= _way(at[line.begin], at[line.end], _STYLES.get(line.colour, "dim"))
    for name, spot in at.items():
        drawn |= _letters(spot, signs.bare(name))
    below = []
    for name, label in signs.labels.items():
        column, row = at[name]
        sign = signs.bare(name)
        is_free = sign.text == "·"
        begin = column if is_free else column + columns(sign.text) + 1
        end = min([x for x, y in spots if y == row and x > column], default=width + 1) - 1
        if begin + columns(label) <= end:
            drawn |= _letters((begin, row), signs.of(name) if is_free else Span(label, "dim"))
        else:
            below.append(f"{name}: {label}")
    names = [
        " ".join(sorted([name for name in at if at[name][1] == row], key=at.__getitem__))
        for row in range(max(y for _, y in spots) + 1)
    ]
    edge = max(x for x, _ in drawn) + 1
    has_room = edge + 3 + max(map(columns, names)) <= width
    for row, beside in enumerate(names):
        is_named = has_room and bool(beside)
        last = edge + 2 if is_named else max((x for x, y in drawn if y == row), default=-1)
        signs_of_row = [drawn.get((column, row), Span(" ")) for column in range(last + 1)]
        yield (*signs_of_row, *([Span(beside, "dim")] if is_named else ()))
    yield from ((Span(text),) for text in wrapped(", ".join(below), width))


def _letters(spot: Spot, sign: Span) -> dict[Spot, Span]:
    """A sign, letter by letter; behind one of two columns stands an empty one."""
    column, row = spot
    found: dict[Spot, Span] = {}
    for letter in sign.text:
        found[column, row] = Span(letter, sign.style)
        found |= {(column + place, row): Span("") for place in range(1, columns(letter))}
        column += columns(letter)
    return found


def _way(begin: Spot, end: Spot, style: str) -> dict[Spot, Span]:
    right, down = end[0] - begin[0], end[1] - begin[1]
    sign = "─" if not down else "│" if not right else "·"
    steps = max(abs(right), abs(down))
    return {
        (begin[0] + round(right * step / steps), begin[1] + round(down * step / steps)): Span(sign, style)
        for step in range(1, steps)
    }
