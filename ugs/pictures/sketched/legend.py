"""What stands above and below the ground: who plays, with counters, and what players hold."""

from collections.abc import Sequence
from typing import Final

from ugs.pictures.contract import Scene, Shown
from ugs.pictures.lettering import clipped, columns, within
from ugs.pictures.sketched.pieces import put
from ugs.pictures.svg import Svg
from ugs.printable import safe
from ugs.sketch.model import Counter, Hand, Sketch
from ugs.sketch.size import MAX_SEATS

WIDTH: Final = 320.0
ROW: Final = 24.0
MAX_CELL_BYTES: Final = 100
"""Bytes of a nick, or of the counters of a player."""
IN_A_ROW: Final = 9
"""Pieces of a hand in one row."""
BESIDE: Final = 12
"""Columns of the title of a hand beside its pieces; a longer one has a row of its own above them."""


def height_above(scene: Scene, sketch: Sketch) -> float:
    """How high the rows of the seats are."""
    return 8 + ROW * (min(len(scene.seats), MAX_SEATS) + bool(_of(sketch.counters, "")))


def draw_seats(drawn: Svg, scene: Scene, sketch: Sketch, shown: Shown) -> None:
    """A row for each seat, then one for the counters of the game."""
    looks = dict(sketch.seats)
    for place, seat in enumerate(scene.seats[:MAX_SEATS]):
        y = 6 + ROW * place
        turn = place in shown.movers and shown.winners is None
        won = shown.winners is not None and place in shown.winners
        if turn or won:
            drawn.rect(8, y, WIDTH - 16, ROW - 2, round=5, fill="field", stroke="line", stroke_width=0.75)
        left = 16.0
        if seat.nick in looks:
            put(drawn, looks[seat.nick], [(24.0, y + 11)], 8)
            left = 38.0
        # Bounded in bytes, too: ugs/sketch/size.py counts on it.
        nick = within(seat.nick, MAX_CELL_BYTES)
        drawn.text(left, y + 15.5, nick, 14, most=16, font_weight="600" if turn or won else None)
        text = counters_text(_of(sketch.counters, seat.nick))
        drawn.text(WIDTH - 78, y + 15, within(text, MAX_CELL_BYTES), 12, anchor="end", most=18, fill="faint")
        if won or turn:
            paint = "mark" if won else "faint"
            drawn.text(WIDTH - 14, y + 15, "won" if won else "to move", 12, anchor="end", fill=paint, font_weight="600")
    common = counters_text(_of(sketch.counters, ""))
    if common:
        y = 6 + ROW * min(len(scene.seats), MAX_SEATS)
        drawn.text(WIDTH / 2, y + 15, within(common, 3 * MAX_CELL_BYTES), 12, anchor="middle", most=48, fill="faint")


def counters_text(counters: Sequence[Counter]) -> str:
    """Counters in one line."""
    return ", ".join(f"{clipped(one.name, 20)} {clipped(one.value, 20)}" for one in counters)


def height_below(sketch: Sketch) -> float:
    """How high the rows of the hands are."""
    return ROW * sum([_rows(hand) for hand in sketch.hands])


def draw_hands(drawn: Svg, sketch: Sketch, top: float) -> None:
    """A row or more for each hand."""
    y = top
    for hand in sketch.hands:
        drawn.text(14, y + 15, title_of(hand), 12, most=46, fill="faint")
        top_row = int(_is_long(hand))
        for number, (look, count) in enumerate(hand.held):
            row, column = divmod(number, IN_A_ROW)
            row += top_row
            x = 106 + 23.5 * column
            put(drawn, look, [(x, y + ROW * row + 11)], 9)
            if count > 1:
                drawn.text(x + 6, y + ROW * row + 20, f"×{count}", 8, most=5)
        y += ROW * _rows(hand)


def title_of(hand: Hand) -> str:
    """Whose hand it is, or what lies there."""
    return ": ".join(filter(None, (hand.nick, hand.name))) or "beside the board"


def _rows(hand: Hand) -> int:
    return max(1, _is_long(hand) + -(-len(hand.held) // IN_A_ROW))


def _is_long(hand: Hand) -> bool:
    """Whether the title has a row of its own."""
    return columns(safe(title_of(hand))) > BESIDE


def _of(counters: Sequence[Counter], nick: str) -> list[Counter]:
    return [one for one in counters if one.nick == nick]
