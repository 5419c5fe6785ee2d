"""Boards of fields: the entry of a board in ``games.toml`` is enough to read, draw and click it."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from string import ascii_lowercase
from typing import Final

from game_masters.openspiel.pictures.body import WIDTH, Body, BodyMaker
from game_masters.openspiel.pictures.layouts import GO, NAMINGS, SLANTS, FieldAt
from game_masters.openspiel.pictures.stones import BLOCK, Stone, draw_discs, draw_rings, draw_stone
from game_masters.openspiel.pictures.winning import chain, in_rows
from game_masters.openspiel.view import EventKind, Play, View
from ugs.pictures.clicks import are_in_turn
from ugs.pictures.contract import Line, Span
from ugs.pictures.lettering import clipped
from ugs.pictures.svg import Svg, number

EDGE: Final = 20.0
"""Room for the names of rows and columns."""
MAX_FIELDS: Final = 900
STYLES: Final = ("red bold", "blue bold")


@dataclass(frozen=True, slots=True)
class BoardRow:
    """How the board of a game is printed, and how its moves name fields."""

    line: re.Pattern[str]
    """Finds a row of fields in a line; its one group holds them."""
    pieces: Mapping[str, Stone]
    """What stands on a field, by the letter that is printed. Others are empty."""
    moves: re.Pattern[str]
    """Finds the names of fields in the text of a move."""
    naming: str
    """How they are named; see :data:`NAMINGS`."""
    shape: str = "square"
    paints: tuple[str, ...] = ("red", "blue")
    chequered: bool = False
    crossings: bool = False
    """Whether pieces lie where lines cross."""
    forsyth: bool = False
    """Whether the board is printed in one line, as in chess: numbers are empty fields, and ``/`` divides rows."""
    gap: int = 0
    """After this many fields, rows and columns have a wider line; 0: nowhere."""
    goals: bool = False
    """Whether the first seat joins the upper and lower edge of a board of hexagons, and the second one the others."""
    wins: int = 0
    """So many pieces in a row win; 0: rows do not."""
    wins_named: str = ""
    """The parameter of the game that sets another length."""


@dataclass(frozen=True, slots=True)
class GridBody(Body):
    """One board."""

    row: BoardRow
    fields: Mapping[FieldAt, str]
    rows: int
    columns: int
    last: frozenset[FieldAt]
    """The fields of the last move."""
    rest: str
    """What else is printed."""
    won: frozenset[FieldAt] = frozenset()
    """The row or chain that has won."""

    @property
    def paints(self) -> Sequence[str]:
        return self.row.paints

    @property
    def _slant(self) -> float:
        return SLANTS[self.row.shape]

    def _x(self, field: FieldAt) -> float:
        """The left side of a field, in fields."""
        return field.column + self._slant * field.row - self._left

    @property
    def _left(self) -> float:
        return min(0.0, min((field.column + self._slant * field.row for field in self.fields), default=0.0))

    @property
    def _across(self) -> float:
        return max(field.column + self._slant * field.row for field in self.fields) + 1 - self._left

    @property
    def _tall(self) -> float:
        """How high a row is, in fields."""
        # Rows of hexagons reach into each other: half the square root of three.
        return 0.87 if self._slant else 1.0

    @property
    def _scale(self) -> float:
        return min((WIDTH - 2 * EDGE) / self._across, 44.0)

    @property
    def _lines(self) -> Sequence[str]:
        return [clipped(line, 56) for line in self.rest.split("\n") if line.strip()][:4]

    @property
    def height(self) -> float:
        below = 14.0 * len(self._lines)
        return 2 * EDGE + self._scale * (self._tall * self.rows + 1 - self._tall) + below

    def draw(self, svg: Svg, top: float, plays: Sequence[Play]) -> set[int]:
        scale, left = self._scale, (WIDTH - self._scale * self._across) / 2
        self._draw_names(svg, top, left, scale)
        svg.open(transform=f"translate({number(left)} {number(top + EDGE)}) scale({scale:.4f})")
        self._draw_fields(svg)
        self._draw_won(svg)
        for field in sorted(self.last):
            if field in self.fields:
                x, y = self._x(field), field.row * self._tall
                svg.rect(x + 0.04, y + 0.04, 0.92, 0.92, round=0.1, fill="mark", fill_opacity=0.14, stroke="mark",
                         stroke_width=0.07)  # fmt: skip
        self._draw_stones(svg)
        shown = self._draw_offers(svg, plays)
        svg.close()
        for place, line in enumerate(self._lines):
            svg.text(WIDTH / 2, top + self.height - 14 * (len(self._lines) - place) + 6, line, 11, anchor="middle",
                     fill="faint")  # fmt: skip
        return shown

    def _draw_won(self, svg: Svg) -> None:
        places = [(self._x(field), field.row * self._tall) for field in sorted(self.won)]
        if places:
            outline = _hexagon if self._slant else _square
            svg.path("".join(outline(x, y) for x, y in places), fill="mark", fill_opacity=0.35)
            draw_rings(svg, [(x + 0.5, y + 0.5) for x, y in places])

    def _draw_stones(self, svg: Svg) -> None:
        """Draw the pieces; plain ones of one seat together, since a full board has hundreds."""
        plain: defaultdict[int, list[tuple[float, float]]] = defaultdict(list)
        # A move that names one field has put something there, except in chess, which names only where a piece goes.
        pieces = "placed" if len(self.last) == 1 and not self.row.forsyth else ""
        svg.open(data_pieces=pieces)
        for field, letter in self.fields.items():
            stone = self.row.pieces.get(letter)
            x, y = self._x(field) + 0.5, field.row * self._tall + 0.5
            if stone is not None and stone.seat is not None and not stone.label:
                plain[stone.seat].append((x, y))
            elif stone is not None:
                draw_stone(svg, x, y, stone, self.row.paints)
        svg.close()
        for seat, places in sorted(plain.items()):
            draw_discs(svg, places, seat, self.row.paints, pieces)

    def _draw_names(self, svg: Svg, top: float, left: float, scale: float) -> None:
        step = 1 if self.columns <= 11 else 2
        for column in range(0, self.columns if self._slant >= 0 else 0, step):
            x = left + scale * (column + 0.5 - self._left)
            svg.text(x, top + EDGE - 5, self._column_name(column), 9, anchor="middle", fill="faint", most=3)
        for place in range(0, self.rows, step):
            first = min((field.column for field in self.fields if field.row == place), default=0)
            x = left + scale * self._x(FieldAt(place, first)) - 4
            y = top + EDGE + scale * (place * self._tall + 0.5) + 3
            svg.text(x, y, self._row_name(place), 9, anchor="end", fill="faint", most=3)

    def _column_name(self, column: int) -> str:
        letters = {"go": GO, "letter up": ascii_lowercase, "letter down": ascii_lowercase}.get(self.row.naming)
        if self.row.naming == "shogi":
            return str(self.columns - column)
        first = self.row.naming == "row, column from 1"
        return letters[column] if letters is not None and column < len(letters) else str(column + first)

    def _row_name(self, place: int) -> str:
        if self.row.naming in ("go", "letter up"):
            return str(self.rows - place)
        if self.row.naming in ("letter down", "row, column from 1"):
            return str(place + 1)
        if self.row.naming == "shogi":
            return ascii_lowercase[place]
        return "" if self.row.naming == "column" else str(place)

    def _draw_fields(self, svg: Svg) -> None:
        if self._slant:
            hexagons = "".join(_hexagon(self._x(field), field.row * self._tall) for field in sorted(self.fields))
            svg.path(hexagons, fill="field", stroke="line", stroke_width=0.05)
            if self.row.goals:
                self._draw_goals(svg)
            return
        svg.rect(0, 0, self.columns, self.rows, fill="sand" if self.row.crossings else "field")
        if self.row.chequered:
            dark = (field for field in self.fields if (field.row + field.column) % 2)
            svg.path("".join(f"M{one.column} {one.row}h1v1h-1z" for one in sorted(dark)), fill="sand")
        half = 0.5 if self.row.crossings else 0.0
        across, down = self.columns - 2 * half, self.rows - 2 * half
        every = range(self.columns + (0 if half else 1)), range(self.rows + (0 if half else 1))
        svg.path("".join(f"M{number(x + half)} {number(half)}v{number(down)}" for x in every[0])
                 + "".join(f"M{number(half)} {number(y + half)}h{number(across)}" for y in every[1]),
                 fill="none", stroke="line", stroke_width=0.04)  # fmt: skip
        if self.row.gap:
            lines = "".join(f"M{x} 0v{self.rows}" for x in range(0, self.columns + 1, self.row.gap))
            lines += "".join(f"M0 {y}h{self.columns}" for y in range(0, self.rows + 1, self.row.gap))
            svg.path(lines, fill="none", stroke="ink", stroke_width=0.07)

    def _draw_goals(self, svg: Svg) -> None:
        """Draw each edge in the paint of the seat that has to reach it."""
        last, low = self.columns - 1, (self.rows - 1) * self._tall
        above = "".join(_roof(self._x(FieldAt(0, column)), 0) for column in range(self.columns))
        below = "".join(_roof(self._x(FieldAt(self.rows - 1, column)), low, -1) for column in range(self.columns))
        sides = "".join(
            f"M{number(self._x(FieldAt(place, column)) + across)} {number(place * self._tall + 0.21)}v.58"
            for place in range(self.rows)
            for column, across in ((0, 0), (last, 1))
        )
        for paint, path in zip(self.row.paints, (above + below, sides), strict=False):
            svg.path(path, fill="none", stroke=paint, stroke_width=0.16)

    def _draw_offers(self, svg: Svg, plays: Sequence[Play]) -> set[int]:
        offered: defaultdict[FieldAt, list[int]] = defaultdict(list)
        begins: set[FieldAt] = set()
        for place, play in enumerate(plays):
            fields = list(dict.fromkeys(named_fields(self.row, play.text, self.rows)))
            begins.update(fields[:1] if len(fields) > 1 else ())
            for field in fields:
                offered[field].append(place)
        if are_in_turn(offered.values()):
            svg.is_clicked_in_turn()
        shown: set[int] = set()
        for field, places in sorted(offered.items()):
            # A move that names only a column, as in Connect Four: all of it can be clicked.
            if field.row < 0 and 0 <= field.column < self.columns:
                svg.offer_rect(field.column, 0, 1, self.rows, *places)
            elif field in self.fields:
                svg.offer_rect(self._x(field), field.row * self._tall, 1, 1, *places, begins=field in begins)
            else:
                continue
            shown.update(places)
        return shown

    def text(self, width: int) -> Sequence[Line]:
        lines = list(self._text_lines(2 if 4 + 2 * self._across <= width else 1))
        return [*lines, *((Span(clipped(line, width), "dim"),) for line in self._lines)]

    def _text_lines(self, step: int) -> Iterator[Line]:
        """Yield the rows; a field takes as many columns as a step is wide."""
        blank = " " * (step - 1)
        yield (Span("    " + blank.join(self._column_name(column)[-1:] for column in range(self.columns)), "dim"),)
        for place in range(self.rows):
            inset = round(step * (self._slant * place - self._left)) if self._slant else 0
            spans = [Span(f"{self._row_name(place):>3} " + " " * inset, "dim")]
            first = min((field.column for field in self.fields if field.row == place), default=0)
            spans.append(Span(" " * step * first if self._slant else ""))
            for column in range(first, self.columns):
                letter = self.fields.get(FieldAt(place, column))
                if letter is not None:
                    spans.append(self._span(FieldAt(place, column), letter))
                    spans.append(Span(blank))
            yield tuple(spans)

    def _span(self, field: FieldAt, letter: str) -> Span:
        stone = self.row.pieces.get(letter)
        if stone is None:
            return Span("·", "dim")
        style = "" if stone.seat is None else STYLES[stone.seat % 2]
        return Span(letter, f"{style} reverse" if field in self.last or field in self.won else style)

    def words(self) -> str:
        counts: defaultdict[str, int] = defaultdict(int)
        for letter in self.fields.values():
            if letter in self.row.pieces:
                counts[letter] += 1
        pieces = ", ".join(f"{count} {letter}" for letter, count in sorted(counts.items())) or "no pieces"
        rows = " / ".join(
            "".join(letter for field, letter in sorted(self.fields.items()) if field.row == place)
            for place in range(self.rows)
        )
        won = ", ".join(map(self._place, sorted(self.won)))
        decided = f" What has won lies on {won}." if won else ""
        return clipped(f"A board of {self.rows} rows: {pieces}.{decided} {rows}. {' '.join(self._lines)}", 1500)

    def _place(self, field: FieldAt) -> str:
        if self.row.naming == "column":  # its rows have no names
            return f"column {self._column_name(field.column)} ({self.rows - field.row} from below)"
        return f"{self._column_name(field.column)} {self._row_name(field.row)}".strip()

    def in_words(self, move: str) -> str:
        # The board shows whose piece it is; OpenSpiel puts its letter before the place.
        place = move.lstrip(ascii_lowercase)
        if self.row.naming == "column":
            return f"column {place}" if place.isdigit() else move
        inner = place.removeprefix("(").removesuffix(")")
        return inner if place == f"({inner})" and inner.replace(",", "").isdigit() else move


def _square(x: float, y: float) -> str:
    return f"M{number(x)} {number(y)}h1v1h-1z"


def _hexagon(x: float, y: float) -> str:
    return f"M{number(x + 0.5)} {number(y - 0.08)}l.5 .29v.58l-.5 .29l-.5 -.29v-.58z"


def _roof(x: float, y: float, down: int = 1) -> str:
    """The two upper edges of a hexagon, or with -1 the lower ones."""
    return f"M{number(x)} {number(y + (0.21 if down > 0 else 0.79))}l.5 {-0.29 * down}l.5 {0.29 * down}"


def named_fields(row: BoardRow, text: str, rows: int) -> Iterable[FieldAt]:
    """Return the fields that the text of a move names."""
    names = (match[0] if not match.groups() else match[1] for match in row.moves.finditer(text))
    found = (NAMINGS[row.naming](name, rows) for name in names)
    return [field for field in found if field is not None]


def grid_maker(row: BoardRow) -> BodyMaker:
    """Return what reads the boards of a game."""
    return partial(read_grid, row)


def read_grid(row: BoardRow, view: View) -> GridBody | None:
    """Return the board of a position; None where it is not printed as expected."""
    lines, rest = (_forsyth if row.forsyth else _printed)(row, view.board)
    shift = [max(0, place - len(lines) // 2) if row.shape == "hexagon left" else 0 for place in range(len(lines))]
    fields = {
        FieldAt(place, column + shift[place]): letter
        for place, line in enumerate(lines)
        for column, letter in enumerate(line)
    }
    if not fields or len(fields) > MAX_FIELDS:
        return None
    columns = max(field.column for field in fields) + 1
    last = next((event for event in reversed(view.events) if event.kind is EventKind.PLAY), None)
    named = named_fields(row, last.text, len(lines)) if last is not None else ()
    marked = frozenset(found for field in named if (found := _landed(row, fields, field)) in fields)
    return GridBody(row, fields, len(lines), columns, marked, rest, _won(row, view, fields))


def _landed(row: BoardRow, fields: Mapping[FieldAt, str], field: FieldAt) -> FieldAt:
    """Where the piece of a move lies that names a field, or only a column: there it lies on top."""
    if field.row >= 0:
        return field
    pieces = (one for one in sorted(fields) if one.column == field.column and fields[one] in row.pieces)
    return next(pieces, field)


def _won(row: BoardRow, view: View, fields: Mapping[FieldAt, str]) -> frozenset[FieldAt]:
    """The row or chain of the seat that has won by one; empty before."""
    if not (row.wins or row.goals) or not view.points or max(view.points) <= 0:
        return frozenset()
    winner = view.points.index(max(view.points))
    letters = {letter for letter, stone in row.pieces.items() if stone.seat == winner}
    own = {field for field, letter in fields.items() if letter in letters}
    if row.goals:
        across = winner % 2 == 1
        return chain(own, max(field.column if across else field.row for field in fields), across=across)
    return in_rows(own, _parameter(view.game, row.wins_named) or row.wins)


def _parameter(game: str, name: str) -> int:
    """A number that stands in the name of a game, such as ``connect_four(x_in_row=3)``; 0 where it does not."""
    parts = (part.partition("=") for part in game.partition("(")[2].removesuffix(")").split(","))
    return next((int(value) for key, _, value in parts if key == name and value.isdecimal()), 0)


def _printed(row: BoardRow, text: str) -> tuple[list[str], str]:
    lines: list[str] = []
    rest: list[str] = []
    for line in text.split("\n"):
        match = row.line.fullmatch(line.rstrip())
        if match is not None:
            lines.append(re.sub(r"[\s\[\]]", "", "".join(part for part in match.groups() if part)))
        # The names of columns stand in the picture anyway.
        elif lines and not _names_columns(line):
            rest.append(line)
    return lines, "\n".join(rest)


def _names_columns(line: str) -> bool:
    letters = "".join(line.split()).lower()
    return letters in ascii_lowercase or letters in GO


def _forsyth(row: BoardRow, text: str) -> tuple[list[str], str]:
    board, _, rest = text.partition(" ")
    # Pieces in hand, and the signs of promoted ones, are no fields.
    board = re.sub(r"\[[^\[\]]*\]|~", "", board)
    lines = [re.sub(r"\d+", lambda count: "." * int(count[0]), line) for line in board.split("/")]
    if any(set(line) - set(row.pieces) - {"."} and not re.fullmatch(r"[A-Za-z.+?]+", line) for line in lines):
        return [], ""
    return lines, rest


def board_row(table: Mapping[str, object]) -> BoardRow:
    """Return the content of a table of ``games.toml``."""
    pieces = table["pieces"]
    assert isinstance(pieces, dict)
    return BoardRow(
        re.compile(str(table.get("line", ""))),
        {letter: _stone(what) for letter, what in pieces.items()},
        re.compile(str(table["moves"])),
        str(table["naming"]),
        str(table.get("shape", "square")),
        tuple(str(table.get("paints", "red blue")).split()),
        bool(table.get("chequered", False)),
        bool(table.get("crossings", False)),
        bool(table.get("forsyth", False)),
        int(str(table.get("gap", 0))),
        bool(table.get("goals", False)),
        int(str(table.get("wins", 0))),
        str(table.get("wins_named", "")),
    )


def _stone(what: object) -> Stone:
    """Read ``"0"``, a piece of the first seat; ``"1 ♞"``, one of the second with a letter; ``"block"``; ``"- ?"``."""
    if what == "block":
        return BLOCK
    seat, _, label = str(what).partition(" ")
    return Stone(int(seat) if seat.isdigit() else None, label)
