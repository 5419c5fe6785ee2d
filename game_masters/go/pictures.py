"""Pictures of Go: the board with its stones, the last one marked, and at the end the area of both sides."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from game_masters.go.notation import read_state, write_move
from game_masters.go.rules import COLOURS, COLUMNS, EMPTY, PASS, GoBoard, GoMove, View, neighbours, point_of
from game_masters.kit.rules import Unreadable
from ugs.pictures.contract import CannotDraw, Line, Offer, Picture, Scene, Shown, Span
from ugs.pictures.lettering import clipped, sentence
from ugs.pictures.svg import Svg, number

SIGNS: Final = ("X", "O")
STARS: Final = {9: (2, 4, 6), 13: (3, 6, 9), 19: (3, 9, 15)}
"""Rows and columns of the marked points."""

_WIDTH: Final = 320.0
_MARGIN: Final = 20.0
_ROW: Final = 22.0


@dataclass(frozen=True, slots=True)
class GoPicture:
    """What can be seen of one position."""

    scene: Scene
    view: View
    new: tuple[str, ...]
    last: str
    movers: tuple[int, ...]
    winners: frozenset[int] | None

    def name(self, seat: int) -> str:
        """The nick of a seat, safe and not long."""
        seats = self.scene.seats
        return clipped(seats[seat].nick, 24) if seat < len(seats) else f"seat {seat + 1}"

    @property
    def standing(self) -> str:
        """Whose turn it is, or how the game ended."""
        if self.winners is None:
            seat = self.movers[0] if self.movers else self.view.turn
            return f"to move: {self.name(seat)} ({COLOURS[seat % 2]})"
        return f"won by {' and '.join(map(self.name, sorted(self.winners)))}" if self.winners else "drawn"

    @property
    def area(self) -> tuple[int, int]:
        """The area of both, as the stones lie."""
        return GoBoard.with_stones(self.view.size, self.view.stones).score()

    @property
    def count(self) -> str:
        """The count in words."""
        black, white = self.area
        return f"Area: black {black}, white {white} and {self.view.komi2 / 2:g} of komi"

    # --- what a picture is --------------------------------------------------------------------------------------------

    def words(self) -> str:
        """Return the position in sentences."""
        text = [f"A board of {self.view.size} lines, columns A to {COLUMNS[self.view.size - 1]} without I."]
        for seat, stones in enumerate(self.view.stones):
            text.append(f"{self.name(seat)} has {COLOURS[seat]}: {' '.join(stones) or 'no stones'}.")
        if self.last:
            text.append(f"The last move: {self.last}.")
        text.append(f"{self.count}.")
        text.append(sentence(self.standing, self.scene))
        return " ".join(text)

    def news(self) -> Sequence[str]:
        """Return the moves that were made."""
        return self.new

    def offers(self, seat: int) -> Sequence[Offer]:
        """Return all points that may be played on, and the pass."""
        if seat not in self.movers or self.winners is not None:
            return ()
        return [Offer(vertex, write_move(GoMove(vertex))) for vertex in self.view.legal]

    # --- terminal -----------------------------------------------------------------------------------------------------

    def text(self, width: int) -> Sequence[Line]:
        """Return the board: X is Black, O White."""
        step = " " if 5 + 2 * self.view.size <= width else ""
        lines: list[Line] = list(self._legend(width))
        last = self._last_point()
        for down, row in enumerate(self.view.rows):
            rank = self.view.size - down
            spans = [Span(f"{rank:>3} ", "dim")]
            for column, sign in enumerate(row):
                style = "dim" if sign == "." else "bold"
                at_last = last == (rank - 1) * self.view.size + column
                spans.append(Span("·" if sign == "." else sign, f"{style} reverse" if at_last else style))
                spans.append(Span(step))
            lines.append(tuple(spans))
        lines.append((Span("    " + step.join(COLUMNS[: self.view.size]), "dim"),))
        return lines

    def _legend(self, width: int) -> Iterator[Line]:
        for seat in (0, 1):
            turn = "> " if seat in self.movers and self.winners is None else "  "
            won = " won" if self.winners and seat in self.winners else ""
            yield (Span(turn, "bold"), Span(f"{SIGNS[seat]} ", "bold"), Span(f"{self.name(seat)}{won}"))
        if self.winners is not None and not self.winners:
            yield (Span("  drawn", "bold"),)
        yield (Span(f"  {clipped(self.count, width - 2)}", "dim"),)

    def _last_point(self) -> int | None:
        return None if self.last in ("", PASS.vertex) else point_of(self.last, self.view.size)

    # --- SVG ----------------------------------------------------------------------------------------------------------

    def svg(self, prefix: str, seat: int | None = None) -> str:
        """Return the board with its legend above."""
        size = self.view.size
        scale = (_WIDTH - 2 * _MARGIN) / size
        top = 2 * _ROW + 34
        height = top + scale * size + 10
        drawn = Svg(prefix, _WIDTH, height, f"Board: {self.standing}", self.words())
        drawn.rect(0, 0, _WIDTH, height, round=8, fill="ground")
        for one in (0, 1):
            self._draw_legend(drawn, one)
        drawn.text(14, 2 * _ROW + 18, clipped(self.count, 46), 11, fill="faint")
        drawn.rect(_MARGIN, top, scale * size, scale * size, fill="wheat")
        for place in range(size):
            across = _MARGIN + scale * (place + 0.5)
            drawn.text(across, top - 3, COLUMNS[place], 9, anchor="middle", fill="faint")
            rank = str(size - place)
            drawn.text(_MARGIN - 3, top + scale * (place + 0.5) + 3, rank, 9, anchor="end", fill="faint")
        drawn.open(transform=f"translate({number(_MARGIN)} {number(top)}) scale({scale:.4f})")
        drawn.always(_draw_lines, size)
        if self.winners is not None:
            self._draw_area(drawn)
        self._draw_stones(drawn)
        if seat is not None and seat in self.movers and self.winners is None:
            for place, vertex in enumerate(self.view.legal[:-1]):
                row, column = divmod(point_of(vertex, size), size)
                drawn.offer_rect(column, size - 1 - row, 1, 1, place)
        drawn.close()
        return drawn.drawn()

    def _draw_stones(self, drawn: Svg) -> None:
        size, last = self.view.size, self._last_point()
        for owner, paint, line in ((0, "black", "faint"), (1, "white", "black")):
            drawn.open(data_pieces="placed")
            for vertex in self.view.stones[owner]:
                point = point_of(vertex, size)
                row, column = divmod(point, size)
                x, y = column + 0.5, size - 1 - row + 0.5
                drawn.circle(x, y, 0.45, fill=paint, stroke=line, stroke_width=0.05)
                if point == last:
                    drawn.circle(x, y, 0.2, fill="none", stroke="mark", stroke_width=0.12)
            drawn.close()

    def _draw_area(self, drawn: Svg) -> None:
        """Mark empty points with a small stone of the side that has them."""
        size = self.view.size
        for point, owner in enumerate(_territory(GoBoard.with_stones(self.view.size, self.view.stones))):
            if owner != EMPTY:
                row, column = divmod(point, size)
                x, y = column + 0.5, size - 1 - row + 0.5
                drawn.circle(x, y, 0.16, fill=COLOURS[owner], stroke="black", stroke_width=0.04)

    def _draw_legend(self, drawn: Svg, seat: int) -> None:
        y = 8 + _ROW * seat
        turn = seat in self.movers and self.winners is None
        won = self.winners is not None and seat in self.winners
        if turn or won:
            drawn.rect(8, y, _WIDTH - 16, _ROW - 2, round=5, fill="field", stroke="line", stroke_width=0.75)
        drawn.circle(22, y + 10, 7, fill=COLOURS[seat], stroke="faint", stroke_width=1)
        drawn.text(36, y + 15, clipped(self.name(seat), 20), 14, font_weight="600" if turn or won else None)
        text = "won" if won else "drawn" if self.winners is not None and not self.winners else "to move" if turn else ""
        if text:
            paint = "mark" if won else "faint"
            drawn.text(_WIDTH - 14, y + 15, text, 12, anchor="end", fill=paint, font_weight="600")


class GoFollower:
    """Remembers how far the moves of one game have been shown."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._moves: int | None = None
        self._last = ""

    def __call__(self, shown: Shown) -> Picture:
        """Take a state. Raises CannotDraw if it is not one of this game."""
        try:
            view = read_state(shown.payload)
        except Unreadable as error:
            raise CannotDraw(str(error)) from error
        count = view.before + len(view.moves)
        unseen = len(view.moves) if self._moves is None else max(0, count - self._moves)
        new = view.moves[len(view.moves) - min(unseen, len(view.moves)) :]
        self._moves = count
        self._last = view.moves[-1] if view.moves else self._last if count else ""
        side = (view.turn + len(new)) % 2
        text = tuple(f"{COLOURS[(side + place) % 2]}: {move}" for place, move in enumerate(new))
        return GoPicture(self._scene, view, text, self._last, shown.movers, shown.winners)


def follow(scene: Scene) -> GoFollower:
    """Return a follower for one game: the renderer."""
    return GoFollower(scene)


def _territory(board: GoBoard) -> Sequence[int]:
    """For each empty point the seat that surrounds it; EMPTY for the others and for stones."""
    owners = [EMPTY] * len(board.stones)
    around, seen = neighbours(board.size), set[int]()
    for point, stone in enumerate(board.stones):
        if stone != EMPTY or point in seen:
            continue
        space = board.group(point)
        seen |= space
        rim = {board.stones[beside] for one in space for beside in around[one]} - {EMPTY}
        if len(rim) == 1:
            for one in space:
                owners[one] = min(rim)
    return owners


def _draw_lines(drawn: Svg, size: int) -> None:
    lines = "".join(f"M{place}.5 .5v{size - 1}M.5 {place}.5h{size - 1}" for place in range(size))
    drawn.path(lines, fill="none", stroke="black", stroke_width=0.04)
    for row in STARS[size]:
        for column in STARS[size]:
            drawn.circle(column + 0.5, row + 0.5, 0.1, fill="black")
