"""Five in line: two players take turns at putting stones on a board; five or more of one's own in a row win.

Rows count in all four directions: horizontal, vertical, both diagonals. The first seat begins. A player who names a
field that is taken or outside the board loses at once, and so does one whose move cannot be read. A full board without
a row is a draw. When a player leaves, the other one wins. Board size and row length are options.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from game_masters.kit.rules import BadOption, Option, Options, Outcome, RuleBroken, State, Table, Unreadable

DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))
"""The directions of rows: one of each pair of opposite ones."""

OPTIONS = (
    Option("width", 20, "columns of the board, x from 0", range(3, 101)),
    Option("height", 20, "rows of the board, y from 0", range(3, 101)),
    Option("row", 5, "stones in a row that win; more win too", range(3, 11)),
)


def check_options(options: Options) -> None:
    """A row must fit on the board. Raises BadOption."""
    longest = max(options.integer("width"), options.integer("height"))
    if options.integer("row") > longest:
        raise BadOption(f"option row: {options.integer('row')} does not fit on the board; allowed: 3 to {longest}")


class Termination(StrEnum):
    """Why a game ended."""

    ROW = "row completed"
    BOARD_FULL = "board full"
    ILLEGAL_MOVE = "illegal move"
    UNREADABLE_MOVE = "unreadable move"
    PLAYER_LEFT = "player left"


@dataclass(frozen=True, slots=True, order=True)
class Cell:
    """A field of the board, and the move that puts a stone there."""

    x: int
    y: int

    def __str__(self) -> str:
        return f"{self.x},{self.y}"


@dataclass(frozen=True, slots=True)
class Event:
    """One entry of the record: what a seat did, and where, if it put a stone."""

    seat: int
    what: str
    cell: Cell | None = None

    def __str__(self) -> str:
        where = f" {self.cell}" if self.cell is not None else ""
        return f"seat {self.seat} {self.what}{where}"


@dataclass(frozen=True, slots=True)
class View:
    """What all see: the board, and all stones in the order of placement, beginning with seat 0."""

    width: int
    height: int
    row: int
    stones: tuple[Cell, ...]
    whole: bool = False
    """Whether the game began with stones on the board: then each state shows all of them."""
    pairs: bool = field(default=False, compare=False)
    """Whether the program plays: it answers at once, so each state shows the last two stones."""

    @property
    def to_move(self) -> tuple[Cell, ...]:
        """The stones of the side whose turn it is."""
        return self.stones[len(self.stones) % 2 :: 2]

    @property
    def waiting(self) -> tuple[Cell, ...]:
        """The stones of the side that moved last."""
        return self.stones[(len(self.stones) + 1) % 2 :: 2]


class Position(State[Cell, View]):
    """A board with its stones."""

    def __init__(self, table: Table, rng: random.Random) -> None:
        """Set up an empty board, or the stones of a fixture. Nothing here depends on chance."""
        self._width = table.options.integer("width")
        self._height = table.options.integer("height")
        self._row = table.options.integer("row")
        stones: tuple[Cell, ...] = table.fixture or ()
        self._owners: dict[Cell, int] = {cell: place % 2 for place, cell in enumerate(stones)}
        self._begins_with_stones = bool(stones)
        self._program_plays = bool(table.programs)
        self._record: list[Event] = []
        self._outcome: Outcome | None = None

    @property
    def movers(self) -> tuple[int, ...]:
        """The seat whose turn it is; the players take turns."""
        return (len(self._owners) % 2,) if self._outcome is None else ()

    @property
    def outcome(self) -> Outcome | None:
        """The outcome, decided by the last call that changed the state."""
        return self._outcome

    @property
    def record(self) -> Sequence[Event]:
        """Stones, faults and departures."""
        return self._record

    def legal_moves(self, seat: int) -> Sequence[Cell]:
        """The free fields, column by column."""
        if seat not in self.movers:
            return ()
        fields = (Cell(x, y) for x in range(self._width) for y in range(self._height))
        return [cell for cell in fields if cell not in self._owners]

    def apply(self, seat: int, move: Cell) -> None:
        """Put a stone. Raises RuleBroken out of turn, outside the board and on a taken field."""
        if seat not in self.movers:
            raise RuleBroken(f"it is not the turn of seat {seat}")
        if not (0 <= move.x < self._width and 0 <= move.y < self._height):
            raise RuleBroken(f"{move} is outside the board of {self._width} x {self._height}")
        if move in self._owners:
            raise RuleBroken(f"{move} is taken")
        self._owners[move] = seat
        self._record.append(Event(seat, "puts a stone on", move))
        # First: a row on the last free field wins.
        if row := self._completed_row(move, seat):
            words = f"{len(row)} in a row from {row[0]} to {row[-1]}"
            self._outcome = Outcome(Termination.ROW, frozenset({seat}), words=words)
        elif len(self._owners) == self._width * self._height:
            self._outcome = Outcome(Termination.BOARD_FULL, frozenset(), drawn=True)

    def fault(self, seat: int, cause: RuleBroken | Unreadable) -> None:
        """A bad move loses."""
        reason = Termination.ILLEGAL_MOVE if isinstance(cause, RuleBroken) else Termination.UNREADABLE_MOVE
        self._lose(seat, f"makes an {reason}", reason)

    def leave(self, seat: int) -> None:
        """The other player wins."""
        self._lose(seat, "leaves", Termination.PLAYER_LEFT)

    def view(self, seat: int | None, since: int = 0) -> View:
        """Return the whole board: all see everything."""
        # The dict keeps them in the order of placement.
        stones = tuple(self._owners)
        return View(self._width, self._height, self._row, stones, self._begins_with_stones, self._program_plays)

    def _lose(self, seat: int, what: str, termination: Termination) -> None:
        self._record.append(Event(seat, what))
        self._outcome = Outcome(termination, frozenset({1 - seat}))

    def _completed_row(self, cell: Cell, seat: int) -> list[Cell]:
        """Return the row that the new stone stands in, from end to end, if it is long enough; else nothing."""
        for dx, dy in DIRECTIONS:
            before, after = self._run(cell, -dx, -dy, seat), self._run(cell, dx, dy, seat)
            # More than enough stones win too, unlike in standard gomoku.
            if before + 1 + after >= self._row:
                return [Cell(cell.x + step * dx, cell.y + step * dy) for step in range(-before, after + 1)]
        return []

    def _run(self, cell: Cell, dx: int, dy: int, seat: int) -> int:
        """Return how many stones of ``seat`` follow ``cell`` in one direction; the one on ``cell`` does not count."""
        length = 0
        while self._owners.get(Cell(cell.x + (length + 1) * dx, cell.y + (length + 1) * dy)) == seat:
            length += 1
        return length

    def __str__(self) -> str:
        """Show the part of the board that has stones and one field around it, with the numbers of columns and rows."""
        xs = [cell.x for cell in self._owners] or [self._width // 2]
        ys = [cell.y for cell in self._owners] or [self._height // 2]
        columns = range(max(min(xs) - 1, 0), min(max(xs) + 2, self._width))
        rows = range(max(min(ys) - 1, 0), min(max(ys) + 2, self._height))
        lines = ["    " + "".join(f"{x:3}" for x in columns)]
        for y in rows:
            signs = (self._owners.get(Cell(x, y)) for x in columns)
            lines.append(f"{y:4}" + "".join("  ." if sign is None else "  " + "XO"[sign] for sign in signs))
        return "\n".join(lines)
