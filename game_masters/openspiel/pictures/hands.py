"""What each seat holds, cards or dice, and what lies in the middle; backs where the viewer may not know."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from game_masters.openspiel.pictures.body import MARGIN, WIDTH, Body
from game_masters.openspiel.view import Play
from ugs.pictures.contract import Line, Span
from ugs.pictures.lettering import clipped
from ugs.pictures.svg import Svg

BACK: Final = "?"
"""A card or die that the viewer may not know."""
TALL: Final = 44.0
BROAD: Final = 32.0
STEP: Final = 56.0
"""From the hand of one seat to that of the next."""
MAX_HELD: Final = 8
_PIPS: Final = {
    1: ((0.5, 0.5),),
    2: ((0.25, 0.25), (0.75, 0.75)),
    3: ((0.25, 0.25), (0.5, 0.5), (0.75, 0.75)),
    4: ((0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)),
    5: ((0.25, 0.25), (0.75, 0.25), (0.5, 0.5), (0.25, 0.75), (0.75, 0.75)),
    6: ((0.25, 0.22), (0.75, 0.22), (0.25, 0.5), (0.75, 0.5), (0.25, 0.78), (0.75, 0.78)),
}
"""Where the pips of a die are."""


@dataclass(frozen=True, slots=True)
class HandsBody(Body):
    """Hands of cards or dice."""

    hands: tuple[tuple[str, ...], ...]
    """What each seat holds; :data:`BACK` where that is hidden."""
    beside: tuple[str, ...]
    """A few words beside each hand."""
    middle: tuple[str, ...]
    notes: tuple[str, ...]
    """Lines below: the bids, or the words of players."""
    dice: bool = False

    @property
    def height(self) -> float:
        rows = len(self.hands) + bool(self.middle)
        return STEP * rows + 15 * len(self.notes) + 14

    def draw(self, svg: Svg, top: float, plays: Sequence[Play]) -> set[int]:
        svg.rect(MARGIN - 6, top, WIDTH - 2 * MARGIN + 12, self.height - 4, round=8, fill="jungle", fill_opacity=0.35)
        rows = [(f"seat {seat}", hand, self.beside[seat]) for seat, hand in enumerate(self.hands)]
        rows += [("middle", self.middle, "")] if self.middle else []
        for number, (who, held, beside) in enumerate(rows):
            y = top + 6 + STEP * number
            svg.text(MARGIN + 2, y + TALL / 2 + 4, who, 12, fill="faint")
            for place, face in enumerate(held[:MAX_HELD]):
                self._draw_held(svg, MARGIN + 58 + (BROAD + 6) * place, y, face)
            if beside:
                svg.text(WIDTH - MARGIN - 2, y + TALL / 2 + 4, beside, 12, anchor="end", most=24)
        for number, note in enumerate(self.notes):
            y = top + self.height - 14 - 15 * (len(self.notes) - 1 - number)
            svg.text(MARGIN + 2, y, note, 12, most=46)
        return set()

    def _draw_held(self, svg: Svg, x: float, y: float, face: str) -> None:
        if self.dice:
            draw_die(svg, x, y + 6, BROAD, face)
            return
        hidden = face == BACK
        svg.rect(x, y, BROAD, TALL, round=4, fill="blue" if hidden else "white", stroke="ink", stroke_width=1)
        if hidden:
            svg.path(f"M{x + 5} {y + 5}l22 34m0-34l-22 34", fill="none", stroke="sky", stroke_width=1.5)
        else:
            svg.text(
                x + BROAD / 2, y + TALL / 2 + 7, face, 18, anchor="middle", most=3, fill="black", font_weight="600"
            )

    def text(self, width: int) -> Sequence[Line]:
        rows = [f"seat {seat}: {' '.join(hand)}  {self.beside[seat]}" for seat, hand in enumerate(self.hands)]
        rows += [f"middle: {' '.join(self.middle)}"] if self.middle else []
        return [(Span(clipped(line.rstrip(), width)),) for line in (*rows, *self.notes)]

    def words(self) -> str:
        held = (
            f"Seat {seat} holds {' '.join('something hidden' if one == BACK else one for one in hand) or 'nothing'}"
            + (f" ({self.beside[seat]})" if self.beside[seat] else "")
            for seat, hand in enumerate(self.hands)
        )
        middle = f" In the middle: {' '.join(self.middle)}." if self.middle else ""
        return f"{'; '.join(held)}.{middle} {' '.join(self.notes)}".rstrip()


def draw_die(svg: Svg, x: float, y: float, size: float, face: str) -> None:
    """Draw a die with pips; with its face as a text where it has no pips."""
    hidden = face == BACK
    svg.rect(x, y, size, size, round=size / 6, fill="blue" if hidden else "white", stroke="ink", stroke_width=1)
    pips = _PIPS.get(int(face), ()) if face.isdigit() else ()
    for across, down in pips:
        svg.circle(x + size * across, y + size * down, size * 0.085, fill="black")
    if not pips:
        fill = "white" if hidden else "black"
        svg.text(x + size / 2, y + size * 0.66, face, size * 0.5, anchor="middle", most=3, fill=fill)
