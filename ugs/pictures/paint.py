"""The colours of pictures: names, and what they look like on light and dark pages.

A picture names its paints twice: as a class, which the style sheet of a page decides about, and as an attribute, which
any viewer of SVG understands. So pictures need no style of their own, and pages may forbid it.

The colours of seats are those of Okabe and Ito, which people with any colour vision can distinguish. Still, no picture
may rely on colour alone.
"""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple


class Paint(NamedTuple):
    """One colour."""

    light: str
    dark: str


PAINTS: Final[Mapping[str, Paint]] = {
    # What things lie on, from the page up.
    "ground": Paint("#f3f0e8", "#1b1d21"),
    "field": Paint("#fffdf8", "#2b2e34"),
    "line": Paint("#bdb6a6", "#565b65"),
    # Around dark pieces, which are hardly seen on dark boards.
    "rim": Paint("#bdb6a6", "#c8cad0"),
    # Texts on them.
    "ink": Paint("#26241f", "#eceae4"),
    "faint": Paint("#655f52", "#aeb0b5"),
    # What is new, and what decided the game.
    "mark": Paint("#b0117e", "#ff8ad1"),
    # Seats and pieces: the same in light and dark, so that what is written on them stays readable.
    "red": Paint("#d55e00", "#d55e00"),
    "blue": Paint("#0072b2", "#0072b2"),
    "yellow": Paint("#f0d43a", "#f0d43a"),
    "green": Paint("#00805c", "#00805c"),
    "violet": Paint("#9a5590", "#9a5590"),
    "sky": Paint("#56b4e9", "#56b4e9"),
    "white": Paint("#ffffff", "#ffffff"),
    "black": Paint("#1a1a1a", "#1a1a1a"),
    # Land and sea, also distinguished by letters.
    "sea": Paint("#cfe3ef", "#22384a"),
    "clay": Paint("#e8b79a", "#6e412c"),
    "ore": Paint("#c3c4cc", "#4c4e58"),
    "sheep": Paint("#cde8a9", "#425c26"),
    "wheat": Paint("#f5df8e", "#6b5a1d"),
    "wood": Paint("#a9cfa8", "#2c4d33"),
    "sand": Paint("#ece3cd", "#55503f"),
    "gold": Paint("#f6cf62", "#7a5d10"),
    "fog": Paint("#dfdfe6", "#3a3c46"),
    "jungle": Paint("#7fbd8d", "#1d5a37"),
    "marsh": Paint("#dcbfd9", "#5a3d5c"),
    "swamp": Paint("#a4c8e0", "#27506c"),
    "rock": Paint("#dd9a75", "#7f4123"),
    "brown": Paint("#b98b5e", "#5f4026"),
    # Lines and strokes in the colours of seats, which have to stand out from the ground.
    "red-line": Paint("#c05300", "#ff8a3c"),
    "blue-line": Paint("#0069a5", "#56b4e9"),
    "yellow-line": Paint("#8a7300", "#f0d43a"),
    "green-line": Paint("#00734f", "#2fc796"),
    "violet-line": Paint("#9a5590", "#d79fd0"),
    "black-line": Paint("#1a1a1a", "#a4a8b0"),
}


def style_sheet() -> str:
    """Return the CSS for a page with pictures. Pages may set other colours as ``--ugs-NAME``."""
    return "".join(_rules())


def standalone(svg: str) -> str:
    """Return a picture as a file of its own, which looks right in light and dark."""
    # The first > ends the svg tag: its attributes are ours, and hold none.
    head, bracket, rest = svg.partition(">")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{head}{bracket}<style>{style_sheet()}</style>{rest}\n'


def _rules() -> Iterator[str]:
    for name, paint in PAINTS.items():
        yield _rule(name, paint.light)
    yield "@media (prefers-color-scheme:dark){\n"
    for name, paint in PAINTS.items():
        if paint.light != paint.dark:
            yield _rule(name, paint.dark)
    yield "}\n"


def _rule(name: str, colour: str) -> str:
    value = f"var(--ugs-{name},{colour})"
    return f".f-{name}{{fill:{value}}}.s-{name}{{stroke:{value}}}\n"
