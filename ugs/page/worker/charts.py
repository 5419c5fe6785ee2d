"""Charts for pages, as SVG: how long each move took, ratings over time, how sure they are."""

import math
from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Final

from ugs.page.html import lasted
from ugs.pictures.svg import Svg

SEATS: Final = ("red-line", "blue-line", "green-line", "yellow-line", "violet", "ink")
"""The paints of seats, and of lines in a chart: in light and in dark no two are alike."""
MAX_BARS: Final = 160
WIDTH, HEIGHT = 480, 110
LABEL = 17
"""How much of the height stays free for a word above or below what is drawn."""
MIN_LABELLED: Final = 100
"""The width of bars below which their first and their last number stand side by side."""
LETTER, MAX_LETTERS = 7.5, 18
"""The width of a letter, and letters of a name at the end of its line."""
WIDE: Final = 1.7
"""How many letters a capital, or another wide one, takes at most."""


def paint_of(number: int) -> str:
    """The paint of a seat or line."""
    return SEATS[number % len(SEATS)]


def pace(prefix: str, moves: Sequence[tuple[int, float]], nicks: Sequence[str]) -> str:
    """How long each move took: a bar for each, or of many moves the slowest of each seat among several. ``moves`` are
    seats and seconds."""
    if not moves:
        return ""
    stride = -(-len(moves) * len({seat for seat, _ in moves}) // MAX_BARS) if len(moves) > MAX_BARS else 1
    bars = [bar for at in range(0, len(moves), stride) for bar in _slowest(moves, at, at + stride)]
    most = max(moves[place][1] for place in bars) or 1.0
    slowest = max(moves, key=lambda move: move[1])
    words = f"{len(moves)} moves; the slowest took {lasted(slowest[1])}, by {nicks[slowest[0]]}."
    svg = Svg(prefix, WIDTH, HEIGHT + 40, "How long each move took", words)
    svg.path(f"M0 {HEIGHT}H{WIDTH}", stroke="line", stroke_width=1)
    # Few bars stay narrow.
    step = WIDTH / max(len(bars), 24)
    for number, place in enumerate(bars):
        seat, seconds = moves[place]
        height = max(1.5, seconds / most * (HEIGHT - 16))
        # The whole column can be pointed at: most bars are too low and thin for that.
        svg.open(title=f"move {place + 1}: {nicks[seat]}, {lasted(seconds)}")
        svg.rect(number * step + step * 0.1, HEIGHT - height, step * 0.8, height, fill=paint_of(seat))
        svg.rect(number * step, 0, step, HEIGHT, fill_opacity=0)
        svg.close()
    end = step * len(bars)
    if end < MIN_LABELLED:  # below so few bars there is no room for the first and the last number
        label = "move 1" if len(moves) == 1 else f"moves 1 to {len(moves)}"
        svg.text(0, HEIGHT + 15, label, 12, fill="faint")
    else:
        svg.text(0, HEIGHT + 15, "move 1", 12, fill="faint")
        svg.text(end, HEIGHT + 15, str(len(moves)), 12, anchor="end", fill="faint")
    svg.text(WIDTH, 11, lasted(most), 12, anchor="end", fill="faint")
    # In a line of their own: beside the numbers they lay on them where bars end in the middle.
    _name_seats(svg, sorted({seat for seat, _ in moves}), nicks, WIDTH, HEIGHT + 34, begin=4)
    return str(svg)


def curve(prefix: str, values: Sequence[tuple[int, int, float]], nicks: Sequence[str], positions: int) -> str:
    """How well each player thought to stand: a line for each, up is better for the player. ``values`` are seat,
    position and value; each player has a measure of its own, so each line has its own scale, at least from -1 to 1,
    and beyond that a logarithmic one: a mate is worth a hundred pawns, and one pawn is still seen beside it. Empty if
    there are none."""
    if not values:
        return ""
    middle, half = HEIGHT / 2, HEIGHT / 2 - LABEL
    of_seat: dict[int, list[tuple[int, float]]] = {}
    for seat, position, value in values:
        of_seat.setdefault(seat, []).append((position, value))
    words = [f"{nicks[seat]} from {known[0][1]:g} to {known[-1][1]:g}" for seat, known in sorted(of_seat.items())]
    svg = Svg(prefix, WIDTH, HEIGHT + 20, "How well they thought to stand", "; ".join(words) + ".")
    svg.path(f"M0 {middle}H{WIDTH}", stroke="line", stroke_width=1)
    step = WIDTH / max(positions - 1, 1)
    for seat, known in sorted(of_seat.items()):
        most = max(1.0, *(abs(value) for _, value in known))
        thinned = known[:: -(-len(known) // MAX_BARS)]
        if thinned[-1] != known[-1]:
            thinned.append(known[-1])
        points = [((position - 1) * step, middle - _share(value, most) * half) for position, value in thinned]
        svg.path(
            "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points), stroke=paint_of(seat), fill="none", stroke_width=2
        )
        svg.circle(*points[-1], 3, fill=paint_of(seat))
    svg.text(0, 11, "better", 12, fill="faint")
    svg.text(0, HEIGHT - 2, "worse", 12, fill="faint")
    svg.text(0, HEIGHT + 16, "move 0", 12, fill="faint")
    svg.text(WIDTH, HEIGHT + 16, str(positions - 1), 12, anchor="end", fill="faint")
    _name_seats(svg, sorted(of_seat), nicks, WIDTH - 40, HEIGHT + 16)
    return str(svg)


def _name_seats(
    svg: Svg, seats: Sequence[int], nicks: Sequence[str], end: float, y: float, *, begin: float = 64.0
) -> None:
    """Names below a chart, each with the paint of its seat, as far as there is room."""
    x = begin
    for seat in seats:
        width = 16 + LETTER * min(MAX_LETTERS, len(nicks[seat])) + 14
        if x + width > end:
            break  # the others are in the words, or in the table
        svg.circle(x, y - 4, 4, fill=paint_of(seat))
        svg.text(x + 8, y, nicks[seat], 12, most=MAX_LETTERS)
        x += width


def _width(letter: str) -> float:
    return WIDE if letter.isupper() or letter in "mw@%—" else 1.0


def _letters(name: str) -> int:
    """How many letters of a name fit at the end of its line."""
    widths = accumulate(map(_width, name))
    return sum(width <= MAX_LETTERS for width in widths) or 1


def _share(value: float, most: float) -> float:
    """How far up a value is drawn, from -1 to 1."""
    if most <= 1:
        return value / most
    return math.copysign(math.log1p(abs(value)) / math.log1p(most), value)


def _slowest(moves: Sequence[tuple[int, float]], first: int, end: int) -> list[int]:
    """Where the slowest move of each seat is among some, by seat: where many moves share a bar, no seat hides another
    one."""
    slowest: dict[int, int] = {}
    for place in range(first, min(end, len(moves))):
        seat, seconds = moves[place]
        if seat not in slowest or seconds > moves[slowest[seat]][1]:
            slowest[seat] = place
    return [place for _, place in sorted(slowest.items())]


def course(prefix: str, series: Mapping[str, Sequence[tuple[float, float]]], what: str) -> str:
    """Lines over time: for each name, points of (position from 0 to 1, value)."""
    values = [value for points in series.values() for _, value in points]
    if max(map(len, series.values()), default=0) < 2:  # dots without lines show less than the table
        return ""
    low, high = min(values), max(values)
    # A line that neither rises nor falls needs a scale all the same.
    if high - low < 1e-9:
        low, high = low - 1, high + 1
    digits = 0 if high - low >= 4 else 1 if high - low >= 0.4 else 2
    room = 28 + LETTER * min(MAX_LETTERS, max(sum(map(_width, name)) for name in series))
    width, height = WIDTH - room, 200
    svg = Svg(prefix, WIDTH, height + 24, what, _in_words(series, digits))
    for share in (0.0, 0.5, 1.0):
        y = _y(share)
        svg.path(f"M36 {y:.1f}H{width}", stroke="line", stroke_width=0.6)
        svg.text(30, y + 4, f"{low + (high - low) * share:.{digits}f}", 12, anchor="end", fill="faint")
    ends: dict[str, float] = {}
    paints = {name: paint_of(number) for number, name in enumerate(series)}
    for name, points in series.items():
        placed = [(36 + (width - 36) * x, _y((y - low) / (high - low))) for x, y in points]
        if placed:
            line = "L".join(f"{x:.1f} {y:.1f}" for x, y in placed)
            svg.path(f"M{line}", stroke=paints[name], fill="none", stroke_width=1.8)
            svg.circle(placed[-1][0], placed[-1][1], 3, fill=paints[name])
            ends[name] = placed[-1][1]
    for name, y in zip(ends, _apart(list(ends.values())), strict=True):
        svg.circle(width + 12, y, 4, fill=paints[name])
        svg.text(width + 20, y + 4, name, 12, most=_letters(name))
    svg.text(36, height + 18, "first game", 12, fill="faint")
    svg.text(width, height + 18, "last game", 12, anchor="end", fill="faint")
    return str(svg)


def reach(prefix: str, value: float, low: float, high: float, least: float, most: float) -> str:
    """A value with its interval on a scale from ``least`` to ``most``, as a bar in a row of a table."""
    span = (most - least) or 1.0

    def x(one: float) -> float:
        return 4 + 112 * min(1.0, max(0.0, (one - least) / span))

    svg = Svg(prefix, 120, 14, f"{value:.0f}, {low:.0f} to {high:.0f}", "")
    svg.rect(x(low), 5, max(1.0, x(high) - x(low)), 4, round=2, fill="line")
    svg.circle(x(value), 7, 3.6, fill="ink")
    return str(svg)


def _apart(ends: Sequence[float], least: float = 18.0) -> list[float]:
    """Heights for the names at the ends of lines, so that none covers another one."""
    order = sorted(range(len(ends)), key=lambda number: ends[number])
    placed = list(ends)
    least = min(least, (_LOWEST - _HIGHEST) / max(1, len(ends) - 1))
    for before, number in pairwise(order):
        placed[number] = max(placed[number], placed[before] + least)
    floor = _LOWEST
    for number in reversed(order):
        placed[number] = floor = min(placed[number], floor)
        floor -= least
    return placed


def _y(share: float) -> float:
    """The height of a value, from 0 for the lowest to 1 for the highest."""
    return _LOWEST - 4 - (_LOWEST - 4 - _HIGHEST) * share


_HIGHEST, _LOWEST = 10.0, 196.0
"""Between which the names at the ends of lines stand."""


def _in_words(series: Mapping[str, Sequence[tuple[float, float]]], digits: int) -> str:
    ends = {name: (points[0][1], points[-1][1]) for name, points in series.items() if points}
    return " ".join(f"{name}: from {first:.{digits}f} to {last:.{digits}f}." for name, (first, last) in ends.items())
