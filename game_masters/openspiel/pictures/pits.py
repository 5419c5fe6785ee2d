"""Mancala and oware: two rows of pits with seeds, and a store for each side."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from game_masters.openspiel.pictures.body import MARGIN, WIDTH, Body
from game_masters.openspiel.view import Play, View
from ugs.pictures.contract import Line, Span
from ugs.pictures.svg import Svg

MAX_DRAWN: Final = 12
"""Seeds that are drawn in a pit; the number is always there."""
_RING: Final = ((0.0, 0.0), (0.4, 0.0), (-0.4, 0.0), (0.0, 0.4), (0.0, -0.4), (0.3, 0.3), (-0.3, -0.3), (0.3, -0.3),
                (-0.3, 0.3), (0.6, 0.15), (-0.6, -0.15), (0.15, -0.62))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Pit:
    """One pit: how many seeds are in it, and the text of the move that empties it."""

    seeds: int
    name: str


@dataclass(frozen=True, slots=True)
class PitsBody(Body):
    """Both rows as they are seen from the first seat."""

    above: tuple[Pit, ...]
    below: tuple[Pit, ...]
    stores: tuple[int, int]
    """What the seats have: the first one's is on the right."""

    @property
    def _size(self) -> float:
        return (WIDTH - 2 * MARGIN) / (len(self.below) + 2)

    @property
    def height(self) -> float:
        return 2 * self._size + 44

    def draw(self, svg: Svg, top: float, plays: Sequence[Play]) -> set[int]:
        size = self._size
        svg.rect(MARGIN - 6, top, WIDTH - 2 * MARGIN + 12, 2 * size + 40, round=14, fill="sand", stroke="line")
        for seat, x in ((1, MARGIN), (0, WIDTH - MARGIN - size)):
            svg.rect(x + 3, top + 20, size - 6, 2 * size, round=size / 2.5, fill="field", stroke="line")
            svg.text(x + size / 2, top + 20 + size + 6, str(self.stores[seat]), 17, anchor="middle", font_weight="600")
        shown: set[int] = set()
        for pits, y in ((self.above, top + 20), (self.below, top + 20 + size)):
            for place, pit in enumerate(pits):
                x = MARGIN + size * (place + 1)
                self._draw_pit(svg, x + size / 2, y + size / 2, pit, above=pits is self.above)
                offers = [number for number, play in enumerate(plays) if play.text == pit.name]
                if offers:
                    svg.offer_rect(x, y, size, size, *offers)
                    shown.update(offers)
        return shown

    def _draw_pit(self, svg: Svg, x: float, y: float, pit: Pit, *, above: bool) -> None:
        radius = self._size * 0.44
        svg.circle(x, y, radius, fill="field", stroke="line")
        for across, down in _RING[: min(pit.seeds, MAX_DRAWN)]:
            svg.circle(x + across * radius * 0.9, y + down * radius * 0.9, radius * 0.15, fill="red")
        svg.text(x, y - radius - 3 if above else y + radius + 11, str(pit.seeds), 11, anchor="middle")

    def text(self, width: int) -> Sequence[Line]:
        rows = ["    " + "".join(f"{pit.seeds:>4}" for pit in pits) for pits in (self.above, self.below)]
        middle = f"{self.stores[1]:>4}" + "    " * len(self.below) + f"{self.stores[0]:>4}"
        return [(Span(line),) for line in (rows[0], middle, rows[1])]

    def words(self) -> str:
        rows = [", ".join(f"{pit.name}: {pit.seeds}" for pit in pits) for pits in (self.below, self.above)]
        return (
            f"The first seat has {self.stores[0]} in its store and these pits: {rows[0]}. "
            f"The second has {self.stores[1]} and these: {rows[1]}."
        )


def mancala(view: View) -> PitsBody | None:
    """Pits are numbered against the clock: 1 to 6 below, 8 to 13 above, from the right."""
    lines = view.board.split("\n")
    if len(lines) < 3:
        return None
    rows = [re.findall(r"\d+", line) for line in lines[:3]]
    if [len(row) for row in rows] != [6, 2, 6]:
        return None
    above = tuple(Pit(int(seeds), str(13 - place)) for place, seeds in enumerate(rows[0]))
    below = tuple(Pit(int(seeds), str(place + 1)) for place, seeds in enumerate(rows[2]))
    return PitsBody(above, below, (int(rows[1][1]), int(rows[1][0])))


def oware(view: View) -> PitsBody | None:
    """Houses have letters: capitals below, from the left; small ones above, from the right."""
    # Once it is over, the first line says so.
    lines = [line for line in view.board.split("\n") if line.strip() and not line.startswith("[")]
    scores = [int(match[1]) for line in lines if (match := re.search(r"score = (\d+)", line)) is not None]
    if len(lines) != 6 or len(scores) != 2:
        return None
    names, counts = (lines[1].split(), lines[4].split()), (lines[2].split(), lines[3].split())
    if {len(row) for row in (*names, *counts)} != {len(names[0])}:
        return None
    above, below = (
        tuple(Pit(int(seeds), name) for seeds, name in zip(counts[row], names[row], strict=True)) for row in (0, 1)
    )
    return PitsBody(above, below, (scores[1], scores[0]))
