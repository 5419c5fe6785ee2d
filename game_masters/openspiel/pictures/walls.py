"""Quoridor: pawns on fields, walls between them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from game_masters.openspiel.pictures.body import WIDTH, Body
from game_masters.openspiel.pictures.layouts import NAMINGS, FieldAt
from game_masters.openspiel.pictures.stones import Stone, draw_stone
from game_masters.openspiel.view import Play, View
from ugs.pictures.contract import Line, Span
from ugs.pictures.lettering import clipped
from ugs.pictures.svg import Svg, number

PAWNS: Final = "0@#%"
"""The letters of the seats."""
EDGE: Final = 22.0
PAINTS: Final = ("red", "blue", "green", "yellow")
_ROW: Final = re.compile(r" ?(\d+) (.*?) +\d+")
_MOVE: Final = re.compile(r"([a-z]\d+)([vh]?)")


@dataclass(frozen=True, slots=True)
class WallsBody(Body):
    """A board with walls."""

    size: int
    pawns: tuple[tuple[FieldAt, int], ...]
    upright: tuple[FieldAt, ...]
    """Fields with a wall on their right side."""
    lying: tuple[FieldAt, ...]
    """Fields with a wall below them."""
    left: str
    """How many walls the seats have."""
    lines: tuple[str, ...]

    @property
    def _scale(self) -> float:
        return (WIDTH - 2 * EDGE) / self.size

    @property
    def paints(self) -> Sequence[str]:
        return PAINTS

    @property
    def height(self) -> float:
        return WIDTH - 2 * EDGE + EDGE + 24

    def draw(self, svg: Svg, top: float, plays: Sequence[Play]) -> set[int]:
        for place in range(self.size):
            at = EDGE + self._scale * (place + 0.5)
            svg.text(at, top + EDGE - 6, "abcdefghijklmnopqrstuvwxyz"[place], 10, anchor="middle", fill="faint")
            svg.text(EDGE - 6, top + at + 4, str(place + 1), 10, anchor="end", fill="faint")
        svg.open(transform=f"translate({number(EDGE)} {number(top + EDGE)}) scale({self._scale:.4f})")
        fields = (FieldAt(row, column) for row in range(self.size) for column in range(self.size))
        svg.path("".join(f"M{one.column}.06 {one.row}.06h.88v.88h-.88z" for one in fields), fill="sand")
        walls = "".join(f"M{one.column + 1} {one.row}v1" for one in self.upright)
        walls += "".join(f"M{one.column} {one.row + 1}h1" for one in self.lying)
        if walls:
            svg.path(walls, fill="none", stroke="ink", stroke_width=0.16, stroke_linecap="round")
        for field, seat in self.pawns:
            draw_stone(svg, field.column + 0.5, field.row + 0.5, Stone(seat, str(seat)), PAINTS)
        shown = self._draw_offers(svg, plays)
        svg.close()
        svg.text(WIDTH / 2, top + self.height - 8, f"walls left: {self.left}", 11, anchor="middle", fill="faint")
        return shown

    def _draw_offers(self, svg: Svg, plays: Sequence[Play]) -> set[int]:
        shown: set[int] = set()
        for place, play in enumerate(plays):
            match = _MOVE.fullmatch(play.text)
            field = NAMINGS["letter down"](match[1], self.size) if match is not None else None
            if match is None or field is None:
                continue
            x, y = field.column, field.row
            where = {"v": (x + 0.88, y + 0.15, 0.24, 0.7), "h": (x + 0.15, y + 0.88, 0.7, 0.24), "": (x, y, 1, 1)}
            svg.offer_rect(*where[match[2]], place)
            shown.add(place)
        return shown

    def text(self, width: int) -> Sequence[Line]:
        return [(Span(clipped(line, width)),) for line in self.lines]

    def words(self) -> str:
        pawns = ", ".join(f"seat {seat} on {_named(field)}" for field, seat in self.pawns)
        upright = " ".join(map(_named, self.upright)) or "none"
        lying = " ".join(map(_named, self.lying)) or "none"
        return clipped(
            f"A board of {self.size}: {pawns}. Walls to the right of {upright}. Walls below {lying}. "
            f"Walls left: {self.left}.",
            1500,
        )


def _named(field: FieldAt) -> str:
    return f"{'abcdefghijklmnopqrstuvwxyz'[field.column]}{field.row + 1}"


def quoridor(view: View) -> WallsBody | None:
    """Read a board: four letters for each field, and a line between the rows."""
    head, *lines = view.board.split("\n")
    match = re.match(r"Board size: (\d+), walls: (.*)", head)
    rows = [place for place, line in enumerate(lines) if _ROW.match(line)]
    if match is None or not 0 < int(match[1]) <= 26 or len(rows) != int(match[1]):
        return None
    size = int(match[1])
    pawns: list[tuple[FieldAt, int]] = []
    upright: list[FieldAt] = []
    lying: list[FieldAt] = []
    for row, place in enumerate(rows):
        line, below = (text.ljust(4 * size + 4) for text in (lines[place], lines[place + 1]))
        for column in range(size):
            at, field = 3 + 4 * column, FieldAt(row, column)
            if line[at] in PAWNS:
                pawns.append((field, PAWNS.index(line[at])))
            if line[at + 2] == "|":
                upright.append(field)
            if row + 1 < size and below[at] == "-":
                lying.append(field)
    pawns.sort(key=lambda pawn: pawn[1])
    return WallsBody(size, tuple(pawns), tuple(upright), tuple(lying), match[2], tuple(lines))
