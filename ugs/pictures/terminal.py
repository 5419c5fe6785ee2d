"""Pictures on a terminal: with colours where it has them, unless ``NO_COLOR`` is set."""

from collections.abc import Iterable

from rich.console import Console
from rich.text import Text

from ugs.pictures.contract import NARROWEST, STYLES, Line, Picture
from ugs.terminal import output, safe

WIDTH = 80
"""Columns where the output is no terminal."""
WIDEST = 120


def console() -> Console:
    """Standard output."""
    return output(WIDTH)


def width_of(console: Console) -> int:
    """Return how wide pictures are drawn for a console."""
    return min(max(console.width, NARROWEST), WIDEST)


def styled(lines: Iterable[Line]) -> Text:
    """Return lines with their styles, ready to print."""
    # A wrapped line would break the board in two.
    text = Text(no_wrap=True, overflow="crop")
    for number, line in enumerate(lines):
        text.append("\n" if number else "")
        for span in line:
            known = " ".join(word for word in span.style.split() if word in STYLES)
            text.append(safe(span.text), known)
    return text


def drawn(picture: Picture, width: int, *, indent: int = 0) -> Text:
    """Return a picture for a terminal of that width."""
    lines = styled(picture.text(max(width - indent, NARROWEST))).split("\n", allow_blank=True)
    for line in lines:
        line.rstrip()
    return Text("\n", no_wrap=True, overflow="crop").join(Text(" " * indent * bool(line)) + line for line in lines)


def show(console: Console, picture: Picture, *, indent: int = 0) -> None:
    """Print a picture."""
    console.print(drawn(picture, width_of(console), indent=indent), soft_wrap=True, highlight=False)
