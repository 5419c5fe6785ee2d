"""The position on the terminal: two columns for each square, and a panel beside the board or below it.

A pawn is written as letter and number, such as ``R0``. Round the board, ``>`` leads over slides, in the colour of
their owners; ``s`` are safe squares, ``H`` homes, ``o`` free spots of starts.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from game_masters.apologies.board import COLOURS, HOME, PAWNS, SAFE, SAFE_SQUARES, SQUARES, START
from game_masters.apologies.cards import HAND
from game_masters.apologies.pictures import geometry
from game_masters.apologies.pictures.geometry import SIDE, SIDE_OF_SEAT, SLIDE_SQUARES, Point
from game_masters.apologies.views import Made, Mode, View
from ugs.pictures.contract import Line, Span
from ugs.pictures.lettering import cut_line, padded, wrapped

BOARD_COLUMNS: Final = 2 * SIDE
PANEL_COLUMNS: Final = 36
"""A panel that is not narrower stands beside the board."""
COMPUTER: Final = " (computer)"
GAP: Final = 3
STYLES: Final[Sequence[str]] = tuple(colour.lower() for colour in COLOURS)
_ARROWS: Final = ">v<^"


def write(view: View, new: Sequence[Made], winners: frozenset[int] | None, width: int, standing: str) -> list[Line]:
    """Return the picture in at most ``width`` columns."""
    board = _board(view, new)
    beside = width - BOARD_COLUMNS - GAP
    if beside < PANEL_COLUMNS:
        return [*board, (), *_panel(view, winners, width, standing)]
    panel = list(_panel(view, winners, beside, standing))
    panel += [()] * (len(board) - len(panel))
    board += [(Span(" " * BOARD_COLUMNS),)] * (len(panel) - len(board))
    return [(*left, Span(" " * GAP), *right) for left, right in zip(board, panel, strict=True)]


def _board(view: View, new: Sequence[Made]) -> list[Line]:
    cells = dict(_EMPTY)
    moved = {pawn for made in new[-1:] for pawn, _, _ in made.actions + made.effects}
    for seat, sitter in enumerate(view.seats):
        for own, place in enumerate(sitter.pawns):
            style = f"bold {STYLES[seat]}" + (" reverse" if seat * PAWNS + own in moved else "")
            cells[_cell(seat, own, place)] = Span(f"{COLOURS[seat][0]}{own}", style)
    return [tuple(cells.get((x, y), Span("  ")) for x in range(SIDE)) for y in range(SIDE)]


def _cell(seat: int, own: int, place: int) -> tuple[int, int]:
    """The cell of a pawn; the spots of starts and homes are cells beside each other."""
    if place not in (START, HOME):
        return _whole(geometry.point(seat, 0, place))
    along, deep = (4, 2) if place == START else (2, 6)
    return _whole(geometry.turned(SIDE_OF_SEAT[seat], along + own % 2 + 0.5, deep + own // 2 + 0.5))


def _whole(middle: Point) -> tuple[int, int]:
    return int(middle[0]), int(middle[1])


def _empty() -> Iterator[tuple[tuple[int, int], Span]]:
    for place in range(SQUARES):
        owner = SLIDE_SQUARES.get(place)
        arrow = Span("· ", "dim") if owner is None else Span(f"{_ARROWS[place // (SIDE - 1)]} ", STYLES[owner])
        yield _whole(geometry.square(place)), arrow
    for seat, style in enumerate(STYLES):
        for number in range(SAFE_SQUARES):
            yield _cell(seat, 0, SAFE + number), Span("s ", style)
        for own in range(PAWNS):
            yield _cell(seat, own, START), Span("o ", style)
            yield _cell(seat, own, HOME), Span("H ", style)


_EMPTY: Final[Mapping[tuple[int, int], Span]] = dict(_empty())


def _panel(view: View, winners: frozenset[int] | None, width: int, standing: str) -> Iterator[Line]:
    yield from ((Span(line, "bold"),) for line in wrapped(standing, width))
    yield ()
    for seat, sitter in enumerate(view.seats):
        turn = winners is None and seat == view.turn
        kind = "" if sitter.kind == "human" else COMPUTER
        backs = f" {'#' * HAND}" if view.mode is Mode.ADULT and seat != view.you else ""
        home = f"  {sitter.pawns.count(HOME)} home"
        name = padded(COLOURS[seat], 6)
        room = width - len(f"> {name}  {kind}{backs}{home}")
        line = (
            Span("> " if turn else "  ", "bold"),
            Span(name, f"bold {STYLES[seat]}"),
            Span(f" {padded(sitter.nick.removesuffix(COMPUTER), max(min(room, 16), 8))}{kind}", "bold" if turn else ""),
            Span(backs, "dim"),
            Span(home),
        )
        yield cut_line(line, width)
    yield ()
    if view.drawn is not None:
        yield (Span("to play: "), Span(f"[{view.drawn.short}]", "bold"))
    if view.you is not None and view.seats[view.you].hand:
        yield (Span("your hand: "), Span(" ".join(f"[{kind.short}]" for kind in view.seats[view.you].hand), "bold"))
    if view.history:
        cards = " ".join(f"{COLOURS[past.seat][0]}:{past.kind.short}{'-' * past.forfeit}" for past in view.history)
        yield from ((Span(line, "dim"),) for line in wrapped(f"last cards: {cards}", width))
