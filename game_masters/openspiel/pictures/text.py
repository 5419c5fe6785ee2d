"""The board as OpenSpiel prints it, in letters of one width."""

from collections.abc import Iterator, Sequence
from typing import Final

from game_masters.openspiel.pictures.body import MARGIN, WIDTH, Body
from game_masters.openspiel.view import Play, View
from ugs.pictures.contract import Line, Span
from ugs.pictures.lettering import clipped
from ugs.pictures.svg import Svg
from ugs.printable import safe

MAX_LINES: Final = 60
MAX_COLUMNS: Final = 64
BROAD: Final = 40
"""Columns of a line that is broken where it is longer: an observation of one line may be long."""
MAX_SIZE: Final = 15.0
WIDE: Final = 0.602
"""The width of a letter of one width, for its height."""
NOTHING: Final = "nothing of the position is open to all"


class TextBody(Body):
    """Lines of text."""

    def __init__(self, text: str) -> None:
        self._lines = list(_lines(text))[:MAX_LINES] or [NOTHING]
        columns = max(map(len, self._lines))
        self._size = min(MAX_SIZE, (WIDTH - 2 * MARGIN) / (max(columns, 1) * WIDE))
        self._step = self._size * 1.22

    @property
    def height(self) -> float:
        return self._step * len(self._lines) + 16

    def draw(self, svg: Svg, top: float, plays: Sequence[Play]) -> set[int]:
        svg.rect(MARGIN - 6, top, WIDTH - 2 * MARGIN + 12, self.height - 4, round=5, fill="field")
        look = {"font_family": "ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace", "xml:space": "preserve"}
        for number, line in enumerate(self._lines):
            if line.strip():
                length = len(line) * self._size * WIDE
                y = top + 5 + self._step * (number + 0.8)
                svg.text(MARGIN, y, line, self._size, most=MAX_COLUMNS, textLength=length, **look)
        return set()

    def text(self, width: int) -> Sequence[Line]:
        return [(Span(clipped(line, width)),) for line in self._lines]

    def words(self) -> str:
        return clipped(" / ".join(" ".join(line.split()) for line in self._lines if line.strip()), 1500)


def text_body(view: View) -> TextBody:
    """Return the body that every game has."""
    if view.information and len(view.information) <= 400:
        return TextBody(f"{view.board}\n\n{view.information}" if view.board else view.information)
    return TextBody(view.board)


def _lines(text: str) -> Iterator[str]:
    """The lines of a board without empty ones around them and without what they share on the left."""
    lines = [safe(line.expandtabs().rstrip()) for line in text.split("\n")]
    while lines and not lines[0]:
        lines.pop(0)
    while lines and not lines[-1]:
        lines.pop()
    shared = min((len(line) - len(line.lstrip()) for line in lines if line), default=0)
    for line in lines:
        yield from _broken(line[shared:])


def _broken(line: str) -> Iterator[str]:
    """A line that fits as it is, or in pieces, broken at a blank or bracket where that is possible."""
    while len(line) > MAX_COLUMNS:
        at = max(line.rfind(mark, 1, BROAD) for mark in (" ", "["))
        at = at if at > 0 else BROAD
        yield line[:at].rstrip()
        line = line[at:].lstrip()
    yield line
