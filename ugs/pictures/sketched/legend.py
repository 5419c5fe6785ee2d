"""What stands above and below the ground: who plays, with counters, and what players hold."""

from collections.abc import Iterator, Sequence
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
"""Bytes of a nick, or of a line of counters."""
LINE: Final = 17.0
"""A further line of counters, below that of the nick."""
MAX_LINES: Final = 2
"""Lines of counters below a nick, or of those of the game; more are cut."""
MAX_COLUMNS: Final = 42
"""Columns of such a line: any counter as it is drawn, and a little more."""
MAX_PART: Final = 20
"""Columns of the name of a counter, and of its value."""
MAX_NICK: Final = 16
_LETTER: Final = 0.55
"""How wide a letter is, in sizes of its font."""
_MOVES: Final = 78.0
"""Room at the end of a row for who is to move."""
IN_A_ROW: Final = 9
"""Pieces of a hand in one row."""
BESIDE: Final = 12
"""Columns of the title of a hand beside its pieces; a longer one has a row of its own above them."""


def height_above(scene: Scene, sketch: Sketch) -> float:
    """How high the rows of the seats are."""
    counters = [_beside_and_below(sketch, seat.nick) for seat in scene.seats[:MAX_SEATS]]
    common = _packed(_of(sketch.counters, ""))
    lines = sum([len(below) for _, below in counters]) + max(0, len(common) - 1)
    return 8 + ROW * (len(counters) + bool(common)) + LINE * lines


def draw_seats(drawn: Svg, scene: Scene, sketch: Sketch, shown: Shown) -> None:
    """A row for each seat, then one for the counters of the game."""
    looks = dict(sketch.seats)
    y = 6.0
    for place, seat in enumerate(scene.seats[:MAX_SEATS]):
        beside, below = _beside_and_below(sketch, seat.nick)
        high = ROW + LINE * len(below)
        turn = place in shown.movers and shown.winners is None
        won = shown.winners is not None and place in shown.winners
        if turn or won:
            # Pages hide whose turn it is once the move is sent.
            asked = "" if turn else None
            drawn.rect(
                8, y, WIDTH - 16, high - 2, round=5, fill="field", stroke="line", stroke_width=0.75, data_turn=asked
            )
        left = _left(sketch, seat.nick)
        if seat.nick in looks:
            put(drawn, looks[seat.nick], [(24.0, y + 11)], 8)
        # Bounded in bytes, too: ugs/sketch/size.py counts on it.
        nick = within(seat.nick, MAX_CELL_BYTES)
        drawn.text(left, y + 15.5, nick, 14, most=MAX_NICK, font_weight="600" if turn or won else None)
        if beside:
            drawn.text(WIDTH - _MOVES, y + 15, beside, 12, anchor="end", fill="faint")
        for number, text in enumerate(below, start=1):
            drawn.text(left, y + 13 + LINE * number, text, 12, fill="faint")
        if won or turn:
            paint = "mark" if won else "faint"
            word = "won" if won else "to move"
            drawn.text(
                WIDTH - 14,
                y + 15,
                word,
                12,
                anchor="end",
                fill=paint,
                font_weight="600",
                data_turn="" if turn else None,
            )
        y += high
    for number, text in enumerate(_packed(_of(sketch.counters, ""))):
        drawn.text(WIDTH / 2, y + 15 + LINE * number, text, 12, anchor="middle", fill="faint")


def counters_text(counters: Sequence[Counter]) -> str:
    """Counters in one line."""
    return ", ".join(map(_counter_text, counters))


def cut(sketch: Sketch) -> Iterator[str]:
    """Which counters are not whole in the picture, in sentences for the author of a master."""
    for one in sketch.counters:
        for text in (one.name, one.value):
            if columns(safe(text)) > MAX_PART:
                yield f"counter: {clipped(text, 2 * MAX_PART)!r} is cut in pictures after {MAX_PART} columns"
    for nick in dict.fromkeys([one.nick for one in sketch.counters]):
        _, shown = _beside_and_below(sketch, nick) if nick else ("", _packed(_of(sketch.counters, "")))
        if shown and ", ".join(shown) != counters_text(_of(sketch.counters, nick)):
            whose = f"of {clipped(nick, MAX_COLUMNS)}" if nick else "of the game"
            yield f"counter: those {whose} are cut in pictures after {MAX_LINES} lines of {MAX_COLUMNS} columns"


def _counter_text(counter: Counter) -> str:
    return f"{clipped(counter.name, MAX_PART)} {clipped(counter.value, MAX_PART)}"


def _left(sketch: Sketch, nick: str) -> float:
    """Where a nick begins: behind its piece, if it has one."""
    return 38.0 if any(nick == one for one, _ in sketch.seats) else 16.0


def _beside_and_below(sketch: Sketch, nick: str) -> tuple[str, Sequence[str]]:
    """The counters of a player: all beside the nick where there is room for them, else all in lines below."""
    counters = _of(sketch.counters, nick)
    text = counters_text(counters)
    taken = _left(sketch, nick) + 14 * _LETTER * min(MAX_NICK, columns(safe(nick))) + 8
    if 12 * _LETTER * columns(text) <= WIDTH - _MOVES - taken and text == within(text, MAX_CELL_BYTES):
        return text, ()
    return "", _packed(counters)


def _packed(counters: Sequence[Counter]) -> Sequence[str]:
    """Counters in lines, each of them whole as far as there are lines."""
    lines: list[str] = []
    for text in map(_counter_text, counters):
        longer = f"{lines[-1]}, {text}" if lines else text
        if lines and (columns(longer) <= MAX_COLUMNS or len(lines) == MAX_LINES):
            lines[-1] = clipped(longer, MAX_COLUMNS)
        else:
            lines.append(text)
    # Bounded in bytes, too: ugs/sketch/size.py counts on it.
    return [within(line, MAX_CELL_BYTES) for line in lines]


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
