"""Go by area rules: stones and surrounded points count, no position of the whole board may come twice, two passes end.

Seat 0 is Black and begins. A move that fills one's own last liberty without taking stones is not allowed, nor is one
that makes a position of the board again (positional superko). All stones on the board at the end are alive: players
take dead ones before they pass. A player who makes an illegal or unreadable move, resigns or leaves has lost. White
gets komi, in half points; with a whole number of points a game can be drawn.
"""

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import Final

from game_masters.kit.rules import Option, Outcome, RuleBroken, State, Table, Unreadable

COLOURS: Final = ("black", "white")
COLUMNS: Final = "ABCDEFGHJKLMNOPQRST"
"""The letters of columns: I is left out."""
EMPTY: Final = 2
MOVES_PER_POINT: Final = 3
"""A game ends after this many moves for each point of the board, if the players do not end it."""

OPTIONS: Final = (
    Option("size", "9", "lines of the board", ("9", "13", "19")),
    Option("komi2", 15, "White's points for moving second, in half points: 15 are 7.5", range(-200, 201)),
)


class Termination(StrEnum):
    """Why a game ended."""

    PASSES = "two passes"
    MOVE_LIMIT = "move limit"
    RESIGNED = "resignation"
    ILLEGAL_MOVE = "illegal move"
    UNREADABLE_MOVE = "unreadable move"
    PLAYER_LEFT = "player left"


@dataclass(frozen=True, slots=True)
class GoMove:
    """A point such as ``D4``, ``pass`` or ``resign``."""

    vertex: str

    def __str__(self) -> str:
        return self.vertex


PASS: Final = GoMove("pass")
RESIGN: Final = GoMove("resign")


@dataclass(frozen=True, slots=True)
class Event:
    """One entry of the record."""

    seat: int
    what: str
    move: GoMove | None = None

    def __str__(self) -> str:
        words = f" {self.move}" if self.move is not None else ""
        return f"{COLOURS[self.seat]} {self.what}{words}"


@dataclass(frozen=True, slots=True)
class View:
    """What all see."""

    size: int
    komi2: int
    rows: tuple[str, ...]
    """From above; ``X`` is Black, ``O`` White."""
    turn: int
    """The seat to move."""
    moves: tuple[str, ...]
    """All moves, in order."""
    setup: tuple[tuple[str, ...], tuple[str, ...]]
    """Stones that were on the board before the first move: those of Black, those of White."""
    banned: tuple[str, ...]
    """Empty points that may not be played on now."""
    over: bool = False
    before: int = field(default=0, compare=False)
    """How many of the moves the reader has had before."""

    @property
    def stones(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The points with stones of Black and of White."""
        signs = "".join(reversed(self.rows))
        black, white = (
            tuple(name_of(point, self.size) for point, sign in enumerate(signs) if sign == own) for own in "XO"
        )
        return black, white

    @property
    def legal(self) -> tuple[str, ...]:
        """All moves but giving up; none when the game is over."""
        if self.over:
            return ()
        points = (name_of(point, self.size) for point, sign in enumerate("".join(reversed(self.rows))) if sign == ".")
        banned = set(self.banned)
        return (*(one for one in points if one not in banned), PASS.vertex)


@dataclass(frozen=True, slots=True)
class Beginning:
    """How a game begins from a fixture."""

    setup: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    moves: tuple[str, ...] = ()
    turn: int | None = None
    """The seat that begins; None: Black, or White where only Black has stones."""


class GoBoard:
    """Stones on points, which are numbered row by row from A1; all positions so far."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.stones = bytearray([EMPTY]) * (size * size)
        """For each point the seat whose stone lies there, or EMPTY."""
        self._seen: set[bytes] = {bytes(self.stones)}

    @classmethod
    def with_stones(cls, size: int, stones: Sequence[Sequence[str]]) -> "GoBoard":
        """Return a board with these stones of Black and of White. Raises RuleBroken for a point that it has not."""
        board = cls(size)
        for seat, vertices in enumerate(stones):
            for vertex in vertices:
                board.put(point_of(vertex, size), seat)
        return board

    def put(self, point: int, seat: int) -> None:
        """Put a stone before the game: what has no liberty then is the caller's mistake."""
        self.stones[point] = seat

    def begins(self) -> None:
        """The position as it is must not come again."""
        self._seen = {bytes(self.stones)}

    def play(self, point: int, seat: int) -> None:
        """Put a stone and take what has no liberty. Raises RuleBroken, and has changed nothing then."""
        after = self.after(point, seat)
        if isinstance(after, str):
            raise RuleBroken(f"{name_of(point, self.size)} {after}")
        self.stones = bytearray(after)
        self._seen.add(after)

    def after(self, point: int, seat: int) -> bytes | str:
        """The stones after a move, or why it is not allowed."""
        if self.stones[point] != EMPTY:
            return "is taken"
        around = neighbours(self.size)
        stones = self.stones
        taken: set[int] = set()
        lives = False
        for beside in around[point]:
            owner = stones[beside]
            if owner == EMPTY:
                lives = True
            elif owner == seat:
                lives = lives or self._breathes(beside, point)
            elif beside not in taken and not self._breathes(beside, point):
                taken.update(self.group(beside))
        # A stone that takes others has their points as liberties.
        if not lives and not taken:
            return "is suicide"
        after = bytearray(stones)
        after[point] = seat
        for one in taken:
            after[one] = EMPTY
        found = bytes(after)
        # Only the stones count, not whose turn it is: that is positional superko.
        return "makes a position again" if found in self._seen else found

    def group(self, point: int) -> set[int]:
        """The stones that are connected with the one on ``point``."""
        owner, around = self.stones[point], neighbours(self.size)
        found, rim = {point}, [point]
        while rim:
            for beside in around[rim.pop()]:
                if beside not in found and self.stones[beside] == owner:
                    found.add(beside)
                    rim.append(beside)
        return found

    def breathes(self, point: int) -> bool:
        """Whether the group on ``point`` has a liberty."""
        return self._breathes(point, -1)

    def _breathes(self, point: int, without: int) -> bool:
        """Whether the group on ``point`` has a liberty besides ``without``."""
        owner, around, stones = self.stones[point], neighbours(self.size), self.stones
        found, rim = {point}, [point]
        while rim:
            for beside in around[rim.pop()]:
                if stones[beside] == EMPTY:
                    if beside != without:
                        return True
                elif stones[beside] == owner and beside not in found:
                    found.add(beside)
                    rim.append(beside)
        return False

    def banned(self, seat: int) -> Iterator[int]:
        """The empty points that ``seat`` may not play on."""
        around, stones = neighbours(self.size), self.stones
        for point, owner in enumerate(stones):
            if owner != EMPTY:
                continue
            # Beside an empty point, and with nothing to take, a stone lives: only a repetition can forbid it.
            lives = any(stones[beside] == EMPTY for beside in around[point])
            takes = any(stones[beside] == 1 - seat and not self._breathes(beside, point) for beside in around[point])
            if lives and not takes and not self._is_old(point, seat):
                continue
            if isinstance(self.after(point, seat), str):
                yield point

    def _is_old(self, point: int, seat: int) -> bool:
        """Whether a stone there, which takes nothing, makes a position again."""
        self.stones[point] = seat
        found = bytes(self.stones) in self._seen
        self.stones[point] = EMPTY
        return found

    def score(self) -> tuple[int, int]:
        """The area of both: their stones, and the points that only theirs surround."""
        area = [self.stones.count(0), self.stones.count(1)]
        around, seen = neighbours(self.size), set[int]()
        for point, owner in enumerate(self.stones):
            if owner != EMPTY or point in seen:
                continue
            space, rim, owners = {point}, [point], set[int]()
            while rim:
                for beside in around[rim.pop()]:
                    stone = self.stones[beside]
                    if stone != EMPTY:
                        owners.add(stone)
                    elif beside not in space:
                        space.add(beside)
                        rim.append(beside)
            seen |= space
            if len(owners) == 1:
                area[owners.pop()] += len(space)
        return area[0], area[1]

    def rows(self) -> tuple[str, ...]:
        """The rows from above."""
        signs = "".join("XO."[owner] for owner in self.stones)
        return tuple(signs[row * self.size : (row + 1) * self.size] for row in reversed(range(self.size)))


class Match(State[GoMove, View]):
    """One game."""

    def __init__(self, table: Table, rng: random.Random) -> None:
        """Set up an empty board, or that of a fixture. Nothing depends on chance."""
        size = int(table.options.word("size"))
        beginning: Beginning = table.fixture or Beginning()
        self._board = GoBoard.with_stones(size, beginning.setup)
        self._komi2 = table.options.integer("komi2")
        self._setup = beginning.setup
        self._board.begins()
        black, white = beginning.setup
        # Black's stones alone are a handicap: then White begins.
        self._turn = beginning.turn if beginning.turn is not None else int(bool(black) and not white)
        self._moves: list[str] = []
        self._moves_then: list[int] = []
        self._banned: tuple[str, ...] | None = None
        self._record: list[Event] = []
        self._outcome: Outcome | None = None
        # Not in the record: they were made before the players were asked.
        for vertex in beginning.moves:
            self._make(GoMove(vertex))

    @property
    def movers(self) -> tuple[int, ...]:
        """The side to move."""
        return (self._turn,) if self._outcome is None else ()

    @property
    def outcome(self) -> Outcome | None:
        """How it ended."""
        return self._outcome

    @property
    def record(self) -> Sequence[Event]:
        """Moves, faults and departures."""
        return self._record

    @property
    def labels(self) -> Sequence[str]:
        """The colours."""
        return COLOURS

    @property
    def score(self) -> tuple[int, int]:
        """The area of both, without komi."""
        return self._board.score()

    def legal_moves(self, seat: int) -> Sequence[GoMove]:
        """All points that may be played on, from A1, and the pass."""
        return [GoMove(vertex) for vertex in self.view(seat).legal] if seat in self.movers else ()

    def is_open(self, move: GoMove) -> bool:
        """The game can be given up at any time."""
        return move == RESIGN

    def apply(self, seat: int, move: GoMove) -> None:
        """Make a move. Raises RuleBroken."""
        if seat not in self.movers:
            raise RuleBroken(f"it is not the turn of {COLOURS[seat]}")
        if move == RESIGN:
            self._note(seat, "gives up")
            self._outcome = Outcome(Termination.RESIGNED, frozenset({1 - seat}))
            return
        self._make(move)
        self._note(seat, "plays", move)

    def fault(self, seat: int, cause: RuleBroken | Unreadable) -> None:
        """A bad move loses."""
        reason = Termination.ILLEGAL_MOVE if isinstance(cause, RuleBroken) else Termination.UNREADABLE_MOVE
        self._lose(seat, f"makes an {reason}", reason)

    def leave(self, seat: int) -> None:
        """The other side wins."""
        self._lose(seat, "leaves", Termination.PLAYER_LEFT)

    def view(self, seat: int | None, since: int = 0) -> View:
        """Return the board with all moves; only those since ``since`` are sent."""
        over = self._outcome is not None
        # Looked for only if asked, and once: every empty point is tried.
        if self._banned is None:
            size = self._board.size
            self._banned = tuple(name_of(point, size) for point in self._board.banned(self._turn))
        before = self._moves_then[min(since, len(self._moves_then)) - 1] if since and self._moves_then else 0
        banned = () if over else self._banned
        rows, moves = self._board.rows(), tuple(self._moves)
        return View(self._board.size, self._komi2, rows, self._turn, moves, self._setup, banned, over, before)

    def _make(self, move: GoMove) -> None:
        if move != PASS:
            self._board.play(point_of(move.vertex, self._board.size), self._turn)
        self._moves.append(move.vertex)
        self._turn = 1 - self._turn
        self._banned = None
        if self._moves[-2:] == [PASS.vertex] * 2:
            self._count(Termination.PASSES)
        elif len(self._moves) >= MOVES_PER_POINT * self._board.size**2:
            self._count(Termination.MOVE_LIMIT)

    def _count(self, termination: Termination) -> None:
        black, white = self._board.score()
        # In half points, as komi is, so that there are no fractions.
        margin = 2 * (black - white) - self._komi2
        winners = frozenset({0 if margin > 0 else 1}) if margin else frozenset[int]()
        self._outcome = Outcome(termination, winners, drawn=not winners)

    def _note(self, seat: int, what: str, move: GoMove | None = None) -> None:
        self._record.append(Event(seat, what, move))
        self._moves_then.append(len(self._moves))

    def _lose(self, seat: int, what: str, termination: Termination) -> None:
        self._note(seat, what)
        self._outcome = Outcome(termination, frozenset({1 - seat}))

    def __str__(self) -> str:
        """Show the board, and the area of both."""
        black, white = self._board.score()
        return "\n".join([*self._board.rows(), f"area {black} to {white}, komi {self._komi2 / 2:g}"])


def name_of(point: int, size: int) -> str:
    """The name of a point: letter of its column, number of its row from below."""
    row, column = divmod(point, size)
    return f"{COLUMNS[column]}{row + 1}"


def point_of(vertex: str, size: int) -> int:
    """The number of a point. Raises RuleBroken where the board has none of this name."""
    column = COLUMNS.find(vertex[:1])
    row = int(vertex[1:]) - 1 if vertex[1:].isdecimal() and len(vertex) < 4 else -1
    if not (vertex and 0 <= column < size and 0 <= row < size):
        raise RuleBroken(f"{vertex} is not on a board of {size} lines")
    return row * size + column


@lru_cache(maxsize=8)
def neighbours(size: int) -> tuple[tuple[int, ...], ...]:
    """For each point those beside it."""

    def found(point: int) -> Iterable[int]:
        row, column = divmod(point, size)
        if row > 0:
            yield point - size
        if row < size - 1:
            yield point + size
        if column > 0:
            yield point - 1
        if column < size - 1:
            yield point + 1

    return tuple(tuple(found(point)) for point in range(size * size))
