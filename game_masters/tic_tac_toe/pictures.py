"""Pictures of five in line: crosses for the first seat, rings for the second, the last stone marked, and the row that
wins.

A state shows the last stone or the last two, all only in games that begin with some, so a follower remembers them. It
may miss some: what was put before it began to follow, and in records of older versions a player's stone that the
program answered at once, which only that player knows. What is missing is counted and shown.
"""

from collections.abc import ItemsView, Iterable, Iterator, Mapping, Sequence, ValuesView
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Final

from game_masters.kit.rules import BadOption, Unreadable
from game_masters.tic_tac_toe.notation import read_move, read_state, write_move
from game_masters.tic_tac_toe.rules import DIRECTIONS, OPTIONS, Cell
from ugs.pictures.contract import CannotDraw, Line, Offer, Picture, Scene, Shown, Span
from ugs.pictures.lettering import clipped, sentence
from ugs.pictures.svg import Svg, number
from ugs.pictures.words_once import words_once

SIGNS: Final = ("X", "O")
PAINTS: Final = ("red", "blue")
STYLES: Final = ("red", "blue")
CELLS_WITH_SHAPES: Final = 900
"""On larger boards stones are squares and dots, which take fewer bytes and can still be distinguished."""
MAX_SIDE: Final = 100
"""Fields of the longest side of a board."""

_WIDTH: Final = 320.0
_MARGIN: Final = 16.0
_ROW: Final = 22.0
_SHAPES: Final = (
    lambda x, y: f"M{x}.22 {y}.22l.56.56m0-.56l-.56.56",
    lambda x, y: f"M{x}.2 {y}.5a.3.3 0 1 0 .6 0a.3.3 0 1 0-.6 0",
)
_BY_ROW: Final = attrgetter("y", "x")


@lru_cache(maxsize=2 * CELLS_WITH_SHAPES)
def _shape(seat: int, x: int, y: int) -> str:
    """The stone of a seat on a field, as part of a path."""
    return _SHAPES[seat](x, y)


@dataclass(frozen=True, slots=True)
class Board:
    """What can be seen of one position."""

    scene: Scene
    width: int
    height: int
    row: int
    stones: Mapping[Cell, int]
    """Who owns which field."""
    last: Cell | None
    new: tuple[tuple[int, Cell], ...]
    """The stones that were put since the state before."""
    missing: int
    """The number of stones that were not shown, as far as that is known."""
    movers: tuple[int, ...]
    winners: frozenset[int] | None

    @property
    def line(self) -> Sequence[Cell]:
        """The longest row through the last stone, if it wins; else nothing."""
        if self.last is None or not self.winners:
            return ()
        rows = [self._through(self.last, dx, dy) for dx, dy in DIRECTIONS]
        longest = max(rows, key=len)
        return longest if len(longest) >= self.row else ()

    def _through(self, cell: Cell, dx: int, dy: int) -> list[Cell]:
        owner = self.stones[cell]
        found = [cell]
        for sign in (-1, 1):
            next = Cell(cell.x + sign * dx, cell.y + sign * dy)
            while self.stones.get(next) == owner:
                found.append(next)
                next = Cell(next.x + sign * dx, next.y + sign * dy)
        return sorted(found)

    def name(self, seat: int) -> str:
        """The nick of a seat, safe and not long."""
        seats = self.scene.seats
        return clipped(seats[seat].nick, 24) if seat < len(seats) else f"seat {seat + 1}"

    @property
    def standing(self) -> str:
        """Whose turn it is, or how the game ended."""
        if self.winners is None:
            return f"to move: {self.name(self.movers[0])} ({SIGNS[self.movers[0] % 2]})" if self.movers else ""
        if not self.winners:
            return "drawn"
        return f"won by {' and '.join(map(self.name, sorted(self.winners)))}"

    # --- what a picture is --------------------------------------------------------------------------------------------

    @words_once
    def words(self) -> str:
        """Return the position in sentences."""
        owners = list(self.stones.values())
        counts = [owners.count(seat) for seat in (0, 1)]
        sentences = [
            f"A board of {self.width} columns and {self.height} rows, counted from 0; {self.row} in a row win.",
            f"{self.name(0)} has {_counted(counts[0], 'cross', 'crosses')}, "
            f"{self.name(1)} {_counted(counts[1], 'ring', 'rings')}.",
        ]
        if self.last is not None:
            sentences.append(f"The last stone, of {self.name(self.stones[self.last])}, is on {_place(self.last)}.")
        if self.line:
            sentences.append(f"The row from {_place(self.line[0])} to {_place(self.line[-1])} wins.")
        if self.missing:
            sentences.append(f"{_counted(self.missing, 'stone is', 'stones are')} not known.")
        if self.standing:
            sentences.append(sentence(self.standing, self.scene))
        stones = sorted(self.stones.items(), key=lambda stone: (stone[0].x, stone[0].y))
        for seat in (0, 1):
            own = " ".join([f"{cell.x},{cell.y}" for cell, owner in stones if owner == seat])
            sentences.append(f"{SIGNS[seat]}: {own or 'none'}.")
        return " ".join(sentences)

    def news(self) -> Sequence[str]:
        """Return who has put which stone."""
        return [f"{self.name(seat)} puts {SIGNS[seat]} on {cell}" for seat, cell in self.new]

    def offers(self, seat: int) -> Sequence[Offer]:
        """Return all free fields, column by column."""
        if seat not in self.movers or self.winners is not None:
            return ()
        return [Offer(f"{SIGNS[seat % 2]} on {cell}", write_move(cell)) for cell in self._free()]

    def _free(self) -> list[Cell]:
        fields = (Cell(x, y) for x in range(self.width) for y in range(self.height))
        return [cell for cell in fields if cell not in self.stones]

    # --- terminal -----------------------------------------------------------------------------------------------------

    def text(self, width: int) -> Sequence[Line]:
        """Return the board, or as much of it around the last stone as fits."""
        step = 2 if 4 + 2 * self.width <= width else 1
        xs = _window(self.width, (width - 4) // step, self.last.x if self.last is not None else 0)
        line = set(self.line)
        lines = [*self._legend(width), self._heading(xs, step)]
        for y in range(self.height):
            fields = (self._field(Cell(x, y), line) for x in xs)
            lines.append((Span(f"{y:>3} ", "dim"), *_joined(fields, " " * (step - 1))))
        return lines

    def _legend(self, width: int) -> Iterator[Line]:
        for seat in (0, 1):
            turn = "> " if seat in self.movers and self.winners is None else "  "
            won = " won" if self.winners and seat in self.winners else ""
            yield (Span(turn, "bold"), Span(SIGNS[seat], f"bold {STYLES[seat]}"), Span(f" {self.name(seat)}{won}"))
        if self.winners is not None and not self.winners:
            yield (Span("  drawn", "bold"),)
        if self.missing:
            yield (Span(f"  {_counted(self.missing, 'stone is', 'stones are')} not known", "dim"),)
        yield ()

    def _heading(self, xs: range, step: int) -> Line:
        text = ""
        for x in xs:
            if x % 5 == 0:
                text = text.ljust((x - xs[0]) * step) + str(x)
        return (Span(f"    {clipped(text, len(xs) * step) if text else ''}", "dim"),)

    def _field(self, cell: Cell, line: set[Cell]) -> tuple[str, str]:
        """A field as a sign and its style."""
        owner = self.stones.get(cell)
        if owner is None:
            return "·", "dim"
        if cell == self.last:
            return SIGNS[owner], f"bold {STYLES[owner]} reverse"
        return SIGNS[owner], f"bold {STYLES[owner]} underline" if cell in line else STYLES[owner]

    def place(self, cell: str) -> tuple[float, float, float] | None:
        """Return the middle and the width of a field such as ``9,10``; None if there is no such field."""
        column, _, row = cell.partition(",")
        if not (column.isdecimal() and row.isdecimal() and len(cell) <= 8):
            return None
        x, y = int(column), int(row)
        scale = (_WIDTH - 2 * _MARGIN) / max(self.width, self.height)
        left, top = (_WIDTH - scale * self.width) / 2, 2 * _ROW + 20
        return (
            (left + scale * (x + 0.5), top + scale * (y + 0.5), scale) if x < self.width and y < self.height else None
        )

    # --- SVG ----------------------------------------------------------------------------------------------------------

    def svg(self, prefix: str, seat: int | None = None) -> str:
        """Return the board with its legend above."""
        scale = (_WIDTH - 2 * _MARGIN) / max(self.width, self.height)
        left = (_WIDTH - scale * self.width) / 2
        top = 2 * _ROW + 20
        drawn = Svg(prefix, _WIDTH, top + scale * self.height + _MARGIN, f"Board: {self.standing}", self.words())
        drawn.rect(0, 0, _WIDTH, top + scale * self.height + _MARGIN, round=8, fill="ground")
        self._draw_legend(drawn)
        drawn.rect(left, top, scale * self.width, scale * self.height, fill="field")
        drawn.always(_draw_numbers, self.width, self.height, left, top, scale)
        drawn.open(transform=f"translate({number(left)} {number(top)}) scale({scale:.4f})")
        drawn.always(_draw_grid, self.width, self.height, scale)
        self._draw_marks(drawn, scale)
        self._draw_stones(drawn)
        if seat is not None and self.offers(seat):
            for place, cell in enumerate(self._free()):
                drawn.offer_rect(cell.x, cell.y, 1, 1, place)
        drawn.close()
        return drawn.drawn()

    def _draw_legend(self, drawn: Svg) -> None:
        for seat in (0, 1):
            y = 8 + _ROW * seat
            turn = seat in self.movers and self.winners is None
            won = self.winners is not None and seat in self.winners
            if turn or won:
                drawn.rect(8, y, _WIDTH - 16, _ROW - 2, round=5, fill="field", stroke="line", stroke_width=0.75)
            drawn.open(transform=f"translate(14 {number(y + 2)}) scale(16)")
            drawn.path(
                _SHAPES[seat](0, 0),
                fill="none",
                stroke=f"{PAINTS[seat]}-line",
                stroke_width=0.17,
                stroke_linecap="round",
            )
            drawn.close()
            name = clipped(self.name(seat), 20)
            drawn.text(36, y + 15, name, 14, font_weight="600" if turn or won else None)
            word = "won" if won else "to move" if turn else ""
            if word:
                drawn.text(
                    _WIDTH - 14, y + 15, word, 12, anchor="end", fill="mark" if won else "faint", font_weight="600"
                )
        if self.missing or (self.winners is not None and not self.winners):
            missing = f"{_counted(self.missing, 'stone', 'stones')} not known" if self.missing else ""
            word = "drawn" if self.winners is not None and not self.winners else ""
            drawn.text(_WIDTH - 14, 23, ", ".join(filter(None, (word, missing))), 12, anchor="end", fill="faint")

    def _draw_marks(self, drawn: Svg, scale: float) -> None:
        if self.line:
            first, last = self.line[0], self.line[-1]
            ends = f"M{first.x}.5 {first.y}.5L{last.x}.5 {last.y}.5"
            drawn.path(ends, fill="none", stroke="mark", stroke_width=0.9, stroke_linecap="round", stroke_opacity=0.25)
        if self.last is not None:
            x, y = self.last.x, self.last.y
            drawn.rect(x, y, 1, 1, fill="mark", fill_opacity=0.14, stroke="mark", stroke_width=min(1.6 / scale, 0.3))

    def _draw_stones(self, drawn: Svg) -> None:
        for seat in (0, 1):
            own = sorted([cell for cell, owner in self.stones.items() if owner == seat], key=_BY_ROW)
            if not own:
                continue
            paint = f"{PAINTS[seat]}-line"
            if self.width * self.height <= CELLS_WITH_SHAPES:
                shapes = "".join([_shape(seat, cell.x, cell.y) for cell in own])
                drawn.path(
                    shapes, data_pieces="placed", fill="none", stroke=paint, stroke_width=0.16, stroke_linecap="round"
                )
            else:
                cap = ("square", "round")[seat]
                width = (0.36, 0.7)[seat]
                drawn.open(transform="translate(.5 .5)")
                drawn.path(_dots(own), fill="none", stroke=paint, stroke_width=width, stroke_linecap=cap)
                drawn.close()


def _draw_numbers(drawn: Svg, columns: int, rows: int, left: float, top: float, scale: float) -> None:
    every = 1 if max(columns, rows) <= 10 else 5 if max(columns, rows) <= 40 else 10
    for x in range(0, columns, every):
        drawn.text(left + scale * (x + 0.5), top - 4, str(x), 9, anchor="middle", fill="faint")
    for y in range(0, rows, every):
        drawn.text(left - 3, top + scale * (y + 0.5) + 3, str(y), 9, anchor="end", fill="faint")


def _draw_grid(drawn: Svg, columns: int, rows: int, scale: float) -> None:
    lines = "".join(f"M{x} 0v{rows}" for x in range(columns + 1))
    lines += "".join(f"M0 {y}h{columns}" for y in range(rows + 1))
    drawn.path(lines, fill="none", stroke="line", stroke_width=min(0.75 / scale, 0.2))


def follow(scene: Scene) -> "BoardFollower":
    """Return a follower for one game: the renderer."""
    return BoardFollower(scene)


class _Laid:
    """The stones of one game in the order of placement: all its positions share them."""

    def __init__(self) -> None:
        self.owners: dict[Cell, int] = {}
        self._order: list[tuple[Cell, int]] = []
        self._looked_at: tuple[int, Mapping[Cell, int]] = 0, {}
        """The position that was looked at last: a picture asks for its stones many times."""

    def put(self, cell: Cell, owner: int) -> None:
        """One more stone."""
        self.owners[cell] = owner
        self._order.append((cell, owner))

    def until(self, count: int) -> Mapping[Cell, int]:
        """The first ``count`` stones."""
        if self._looked_at[0] != count:
            self._looked_at = count, dict(self._order[:count])
        return self._looked_at[1]


class _First(Mapping[Cell, int]):
    """The first stones of a game, for as long as a position needs them."""

    def __init__(self, laid: _Laid) -> None:
        self._laid = laid
        self._count = len(laid.owners)

    def __getitem__(self, cell: Cell) -> int:
        return self._laid.until(self._count)[cell]

    def __iter__(self) -> Iterator[Cell]:
        return iter(self._laid.until(self._count))

    def __len__(self) -> int:
        return self._count

    def items(self) -> ItemsView[Cell, int]:
        """The stones, without a search for each of them."""
        return self._laid.until(self._count).items()

    def values(self) -> ValuesView[int]:
        """Who owns the stones."""
        return self._laid.until(self._count).values()


class BoardFollower:
    """Remembers the stones of one game."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._width, self._height, self._row = (_option(scene.options, option.name) for option in OPTIONS)
        self._laid = _Laid()
        self._missing = 0

    def __call__(self, shown: Shown) -> Picture:
        """Take a state. Raises CannotDraw if it is not one of this game."""
        try:
            cells, board = read_state(shown.payload)
        except Unreadable as error:
            raise CannotDraw(str(error)) from error
        if board is not None:
            # States may come from strangers: nothing larger is drawn.
            self._width, self._height, self._row = (min(size, MAX_SIDE) for size in board)
        own, viewer = _own_stone(shown), self._scene.viewer
        new: list[tuple[int, Cell]] = []
        cell = cells[-1] if cells else None
        if board is not None:  # all stones of a game that began with some, in order
            begins = not self._laid.owners
            for place, one in enumerate(cells):
                self._put_new(one, place % 2, new)
            if begins:  # they are no moves
                new.clear()
        elif len(cells) == 2:  # the last two: the players take turns
            owner = 1 - self._last_owner if self._laid.owners else 1 - self._owner(shown)
            for one in cells:
                owner = 1 - owner if self._put_new(one, owner, new) else owner
        elif cell is not None and cell not in self._laid.owners:  # no new stone: the viewer's move was none
            if own is not None and viewer is not None and own != cell:
                self._put(own, viewer % 2, new)
            self._put(cell, viewer % 2 if viewer is not None and own == cell else self._owner(shown), new)
        return Board(
            self._scene,
            self._width,
            self._height,
            self._row,
            _First(self._laid),
            next(reversed(self._laid.owners), None) if cell is None else cell,
            tuple(new),
            self._missing,
            shown.movers,
            shown.winners,
        )

    def _owner(self, shown: Shown) -> int:
        """Whose the last stone is: the other's than who is to move; at the end the winner's, or that of the side whom a
        full board gives the last one."""
        if shown.movers:
            return 1 - shown.movers[0] % 2
        if shown.winners:
            return min(shown.winners) % 2
        return 1 - self._width * self._height % 2

    @property
    def _last_owner(self) -> int:
        return next(reversed(self._laid.owners.values()), 1)

    def _put_new(self, cell: Cell, owner: int, new: list[tuple[int, Cell]]) -> bool:
        """Put a stone that is not known yet; whether it was not."""
        known = cell in self._laid.owners
        if not known:
            self._put(cell, owner, new)
        return not known

    def _put(self, cell: Cell, owner: int, new: list[tuple[int, Cell]]) -> None:
        if not (0 <= cell.x < MAX_SIDE and 0 <= cell.y < MAX_SIDE):
            raise CannotDraw(f"{cell} is on no board")
        if self._last_owner == owner:
            self._missing += 1  # the players take turns, so at least one stone was not shown
        self._laid.put(cell, owner)
        # Where the options are not known, the board grows with its stones.
        self._width, self._height = max(self._width, cell.x + 1), max(self._height, cell.y + 1)
        new.append((owner, cell))


def _own_stone(shown: Shown) -> Cell | None:
    """The field that the viewer named since the last state; None if it named none, or none that can be read."""
    try:
        return read_move(shown.own_move) if shown.own_move else None
    except Unreadable:
        return None


def _option(options: Mapping[str, str], name: str) -> int:
    """Return the value of an option; that of the rules if it is not known."""
    option = next(option for option in OPTIONS if option.name == name)
    try:
        value = option.parse(options[name]) if name in options else option.default
    except BadOption:
        value = option.default
    return int(value)


def _window(size: int, room: int, about: int) -> range:
    """Return as many of ``size`` columns as there is room for, with ``about`` in the middle where that is possible."""
    first = max(0, min(about - room // 2, size - room))
    return range(first, min(first + room, size))


def _dots(cells: Sequence[Cell]) -> str:
    """Return a path of points, in rows: relative steps are short."""
    parts: list[str] = []
    before: Cell | None = None
    for cell in cells:
        same_row = before is not None and before.y == cell.y
        parts.append(f"m{cell.x - before.x} 0z" if same_row and before is not None else f"M{cell.x} {cell.y}z")
        before = cell
    return "".join(parts)


def _joined(fields: Iterable[tuple[str, str]], gap: str) -> Iterator[Span]:
    """Yield fields with gaps between them, those of one style beside each other as one span."""
    for style, beside in groupby(fields, key=itemgetter(1)):
        text = gap.join(sign for sign, _ in beside)
        yield Span(text, style)
        yield Span(gap)


def _place(cell: Cell) -> str:
    return f"column {cell.x}, row {cell.y}"


def _counted(count: int, one: str, more: str) -> str:
    return f"{count} {one if count == 1 else more}"
