"""Backgammon: points as triangles, the bar in the middle, dice and what has been borne off."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from game_masters.openspiel.pictures.body import WIDTH, Body
from game_masters.openspiel.pictures.hands import draw_die
from game_masters.openspiel.view import Play, View
from ugs.pictures.contract import Line, Span
from ugs.pictures.lettering import clipped
from ugs.pictures.svg import Svg, number

LEFT: Final = 10.0
POINT: Final = 20.0
"""The width of a point."""
TRAY: Final = 26.0
"""The width of what lies beside the board: a tray for what each side has borne off."""
BAR: Final = WIDTH - 2 * LEFT - TRAY - 12 * POINT
TALL: Final = 96.0
"""The height of a point."""
SLAB: Final = 6.6
"""The height of a checker that lies in a tray: fifteen fit."""
MAX_DRAWN: Final = 5
PAINTS: Final = ("white", "black")
_ROW: Final = re.compile(r"\|([.xo\d]{6})\|([.xo\d]{6})\|")


@dataclass(frozen=True, slots=True)
class PointsBody(Body):
    """The board as OpenSpiel prints it: the upper points and the lower points, both from the left."""

    above: tuple[tuple[int, int], ...]
    """Of each point whose checkers are there and how many: seat and number."""
    below: tuple[tuple[int, int], ...]
    bar: tuple[int, int]
    scores: tuple[int, int]
    dice: str
    lines: tuple[str, ...]

    @property
    def paints(self) -> Sequence[str]:
        return PAINTS

    @property
    def height(self) -> float:
        return 2 * TALL + 58

    def draw(self, svg: Svg, top: float, plays: Sequence[Play]) -> set[int]:
        bottom = top + 2 * TALL + 34
        board = WIDTH - 2 * LEFT - TRAY
        svg.rect(LEFT, top, board, bottom - top, round=4, fill="field", stroke="ink", stroke_width=1.5)
        svg.rect(LEFT + 6 * POINT, top, BAR, bottom - top, fill="sand", stroke="line")
        piles: list[tuple[float, float, int, int, int]] = []
        for points, base, sign in ((self.above, top, 1), (self.below, bottom, -1)):
            for place, (seat, count) in enumerate(points):
                x = LEFT + POINT * place + (BAR if place >= 6 else 0)
                fill = "sand" if (place + (sign > 0)) % 2 else "clay"
                svg.path(f"M{number(x)} {number(base)}h{POINT}l-{POINT / 2} {number(sign * TALL)}z", fill=fill)
                piles.append((x + POINT / 2, base, sign, seat, count))
        for seat, sign in ((0, -1), (1, 1)):
            middle = top + TALL + 17 - sign * 4
            piles.append((LEFT + 6 * POINT + BAR / 2, middle, sign, seat, self.bar[seat]))
        svg.open(data_pieces="")
        for pile in piles:
            self._draw_pile(svg, *pile)
        # White bears off from the upper quarter on the right, Black from the lower one.
        self._draw_tray(svg, LEFT + board + 4, top, 1, 0)
        self._draw_tray(svg, LEFT + board + 4, bottom, -1, 1)
        svg.close()
        for place, face in enumerate(self.dice):
            draw_die(svg, LEFT + POINT * 8 + BAR + 28 * place, top + TALL + 6, 22, face)
        off = ", ".join(f"{paint} {count}" for paint, count in zip(PAINTS, self.scores, strict=True))
        svg.text(WIDTH / 2, bottom + 16, f"borne off: {off}", 11, anchor="middle", fill="faint")
        return set()

    def _draw_tray(self, svg: Svg, x: float, base: float, sign: int, seat: int) -> None:
        """What a side has borne off, seen from its edge."""
        tall, width = TALL + 8, TRAY - 4
        svg.rect(x, min(base, base + sign * tall), width, tall, round=3, fill="sand", stroke="line")
        for place in range(self.scores[seat]):
            y = base + sign * (3 + SLAB * place) - (SLAB - 0.8 if sign < 0 else 0)
            svg.rect(x + 3, y, width - 6, SLAB - 0.8, round=1, fill=PAINTS[seat], stroke="ink", stroke_width=0.7)

    def _draw_pile(self, svg: Svg, x: float, base: float, sign: int, seat: int, count: int) -> None:
        radius = 8.6
        for place in range(min(count, MAX_DRAWN)):
            y = base + sign * (radius + 1 + 2 * radius * place)
            svg.circle(x, y, radius, fill=PAINTS[seat], stroke="ink", stroke_width=1)
            if seat:
                svg.circle(x, y, radius * 0.5, fill="none", stroke="white", stroke_width=1)
        if count > MAX_DRAWN:
            y = base + sign * (radius + 1) + 4
            svg.text(x, y, str(count), 11, anchor="middle", fill="white" if seat else "black", font_weight="600")

    def text(self, width: int) -> Sequence[Line]:
        return [(Span(clipped(line, width)),) for line in self.lines]

    def words(self) -> str:
        def in_words(points: tuple[tuple[int, int], ...], numbers: Sequence[int]) -> str:
            return ", ".join(f"{number}: {count} {'xo'[seat]}" for (seat, count), number in
                             zip(points, numbers, strict=True) if count)  # fmt: skip

        above, below = in_words(self.above, range(13, 25)), in_words(self.below, range(12, 0, -1))
        bar = f"On the bar: {self.bar[0]} x, {self.bar[1]} o. " if any(self.bar) else ""
        return f"Points above, {above}. Points below, {below}. {bar}Dice: {' '.join(self.dice) or 'none'}."


def backgammon(view: View) -> PointsBody | None:
    """Read a board. A pile of more than five is printed with its number."""
    lines = view.board.split("\n")
    rows = [match[1] + match[2] for line in lines[:13] if (match := _ROW.fullmatch(line)) is not None]
    facts = dict(line.split(":", 1) for line in lines[13:] if ":" in line)
    scores = re.findall(r"\d+", facts.get("Scores, X", "").replace("O", " "))
    if len(rows) != 10 or len(scores) != 2:
        return None
    above, below = tuple(map(_pile, zip(*rows[:5], strict=True))), tuple(map(_pile, zip(*rows[:4:-1], strict=True)))
    bar = facts.get("Bar", "")
    return PointsBody(
        above,
        below,
        (bar.count("x"), bar.count("o")),
        (int(scores[0]), int(scores[1])),
        "".join(re.findall(r"\d", facts.get("Dice", "")))[:2],
        tuple(lines[:13]),
    )


def _pile(column: Sequence[str]) -> tuple[int, int]:
    """Whose checkers are on a point, and how many: read from the edge of the board to its middle."""
    seat = 1 if "o" in column else 0
    digits = [one for one in column[:2] if one.isdigit()]
    if len(digits) == 2:
        return seat, 10 + int(next(one for one in reversed(digits) if one != "1" or digits == ["1", "1"]))
    return (seat, int(digits[0])) if digits else (seat, sum(one in "xo" for one in column))
